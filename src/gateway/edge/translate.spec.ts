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

describe('An error', () => {
  it.each([
    [-32002, 'modern', -32602],
    [-32002, 'legacy', -32002],
    [-32602, 'legacy', -32602],
    [-32042, 'modern', -32603],
    [-32042, 'legacy', -32042],
    [-32020, 'legacy', -32603],
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

  it('without a valid form is still one', () => {
    expect(translateError({ code: 'x' }, 'modern')).toEqual({
      code: -32603,
      message: 'The upstream has answered with an error.',
    });
  });
});
