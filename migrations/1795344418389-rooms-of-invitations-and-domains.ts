import type { MigrationInterface, QueryRunner } from 'typeorm';

const OWNERS = { invitations: 'invitations', organisation_domains: 'domains' };

/** Invitations and domains have rooms of their own. */
export class RoomsOfInvitationsAndDomains1795344418389 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [table, owner] of Object.entries(OWNERS)) {
      await queryRunner.query(`COMMENT ON TABLE ${table} IS 'owner: ${owner}'`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of Object.keys(OWNERS)) {
      await queryRunner.query(`COMMENT ON TABLE ${table} IS 'owner: organisations'`);
    }
  }
}
