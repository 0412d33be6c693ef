import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { firstIdAt, UUID_PATTERN, WRITTEN_ID } from '../../database/id';
import { many, maybe } from '../../database/statements';
import { ErrorCode } from '../scim.errors';
import { requireFound } from '../../errors/errors';
import { inUtc } from '../../http/requests/instant';
import { Page, PageRequest, Pages } from '../../http/requests/page';
import type { ActingMember } from '../../organisations/members/memberships.service';
import {
  ScimLogEntryDetailOut,
  ScimLogEntryOut,
  ScimLogQuery,
  ScimLogRow,
  toScimLogEntry,
  toScimLogEntryDetail,
} from './scim-log.dto';

/** A cursor of one organisation is not valid in another. */
const listOf = (orgId: string) => `scim log of ${orgId}`;

const COLUMNS = `id, method, path, status, duration_ms, token_id, request_id, resource_type, resource_id, scim_type, error,
  ignored, notes, bulk_entry_id, bulk_index,
  (SELECT CASE consent WHEN 'PENDING' THEN 'pending' WHEN 'OPTED_OUT' THEN 'opted_out' END FROM scim_users
   WHERE scim_users.org_id = scim_log.org_id AND consent_user_id = user_id AND deleted_at IS NULL
     AND scim_users.id = CASE WHEN resource_type = 'User' AND resource_id ~ '^${UUID_PATTERN}$' THEN resource_id::uuid END
  ) AS consent`;

/** The filter of a list, as its cursors carry it. */
interface LogFilter extends Record<string, string | undefined> {
  failed?: string;
  resource_id?: string;
  token_id?: string;
  bulk_entry_id?: string;
  /** Inclusive; an instant. */
  from?: string;
  /** Exclusive. */
  to?: string;
}

/** Reads the provisioning log. */
@Injectable()
export class ScimLogReader {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pages: Pages,
  ) {}

  /** Newest first, without bodies. */
  async list(member: ActingMember, query: ScimLogQuery): Promise<Page<ScimLogEntryOut>> {
    const { failed, resource_id, token_id, bulk_entry_id, from, to } = query;
    const filter: LogFilter = {
      failed: failed === undefined ? undefined : String(failed),
      // In the database's spelling of ids.
      resource_id: resource_id !== undefined && WRITTEN_ID.test(resource_id) ? resource_id.toLowerCase() : resource_id,
      token_id: token_id?.toLowerCase(),
      bulk_entry_id: bulk_entry_id?.toLowerCase(),
      from: inUtc(from),
      to: inUtc(to),
    };
    const page = this.pages.open(listOf(member.orgId), query, filter);
    const rows = await many<ScimLogRow>(this.dataSource, ...listLog(member.orgId, page));
    return page.close(rows, toScimLogEntry);
  }

  /**
   * One request with its body.
   *
   * @throws NotFoundError
   */
  async get(member: ActingMember, entryId: string): Promise<ScimLogEntryDetailOut> {
    const row = await maybe<ScimLogRow & { body: unknown }>(
      this.dataSource,
      `SELECT ${COLUMNS}, body FROM scim_log WHERE org_id = $1 AND id = $2`,
      [member.orgId, entryId],
    );
    return toScimLogEntryDetail(requireFound(row, ErrorCode.ScimLogEntryNotFound, entryId));
  }
}

/** @returns the statement for one page, and its parameters; the time of an entry is in its id */
function listLog(orgId: string, { filter, after, take }: PageRequest<LogFilter>): [sql: string, parameters: unknown[]] {
  const parameters: unknown[] = [orgId, take];
  const conditions = ['org_id = $1'];
  const add = (condition: (parameter: string) => string, value: string | null | undefined) => {
    if (value != null) conditions.push(condition(`$${parameters.push(value)}`));
  };
  if (filter.failed !== undefined) conditions.push(filter.failed === 'true' ? 'status >= 400' : 'status < 400');
  add((value) => `resource_id = ${value}`, filter.resource_id);
  add((value) => `token_id = ${value}`, filter.token_id);
  add((value) => `bulk_entry_id = ${value}`, filter.bulk_entry_id);
  add((value) => `id >= ${value}`, filter.from && firstIdAt(new Date(filter.from)));
  add((value) => `id < ${value}`, filter.to && firstIdAt(new Date(filter.to)));
  add((value) => `id < ${value}`, after);
  return [`SELECT ${COLUMNS} FROM scim_log WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT $2`, parameters];
}
