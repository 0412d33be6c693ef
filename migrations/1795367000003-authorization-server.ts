import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the authorization server keeps: clients, digests of their secrets, and codes, tokens, grants and sessions. */
export class AuthorizationServer1795367000003 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE oauth_clients (
        id uuid CONSTRAINT oauth_clients_pkey PRIMARY KEY,
        name text NOT NULL,
        source text NOT NULL,
        metadata jsonb NOT NULL,
        is_trusted boolean NOT NULL DEFAULT false,
        created_by uuid,
        registered_from bytea,
        last_used_at timestamptz(3) NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT oauth_clients_source_check CHECK (source IN ('ADMINISTRATOR', 'REGISTRATION'))
      )`);
    await queryRunner.query(`COMMENT ON TABLE oauth_clients IS 'owner: auth'`);
    await queryRunner.query(`
      CREATE INDEX oauth_clients_registered_from_idx ON oauth_clients (registered_from, created_at)
        WHERE registered_from IS NOT NULL`);
    await queryRunner.query(`
      CREATE INDEX oauth_clients_last_used_idx ON oauth_clients (last_used_at) WHERE source = 'REGISTRATION'`);
    await queryRunner.query(`
      CREATE TABLE oauth_client_secrets (
        id uuid CONSTRAINT oauth_client_secrets_pkey PRIMARY KEY,
        client_id uuid NOT NULL,
        digest bytea NOT NULL,
        expires_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT oauth_client_secrets_client_id_fkey FOREIGN KEY (client_id) REFERENCES oauth_clients (id)
          ON DELETE CASCADE
      )`);
    await queryRunner.query(`COMMENT ON TABLE oauth_client_secrets IS 'owner: auth'`);
    await queryRunner.query(`CREATE INDEX oauth_client_secrets_client_id_idx ON oauth_client_secrets (client_id, id)`);
    await queryRunner.query(`
      CREATE TABLE oauth_artifacts (
        digest bytea CONSTRAINT oauth_artifacts_pkey PRIMARY KEY,
        id uuid NOT NULL,
        model text NOT NULL,
        grant_digest bytea,
        user_code_digest bytea,
        uid_digest bytea,
        account_id uuid,
        client_id text,
        session_id uuid,
        payload bytea NOT NULL,
        consumed_at timestamptz(3),
        expires_at timestamptz(3) NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT oauth_artifacts_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`COMMENT ON TABLE oauth_artifacts IS 'owner: auth'`);
    for (const column of ['grant_digest', 'user_code_digest', 'uid_digest', 'client_id']) {
      await queryRunner.query(`
        CREATE INDEX oauth_artifacts_${column}_idx ON oauth_artifacts (${column}) WHERE ${column} IS NOT NULL`);
    }
    await queryRunner.query(`
      CREATE INDEX oauth_artifacts_account_idx ON oauth_artifacts (account_id, model, id)
        WHERE account_id IS NOT NULL`);
    await queryRunner.query(`CREATE INDEX oauth_artifacts_session_id_idx ON oauth_artifacts (session_id)`);
    await queryRunner.query(`CREATE INDEX oauth_artifacts_expires_at_idx ON oauth_artifacts (expires_at)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE oauth_artifacts`);
    await queryRunner.query(`DROP TABLE oauth_client_secrets`);
    await queryRunner.query(`DROP TABLE oauth_clients`);
  }
}
