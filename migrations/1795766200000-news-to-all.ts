import type { MigrationInterface, QueryRunner } from 'typeorm';

/** @param notify what is done if an event has subscribers */
const noticeEvents = (notify: string) => `
  CREATE OR REPLACE FUNCTION webhook_notice_events() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO webhook_new_events (event_id, tenant_id)
      SELECT id, COALESCE(org_id, owner_id) FROM added
      WHERE EXISTS (SELECT FROM webhook_endpoints AS endpoints
                    WHERE endpoints.org_id = added.org_id AND is_active AND added.type = ANY (event_types))
         OR EXISTS (SELECT FROM webhook_endpoints AS endpoints
                    WHERE endpoints.org_id IS NULL AND endpoints.owner_id = added.owner_id
                      AND is_active AND added.type = ANY (event_types));
      IF FOUND THEN
        ${notify}
      END IF;
      RETURN NULL;
    END
  $$`;

const TO_ALL = `PERFORM pg_notify('webhook_events', '');`;

/** All processes are notified of an event, also of their own. One of the release before takes both. */
export class NewsToAll1795766200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(noticeEvents(TO_ALL));
  }

  /** As the migration `OwnNews` left it. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      noticeEvents(`
        IF current_setting('toolyard.own_channel', true) = 'webhook_events' THEN
          PERFORM set_config('toolyard.own_news', 'webhook_events', true);
        ELSE
          ${TO_ALL}
        END IF;`),
    );
  }
}
