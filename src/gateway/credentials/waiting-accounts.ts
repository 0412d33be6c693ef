import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { isInsider } from '../../bundles/bundle-insider.sql';
import { many } from '../../database/statements';
import { waitingPart } from '../../me/waiting-part';
import { MAX_BUNDLES, MAX_COUNTED, type WaitingAccountOut, type WaitingPart } from '../../me/waiting.dto';
import { chosenCredential, isUsableBy, MEANT_VERSIONS } from '../entries/visible-entries.sql';

/**
 * $1 a person, $2 rows: entries that take credentials of people and have none that could be used for this one, or one of theirs
 * that is refused. Of the bundles with an endpoint that they follow or own, newest first. An entry that has neither an
 * `endpoint_url` nor a listing with such a transport cannot be reached, so that nothing would be connected.
 */
export const WAITING_ACCOUNTS = `
  SELECT bundles.id AS bundle_id, bundles.name AS bundle_name, entries.id AS entry_id, entries.key, entries.listing_name,
         CASE WHEN own.id IS NULL THEN 'MISSING' ELSE 'RECONNECT' END AS reason
  FROM (
    SELECT bundles.id, bundles.name, bundles.org_id
    FROM (
      SELECT bundle_id FROM bundle_follows WHERE user_id = $1 UNION SELECT id FROM bundles WHERE owner_id = $1
    ) AS own
    JOIN bundle_endpoints AS endpoints ON endpoints.bundle_id = own.bundle_id AND endpoints.is_enabled
    JOIN bundles ON bundles.id = own.bundle_id
    WHERE bundles.visibility = 'PUBLIC' OR ${isInsider('$1')}
    ORDER BY bundles.id DESC LIMIT ${MAX_BUNDLES}
  ) AS bundles
  JOIN bundle_entries AS entries
    ON entries.bundle_id = bundles.id AND entries.is_enabled
      AND entries.credential_mode IN ('PERSONAL', 'PERSONAL_OR_SHARED')
  ${MEANT_VERSIONS}
  LEFT JOIN credentials AS own
    ON own.owner = 'PERSON' AND own.person_id = $1 AND own.entry_id = entries.id AND own.bundle_id = bundles.id
  WHERE ${isUsableBy('$1')}
    AND (entries.endpoint_url IS NOT NULL OR 'streamable-http' = ANY (listings.transports))
    AND (own.status = 'RECONNECT'
      OR own.id IS NULL AND ${chosenCredential('entries', 'bundles.id', 'bundles.org_id', 'NULL::uuid')} IS NULL)
  ORDER BY bundles.id DESC, entries.position LIMIT $2`;

/** Finds the servers for which a person has to give a credential of their own. */
@Injectable()
export class WaitingAccounts {
  constructor(private readonly dataSource: DataSource) {}

  async of({ userId }: Caller): Promise<WaitingPart<WaitingAccountOut>> {
    const rows = await many<WaitingAccountOut>(this.dataSource, WAITING_ACCOUNTS, [userId, MAX_COUNTED]);
    return waitingPart(rows, (row) => row);
  }
}
