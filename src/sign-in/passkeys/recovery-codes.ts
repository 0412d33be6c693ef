import { hash, randomInt } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { execute } from '../../database/statements';
import { RecoveryCode } from './recovery-code.entity';

/** How many a person gets. */
export const RECOVERY_CODES = 10;
/** Crockford's base32: no letters that look alike. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUPS = 4;
const GROUP = 4;

/** @returns new codes of 80 random bits, for the person to write down: `7K3M-…` */
export function newRecoveryCodes(): string[] {
  const group = () => Array.from({ length: GROUP }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return Array.from({ length: RECOVERY_CODES }, () => Array.from({ length: GROUPS }, group).join('-'));
}

/** Replaces all codes of an account. */
export async function storeRecoveryCodes(manager: EntityManager, userId: string, codes: string[]): Promise<void> {
  const repository = manager.getRepository(RecoveryCode);
  await repository.delete({ userId });
  await repository.insert(codes.map((code) => ({ userId, digest: digestOf(userId, code) })));
}

/**
 * Consumes a code; of two requests with the same one, one succeeds.
 *
 * @returns false if the account has no such code
 */
export async function useRecoveryCode(manager: EntityManager, userId: string, code: string): Promise<boolean> {
  const used = await execute(manager, `DELETE FROM recovery_codes WHERE user_id = $1 AND digest = $2`, [
    userId,
    digestOf(userId, code),
  ]);
  return used === 1;
}

/** As people type it: any case, with or without hyphens, O for 0, I and L for 1. */
function digestOf(userId: string, code: string): Buffer {
  const typed = code.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  return hash('sha256', `${userId}\n${typed}`, 'buffer');
}
