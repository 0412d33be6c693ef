import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../config/clock';
import { timeOf } from '../../database/id';
import { one } from '../../database/statements';

/** A provider that works in cycles, as Entra ID does, calls many times within this. */
const PATIENCE_MS = 24 * 3_600_000;

/** $1 organisation. Tokens that have expired count: that is when nobody calls any more. The log is kept for a while only; tokens remember longer, to the minute. */
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
   * Whether there are tokens, one of them perhaps expired, and nobody has called for 24 hours. A sign and no proof: a
   * provider that sends changes only is silent as long as nothing changes.
   */
  isStale: boolean;
}

/** Tells whether identity providers still call. */
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
    // A token that was made only now is given time to be used.
    const silentSince = row.waiting_since && later(lastContactAt, row.waiting_since);
    const isStale = silentSince !== null && now.getTime() - silentSince.getTime() > PATIENCE_MS;
    return { lastContactAt, isStale };
  }
}

function later(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}
