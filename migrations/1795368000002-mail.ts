import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mail on its way, and links for forgotten passwords that people asked for themselves. */
export class Mail1795368000002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE mails (
        id uuid NOT NULL CONSTRAINT mails_pkey PRIMARY KEY,
        kind text NOT NULL,
        about_id uuid,
        recipient bytea NOT NULL,
        sealed bytea,
        status text NOT NULL,
        attempt_count integer NOT NULL,
        next_attempt_at timestamptz(3),
        last_error text,
        expires_at timestamptz(3) NOT NULL,
        created_at timestamptz(3) NOT NULL,
        finished_at timestamptz(3),
        CONSTRAINT mails_status_check CHECK (status IN ('PENDING', 'SENT', 'FAILED')),
        CONSTRAINT mails_content_check CHECK ((status = 'PENDING') = (sealed IS NOT NULL)),
        CONSTRAINT mails_next_attempt_check CHECK ((status = 'PENDING') = (next_attempt_at IS NOT NULL)),
        CONSTRAINT mails_finished_check CHECK ((status = 'PENDING') = (finished_at IS NULL))
      )`);
    await queryRunner.query(`COMMENT ON TABLE mails IS 'owner: mail'`);
    await queryRunner.query(`
      CREATE INDEX mails_next_attempt_at_idx ON mails (next_attempt_at) WHERE next_attempt_at IS NOT NULL`);
    await queryRunner.query(`CREATE INDEX mails_expires_at_idx ON mails (expires_at) WHERE sealed IS NOT NULL`);
    await queryRunner.query(`CREATE INDEX mails_recipient_idx ON mails (recipient, kind, created_at)`);
    await queryRunner.query(`CREATE INDEX mails_about_id_idx ON mails (about_id)`);
    await queryRunner.query(`CREATE INDEX mails_status_idx ON mails (status, id)`);

    // Beside the links that administrators make: a stranger who asks for one must not end those.
    await queryRunner.query(`
      CREATE TABLE requested_password_resets (
        user_id uuid NOT NULL CONSTRAINT requested_password_resets_pkey PRIMARY KEY
          CONSTRAINT requested_password_resets_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        digest bytea NOT NULL,
        expires_at timestamptz(3) NOT NULL
      )`);
    await queryRunner.query(`COMMENT ON TABLE requested_password_resets IS 'owner: sign-in'`);
    await queryRunner.query(`
      CREATE UNIQUE INDEX requested_password_resets_digest_key ON requested_password_resets (digest)`);
    await queryRunner.query(`
      CREATE INDEX requested_password_resets_expires_at_idx ON requested_password_resets (expires_at)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE requested_password_resets`);
    await queryRunner.query(`DROP TABLE mails`);
  }
}
