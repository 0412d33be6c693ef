import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the deletion of accounts and organisations needs (contract, section 12.5). */
export class Deletion1763850010000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // The row of a deleted account stays, without a name: what organisations have refers to it.
    await queryRunner.query(`ALTER TABLE users ADD COLUMN deleted_at timestamptz(3)`);
    await queryRunner.query(`CREATE INDEX users_closed_at_idx ON users (closed_at) WHERE closed_at IS NOT NULL`);

    // By trigger, so that no writer can forget to tell the replicas, a psql session included.
    await queryRunner.query(`
      CREATE FUNCTION notify_account_closed() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_notify('accounts_closed', OLD.id::text); RETURN NULL; END
      $$`);
    await queryRunner.query(`
      CREATE TRIGGER users_notify_closed AFTER UPDATE OF closed_at ON users
        FOR EACH ROW WHEN (OLD.closed_at IS NULL AND NEW.closed_at IS NOT NULL) EXECUTE FUNCTION notify_account_closed()`);
    await queryRunner.query(`
      CREATE TRIGGER users_notify_deleted AFTER DELETE ON users
        FOR EACH ROW WHEN (OLD.claimed_at IS NOT NULL AND OLD.closed_at IS NULL) EXECUTE FUNCTION notify_account_closed()`);

    // Tokens that were issued before are refused by it. A digest, as it is all that is left of the identity.
    await queryRunner.query(`
      CREATE TABLE deleted_identities (
        digest bytea NOT NULL,
        deleted_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT deleted_identities_pkey PRIMARY KEY (digest)
      )`);
    await queryRunner.query(`CREATE INDEX deleted_identities_deleted_at_idx ON deleted_identities (deleted_at)`);

    // Nobody sees a deleted organisation; its rows go bit by bit, its endpoints when they have been notified.
    await queryRunner.query(`ALTER TABLE organisations ADD COLUMN deleted_at timestamptz(3)`);
    await queryRunner.query(
      `CREATE INDEX organisations_deleted_at_idx ON organisations (deleted_at) WHERE deleted_at IS NOT NULL`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    // The release before does not know that they are deleted.
    await queryRunner.query(`DELETE FROM organisations WHERE deleted_at IS NOT NULL`);
    await queryRunner.query(`ALTER TABLE organisations DROP COLUMN deleted_at`);
    await queryRunner.query(`DROP TABLE deleted_identities`);
    await queryRunner.query(`DROP TRIGGER users_notify_deleted ON users`);
    await queryRunner.query(`DROP TRIGGER users_notify_closed ON users`);
    await queryRunner.query(`DROP FUNCTION notify_account_closed()`);
    await queryRunner.query(`DROP INDEX users_closed_at_idx`);
    await queryRunner.query(`ALTER TABLE users DROP COLUMN deleted_at`);
  }
}
