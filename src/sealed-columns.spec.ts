import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { ENTITIES, SEALED_COLUMNS } from './schema';

/** Files that seal what no table keeps, or keeps for half an hour: sessions that cannot be opened are begun again. */
const NOT_STORED = [
  'gateway/edge/input-answers.ts',
  'gateway/edge/sealed-session.ts',
  'gateway/edge/upstream-requests.ts',
  'gateway/upstream/upstream-sessions.ts',
  'sign-in/sso/sso-flows.ts',
];

/** Files that seal columns, and the purposes of these columns. */
const STORED: Record<string, string> = {
  'auth/authorization-server/artifact-cipher.ts': 'oauth artifacts',
  'auth/signing-keys/signing-key-store.ts': 'signing keys',
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
    expect(sealing.sort()).toEqual([...Object.keys(STORED), ...NOT_STORED, ...ENGINE].sort());
    expect([...new Set(SEALED_COLUMNS.map(({ purpose }) => purpose))].sort()).toEqual(Object.values(STORED).sort());
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
