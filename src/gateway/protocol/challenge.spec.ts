import { readChallenge, scopeUnion } from './challenge';

describe('The challenge of a server', () => {
  it.each([
    ['Bearer', {}],
    ['bearer realm="x"', {}],
    [
      'Bearer resource_metadata="https://a.example/.well-known/oauth-protected-resource"',
      { resourceMetadata: 'https://a.example/.well-known/oauth-protected-resource' },
    ],
    [
      'Bearer error="insufficient_scope", scope="read write", realm=x',
      { error: 'insufficient_scope', scope: 'read write' },
    ],
    ['Basic realm="a, Bearer scope=\\"no\\"", Bearer scope=files', { scope: 'files' }],
    ['Bearer scope="a", DPoP algs="ES256", scope="b"', { scope: 'a' }],
    ['Bearer scope="quoted \\\\" end"', {}],
  ])('is read from %s', (header, expected) => {
    expect(readChallenge(header)).toEqual(expected);
  });

  it.each([null, undefined, '', 'Basic realm="x"', 'Negotiate', `Bearer ${'x'.repeat(9_000)}`])(
    'is none in %p',
    (header) => {
      expect(readChallenge(header)).toBeUndefined();
    },
  );
});

describe('The union of scopes', () => {
  it('has each once, in the order of first sight', () => {
    expect(scopeUnion('read write', undefined, 'write admin')).toBe('read write admin');
    expect(scopeUnion(undefined, '')).toBeUndefined();
  });
});
