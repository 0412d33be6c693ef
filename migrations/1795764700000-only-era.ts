import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The only era in which a server lists something, where it speaks both. */
export class OnlyEra1795764700000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE upstreams ADD COLUMN only_era text`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE upstreams DROP COLUMN only_era`);
  }
}
