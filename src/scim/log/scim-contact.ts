import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../config/clock';
import { timeOf } from '../../database/id';
import { one } from '../../database/statements';

/** A provider that works in cycles, such as Entra ID, calls many times within this period. */
const PATIENCE_MS = 24 * 3_600_000;

/**
 * $1 organisation. Expired tokens count: calls end when a token expires. Log entries are kept for a limited time only;
 * tokens record their last use, to the minute.
 */
const CONTACT = `
  SELECT (SELECT id FROM scim_log WHERE org_id = $1 ORDER BY id DESC LIMIT 1) AS newest_entry,
         max(last_used_at) AS last_used_at,
         min(created_at) AS waiting_since
  FROM scim_tokens WHERE org_id = $1`;

interface ContactRow {
  newest_entry: string | null;
  last_used_at: Date | null;
  waiting_since: Date | null;
}

/** When an organisation's identity providers called last. */
export interface Contact {
  /** Null: never, as far as is known. */
  lastContactAt: Date | null;
  /**
   * Whether there are tokens, possibly expired, but no call for 24 hours. A hint rather than proof: a provider that
   * only sends changes is silent while nothing changes.
   */
  isStale: boolean;
}

/** Reports whether identity providers still call. */
@Injectable()
export class ScimContact {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** @param orgId of the organisation */
  async of(orgId: string): Promise<Contact> {
    const now = this.clock.now();
    const row = await one<ContactRow>(this.dataSource, CONTACT, [orgId]);
    const logged = row.newest_entry === null ? null : timeOf(row.newest_entry);
    const lastContactAt = later(logged, row.last_used_at);
    // A new token is given time before it has to be used.
    const silentSince = row.waiting_since && later(lastContactAt, row.waiting_since);
    const isStale = silentSince !== null && now.getTime() - silentSince.getTime() > PATIENCE_MS;
    return { lastContactAt, isStale };
  }
}

function later(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}
