import { calculateJwkThumbprint, exportJWK, generateKeyPair, JWK } from 'jose';
import { generatedFile } from '../config/generated-file';

/** The key of the own issuer: ES256. */
export interface SigningKey {
  /** The JWK thumbprint (RFC 7638). */
  kid: string;
  privateJwk: JWK;
}

/**
 * Reads the signing key of the data directory, or makes it when there is none. Service and `npm run token` may come
 * here at the same moment; both end with the same key.
 */
export async function signingKey(dataDir: string): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const fresh = JSON.stringify(await exportJWK(privateKey));
  const privateJwk = JSON.parse(generatedFile(dataDir, 'signing-key.json', fresh)) as JWK;
  return { kid: await calculateJwkThumbprint(privateJwk), privateJwk };
}
