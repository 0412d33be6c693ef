import { canAnswer } from './client-features';

const client = (capabilities: Record<string, unknown>) => ({
  client: { era: 'legacy', revision: '2025-11-25', capabilities } as const,
});
const page = (url: unknown) => ({ mode: 'url', url, elicitationId: '1', message: 'Open it.' });

describe('A client', () => {
  it('is asked what it has declared', () => {
    expect(canAnswer(client({ sampling: {} }), 'sampling/createMessage', {})).toBe(true);
    expect(canAnswer(client({ sampling: {} }), 'roots/list', {})).toBe(false);
    expect(canAnswer(client({ sampling: true }), 'sampling/createMessage', {})).toBe(false);
    expect(canAnswer(client({ tools: {} }), 'tools/list', {})).toBe(false);
  });

  it('is sent to pages only if it has declared that', () => {
    expect(canAnswer(client({ elicitation: {} }), 'elicitation/create', { message: 'Who?' })).toBe(true);
    expect(canAnswer(client({ elicitation: {} }), 'elicitation/create', page('https://a.example'))).toBe(false);
    expect(canAnswer(client({ elicitation: { url: {} } }), 'elicitation/create', page('https://a.example'))).toBe(true);
  });

  it.each([
    [{}, true, false],
    [{ form: {} }, true, false],
    [{ url: {} }, false, true],
    [{ form: {}, url: {} }, true, true],
  ])('is asked in the modes that it has declared: %j', (elicitation, form, url) => {
    const isAsked = (params: Record<string, unknown>) =>
      canAnswer(client({ elicitation }), 'elicitation/create', { ...params, message: 'Who?' });
    expect([isAsked({}), isAsked({ mode: 'form' }), isAsked(page('https://a.example'))]).toEqual([form, form, url]);
    expect([isAsked({ mode: null }), isAsked({ mode: 'voice' })]).toEqual([form, false]);
  });

  it.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'vscode://x',
    'data:text/html,x',
    '//a.example',
    '',
    5,
    undefined,
  ])('is not sent to %j', (url) =>
    expect(canAnswer(client({ elicitation: { url: {} } }), 'elicitation/create', page(url))).toBe(false),
  );
});
