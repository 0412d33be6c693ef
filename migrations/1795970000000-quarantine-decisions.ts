import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex, dropIndex, requireValues } from './while-serving';

/**
 * Quarantined documents have an id and a kind, and platform administrators decide about them. The kind of the documents that
 * are there follows from their reasons. Processes of the release before write documents without a kind.
 */
export class QuarantineDecisions1795970000000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE import_quarantine
        ADD COLUMN IF NOT EXISTS id uuid,
        ADD COLUMN IF NOT EXISTS kind text NOT NULL DEFAULT 'INVALID',
        ADD COLUMN IF NOT EXISTS state text NOT NULL DEFAULT 'OPEN',
        ADD COLUMN IF NOT EXISTS server json,
        ADD COLUMN IF NOT EXISTS decided_by uuid,
        ADD COLUMN IF NOT EXISTS decided_at timestamptz(3)`);
    await queryRunner.query(`ALTER TABLE import_quarantine ALTER COLUMN id SET DEFAULT uuid_v7()`);
    await queryRunner.query(`
      UPDATE import_quarantine SET id = uuid_v7(), kind = CASE
        WHEN document = 'null' THEN 'UNREADABLE'
        WHEN reasons @> '[{"path": "/name"}]' AND reasons ->> 0 ~ '(is the name of a listing that|differs only in case from)'
          THEN 'NAME_TAKEN'
        WHEN reasons @> '[{"path": "/version"}]' AND reasons ->> 0 ~ '(already exists with another|appears twice)'
          THEN 'VERSION_TAKEN'
        WHEN reasons ->> 0 ~ 'Must have at most [0-9,]+ bytes' THEN 'TOO_LARGE'
        ELSE 'INVALID' END
      WHERE id IS NULL`);
    await requireValues(queryRunner, 'import_quarantine', 'id');
    await addCheck(queryRunner, 'state', `state IN ('OPEN', 'EDITED', 'DISMISSED')`);
    await addCheck(
      queryRunner,
      'kind',
      `kind IN ('INVALID', 'NAME_TAKEN', 'VERSION_TAKEN', 'TOO_LARGE', 'UNREADABLE')`,
    );
    await addCheck(
      queryRunner,
      'decision',
      `(state = 'OPEN') = (decided_at IS NULL) AND (state = 'EDITED') = (server IS NOT NULL)`,
    );
    await createIndex(queryRunner, 'import_quarantine_id_key', 'ON import_quarantine (id)', { unique: true });
    await createIndex(queryRunner, 'import_quarantine_state_idx', 'ON import_quarantine (state, created_at, digest)');
    await createIndex(
      queryRunner,
      'import_quarantine_kind_idx',
      'ON import_quarantine (state, kind, created_at, digest)',
    );
    await createIndex(
      queryRunner,
      'import_quarantine_source_idx',
      'ON import_quarantine (state, source, created_at, digest)',
    );
    await createIndex(
      queryRunner,
      'import_quarantine_edited_idx',
      `ON import_quarantine (source, (server ->> 'name'), (server ->> 'version')) WHERE state = 'EDITED'`,
    );
    await dropIndex(queryRunner, 'import_quarantine_created_at_idx');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM import_quarantine WHERE state <> 'OPEN'`);
    await queryRunner.query(`CREATE INDEX import_quarantine_created_at_idx ON import_quarantine (created_at, digest)`);
    await queryRunner.query(`
      ALTER TABLE import_quarantine DROP COLUMN id, DROP COLUMN kind, DROP COLUMN state, DROP COLUMN server,
        DROP COLUMN decided_by, DROP COLUMN decided_at`);
  }
}

async function addCheck(queryRunner: QueryRunner, name: string, condition: string): Promise<void> {
  const constraint = `import_quarantine_${name}_check`;
  await queryRunner.query(`ALTER TABLE import_quarantine DROP CONSTRAINT IF EXISTS ${constraint}`);
  await queryRunner.query(`ALTER TABLE import_quarantine ADD CONSTRAINT ${constraint} CHECK (${condition}) NOT VALID`);
  await queryRunner.query(`ALTER TABLE import_quarantine VALIDATE CONSTRAINT ${constraint}`);
}
