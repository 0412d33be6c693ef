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

    await this.findByWords(queryRunner);
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
      'listings_spellings_idx',
      'listings_words_idx',
    ]) {
      await queryRunner.query(`DROP INDEX ${index}`);
    }
    for (const dropped of [
      'listing_titles(text, text)',
      'spellings_query(text)',
      'words_query(text)',
      'listing_spellings(text, text)',
      'listing_words(text, text, text)',
      'spellings_of(text[])',
      'words_of(text)',
    ]) {
      await queryRunner.query(`DROP FUNCTION ${dropped}`);
    }
    await queryRunner.query(`DROP FUNCTION server_registry_types(jsonb)`);
    await queryRunner.query(`DROP FUNCTION server_transports(jsonb)`);
    await queryRunner.query(`ALTER TABLE listings DROP COLUMN transports, DROP COLUMN registry_types`);
    await queryRunner.query(`DROP EXTENSION pg_trgm`);
  }

  /**
   * What is indexed and what is searched for come from the same functions, so that they agree on what a word is. They are
   * not PARALLEL SAFE on purpose: to start a worker takes longer than a search does.
   */
  private async findByWords(queryRunner: QueryRunner): Promise<void> {
    // Without case and accents. Chinese and Japanese put no spaces between words, so there each character is one.
    await queryRunner.query(String.raw`
      CREATE FUNCTION words_of(text text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE STRICT COST 1000 AS $$
        BEGIN
          RETURN array_remove(
            regexp_split_to_array(
              regexp_replace(
                lower(regexp_replace(normalize(text, NFKD), '[\u0300-\u036f]', '', 'g')),
                '([\u2e80-\u9fff\uf900-\ufaff])', ' \1 ', 'g'),
              '[^[:alnum:]]+'),
            '');
        END $$`);
    // A word of at least 5 letters as it is, and without each of its letters in turn. Two words that differ by a letter that
    // is missing, too many, wrong, or exchanged with the next one have one of these in common.
    await queryRunner.query(`
      CREATE FUNCTION spellings_of(words text[]) RETURNS text[] LANGUAGE plpgsql IMMUTABLE STRICT COST 1000 AS $$
        DECLARE
          word text;
          spellings text[] := '{}';
        BEGIN
          FOREACH word IN ARRAY words LOOP
            CONTINUE WHEN length(word) < 4;
            spellings := spellings || ('~' || word);
            CONTINUE WHEN length(word) = 4;
            FOR at IN 1 .. length(word) LOOP
              spellings := spellings || ('~' || left(word, at - 1) || substr(word, at + 1));
            END LOOP;
          END LOOP;
          RETURN spellings;
        END $$`);
    await queryRunner.query(`
      CREATE FUNCTION listing_words(name text, title text, description text) RETURNS tsvector LANGUAGE sql IMMUTABLE
      RETURN array_to_tsvector(words_of(name || ' ' || title || ' ' || description))`);
    // Without the description: a typing error is looked for in what a thing is called.
    await queryRunner.query(`
      CREATE FUNCTION listing_spellings(name text, title text) RETURNS tsvector LANGUAGE sql IMMUTABLE
      RETURN array_to_tsvector(words_of(name || ' ' || title) || spellings_of(words_of(name || ' ' || title)))`);
    // All words of a text, each as it is or as the beginning of one; null for a text without a word.
    await queryRunner.query(`
      CREATE FUNCTION words_query(text text) RETURNS tsquery LANGUAGE sql IMMUTABLE RETURN (
        SELECT string_agg('''' || word || ''':*', ' & ')::tsquery FROM unnest(words_of(text)) AS word)`);
    // The same, or one letter beside it.
    await queryRunner.query(`
      CREATE FUNCTION spellings_query(text text) RETURNS tsquery LANGUAGE sql IMMUTABLE RETURN (
        SELECT string_agg(concat('(''', word, ''':*', others, ')'), ' & ')::tsquery
        FROM unnest(words_of(text)) AS word CROSS JOIN LATERAL (
          SELECT string_agg(' | ''' || spelling || '''', '') AS others FROM unnest(spellings_of(ARRAY[word])) AS spelling
        ) AS spelled)`);
    await queryRunner.query(`
      CREATE FUNCTION listing_titles(name text, title text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT lower(name || ' ' || title)
      $$`);
    await queryRunner.query(
      `CREATE INDEX listings_words_idx ON listings USING gin (listing_words(name, title, description))`,
    );
    await queryRunner.query(
      `CREATE INDEX listings_spellings_idx ON listings USING gin (listing_spellings(name, title))`,
    );
    // ANALYZE would take longer for its statistics than for all the rest of the table, and nothing hangs on them.
    await queryRunner.query(`ALTER INDEX listings_spellings_idx ALTER COLUMN 1 SET STATISTICS 0`);
    await queryRunner.query(
      `CREATE INDEX listings_titles_idx ON listings USING gin (listing_titles(name, title) gin_trgm_ops)`,
    );
  }
}
