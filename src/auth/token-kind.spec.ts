import type { JWTPayload } from 'jose';
import { foreignKind } from './token-kind';

const API = 'toolyard';
const CLIENT = '6a4f2f0e-7f0f-4b0e-9d55-0c3b3a1f6f10';

/** What issuers put into access tokens, reduced to the claims that could be misread. */
const ACCESS_TOKENS: [string, string | undefined, JWTPayload][] = [
  ['RFC 9068', 'at+jwt', { aud: API, client_id: CLIENT, nonce: 'n', auth_time: 1 }],
  ['RFC 9068 as a media type, in capitals', 'APPLICATION/AT+JWT', { aud: CLIENT, azp: CLIENT }],
  ['an issuer without a typ', undefined, { aud: API }],
  ['Keycloak', 'JWT', { typ: 'Bearer', aud: [API, 'account'], azp: CLIENT, scope: 'openid', sid: 's' }],
  ['Keycloak before 25', 'JWT', { typ: 'Bearer', aud: API, azp: CLIENT, nonce: 'n', scope: 'openid' }],
  ['Entra ID, v2.0', 'JWT', { aud: API, azp: CLIENT, scp: 'access', ver: '2.0', uti: 'u', rh: 'r' }],
  ['Entra ID, an application calling itself', 'JWT', { aud: CLIENT, azp: CLIENT, scp: 'access', ver: '2.0' }],
  ['Entra ID, v1.0, without a user', 'JWT', { aud: `api://${API}`, appid: CLIENT, idtyp: 'app', roles: ['x'] }],
  ['Auth0', 'JWT', { aud: [API, 'https://acme.eu.auth0.com/userinfo'], azp: CLIENT, scope: 'openid email' }],
  ['Okta', undefined, { aud: API, cid: CLIENT, uid: 'u', scp: ['openid'], ver: 1 }],
  ['Amazon Cognito', undefined, { aud: API, client_id: CLIENT, token_use: 'access', scope: 'x' }],
  ['authentik', 'JWT', { aud: CLIENT, azp: CLIENT, nonce: 'n', scope: 'openid email', uid: 'u' }],
];

const ID_TOKENS: [string, string | undefined, JWTPayload][] = [
  ['OpenID Connect with a nonce', 'JWT', { aud: API, nonce: 'n' }],
  ['OpenID Connect with a hash of the access token', undefined, { aud: API, at_hash: 'h' }],
  ['OpenID Connect with a hash of the code', undefined, { aud: API, c_hash: 'h' }],
  ['Keycloak', 'JWT', { typ: 'ID', aud: CLIENT, azp: CLIENT, at_hash: 'h', sid: 's' }],
  ['a refresh token of Keycloak', 'JWT', { typ: 'Refresh', aud: API, azp: CLIENT, scope: 'openid' }],
  ['Amazon Cognito', undefined, { aud: CLIENT, token_use: 'id' }],
  ['Google', 'JWT', { aud: CLIENT, azp: CLIENT, email_verified: true }],
  ['Entra ID, with neither nonce nor scope', 'JWT', { aud: CLIENT, ver: '2.0', roles: ['x'] }],
  ['a single audience in a list', 'JWT', { aud: [CLIENT], azp: CLIENT }],
];

describe('The kind of a token', () => {
  it.each(ACCESS_TOKENS)('allows what %s sends as an access token', (_, typ, claims) => {
    expect(foreignKind({ alg: 'RS256', typ }, claims, CLIENT)).toBeUndefined();
  });

  it.each(ID_TOKENS)('is recognised as an ID token: %s', (_, typ, claims) => {
    expect(foreignKind({ alg: 'RS256', typ }, claims, CLIENT)).toMatch(/ID token/);
  });

  it.each([
    'logout+jwt',
    'dpop+jwt',
    'secevent+jwt',
    'application/logout+jwt',
    'oauth-authz-req+jwt',
    'token-introspection+jwt',
    'jose',
    '',
  ])('is taken from a typ header other than those of access tokens: "%s"', (typ) => {
    expect(foreignKind({ alg: 'RS256', typ }, { aud: API, scope: 'x' }, undefined)).toMatch(/"typ"/);
  });
});
