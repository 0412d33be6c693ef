import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { createDatabase, TestDatabase } from '../support/database';
import { type DeclaredStatement, declaredStatements } from '../support/declared-statements';
import { type DescribedColumn, describeStatement } from '../support/described-statement';
import { SAMPLED_STATEMENTS, sampleText } from '../support/sampled-statements';
import { laidOut } from '../support/sql-text';

const ROOT = join(__dirname, '..', '..');

/**
 * Places where statements are built at run time, without a sample in `test/support/sampled-statements.ts`. The list may
 * only shrink.
 */
const UNSAMPLED = new Set([
  // They run statements for others, which are checked where those are declared.
  'database/cap.ts › requireRoom',
  'database/prepared.ts › prepared',
  'database/row-retention.ts › RowRetention.removeSome',
  'auth/secret-tokens/secret-token-kind.ts › Cap',
  'auth/secret-tokens/secret-token-kind.ts › SecretTokenKind.find',
  'auth/secret-tokens/secret-token-kind.ts › SecretTokenKind.makeRoom',
  'auth/secret-tokens/secret-token-kind.ts › SecretTokenKind.noteUse',
  'deletion/organisation-purge.ts › OrganisationPurge.purgeOne',
  'scim/directory/directory-groups.service.ts › readGroups',
  'scim/directory/directory-users.service.ts › readUsers',
  'scim/log/scim-log-reader.service.ts › ScimLogReader.get',
  'scim/log/scim-log-reader.service.ts › ScimLogReader.list',
  'scim/protocol/groups/member-deltas.ts › MemberDeltas.delete',
  'scim/protocol/lists/scim-lists.service.ts › count',
  'scim/protocol/lists/scim-lists.service.ts › pageKeys',
  'scim/roles/mappings/group-mapping.ts › change',
  'webhooks/deliveries/deliveries.service.ts › DeliveriesService.list',
  'webhooks/endpoints/webhook-endpoint-finder.ts › WebhookEndpointFinder.find',
  'webhooks/endpoints/webhook-endpoints.service.ts › WebhookEndpointsService.list',
]);

describe('The SQL statements of the program', () => {
  let database: TestDatabase;
  let client: Client;
  let statements: DeclaredStatement[];

  beforeAll(async () => {
    statements = declaredStatements();
    database = await createDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
  });

  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  /** @returns what is wrong with a statement, as text */
  async function faultsOf(place: string, sql: string, columns: DeclaredStatement['columns']): Promise<string[]> {
    try {
      const described = await describeStatement(client, sql);
      // A FETCH has the columns of its cursor, which is not open here.
      if (sql.startsWith('FETCH')) return [];
      return differences(described, columns).map((difference) => `${place}: ${difference}`);
    } catch (error) {
      return [`${place}: ${(error as Error).message}: ${sql}`];
    }
  }

  it('parse on the migrated database, and return the columns that their types name', async () => {
    const faults: string[] = [];
    for (const { place, sql = [], columns } of statements) {
      for (const text of sql) faults.push(...(await faultsOf(place, text, columns)));
    }
    expect(faults).toEqual([]);
    expect(statements.filter(({ sql }) => sql).length).toBeGreaterThan(150);
  });

  it('are sampled if they are built at run time', () => {
    const sampled = new Set(SAMPLED_STATEMENTS.flatMap(({ samples }) => samples.map(({ place }) => place)));
    const unsampled = statements.filter(({ place, sql }) => !sql && !sampled.has(place) && !UNSAMPLED.has(place));
    expect(unsampled.map(({ place }) => place)).toEqual([]);
  });

  it.each(SAMPLED_STATEMENTS)(
    'are sent as committed in $file, parse, and return the columns that their types name',
    async (sampled) => {
      const faults: string[] = [];
      for (const { place, when, sql } of sampled.samples) {
        const { columns } = statements.find((statement) => statement.place === place) ?? {};
        faults.push(...(await faultsOf(`${place}, ${when}`, sql, columns)));
      }
      expect(faults).toEqual([]);
      const path = join(ROOT, sampled.file);
      const text = sampleText(sampled, laidOut);
      // Intended? Then run this file with UPDATE_SQL=1 and add the changes to the commit.
      if (process.env.UPDATE_SQL) writeFileSync(path, text);
      expect(existsSync(path) && readFileSync(path, 'utf8')).toBe(text);
    },
  );

  it('can rely on entity columns being the snake_case form of their properties', () => {
    const others = database.dataSource.entityMetadatas.flatMap(({ name, columns }) =>
      columns
        .filter(({ propertyName, databaseName }) => databaseName !== snakeCase(propertyName))
        .map(({ propertyName, databaseName }) => `${name}.${propertyName} is ${databaseName}`),
    );
    expect(others).toEqual([]);
  });
});

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function differences(described: DescribedColumn[], columns: DeclaredStatement['columns']): string[] {
  if (!columns) return [];
  const columnKinds = new Map(described.map(({ name, kind }) => [name, kind]));
  return [...columns].flatMap(([name, { kind, isOptional }]) => {
    const actual = columnKinds.get(name);
    if (actual === undefined) return isOptional ? [] : [`the column ${name} is missing`];
    if (kind === 'unknown' || actual === 'unknown' || kind === actual) return [];
    return [`the column ${name} is a ${actual}, not a ${kind}`];
  });
}
