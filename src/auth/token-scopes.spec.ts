import fc from 'fast-check';
import { SCOPE_NAMES } from './scopes';
import { tokenScopes } from './token-scopes';

const OWN = { limitsByScope: true, requiresScopes: false };
const FOREIGN = { limitsByScope: false, requiresScopes: false };
const REQUIRED = { limitsByScope: false, requiresScopes: true };

const listed = (claims: Parameters<typeof tokenScopes>[0], issuer: Parameters<typeof tokenScopes>[1]) => {
  const scopes = tokenScopes(claims, issuer);
  return scopes && [...scopes].sort();
};

describe('The scopes of a token', () => {
  it.each([
    ['scope of RFC 9068', { scope: 'openid catalog:read platform:admin' }],
    ['scp of Okta', { scp: ['openid', 'catalog:read', 'platform:admin'] }],
    ['scp of Entra ID', { scp: 'catalog:read platform:admin User.Read' }],
    ['scope as a list', { scope: ['catalog:read', 'platform:admin'] }],
    ['both claims', { scope: 'platform:admin', scp: ['catalog:read'] }],
  ])('are read from %s', (_, claims) => {
    for (const issuer of [OWN, FOREIGN, REQUIRED])
      expect(listed(claims, issuer)).toEqual(['catalog:read', 'platform:admin']);
  });

  it.each([[{}], [{ scope: 'openid email' }], [{ scp: ['User.Read'] }], [{ scope: '' }], [{ scope: 7 }]])(
    'do not limit a token of a foreign issuer without any of ours, unless that is required: %j',
    (claims) => {
      expect(listed(claims, FOREIGN)).toBeUndefined();
      expect(listed(claims, REQUIRED)).toEqual([]);
    },
  );

  it.each([[{ scope: 'openid' }], [{ scope: '' }], [{ scope: null }], [{ scope: 7 }], [{ scp: [] }]])(
    'limit a token of our own issuer that states any, to nothing with none of ours: %j',
    (claims) => expect(listed(claims, OWN)).toEqual([]),
  );

  it('do not limit a token of our own issuer that states none', () => {
    expect(listed({ sub: 'ada' }, OWN)).toBeUndefined();
  });

  it('are never others than those that the token names word by word', () => {
    const word = fc.oneof(
      fc.constantFrom(...SCOPE_NAMES, 'offline_access', 'catalog', 'CATALOG:READ', '__proto__', 'toString'),
      fc.string(),
    );
    const claim = fc.oneof(
      fc.array(word),
      fc.array(word).map((words) => words.join(' ')),
      fc.anything(),
    );
    fc.assert(
      fc.property(claim, claim, fc.constantFrom(OWN, FOREIGN, REQUIRED), (scope, scp, issuer) => {
        const text = JSON.stringify([scope, scp]) ?? '';
        for (const one of tokenScopes({ scope, scp }, issuer) ?? []) {
          expect(SCOPE_NAMES).toContain(one);
          expect(text).toContain(one);
        }
      }),
    );
  });
});
