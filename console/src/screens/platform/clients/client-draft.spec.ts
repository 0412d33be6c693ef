import type { OAuthClient } from '../../../api/schema';
import { changes, creation, draftOf, NEW_CLIENT } from './client-draft';

const CLIENT: OAuthClient = {
  id: 'a',
  name: 'Reports',
  source: 'ADMINISTRATOR',
  redirect_uris: ['https://a.example.com/cb', 'https://b.example.com/cb'],
  grant_types: ['authorization_code'],
  token_endpoint_auth_method: 'client_secret_basic',
  application_type: 'web',
  scope: 'openid catalog:read',
  post_logout_redirect_uris: [],
  backchannel_logout_uri: 'https://a.example.com/out',
  jwks_uri: null,
  is_trusted: false,
  secrets: [],
  last_used_at: '2026-03-01T00:00:00.000Z',
  created_at: '2026-03-01T00:00:00.000Z',
  updated_at: '2026-03-01T00:00:00.000Z',
};

describe('What is typed about a client', () => {
  it('becomes the body that creates it, an address a line, without what is empty', () => {
    const draft = { ...NEW_CLIENT, name: ' Reports ', redirects: ' https://a.example.com/cb \n\nhttp://localhost/cb' };
    expect(creation(draft)).toEqual({
      name: 'Reports',
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_basic',
      is_trusted: false,
      redirect_uris: ['https://a.example.com/cb', 'http://localhost/cb'],
    });
  });

  it('changes only what differs', () => {
    expect(changes(CLIENT, draftOf(CLIENT))).toEqual({});
    expect(changes(CLIENT, { ...draftOf(CLIENT), name: 'Charts', isTrusted: true })).toEqual({
      name: 'Charts',
      is_trusted: true,
    });
    expect(changes(CLIENT, { ...draftOf(CLIENT), backchannel: ' ', redirects: 'https://c.example.com/cb' })).toEqual({
      backchannel_logout_uri: null,
      redirect_uris: ['https://c.example.com/cb'],
    });
  });

  it('keeps the scopes of OAuth itself, and is limited only if that is said', () => {
    expect(changes(CLIENT, { ...draftOf(CLIENT), scopes: ['catalog:read', 'bundles:read'] })).toEqual({
      scope: 'openid catalog:read bundles:read',
    });
    expect(changes(CLIENT, { ...draftOf(CLIENT), scopes: [] })).toEqual({ scope: 'openid' });
    expect(changes(CLIENT, { ...draftOf(CLIENT), isLimited: false })).toEqual({ scope: null });
    expect(creation({ ...NEW_CLIENT, isLimited: true, scopes: ['catalog:read'] })).toMatchObject({
      scope: 'catalog:read',
    });
  });
});
