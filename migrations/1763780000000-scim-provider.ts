import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a SCIM provider needs besides the directory itself: whole resources, tokens, the two logs, and their indexes. */
export class ScimProvider1763780000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // All comparisons of the filter language are by code point, whatever the database's own collation.
    await queryRunner.query(`
      ALTER TABLE scim_users
        ADD COLUMN attributes jsonb NOT NULL DEFAULT '{}',
        ADD COLUMN version integer NOT NULL DEFAULT 1`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX scim_users_external_id_key ON scim_users (org_id, external_id COLLATE "C")
       WHERE deleted_at IS NULL`,
    );
    await queryRunner.query(`CREATE INDEX scim_users_living_idx ON scim_users (org_id, id) WHERE deleted_at IS NULL`);
    await queryRunner.query(
      `CREATE INDEX scim_users_user_name_idx ON scim_users (org_id, lower(user_name) COLLATE "C", id)
       WHERE deleted_at IS NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX scim_users_display_name_idx ON scim_users (org_id, lower(display_name) COLLATE "C", id)
       WHERE deleted_at IS NULL`,
    );
    await queryRunner.query(
      `CREATE INDEX scim_users_updated_at_idx ON scim_users (org_id, updated_at, id) WHERE deleted_at IS NULL`,
    );
    // An expression of its own, as an index of jsonb itself knows no case-insensitive comparison.
    await queryRunner.query(`
      CREATE FUNCTION scim_email_values(attributes jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT array_agg(lower(email ->> 'value')) FROM jsonb_array_elements(attributes -> 'emails') AS email
      $$`);
    await queryRunner.query(
      `CREATE INDEX scim_users_emails_idx ON scim_users USING gin (scim_email_values(attributes))
       WHERE deleted_at IS NULL`,
    );

    await queryRunner.query(`ALTER TABLE scim_groups ADD COLUMN version integer NOT NULL DEFAULT 1`);
    await queryRunner.query(`DROP INDEX scim_groups_org_id_idx`);
    await queryRunner.query(`CREATE INDEX scim_groups_org_id_idx ON scim_groups (org_id, id)`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX scim_groups_external_id_key ON scim_groups (org_id, external_id COLLATE "C")`,
    );
    await queryRunner.query(
      `CREATE INDEX scim_groups_display_name_idx ON scim_groups (org_id, lower(display_name) COLLATE "C", id)`,
    );
    await queryRunner.query(
      `ALTER TABLE scim_group_members ADD COLUMN created_at timestamptz(3) NOT NULL DEFAULT now()`,
    );

    // Two groups of one name may both be mapped and both be deleted; the service keeps two from being made to wait.
    await queryRunner.query(`DROP INDEX scim_role_mappings_group_name_key`);
    await queryRunner.query(
      `CREATE INDEX scim_role_mappings_group_name_idx ON scim_role_mappings (org_id, lower(group_name))
       WHERE group_id IS NULL`,
    );

    await queryRunner.query(`
      CREATE TABLE scim_tokens (
        id uuid NOT NULL,
        org_id uuid NOT NULL,
        name text NOT NULL,
        prefix text NOT NULL,
        digest bytea NOT NULL,
        created_by uuid,
        expires_at timestamptz(3),
        last_used_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT scim_tokens_pkey PRIMARY KEY (id),
        CONSTRAINT scim_tokens_digest_key UNIQUE (digest),
        CONSTRAINT scim_tokens_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE INDEX scim_tokens_org_id_idx ON scim_tokens (org_id, id)`);

    // Both logs tell of things that may be gone by now, and are written in bulk: no foreign keys.
    await queryRunner.query(`
      CREATE TABLE scim_log (
        id uuid NOT NULL,
        org_id uuid NOT NULL,
        token_id uuid NOT NULL,
        request_id text NOT NULL,
        method text NOT NULL,
        path text NOT NULL,
        status integer NOT NULL,
        duration_ms integer NOT NULL,
        resource_type text,
        resource_id text,
        body jsonb,
        scim_type text,
        error text,
        ignored text[] NOT NULL DEFAULT '{}',
        CONSTRAINT scim_log_pkey PRIMARY KEY (id)
      )`);
    await queryRunner.query(`CREATE INDEX scim_log_org_id_idx ON scim_log (org_id, id)`);
    await queryRunner.query(`CREATE INDEX scim_log_failed_idx ON scim_log (org_id, id) WHERE status >= 400`);
    await queryRunner.query(
      `CREATE INDEX scim_log_resource_id_idx ON scim_log (org_id, resource_id, id) WHERE resource_id IS NOT NULL`,
    );
    await queryRunner.query(`CREATE INDEX scim_log_token_id_idx ON scim_log (token_id, id)`);

    await queryRunner.query(`
      CREATE TABLE audit_log (
        id uuid NOT NULL,
        org_id uuid NOT NULL,
        action text NOT NULL,
        actor_type text NOT NULL,
        actor_id uuid,
        subject_type text NOT NULL,
        subject_id uuid,
        before jsonb,
        after jsonb,
        reason text,
        details jsonb,
        request_id text,
        CONSTRAINT audit_log_pkey PRIMARY KEY (id),
        CONSTRAINT audit_log_actor_type_check CHECK (actor_type IN ('user', 'scim_token', 'system'))
      )`);
    await queryRunner.query(`CREATE INDEX audit_log_org_id_idx ON audit_log (org_id, id)`);
    await queryRunner.query(`CREATE INDEX audit_log_subject_id_idx ON audit_log (org_id, subject_id, id)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['audit_log', 'scim_log', 'scim_tokens']) await queryRunner.query(`DROP TABLE ${table}`);
    await queryRunner.query(`DROP INDEX scim_role_mappings_group_name_idx`);
    // Of several that wait for one name only the oldest can stay, which is the one that the next group would get.
    await queryRunner.query(`
      DELETE FROM scim_role_mappings AS younger USING scim_role_mappings AS older
      WHERE younger.group_id IS NULL AND older.group_id IS NULL AND younger.org_id = older.org_id
        AND lower(younger.group_name) = lower(older.group_name)
        AND (younger.created_at, younger.id) > (older.created_at, older.id)`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX scim_role_mappings_group_name_key ON scim_role_mappings (org_id, lower(group_name)) WHERE group_id IS NULL`,
    );
    await queryRunner.query(`ALTER TABLE scim_group_members DROP COLUMN created_at`);
    for (const index of ['scim_groups_display_name_idx', 'scim_groups_external_id_key', 'scim_groups_org_id_idx']) {
      await queryRunner.query(`DROP INDEX ${index}`);
    }
    await queryRunner.query(`CREATE INDEX scim_groups_org_id_idx ON scim_groups (org_id)`);
    await queryRunner.query(`ALTER TABLE scim_groups DROP COLUMN version`);
    for (const index of [
      'scim_users_emails_idx',
      'scim_users_updated_at_idx',
      'scim_users_display_name_idx',
      'scim_users_user_name_idx',
      'scim_users_living_idx',
      'scim_users_external_id_key',
    ]) {
      await queryRunner.query(`DROP INDEX ${index}`);
    }
    await queryRunner.query(`DROP FUNCTION scim_email_values(jsonb)`);
    await queryRunner.query(`ALTER TABLE scim_users DROP COLUMN version, DROP COLUMN attributes`);
  }
}
