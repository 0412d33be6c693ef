import { calculateJwkThumbprint, exportJWK, generateKeyPair, JWK } from 'jose';
import { generatedFile } from '../config/generated-file';

/** The key of our own issuer: ES256. */
export interface SigningKey {
  /** The JWK thumbprint (RFC 7638). */
  kid: string;
  privateJwk: JWK;
}

/**
 * Reads the signing key of the data directory, or creates it. The service and `npm run token` may do this
 * simultaneously; both end up with the same key.
 */
export async function signingKey(dataDir: string): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const fresh = JSON.stringify(await exportJWK(privateKey));
  const privateJwk = JSON.parse(generatedFile(dataDir, 'signing-key.json', fresh)) as JWK;
  return { kid: await calculateJwkThumbprint(privateJwk), privateJwk };
}
