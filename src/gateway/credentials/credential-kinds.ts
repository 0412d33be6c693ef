/**
 * What a credential is. `SECRETS`: values for the headers and variables that a server.json marks as secret, or a header
 * `Authorization`. `OAUTH`: tokens that were given for a person or a service account. `OAUTH_CLIENT`: the id and the secret of
 * a client that gets tokens for itself.
 */
export const CREDENTIAL_KINDS = ['SECRETS', 'OAUTH', 'OAUTH_CLIENT'] as const;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

/** A credential belongs to one person, to everyone who uses the bundle, or to all bundles of the organisation. */
export const CREDENTIAL_OWNERS = ['PERSON', 'BUNDLE', 'ORGANISATION'] as const;
export type CredentialOwnerKind = (typeof CREDENTIAL_OWNERS)[number];

/** `RECONNECT`: the server or its issuer no longer accepts it, and it is not sent any more. */
export const CREDENTIAL_STATUSES = ['ACTIVE', 'RECONNECT'] as const;
export type CredentialStatus = (typeof CREDENTIAL_STATUSES)[number];

/** The names of the values of OAuth credentials. */
export const ACCESS_TOKEN = 'access_token';
export const REFRESH_TOKEN = 'refresh_token';
export const CLIENT_SECRET = 'client_secret';

/** A name that every server may be given, whether or not its server.json asks for it. */
export const AUTHORIZATION = 'Authorization';
