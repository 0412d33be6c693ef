import { calculateJwkThumbprint, type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { KeyTimes } from './key-rotation';

const ALGORITHM = 'ES256';

/** A key that signs, or will. */
export interface SigningKey {
  /** The JWK thumbprint (RFC 7638). */
  kid: string;
  privateKey: CryptoKey;
  /** With `kid`, `alg` and `use`. */
  privateJwk: JWK;
}

/** A key that verifies. */
export interface PublicKey {
  kid: string;
  key: CryptoKey;
  /** As in the JWKS, with `kid`, `alg` and `use`. */
  jwk: JWK;
}

/** A key of the table, ready for use. */
export interface LoadedKey extends KeyTimes {
  public: PublicKey;
  /** Undefined: it only verifies. */
  private: SigningKey | undefined;
}

/** Both parts of a key, before it is stored. */
export interface KeyPair {
  kid: string;
  publicJwk: JWK;
  privateJwk: JWK;
}

export async function generateSigningKey(): Promise<KeyPair> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  return keyPairOf(await exportJWK(privateKey));
}

/**
 * @param jwk the private key, such as that of the first release's file; fields other than those of an EC key are dropped
 * @throws TypeError if it is not a private key on the curve P-256
 */
export async function keyPairOf(jwk: JWK): Promise<KeyPair> {
  const { kty, crv, x, y, d } = jwk;
  if (kty !== 'EC' || crv !== 'P-256' || x === undefined || y === undefined || d === undefined)
    throw new TypeError('not a private JWK on the curve P-256');
  const parts = { kty, crv, x, y };
  await importJWK({ ...parts, d }, ALGORITHM);
  const kid = await calculateJwkThumbprint(parts);
  const publicJwk = { ...parts, kid, alg: ALGORITHM, use: 'sig' };
  return { kid, publicJwk, privateJwk: { ...publicJwk, d } };
}

/**
 * @param publicJwk of the table
 * @param privateJwk the same key; undefined: it only verifies
 */
export async function loadKey(times: KeyTimes, publicJwk: JWK, privateJwk: JWK | undefined): Promise<LoadedKey> {
  const { kid, createdAt, signsFrom } = times;
  const key = (await importJWK(publicJwk, ALGORITHM)) as CryptoKey;
  return {
    kid,
    createdAt,
    signsFrom,
    public: { kid, key, jwk: publicJwk },
    private: privateJwk && { kid, privateKey: (await importJWK(privateJwk, ALGORITHM)) as CryptoKey, privateJwk },
  };
}
