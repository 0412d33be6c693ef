import type { DataSource, EntityManager } from 'typeorm';
import type { Secrets } from '../../config/secrets';
import { many } from '../../database/statements';
import { type Holder, PATIENCE_S, STRANGERS } from './secrets-keys.sql';

/**
 * Before something is sealed by a process or command that starts.
 *
 * @throws Error for the operator if processes run that do not know the key with which this one would seal
 */
export async function requireKnownKey(source: DataSource | EntityManager, secrets: Secrets): Promise<void> {
  const [key] = secrets.ids;
  const strangers = await many<Holder>(source, STRANGERS, [key]);
  if (strangers.length === 0) return;
  throw new Error(
    `SECRETS_KEY (id ${key}) is not known to ${strangers.length} running process(es), which use ${keysOf(strangers)}; ` +
      'they could not read what this one would encrypt. If SECRETS_KEY is wrong, correct it. To change it, first start all ' +
      'processes with the new key in SECRETS_KEYS_ACCEPTED (see "Changing SECRETS_KEY" in ' +
      `docs/operating/database-and-secrets.md). A process that was killed counts for ${PATIENCE_S} s.`,
  );
}

/** @returns `id 0123…, id 4567…` of the keys with which they seal */
export function keysOf(holders: readonly Holder[]): string {
  return [...new Set(holders.map(({ sealing_key }) => `id ${sealing_key}`))].join(', ');
}
