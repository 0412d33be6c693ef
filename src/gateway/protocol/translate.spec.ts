import fc from 'fast-check';
import { faultsOfToolResult, REVISIONS_OF_CLIENTS } from '../../../test/gateway/support/revision-schemas';
import { passingMeta, translateError, translateResult } from './translate';

const SERVER = { name: 'Data team', version: '3' };
const SERVER_INFO = { 'io.modelcontextprotocol/serverInfo': SERVER };

describe('What passes from hop to hop', () => {
  it('is all of `_meta` but what belongs to the hop', () => {
    const meta = {
      progressToken: 1,
      traceparent: '00-a-b-01',
      'com.example/x': 1,
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/unknown': 1,
    };
    expect(passingMeta(meta)).toEqual({ progressToken: 1, traceparent: '00-a-b-01', 'com.example/x': 1 });
    expect(passingMeta({ 'io.modelcontextprotocol/x': 1 })).toBeUndefined();
    expect(passingMeta(undefined)).toBeUndefined();
  });
});

describe('A result', () => {
  const content = [{ type: 'text', text: 'x' }];

  it('of an earlier revision is complete for a modern client, and says who answers', () => {
    expect(translateResult({ content }, 'tools/call', 'modern', SERVER)).toEqual({
      resultType: 'complete',
      content,
      _meta: SERVER_INFO,
    });
    expect(translateResult({ contents: [] }, 'resources/read', 'modern', SERVER)).toEqual({
      resultType: 'complete',
      contents: [],
      ttlMs: 0,
      cacheScope: 'private',
      _meta: SERVER_INFO,
    });
  });

  it('that may be kept is kept for as long as the upstream says, but for one person', () => {
    const hints = { ttlMs: 5_000, cacheScope: 'public' };
    expect(translateResult({ contents: [], ...hints }, 'resources/read', 'modern', SERVER)).toMatchObject({
      ttlMs: 5_000,
      cacheScope: 'private',
    });
    for (const ttlMs of [-1, '5', 1.5, undefined])
      expect(translateResult({ ...hints, ttlMs }, 'resources/read', 'modern', SERVER)).toMatchObject({ ttlMs: 0 });
    expect(translateResult({ content, ...hints }, 'tools/call', 'modern', SERVER)).not.toHaveProperty('ttlMs');
  });

  it('that asks for input passes unchanged', () => {
    const asking = { resultType: 'input_required', inputRequests: { a: { method: 'roots/list' } }, requestState: 's' };
    expect(translateResult(asking, 'resources/read', 'modern', SERVER)).toEqual({ ...asking, _meta: SERVER_INFO });
  });

  it('for a client of an earlier revision has nothing that it does not know', () => {
    const result = {
      resultType: 'complete',
      contents: [],
      ttlMs: 1,
      cacheScope: 'public',
      _meta: { ...SERVER_INFO, 'a/b': 1 },
    };
    expect(translateResult(result, 'resources/read', 'legacy', SERVER)).toEqual({ contents: [], _meta: { 'a/b': 1 } });
    expect(translateResult({ content, _meta: SERVER_INFO }, 'tools/call', 'legacy', SERVER)).toEqual({ content });
  });
});

describe('A result that its client could not read', () => {
  const call = (result: object, to: 'modern' | 'legacy', wrapsOutput = false) => {
    const { _meta, resultType: _type, ...rest } = translateResult({ ...result }, 'tools/call', to, SERVER, wrapsOutput);
    return rest;
  };
  const content = [{ type: 'text', text: 'x' }];

  it('has content, for clients of either era', () => {
    for (const to of ['modern', 'legacy'] as const) {
      expect(call({ structuredContent: { a: 1 } }, to)).toEqual({ structuredContent: { a: 1 }, content: [] });
      expect(call({ content: null }, to)).toEqual({ content: [] });
    }
  });

  it.each([[[1]], ['x'], [0], [false]])(
    'has an object around %j for clients of the legacy era',
    (structuredContent) => {
      expect(call({ content, structuredContent }, 'legacy')).toEqual({
        content,
        structuredContent: { result: structuredContent },
      });
      expect(call({ content, structuredContent }, 'modern')).toEqual({ content, structuredContent });
    },
  );

  it('has an object around whatever it is if the list says so', () => {
    for (const structuredContent of [{ a: 1 }, null, [1]])
      expect(call({ content, structuredContent }, 'legacy', true)).toEqual({
        content,
        structuredContent: { result: structuredContent },
      });
    expect(call({ content, isError: true }, 'legacy', true)).toEqual({ content, isError: true });
    expect(call({ content, structuredContent: { a: 1 } }, 'modern', true)).toEqual({
      content,
      structuredContent: { a: 1 },
    });
  });

  it('lacks what is null in place of nothing', () => {
    expect(call({ content, isError: null, structuredContent: null }, 'legacy')).toEqual({ content });
    const prompt = { description: null, messages: [] };
    expect(translateResult(prompt, 'prompts/get', 'legacy', SERVER)).toEqual({ messages: [] });
  });

  it('is valid for every revision, whatever a server answers', () => {
    const value = fc.jsonValue({ maxDepth: 2 });
    const results = fc.record(
      {
        content: fc.oneof(fc.constant(content), fc.constant(null)),
        structuredContent: value,
        isError: value,
        other: value,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(results, fc.boolean(), (result, wrapsOutput) => {
        for (const revision of REVISIONS_OF_CLIENTS) {
          const to = revision === '2026-07-28' ? 'modern' : 'legacy';
          const translated = translateResult(result, 'tools/call', to, SERVER, wrapsOutput);
          expect(faultsOfToolResult(revision, translated)).toEqual([]);
        }
      }),
    );
  });
});

describe('An error', () => {
  it.each([
    [-32002, 'modern', -32602],
    [-32002, 'legacy', -32002],
    [-32602, 'legacy', -32602],
    [-32042, 'modern', -32603],
    [-32042, 'legacy', -32042],
    [-32020, 'legacy', -32603],
    [-32022, 'legacy', -32603],
    [-32023, 'legacy', -32023],
    [-32050, 'legacy', -32050],
    [-32050, 'modern', -32050],
    [-32099, 'legacy', -32099],
    [-32021, 'modern', -32021],
    [12, 'legacy', 12],
  ] as const)('%i is for a %s client %i', (code, to, expected) => {
    expect(translateError({ code, message: 'no' }, to)).toEqual({ code: expected, message: 'no' });
  });

  it('keeps its words, up to 4 KiB', () => {
    expect(translateError({ code: 1, message: 'no', data: { a: 1 } }, 'modern')).toEqual({
      code: 1,
      message: 'no',
      data: { a: 1 },
    });
    const { message, data } = translateError(
      { code: 1, message: '世'.repeat(2_000), data: 'x'.repeat(5_000) },
      'modern',
    );
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(4_096);
    expect(message).toMatch(/^世+…$/);
    expect(data).toBeUndefined();
  });

  it('sends people to pages only', () => {
    const elicitations = ['https://a.example', 'javascript:alert(1)'].map((url) => ({ mode: 'url', url }));
    expect(translateError({ code: -32042, message: 'no', data: { elicitations } }, 'legacy').data).toEqual({
      elicitations: elicitations.slice(0, 1),
    });
  });

  it('without a valid form is still one', () => {
    expect(translateError({ code: 'x' }, 'modern')).toEqual({
      code: -32603,
      message: 'The upstream has answered with an error.',
    });
  });
});
