import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Connecting accounts at servers behind endpoints: who we are for their authorization servers, and people who are on their way
 * there. Tokens are values of credentials.
 */
export class OAuthConnect1795369410100 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE oauth_client_registrations (
        id uuid NOT NULL CONSTRAINT oauth_client_registrations_pkey PRIMARY KEY,
        issuer text NOT NULL CONSTRAINT oauth_client_registrations_issuer_key UNIQUE,
        redirect_uri text NOT NULL,
        client_id text NOT NULL,
        encrypted_secret bytea,
        token_auth text,
        expires_at timestamptz(3),
        used_at timestamptz(3) NOT NULL DEFAULT now(),
        created_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await queryRunner.query(
      `CREATE INDEX oauth_client_registrations_used_at_idx ON oauth_client_registrations (used_at)`,
    );
    await queryRunner.query(`COMMENT ON TABLE oauth_client_registrations IS 'owner: gateway'`);
    await queryRunner.query(`
      CREATE TABLE connect_flows (
        state_digest bytea NOT NULL CONSTRAINT connect_flows_pkey PRIMARY KEY,
        person_id uuid NOT NULL CONSTRAINT connect_flows_person_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        session_id uuid NOT NULL,
        details bytea NOT NULL,
        expires_at timestamptz(3) NOT NULL
      )`);
    await queryRunner.query(`CREATE INDEX connect_flows_person_id_idx ON connect_flows (person_id, expires_at)`);
    await queryRunner.query(`CREATE INDEX connect_flows_expires_at_idx ON connect_flows (expires_at)`);
    await queryRunner.query(`COMMENT ON TABLE connect_flows IS 'owner: gateway'`);

    await queryRunner.query(`ALTER TABLE credentials ADD COLUMN revocation_endpoint text`);
    await queryRunner.query(`ALTER TABLE credentials ADD COLUMN token_auth text`);
    await queryRunner.query(`ALTER TABLE credentials ADD COLUMN renewing_until timestamptz(3)`);
    await queryRunner.query(`CREATE INDEX credentials_issuer_idx ON credentials (issuer) WHERE issuer IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX credentials_issuer_idx`);
    await queryRunner.query(`ALTER TABLE credentials DROP COLUMN renewing_until`);
    await queryRunner.query(`ALTER TABLE credentials DROP COLUMN token_auth`);
    await queryRunner.query(`ALTER TABLE credentials DROP COLUMN revocation_endpoint`);
    await queryRunner.query(`DROP TABLE connect_flows`);
    await queryRunner.query(`DROP TABLE oauth_client_registrations`);
  }
}
