import { visibleText } from '../../pages/visible-text';
import { protocolErrors } from './library';
import { isStorable } from './protocol-text';

/** Client metadata (RFC 7591, section 2), as they are stored. */
export type ClientMetadata = Record<string, unknown>;

/** Scopes about the person rather than about what may be done (OpenID Connect Core 1.0, section 5.4). */
export const IDENTITY_SCOPES = ['openid', 'email', 'profile'] as const;

export const CLIENT_AUTH_METHODS = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'] as const;

export const APPLICATION_TYPES = ['web', 'native'] as const;

export const MAX_REDIRECT_URIS = 10;
const MAX_URI_LENGTH = 2_000;
const MAX_NAME_LENGTH = 200;

/** Never a redirect: they run or read something in the browser (draft-ietf-oauth-security-topics). */
const FORBIDDEN_SCHEMES = new Set(['javascript:', 'data:', 'file:', 'blob:', 'vbscript:', 'about:']);

const LOOPBACK_HOSTS = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** What a client may register or say of itself. Client credentials are for clients that an administrator made. */
const GRANT_TYPES = ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'];

/** The redirect reaches a program on the same computer, over HTTP (RFC 8252, section 7.3). */
export function isLoopback(uri: string): boolean {
  const url = URL.parse(uri);
  return url?.protocol === 'http:' && LOOPBACK_HOSTS.has(url.hostname);
}

/** The redirect reaches whichever program has claimed the scheme (RFC 8252, section 7.1). */
export function isPrivateUse(uri: string): boolean {
  const url = URL.parse(uri);
  return url !== null && url.protocol !== 'http:' && url.protocol !== 'https:';
}

/**
 * What clients say of themselves, at registration or in their metadata document, with a name that can be seen and
 * `application_type` filled in:
 * a client that does not name one and has a loopback or private-use redirect is `native`.
 *
 * @throws InvalidClientMetadata, InvalidRedirectUri
 */
export function selfDescribed(metadata: ClientMetadata): ClientMetadata {
  if (!isStorable(metadata))
    throw new (protocolErrors().InvalidRequest)('text contains a NUL character or a lone surrogate');
  const redirectUris = redirectUrisOf(metadata);
  requireShortTexts(metadata);
  const isNative = redirectUris.some((uri) => isLoopback(uri) || isPrivateUse(uri));
  const grantTypes = selfGrantTypes(metadata.grant_types);
  const { client_name: name } = metadata;
  return {
    ...metadata,
    // What it says in other languages is shown to nobody.
    ...(typeof name === 'string' && { client_name: visibleText(name) }),
    application_type: metadata.application_type ?? (isNative ? 'native' : 'web'),
    grant_types: grantTypes,
    response_types: grantTypes.includes('authorization_code') ? ['code'] : [],
    // Nobody has checked what it registered with, and people decide by what it asks for: no limit of its own.
    scope: undefined,
  };
}

/**
 * @returns the redirect URIs
 * @throws InvalidRedirectUri if there are too many, one has a scheme that no client may have, or a code would leave the
 *   computer unencrypted (OAuth 2.1, section 1.5)
 */
export function redirectUrisOf({ redirect_uris: uris }: ClientMetadata): string[] {
  if (uris === undefined) return [];
  if (!Array.isArray(uris) || !uris.every((uri): uri is string => typeof uri === 'string'))
    throw new (protocolErrors().InvalidRedirectUri)('redirect_uris must be an array of strings');
  if (uris.length > MAX_REDIRECT_URIS) throw invalidRedirect(`a client has at most ${MAX_REDIRECT_URIS} of them`);
  for (const uri of uris) {
    const url = URL.parse(uri);
    if (!url || uri.length > MAX_URI_LENGTH) throw invalidRedirect('each must be a URI of at most 2000 characters');
    if (FORBIDDEN_SCHEMES.has(url.protocol)) throw invalidRedirect(`${url.protocol} is not allowed`);
    if (url.protocol === 'http:' && !isLoopback(uri)) throw invalidRedirect('http is for loopback addresses only');
  }
  return uris;
}

function invalidRedirect(reason: string): Error {
  const error = new (protocolErrors().InvalidRedirectUri)();
  error.error_description = `redirect_uris: ${reason}`;
  return error;
}

function requireShortTexts(metadata: ClientMetadata): void {
  const { client_name: name } = metadata;
  if (name !== undefined && (typeof name !== 'string' || name.length > MAX_NAME_LENGTH))
    throw new (protocolErrors().InvalidClientMetadata)(
      `client_name must be a text of at most ${MAX_NAME_LENGTH} characters`,
    );
  for (const [key, value] of Object.entries(metadata)) {
    if (typeof value === 'string' && value.length > MAX_URI_LENGTH)
      throw new (protocolErrors().InvalidClientMetadata)(`${key} has more than ${MAX_URI_LENGTH} characters`);
  }
}

/** Clients ask for more than they need; what is not for them is left out, as the response shows. */
function selfGrantTypes(grantTypes: unknown): string[] {
  if (grantTypes === undefined) return ['authorization_code', 'refresh_token'];
  if (!Array.isArray(grantTypes))
    throw new (protocolErrors().InvalidClientMetadata)('grant_types must be an array of strings');
  if (grantTypes.includes('client_credentials'))
    throw new (protocolErrors().InvalidClientMetadata)(
      'client_credentials is for clients that a platform administrator creates',
    );
  return GRANT_TYPES.filter((type) => grantTypes.includes(type));
}
