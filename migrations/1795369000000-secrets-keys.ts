import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which keys have sealed something, and which processes have which keys (ADR 33). */
export class SecretsKeys1795369000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE secrets_keys (
        id text CONSTRAINT secrets_keys_pkey PRIMARY KEY,
        first_used_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await queryRunner.query(`COMMENT ON TABLE secrets_keys IS 'owner: operations'`);
    await queryRunner.query(`
      CREATE TABLE secrets_key_holders (
        id uuid CONSTRAINT secrets_key_holders_pkey PRIMARY KEY,
        sealing_key text NOT NULL,
        known_keys text[] NOT NULL,
        seen_at timestamptz(3) NOT NULL
      )`);
    await queryRunner.query(`COMMENT ON TABLE secrets_key_holders IS 'owner: operations'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE secrets_key_holders`);
    await queryRunner.query(`DROP TABLE secrets_keys`);
  }
}
