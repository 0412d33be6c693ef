import { Logger } from '@nestjs/common';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Of rows that are one by the new comparison, the older keeps the name; the younger is marked as its twin. */
const MARK_TWINS = {
  users: `
    UPDATE users SET is_twin = true FROM (
      SELECT id, row_number() OVER (PARTITION BY address_key(email) ORDER BY created_at, id) AS place
      FROM users WHERE email IS NOT NULL AND claimed_at IS NULL AND closed_at IS NULL) AS ranked
    WHERE users.id = ranked.id AND place > 1 RETURNING users.id`,
  scim_users: `
    UPDATE scim_users SET is_twin = true FROM (
      SELECT id, row_number() OVER (PARTITION BY org_id, username_key(user_name) ORDER BY created_at, id) AS place
      FROM scim_users WHERE deleted_at IS NULL) AS ranked
    WHERE scim_users.id = ranked.id AND place > 1 RETURNING scim_users.id`,
};

/**
 * Addresses are compared after NFC with A–Z folded and nothing else, user names by RFC 8265 (contract, section 12.2). Both
 * were compared by `lower()`, which folds what the locale of the database says: a Kelvin sign became a k.
 *
 * The columns get the collation "C", in which `lower()` folds A–Z only. So the indexes of the release before, which it
 * still needs beside this one, keep less apart than the new ones, and never refuse what those allow. They go with the
 * next release.
 */
export class ComparedNames1763850000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await addressKey(queryRunner);
    await usernameKey(queryRunner);
    await queryRunner.query(`ALTER TABLE users ALTER COLUMN email TYPE text COLLATE "C"`);
    await queryRunner.query(`ALTER TABLE scim_users ALTER COLUMN user_name TYPE text COLLATE "C"`);
    for (const [table, mark] of Object.entries(MARK_TWINS)) {
      await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN is_twin boolean NOT NULL DEFAULT false`);
      const [twins] = (await queryRunner.query(mark)) as [{ id: string }[], number];
      if (twins.length > 0) tellTwins(table, twins);
    }
    await queryRunner.query(`CREATE INDEX users_address_idx ON users (address_key(email))`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX users_waiting_address_key ON users (address_key(email))
       WHERE claimed_at IS NULL AND closed_at IS NULL AND NOT is_twin`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX scim_users_prepared_name_key ON scim_users (org_id, username_key(user_name))
       WHERE deleted_at IS NULL AND NOT is_twin`,
    );
    // Made last, it is asked last: of a user who is there already, the name is what clashes.
    await queryRunner.query(`DROP INDEX scim_users_user_id_key`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX scim_users_user_id_key ON scim_users (org_id, user_id) WHERE deleted_at IS NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX scim_users_prepared_name_idx ON scim_users (org_id, username_key(user_name) COLLATE "C", id)
       WHERE deleted_at IS NULL`,
    );
    await queryRunner.query(`
      CREATE FUNCTION scim_email_keys(attributes jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN (SELECT array_agg(address_key(email ->> 'value')) FROM jsonb_array_elements(attributes -> 'emails') AS email)`);
    await queryRunner.query(
      `CREATE INDEX scim_users_email_keys_idx ON scim_users USING gin (scim_email_keys(attributes))
       WHERE deleted_at IS NULL`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const index of [
      'scim_users_email_keys_idx',
      'scim_users_prepared_name_idx',
      'scim_users_prepared_name_key',
      'users_waiting_address_key',
      'users_address_idx',
    ]) {
      await queryRunner.query(`DROP INDEX ${index}`);
    }
    // What `lower()` of the database's locale takes for one name, its unique indexes refuse: then there is no way down.
    await queryRunner.query(`ALTER TABLE scim_users DROP COLUMN is_twin, ALTER COLUMN user_name TYPE text`);
    await queryRunner.query(`ALTER TABLE users DROP COLUMN is_twin, ALTER COLUMN email TYPE text`);
    await queryRunner.query(`DROP FUNCTION scim_email_keys(jsonb)`);
    for (const name of ['username_key', 'username_key_unicode', 'address_key', 'address_key_unicode']) {
      await queryRunner.query(`DROP FUNCTION ${name}(text)`);
    }
  }
}

/** Ids only: a log is no place for addresses. */
function tellTwins(table: string, twins: { id: string }[]): void {
  const ids = twins.map(({ id }) => id);
  const shown = ids.slice(0, 20).join(', ') + (ids.length > 20 ? ' …' : '');
  new Logger('Migrations').warn(
    `${ids.length} rows of ${table} have the name of an older row by the comparison of RFC 8265 or the contract, section 12.2, and stay beside it until they are renamed or deleted (docs/operating.md): ${shown}`,
  );
}

/** `addressKey()` of `src/users/address.ts` in SQL. Bodies that PostgreSQL has parsed survive a restored dump. */
async function addressKey(queryRunner: QueryRunner): Promise<void> {
  await queryRunner.query(`
    CREATE FUNCTION address_key_unicode(address text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
      DECLARE
        folded text := address;
        domain text;
        label text;
        labels text[] := '{}';
        points int[]; point int; least int; next int; delta int; bias int; handled int; basic int;
        rest int; k int; threshold int; output text;
        digits CONSTANT text := 'abcdefghijklmnopqrstuvwxyz0123456789';
      BEGIN
        -- NFC, but for the three characters that it would turn into ASCII; again, as a small letter may compose further.
        FOR round IN 1..2 LOOP
          SELECT string_agg(CASE WHEN part[1] ~ '^[\\u212A\\u037E\\u1FEF]$' THEN part[1] ELSE normalize(part[1], NFC) END,
                            '' ORDER BY place)
          INTO folded
          FROM regexp_matches(folded, '[\\u212A\\u037E\\u1FEF]|[^\\u212A\\u037E\\u1FEF]+', 'g')
               WITH ORDINALITY AS parts (part, place);
          folded := lower(folded COLLATE "C");
        END LOOP;
        IF strpos(folded, '@') = 0 THEN RETURN folded; END IF;
        domain := substring(folded FROM '[^@]*$');
        IF char_length(domain) > 253 THEN RETURN folded; END IF;
        FOREACH label IN ARRAY string_to_array(domain, '.') LOOP
          IF octet_length(label) = char_length(label) OR char_length(label) > 63 THEN
            labels := labels || label;
            CONTINUE;
          END IF;
          -- Punycode (RFC 3492, section 6.3).
          points := ARRAY(SELECT ascii(letter) FROM regexp_split_to_table(label, '') WITH ORDINALITY AS list (letter, place)
                          ORDER BY place);
          output := regexp_replace(label, '[^\\x01-\\x7F]', '', 'g');
          basic := char_length(output);
          IF basic > 0 THEN output := output || '-'; END IF;
          next := 128; delta := 0; bias := 72; handled := basic;
          FOREACH least IN ARRAY
            ARRAY(SELECT DISTINCT candidate FROM unnest(points) AS candidate WHERE candidate >= 128 ORDER BY candidate)
          LOOP
            delta := delta + (least - next) * (handled + 1);
            next := least;
            FOREACH point IN ARRAY points LOOP
              IF point < next THEN delta := delta + 1; END IF;
              CONTINUE WHEN point <> next;
              rest := delta;
              k := 36;
              LOOP
                threshold := LEAST(GREATEST(k - bias, 1), 26);
                EXIT WHEN rest < threshold;
                output := output || substr(digits, threshold + (rest - threshold) % (36 - threshold) + 1, 1);
                rest := (rest - threshold) / (36 - threshold);
                k := k + 36;
              END LOOP;
              output := output || substr(digits, rest + 1, 1);
              rest := delta / CASE WHEN handled = basic THEN 700 ELSE 2 END;
              rest := rest + rest / (handled + 1);
              k := 0;
              WHILE rest > 455 LOOP
                rest := rest / 35;
                k := k + 36;
              END LOOP;
              bias := k + 36 * rest / (rest + 38);
              delta := 0;
              handled := handled + 1;
            END LOOP;
            EXIT WHEN char_length(output) > 59;
            delta := delta + 1;
            next := next + 1;
          END LOOP;
          labels := labels || CASE WHEN char_length(output) > 59 THEN label ELSE 'xn--' || output END;
        END LOOP;
        RETURN left(folded, char_length(folded) - char_length(domain)) || array_to_string(labels, '.');
      END $$`);
  await queryRunner.query(`
    CREATE FUNCTION address_key(address text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN octet_length(address) = char_length(address) THEN lower(address COLLATE "C")
                ELSE address_key_unicode(address) END`);
}

/** UsernameCaseMapped (RFC 8265, section 3.3): width mapping, small letters, NFC. See `user-name.ts`. */
async function usernameKey(queryRunner: QueryRunner): Promise<void> {
  const [from, to] = mappedLetters();
  await queryRunner.query(`
    CREATE FUNCTION username_key_unicode(name text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
      BEGIN
        RETURN normalize(replace(translate(name, '${from}', '${to}'), 'İ', 'i' || U&'\\0307'), NFC);
      END $$`);
  await queryRunner.query(`
    CREATE FUNCTION username_key(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN octet_length(name) = char_length(name) THEN lower(name COLLATE "C")
                ELSE username_key_unicode(name) END`);
}

/** Full and half width (UAX 11), which have one compatible character each. */
const WIDE = /[\u3000\uFF01-\uFF60\uFFE0-\uFFE6\uFF61-\uFFDC\uFFE8-\uFFEE]/;

/** NFC turns them into ASCII, so that they would pass for what they only look like. No user name may have them. */
const BECOME_ASCII = new Set(['\u212A', '\u037E', '\u1FEF']);

/** Every character that becomes one other by width and case, as Unicode is in the Node that runs the migration. */
function mappedLetters(): [string, string] {
  let [from, to] = ['', ''];
  for (let point = 0x41; point <= 0x1ffff; point++) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    const letter = String.fromCodePoint(point);
    const narrow = WIDE.test(letter) ? narrowed(letter) : letter;
    const mapped = BECOME_ASCII.has(letter) ? '\uFFFD' : narrow.toLowerCase();
    if (mapped === letter || [...mapped].length !== 1) continue;
    from += letter;
    to += mapped;
  }
  // The full-width apostrophe becomes one.
  return [from, to.replaceAll("'", "''")];
}

function narrowed(letter: string): string {
  // Only the full-width macron has a compatible character that has one itself.
  const narrow = letter === '\uFFE3' ? '\u00AF' : letter.normalize('NFKC');
  return [...narrow].length === 1 ? narrow : letter;
}
