import { MigrationInterface, QueryRunner } from 'typeorm';

/** The directory that an identity provider pushes, what it means for roles, and what each sync changed. */
export class Scim1763683230000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // A deleted entry stays: it is what keeps a manual role from coming back (contract, section 7).
    await queryRunner.query(`
      CREATE TABLE scim_users (
        id uuid NOT NULL,
        org_id uuid NOT NULL,
        user_id uuid NOT NULL,
        user_name text NOT NULL,
        external_id text,
        display_name text,
        active boolean NOT NULL DEFAULT true,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        deleted_at timestamptz(3),
        CONSTRAINT scim_users_pkey PRIMARY KEY (id),
        CONSTRAINT scim_users_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations (id) ON DELETE CASCADE,
        CONSTRAINT scim_users_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX scim_users_user_name_key ON scim_users (org_id, lower(user_name)) WHERE deleted_at IS NULL`,
    );
    await queryRunner.query(
      `CREATE UNIQUE INDEX scim_users_user_id_key ON scim_users (org_id, user_id) WHERE deleted_at IS NULL`,
    );
    await queryRunner.query(`CREATE INDEX scim_users_org_id_user_id_idx ON scim_users (org_id, user_id)`);
    await queryRunner.query(`CREATE INDEX scim_users_user_id_idx ON scim_users (user_id)`);

    await queryRunner.query(`
      CREATE TABLE scim_groups (
        id uuid NOT NULL,
        org_id uuid NOT NULL,
        display_name text NOT NULL,
        external_id text,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT scim_groups_pkey PRIMARY KEY (id),
        CONSTRAINT scim_groups_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE INDEX scim_groups_org_id_idx ON scim_groups (org_id)`);

    await queryRunner.query(`
      CREATE TABLE scim_group_members (
        group_id uuid NOT NULL,
        scim_user_id uuid NOT NULL,
        CONSTRAINT scim_group_members_pkey PRIMARY KEY (group_id, scim_user_id),
        CONSTRAINT scim_group_members_group_id_fkey FOREIGN KEY (group_id) REFERENCES scim_groups (id) ON DELETE CASCADE,
        CONSTRAINT scim_group_members_scim_user_id_fkey
          FOREIGN KEY (scim_user_id) REFERENCES scim_users (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE INDEX scim_group_members_scim_user_id_idx ON scim_group_members (scim_user_id)`);

    // A mapping without a group id waits for a group of that name to arrive.
    await queryRunner.query(`
      CREATE TABLE scim_role_mappings (
        id uuid NOT NULL,
        org_id uuid NOT NULL,
        group_id uuid,
        group_name text NOT NULL,
        role organisation_role NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT scim_role_mappings_pkey PRIMARY KEY (id),
        CONSTRAINT scim_role_mappings_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations (id) ON DELETE CASCADE,
        CONSTRAINT scim_role_mappings_group_id_fkey FOREIGN KEY (group_id) REFERENCES scim_groups (id) ON DELETE SET NULL
      )`);
    await queryRunner.query(
      `CREATE UNIQUE INDEX scim_role_mappings_group_name_key ON scim_role_mappings (org_id, lower(group_name)) WHERE group_id IS NULL`,
    );
    await queryRunner.query(`CREATE INDEX scim_role_mappings_org_id_idx ON scim_role_mappings (org_id)`);
    await queryRunner.query(`CREATE UNIQUE INDEX scim_role_mappings_group_id_key ON scim_role_mappings (group_id)`);

    await queryRunner.query(`
      CREATE TABLE scim_settings (
        org_id uuid NOT NULL,
        default_role organisation_role DEFAULT 'MEMBER',
        allow_owner_mapping boolean NOT NULL DEFAULT false,
        last_owner_policy text NOT NULL DEFAULT 'retain',
        CONSTRAINT scim_settings_pkey PRIMARY KEY (org_id),
        CONSTRAINT scim_settings_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations (id) ON DELETE CASCADE,
        CONSTRAINT scim_settings_last_owner_policy_check CHECK (last_owner_policy IN ('retain', 'refuse'))
      )`);

    await queryRunner.query(`
      CREATE TABLE scim_sync_runs (
        id uuid NOT NULL,
        org_id uuid NOT NULL,
        started_by uuid,
        started_at timestamptz(3) NOT NULL,
        finished_at timestamptz(3) NOT NULL,
        scanned integer NOT NULL,
        joined integer NOT NULL,
        promoted integer NOT NULL,
        demoted integer NOT NULL,
        removed integer NOT NULL,
        retained integer NOT NULL,
        unchanged integer NOT NULL,
        CONSTRAINT scim_sync_runs_pkey PRIMARY KEY (id),
        CONSTRAINT scim_sync_runs_org_id_fkey FOREIGN KEY (org_id) REFERENCES organisations (id) ON DELETE CASCADE
      )`);
    await queryRunner.query(`CREATE INDEX scim_sync_runs_org_id_idx ON scim_sync_runs (org_id, id)`);

    // What the role was, is and why, as of the run: no foreign keys to groups, mappings and people that may go later.
    // None to the run either: it would look up the same run for each of 100,000 rows, a fifth of the time of a sync.
    // They are written in one statement, so only the deletion is left to look after.
    await queryRunner.query(`
      CREATE TABLE scim_sync_changes (
        run_id uuid NOT NULL,
        user_id uuid NOT NULL,
        change text NOT NULL,
        role_before organisation_role,
        role_after organisation_role,
        reason text NOT NULL,
        mapping_id uuid,
        group_id uuid,
        CONSTRAINT scim_sync_changes_pkey PRIMARY KEY (run_id, user_id)
      )`);
    await queryRunner.query(`
      CREATE FUNCTION delete_scim_sync_changes() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          DELETE FROM scim_sync_changes WHERE run_id = ANY (ARRAY(SELECT id FROM deleted_runs));
          RETURN NULL;
        END $$`);
    await queryRunner.query(`
      CREATE TRIGGER scim_sync_runs_delete_changes AFTER DELETE ON scim_sync_runs
        REFERENCING OLD TABLE AS deleted_runs
        FOR EACH STATEMENT EXECUTE FUNCTION delete_scim_sync_changes()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE scim_sync_changes`);
    await queryRunner.query(`DROP TABLE scim_sync_runs`);
    await queryRunner.query(`DROP FUNCTION delete_scim_sync_changes()`);
    await queryRunner.query(`DROP TABLE scim_settings`);
    await queryRunner.query(`DROP TABLE scim_role_mappings`);
    await queryRunner.query(`DROP TABLE scim_group_members`);
    await queryRunner.query(`DROP TABLE scim_groups`);
    await queryRunner.query(`DROP TABLE scim_users`);
  }
}
