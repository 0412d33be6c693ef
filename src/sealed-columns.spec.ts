import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { ENTITIES, SEALED_COLUMNS } from './schema';

/** Files that seal what no table keeps. */
const NOT_STORED = [
  'gateway/connect/connect-links.ts',
  'gateway/connect/connect-form-seal.ts',
  'gateway/edge/request-states.ts',
  'gateway/edge/sealed-session.ts',
  'gateway/edge/upstream-request-ids.ts',
  'sign-in/sso/sso-flows.ts',
];

/**
 * Files that seal what a table keeps for so short a time that nothing is sealed again when the key changes: 30 minutes after
 * the last use, five minutes. Processes compare sealed ids of sessions with those in their memory, so another seal would look
 * like another session; one that no key opens is begun again by the call that needs it
 * (`test/gateway/upstream/upstream-session-keys.e2e-spec.ts`).
 */
const SHORT_LIVED: Record<string, string> = {
  'gateway/connect/connect-flows.ts': 'connect_flows',
  'gateway/edge/input-responses.ts': 'client_answers',
  'gateway/upstreams/stored-sessions.ts': 'upstream_sessions',
};

/** Files that seal columns, and the purposes of these columns. */
const STORED: Record<string, string> = {
  'auth/authorization-server/artifact-cipher.ts': 'oauth artifacts',
  'auth/signing-keys/signing-key-store.ts': 'signing keys',
  'gateway/connect/client-registrations.ts': 'oauth client registrations',
  'gateway/credentials/credential-seal.ts': 'credentials',
  'mail/mail-seal.ts': 'mail',
  'webhooks/endpoints/webhook-secrets.ts': 'webhook secrets',
};

/** It seals again what the others have sealed. */
const ENGINE = ['config/sealed-text.ts', 'operations/secrets-keys/re-encryption.ts'];

describe('The columns that SECRETS_KEY seals', () => {
  const sources = readdirSync(__dirname, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/[.-]spec\.ts$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(__dirname, path), 'utf8') }));

  it('are declared by every file that seals text, so that none is forgotten when the key changes', () => {
    const sealing = sources.filter(({ text }) => /\bsealText\(/.test(text)).map(({ path }) => path);
    const known = [...Object.keys(STORED), ...Object.keys(SHORT_LIVED), ...NOT_STORED, ...ENGINE];
    expect(sealing.sort()).toEqual(known.sort());
    expect([...new Set(SEALED_COLUMNS.map(({ purpose }) => purpose))].sort()).toEqual(Object.values(STORED).sort());
  });

  it('are none that rows keep for minutes only, and after-restore removes these rows', () => {
    const afterRestore = sources.find(({ path }) => path === 'gateway/after-restore.ts')?.text;
    for (const table of Object.values(SHORT_LIVED)) {
      expect(SEALED_COLUMNS.map((column) => column.table)).not.toContain(table);
      expect(afterRestore).toMatch(new RegExp(`DELETE FROM ${table}\\b`));
    }
  });

  it('are the only use of ciphers', () => {
    const ciphers = sources.filter(({ text }) => text.includes('createCipheriv')).map(({ path }) => path);
    expect(ciphers).toEqual(['config/sealed-text.ts']);
  });

  it('are columns of tables with that primary key', async () => {
    const dataSource = new DataSource({ type: 'postgres', entities: ENTITIES });
    await (dataSource as unknown as { buildMetadatas: () => Promise<void> }).buildMetadatas();
    const declared = SEALED_COLUMNS.map(({ table, column, key, keyType }) => ({ table, column, key, keyType }));
    const found = SEALED_COLUMNS.map(({ table, column }) => {
      const entity = dataSource.getMetadata(table);
      const [primary, ...more] = entity.primaryColumns;
      return {
        table: entity.tableName,
        column: entity.columns.find(({ databaseName, type }) => databaseName === column && type === 'bytea')
          ?.databaseName,
        key: more.length === 0 ? primary?.databaseName : undefined,
        keyType: primary?.type,
      };
    });
    expect(found).toEqual(declared);
  });
});
