import * as client from 'openid-client';
import { PUBLIC_URL, type TestApp } from './app';

/** `fetch` of a client, for which the service is at its public address. */
export function fetchFrom(test: Pick<TestApp, 'url'>): client.CustomFetch {
  return (address, options) => {
    const url = new URL(address);
    if (url.origin !== new URL(PUBLIC_URL).origin) throw new Error(`The client wants to call ${address}.`);
    return fetch(`${test.url}${url.pathname}${url.search}`, options);
  };
}

/** Registers a client by RFC 7591. @param metadata of a public client, unless it names another method */
export async function stranger(
  test: Pick<TestApp, 'url'>,
  metadata: Partial<client.ClientMetadata> & { redirect_uris?: string[]; client_name?: string },
  authentication?: client.ClientAuth,
): Promise<client.Configuration> {
  return client.dynamicClientRegistration(
    new URL(PUBLIC_URL),
    { token_endpoint_auth_method: 'none', ...metadata },
    authentication ?? client.None(),
    { [client.customFetch]: fetchFrom(test), algorithm: 'oauth2' },
  );
}

/** The configuration of a client that exists. */
export function knownClient(
  test: Pick<TestApp, 'url'>,
  clientId: string,
  authentication: client.ClientAuth = client.None(),
): Promise<client.Configuration> {
  return client.discovery(new URL(PUBLIC_URL), clientId, {}, authentication, {
    [client.customFetch]: fetchFrom(test),
    algorithm: 'oauth2',
  });
}

/** A client's own part of a code flow: what it keeps until the person comes back. */
export interface Begun {
  address: URL;
  verifier: string;
  state: string;
}

/** Begins a code flow with PKCE. @param parameters further ones of the authorization request */
export async function begin(config: client.Configuration, parameters: Record<string, string>): Promise<Begun> {
  const [verifier, state] = [client.randomPKCECodeVerifier(), client.randomState()];
  const address = client.buildAuthorizationUrl(config, {
    state,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...parameters,
  });
  return { address, verifier, state };
}

/** Exchanges the code with which the person came back. */
export function finish(config: client.Configuration, { verifier, state }: Begun, back: URL, resource?: string) {
  const more = resource === undefined ? undefined : { resource };
  return client.authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier, expectedState: state }, more);
}

/** @returns the error of the protocol with which a request was refused */
export async function refusal(request: Promise<unknown>): Promise<string> {
  const error: unknown = await request.then(
    () => new Error('It was not refused.'),
    (reason: unknown) => reason,
  );
  if (error instanceof client.ResponseBodyError || error instanceof client.AuthorizationResponseError)
    return error.error;
  if (error instanceof client.WWWAuthenticateChallengeError) return error.cause[0]?.parameters.error ?? '';
  throw error;
}

/** Lets the network of the tests register clients again: it may register 20 an hour. */
export async function forgetRegistrations({ dataSource }: Pick<TestApp, 'dataSource'>): Promise<void> {
  await dataSource.query(`UPDATE oauth_clients SET registered_from = NULL`);
}
