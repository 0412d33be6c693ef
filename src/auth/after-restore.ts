import type { EntityManager } from 'typeorm';
import { execute } from '../database/statements';

/** Codes, refresh tokens, grants, remembered consent. Denials of tokens go on until these expire. */
const END_GRANTS = `DELETE FROM oauth_artifacts WHERE model <> 'DeniedToken'`;

/** A key from a file of the first release leaves its id, so that the file is not imported again. */
const FORGET_IMPORTED_KEYS = `
  UPDATE signing_keys SET public_jwk = NULL, encrypted_private_jwk = NULL, signs_from = NULL
  WHERE is_imported AND public_jwk IS NOT NULL`;

/**
 * Signs everyone out of their browsers.
 *
 * @param manager of a transaction
 * @returns how many sessions ended
 */
export function endSessions(manager: EntityManager): Promise<number> {
  return execute(manager, `DELETE FROM sessions`);
}

/**
 * Ends everything that people have allowed programs: they have to ask again.
 *
 * @returns how many codes, refresh tokens, grants and others ended
 */
export function endGrants(manager: EntityManager): Promise<number> {
  return execute(manager, END_GRANTS);
}

/** @returns how many personal access tokens were revoked */
export function revokePersonalTokens(manager: EntityManager): Promise<number> {
  return execute(manager, `DELETE FROM personal_access_tokens`);
}

/** @returns how many secrets of OAuth clients were revoked; an administrator has to create others */
export function revokeClientSecrets(manager: EntityManager): Promise<number> {
  return execute(manager, `DELETE FROM oauth_client_secrets`);
}

/**
 * Removes the signing keys; the next start creates others. No access token of before counts any more, not even one of
 * `npm run token`, and this database signs none that the original would accept.
 *
 * @returns how many keys
 */
export async function replaceSigningKeys(manager: EntityManager): Promise<number> {
  const imported = await execute(manager, FORGET_IMPORTED_KEYS);
  return imported + (await execute(manager, `DELETE FROM signing_keys WHERE NOT is_imported`));
}
