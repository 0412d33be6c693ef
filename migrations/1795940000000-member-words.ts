import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the list of members is searched by. The indexes are in `MemberIndexes`. */
export class MemberWords1795940000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // The organisation is a word too, so that an index finds the words of one organisation alone: no other word has a hyphen.
    await queryRunner.query(`
      CREATE FUNCTION directory_words(org_id uuid, user_name text, display_name text, attributes jsonb)
      RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN person_words(user_name, coalesce(display_name, attributes -> 'name' ->> 'formatted'))
        || array_to_tsvector(ARRAY[org_id::text])`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP FUNCTION directory_words(uuid, text, text, jsonb)`);
  }
}
