import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Notifies every process of access that ended before its time: a grant was taken back, a token was revoked by itself, a
 * client was deleted. Processes remember verified tokens by these marks. By trigger, so that no writer can forget it, a
 * session that takes its grants with it and a process of the previous release included.
 */
export class EndedAccess1795764900000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION notify_access_ended() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF TG_TABLE_NAME = 'oauth_clients' THEN
            PERFORM pg_notify('access_ended', OLD.id::text);
          ELSIF TG_OP = 'DELETE' THEN
            PERFORM pg_notify('access_ended', encode(OLD.digest, 'hex'));
          ELSE
            PERFORM pg_notify('access_ended', encode(NEW.digest, 'hex'));
          END IF;
          RETURN NULL;
        END
      $$`);
    // What had expired by itself is remembered by nobody.
    await queryRunner.query(`
      CREATE TRIGGER oauth_artifacts_grant_ended AFTER DELETE ON oauth_artifacts
        FOR EACH ROW WHEN (OLD.model = 'Grant' AND OLD.expires_at > now()) EXECUTE FUNCTION notify_access_ended()`);
    await queryRunner.query(`
      CREATE TRIGGER oauth_artifacts_token_denied AFTER INSERT ON oauth_artifacts
        FOR EACH ROW WHEN (NEW.model = 'DeniedToken') EXECUTE FUNCTION notify_access_ended()`);
    await queryRunner.query(`
      CREATE TRIGGER oauth_clients_notify_deleted AFTER DELETE ON oauth_clients
        FOR EACH ROW EXECUTE FUNCTION notify_access_ended()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TRIGGER oauth_clients_notify_deleted ON oauth_clients`);
    await queryRunner.query(`DROP TRIGGER oauth_artifacts_token_denied ON oauth_artifacts`);
    await queryRunner.query(`DROP TRIGGER oauth_artifacts_grant_ended ON oauth_artifacts`);
    await queryRunner.query(`DROP FUNCTION notify_access_ended()`);
  }
}
