import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { bundlesSeenBy } from '../../bundles/bundle-view.sql';
import { many } from '../../database/statements';
import { countedPart } from '../../me/waiting-part';
import { MAX_BUNDLES, MAX_COUNTED, type WaitingPart, type WaitingToolsOut } from '../../me/waiting.dto';
import { isUsableBy, MEANT_VERSIONS } from '../entries/visible-entries.sql';

/** What $1 could change, by indexes; `bundlesSeenBy` decides. */
const CANDIDATES = `
  SELECT id FROM bundles WHERE owner_id = $1
  UNION SELECT bundle_id FROM bundle_editors WHERE user_id = $1
  UNION SELECT bundles.id FROM memberships JOIN bundles ON bundles.org_id = memberships.org_id
        WHERE memberships.user_id = $1 AND memberships.role IN ('ADMIN', 'OWNER')`;

/**
 * $1 a person, $2 how many to count and rows: the bundles with an endpoint that they may change and in which definitions wait
 * for an approval, those with most first. The same as the states NEW and CHANGED of `bundle-tools.sql.ts`.
 *
 * `OFFSET 0` keeps the order of the steps: whether a listing may be used is asked of the few entries that have such tools. With
 * a step for each bundle, an ADMIN of 3,000 bundles with 30,000 approved tools waited for seconds.
 */
export const WAITING_TOOLS = `
  SELECT bundles.id AS bundle_id, bundles.name AS bundle_name, LEAST(waiting.count, $2::int)::int AS count
  FROM (
    SELECT entries.bundle_id, count(*) AS count
    FROM (
      SELECT entries.bundle_id, entries.listing_id, entries.version
      FROM (
        SELECT seen.id
        FROM (${bundlesSeenBy('$1')} WHERE bundles.id IN (${CANDIDATES})) AS seen
        JOIN bundle_endpoints AS endpoints ON endpoints.bundle_id = seen.id AND endpoints.is_enabled
        WHERE seen.may_modify ORDER BY seen.id DESC LIMIT ${MAX_BUNDLES}
      ) AS own
      JOIN bundle_entries AS entries
        ON entries.bundle_id = own.id AND entries.is_enabled AND entries.pinning = 'APPROVE'
      JOIN bundle_tools AS tools ON tools.bundle_id = entries.bundle_id AND tools.entry_id = entries.id AND tools.is_listed
      WHERE NOT EXISTS (
          SELECT FROM tool_approvals AS approvals
          WHERE approvals.bundle_id = tools.bundle_id AND approvals.entry_id = tools.entry_id
            AND approvals.kind = tools.kind AND approvals.name = tools.name AND approvals.until_version IS NULL
            AND approvals.digest = tools.digest AND (approvals.shown_digest <> tools.shown_digest) IS NOT TRUE)
        AND NOT EXISTS (
          SELECT FROM tool_overrides AS overrides
          WHERE overrides.bundle_id = tools.bundle_id AND overrides.entry_id = tools.entry_id
            AND overrides.kind = tools.kind AND overrides.name = tools.name AND overrides.until_version IS NULL
            AND NOT overrides.is_enabled)
      OFFSET 0
    ) AS entries
    ${MEANT_VERSIONS}
    WHERE ${isUsableBy('$1')}
    GROUP BY entries.bundle_id
  ) AS waiting
  JOIN bundles ON bundles.id = waiting.bundle_id
  ORDER BY waiting.count DESC, bundles.id DESC LIMIT $2`;

/** Finds the bundles in which a person has tools to approve. */
@Injectable()
export class WaitingTools {
  constructor(private readonly dataSource: DataSource) {}

  async of({ userId }: Caller): Promise<WaitingPart<WaitingToolsOut>> {
    return countedPart(await many<WaitingToolsOut>(this.dataSource, WAITING_TOOLS, [userId, MAX_COUNTED]));
  }
}
