import { MigrationInterface, QueryRunner } from 'typeorm';

/** People and the identities by which they sign in (contract, section 3). */
export class Accounts1763683200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // PostgreSQL has uuidv7() only from version 18 on; set-based statements need it from 15 on (RFC 9562, section 5.7).
    await queryRunner.query(`
      CREATE FUNCTION uuid_v7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
        SELECT encode(
          set_bit(set_bit(
            overlay(uuid_send(gen_random_uuid())
              PLACING substring(int8send(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
              FROM 1 FOR 6),
            52, 1), 53, 1),
          'hex')::uuid
      $$`);

    await queryRunner.query(`
      CREATE TABLE users (
        id uuid NOT NULL,
        email text,
        name text,
        claimed_at timestamptz(3),
        closed_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT users_pkey PRIMARY KEY (id)
      )`);
    await queryRunner.query(`CREATE INDEX users_email_idx ON users (lower(email))`);
    // One row waits for each provisioned address; whoever proves the address claims it.
    await queryRunner.query(
      `CREATE UNIQUE INDEX users_provisioned_email_key ON users (lower(email)) WHERE claimed_at IS NULL AND closed_at IS NULL`,
    );

    await queryRunner.query(`
      CREATE TABLE identities (
        issuer text NOT NULL,
        subject text NOT NULL,
        user_id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT identities_pkey PRIMARY KEY (issuer, subject),
        CONSTRAINT identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE INDEX identities_user_id_idx ON identities (user_id)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE identities`);
    await queryRunner.query(`DROP TABLE users`);
    await queryRunner.query(`DROP FUNCTION uuid_v7()`);
  }
}
