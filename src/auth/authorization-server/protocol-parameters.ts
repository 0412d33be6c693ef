import { RESOURCES_IN_WORDS } from '../resources';
import { CLIENT_GRANT_TYPES } from './clients/oauth-client.dto';
import type { Parameters } from './protocol-document';

export const RESPONSE_MODES = ['query', 'fragment', 'form_post'] as const;
export const TOKEN_TYPE_HINTS = ['access_token', 'refresh_token'] as const;

const SCOPE = {
  description: 'Separated by spaces. Default: every scope that reads. Scopes that do not exist are ignored.',
  maxLength: 1_000,
} as const;
const RESOURCE = {
  description: `What the access token is for (RFC 8707): ${RESOURCES_IN_WORDS}.`,
  format: 'uri',
} as const;

/** How a client proves who it is; one with `client_secret_basic` sends `Authorization: Basic` instead. */
const CLIENT_AUTHENTICATION: Parameters = {
  client_id: { description: 'The id of a client that has no secret or uses `client_secret_post`.' },
  client_secret: { description: 'With `client_secret_post`.' },
  client_assertion: { description: 'With `private_key_jwt` (RFC 7523).' },
  client_assertion_type: {
    description: 'With `private_key_jwt`.',
    values: ['urn:ietf:params:oauth:client-assertion-type:jwt-bearer'],
  },
};

/** Authorization requests have these (RFC 6749, section 4.1.1; RFC 7636; OpenID Connect Core 1.0, section 3.1.2.1). */
const REQUEST: Parameters = {
  response_type: { description: 'Always `code`.', values: ['code'] },
  redirect_uri: { description: 'One that the client has registered; of a loopback address, with any port.' },
  code_challenge: { description: 'Base64url of the SHA-256 of the verifier. Required of every client.' },
  code_challenge_method: { description: 'Always `S256`.', values: ['S256'] },
  scope: SCOPE,
  resource: RESOURCE,
  state: { description: 'Comes back unchanged.' },
  nonce: { description: 'Comes back in the ID token.' },
  prompt: { description: '`none`, or `login` and `consent`, separated by a space.' },
  max_age: { description: 'How long ago the person may have signed in; seconds.', type: 'integer' },
  login_hint: { description: 'Ignored.' },
  id_token_hint: { description: 'An ID token of the person.' },
  response_mode: { description: 'Default: `query`.', values: RESPONSE_MODES },
};

export const AUTHORIZATION: Parameters = {
  client_id: { description: 'The id of the client, or the address of its metadata document.', required: true },
  request_uri: {
    description: 'The name of a pushed request (RFC 9126), in place of all other parameters but `client_id`.',
  },
  ...REQUEST,
};

export const PUSHED: Parameters = { ...CLIENT_AUTHENTICATION, ...REQUEST };

export const TOKEN: Parameters = {
  grant_type: {
    description: 'What the tokens are given for.',
    required: true,
    values: CLIENT_GRANT_TYPES,
  },
  ...CLIENT_AUTHENTICATION,
  code: { description: 'With `authorization_code`: works once, within a minute.' },
  redirect_uri: { description: 'With `authorization_code`: as in the authorization request.' },
  code_verifier: { description: 'With `authorization_code`: what the challenge was made from.' },
  refresh_token: { description: 'With `refresh_token`: works once for a client without a secret.' },
  device_code: { description: 'With a device code.' },
  scope: { description: 'With `client_credentials`; with `refresh_token`, to ask for fewer.', maxLength: 1_000 },
  resource: RESOURCE,
};

/** RFC 7009, section 2.1; RFC 7662, section 2.1. */
export const ABOUT_A_TOKEN: Parameters = {
  token: { description: 'An access token or a refresh token.', required: true },
  token_type_hint: { description: 'Only a hint.', values: TOKEN_TYPE_HINTS },
  ...CLIENT_AUTHENTICATION,
};

export const DEVICE: Parameters = { ...CLIENT_AUTHENTICATION, scope: SCOPE, resource: RESOURCE };

export const SIGN_OUT: Parameters = {
  id_token_hint: { description: 'An ID token of the session.' },
  client_id: { description: 'The id of the client, if there is no ID token.' },
  post_logout_redirect_uri: { description: 'One that the client has registered.', format: 'uri' },
  state: { description: 'Comes back unchanged.' },
};
