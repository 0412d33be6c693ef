import { base64url, bytesOf } from './base64url';

interface CreationOptions extends Omit<
  PublicKeyCredentialCreationOptions,
  'challenge' | 'user' | 'excludeCredentials'
> {
  challenge: string;
  user: { id: string; name: string; displayName: string };
  excludeCredentials?: { id: string; type: 'public-key' }[];
}

/** An address in digits cannot have passkeys (Web Authentication, section 5.1.2). */
const IS_ADDRESS = /^[\d.]+$|:/;

/** @returns whether the browser can make passkeys for this page */
export function hasPasskeys(): boolean {
  return 'PublicKeyCredential' in window && !IS_ADDRESS.test(window.location.hostname);
}

/**
 * Asks the browser for a new passkey.
 *
 * @param options as the API gives them, in JSON
 * @returns what the API takes, in JSON
 * @throws DOMException if the person declines, or the browser does; TypeError if it made something else
 */
export async function createPasskey(options: Record<string, unknown>): Promise<Record<string, unknown>> {
  if (!isCreation(options)) throw new TypeError('These are no options of a passkey.');
  const publicKey: PublicKeyCredentialCreationOptions = {
    ...options,
    challenge: bytesOf(options.challenge),
    user: { ...options.user, id: bytesOf(options.user.id) },
    excludeCredentials: (options.excludeCredentials ?? []).map((one) => ({ ...one, id: bytesOf(one.id) })),
  };
  const credential = await navigator.credentials.create({ publicKey });
  if (!(credential instanceof PublicKeyCredential)) throw new TypeError('The browser made no passkey.');
  const { id, type, response } = credential;
  if (!(response instanceof AuthenticatorAttestationResponse)) throw new TypeError('The browser made no passkey.');
  return {
    id,
    rawId: id,
    type,
    clientExtensionResults: {},
    response: {
      clientDataJSON: base64url(response.clientDataJSON),
      attestationObject: base64url(response.attestationObject),
      transports: response.getTransports(),
    },
  };
}

function isCreation(options: Record<string, unknown>): options is Record<string, unknown> & CreationOptions {
  const { challenge, user } = options;
  return typeof challenge === 'string' && typeof user === 'object' && user !== null && 'id' in user;
}
