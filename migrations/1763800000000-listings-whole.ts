import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How listings are found: by name, prefix, words, and almost (contract, section 5). */
export class ListingsWhole1763800000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // A trusted extension since PostgreSQL 13: whoever may create tables in the database may install it.
    await queryRunner.query(`CREATE EXTENSION IF NOT EXISTS pg_trgm`);

    // What the latest version runs on. Written with the version, so that a filter needs no look into documents.
    await queryRunner.query(`
      ALTER TABLE listings
        ADD COLUMN transports text[] NOT NULL DEFAULT '{}',
        ADD COLUMN registry_types text[] NOT NULL DEFAULT '{}'`);
    await queryRunner.query(`
      CREATE FUNCTION server_transports(server jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT coalesce(array_agg(DISTINCT type ORDER BY type), '{}') FROM (
          SELECT package -> 'transport' ->> 'type' AS type FROM jsonb_array_elements(server -> 'packages') AS package
          UNION ALL
          SELECT remote ->> 'type' FROM jsonb_array_elements(server -> 'remotes') AS remote
        ) AS all_of_them WHERE type IS NOT NULL
      $$`);
    await queryRunner.query(`
      CREATE FUNCTION server_registry_types(server jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT coalesce(array_agg(DISTINCT package ->> 'registryType' ORDER BY package ->> 'registryType'), '{}')
        FROM jsonb_array_elements(server -> 'packages') AS package WHERE package ->> 'registryType' IS NOT NULL
      $$`);
    await queryRunner.query(`
      UPDATE listings SET transports = server_transports(server), registry_types = server_registry_types(server)
      FROM listing_versions WHERE listing_id = listings.id AND is_latest`);

    await queryRunner.query(`
      CREATE FUNCTION listing_words(name text, title text, description text) RETURNS tsvector
      LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT to_tsvector('simple', regexp_replace(name || ' ' || title || ' ' || description, '[^[:alnum:]]+', ' ', 'g'))
      $$`);
    // Without the description: a typing error is looked for in what a thing is called.
    await queryRunner.query(`
      CREATE FUNCTION listing_titles(name text, title text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT lower(name || ' ' || title)
      $$`);
    await queryRunner.query(
      `CREATE INDEX listings_words_idx ON listings USING gin (listing_words(name, title, description))`,
    );
    await queryRunner.query(
      `CREATE INDEX listings_titles_idx ON listings USING gin (listing_titles(name, title) gin_trgm_ops)`,
    );
    await queryRunner.query(`CREATE INDEX listings_name_prefix_idx ON listings (lower(name) text_pattern_ops)`);
    await queryRunner.query(
      `CREATE INDEX listings_last_name_idx ON listings (lower(split_part(name, '/', 2)) text_pattern_ops)`,
    );
    await queryRunner.query(`CREATE INDEX listings_title_prefix_idx ON listings (lower(title) text_pattern_ops)`);
    await queryRunner.query(
      `CREATE INDEX listing_versions_server_name_idx ON listing_versions USING gin (lower(server_name) gin_trgm_ops)`,
    );
    await queryRunner.query(
      `CREATE INDEX listings_public_name_idx ON listings (name COLLATE "C") WHERE status = 'PUBLISHED' AND visibility = 'PUBLIC'`,
    );
    await queryRunner.query(
      `CREATE INDEX listings_transports_idx ON listings USING gin (transports) WHERE status = 'PUBLISHED' AND visibility = 'PUBLIC'`,
    );
    await queryRunner.query(
      `CREATE INDEX listings_registry_types_idx ON listings USING gin (registry_types) WHERE status = 'PUBLISHED' AND visibility = 'PUBLIC'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const index of [
      'listing_versions_server_name_idx',
      'listings_registry_types_idx',
      'listings_transports_idx',
      'listings_public_name_idx',
      'listings_title_prefix_idx',
      'listings_last_name_idx',
      'listings_name_prefix_idx',
      'listings_titles_idx',
      'listings_words_idx',
    ]) {
      await queryRunner.query(`DROP INDEX ${index}`);
    }
    await queryRunner.query(`DROP FUNCTION listing_titles(text, text)`);
    await queryRunner.query(`DROP FUNCTION listing_words(text, text, text)`);
    await queryRunner.query(`DROP FUNCTION server_registry_types(jsonb)`);
    await queryRunner.query(`DROP FUNCTION server_transports(jsonb)`);
    await queryRunner.query(`ALTER TABLE listings DROP COLUMN transports, DROP COLUMN registry_types`);
    await queryRunner.query(`DROP EXTENSION pg_trgm`);
  }
}
