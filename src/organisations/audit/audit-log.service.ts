import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { idsWithin } from '../../database/keyset';
import { many } from '../../database/statements';
import { inUtc } from '../../http/requests/instant';
import { Page, Pages } from '../../http/requests/page';
import type { ActingMember } from '../members/memberships.service';
import { personName } from '../person-name.sql';
import { AuditEntryOut, AuditLogQuery, type AuditRow, toAuditEntry } from './audit-entry.dto';

/** A cursor is valid only in its own organisation. */
const listOf = (orgId: string) => `audit log of ${orgId}`;

/**
 * $1 organisation, $2 and $3 ids from (inclusive) and until (exclusive), $4 maximum number of rows. The actors are
 * looked up for the page only. Names and addresses of accounts are shown only for current members; other actors can be
 * platform administrators or former members.
 *
 * @param filter a further condition
 */
function listSql(filter: string): string {
  return `
  SELECT page.*, CASE WHEN users.deleted_at IS NOT NULL THEN 'a deleted account'
              WHEN member.user_id IS NOT NULL THEN ${personName()}
              ELSE scim_tokens.name END AS actor_name,
         CASE WHEN member.user_id IS NOT NULL THEN users.email END AS actor_email
  FROM (
    SELECT id, action, actor_type, actor_id, subject_type, subject_id, before, after, reason, details, request_id
    FROM audit_log WHERE org_id = $1 AND id >= $2 AND id < $3 ${filter}
    ORDER BY id DESC LIMIT $4) AS page
  LEFT JOIN users ON actor_type = 'user' AND users.id = actor_id
  LEFT JOIN memberships AS member ON member.org_id = $1 AND member.user_id = users.id
  LEFT JOIN scim_tokens ON actor_type = 'scim_token' AND scim_tokens.id = actor_id AND scim_tokens.org_id = $1
  ORDER BY page.id DESC`;
}

/** Reads the audit log. */
@Injectable()
export class AuditLog {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pages: Pages,
  ) {}

  /** Newest first. The cost of a page does not depend on the length of the log. */
  async list(member: ActingMember, query: AuditLogQuery): Promise<Page<AuditEntryOut>> {
    const filters = {
      // Stored ids are lower case.
      subject_id: query.subject_id?.toLowerCase(),
      from: inUtc(query.from),
      to: inUtc(query.to),
    };
    const page = this.pages.open(listOf(member.orgId), query, filters);
    const { subject_id } = page.filter;
    const parameters = [member.orgId, ...idsWithin(page.filter, page.after), page.take];
    const rows =
      subject_id === undefined
        ? await many<AuditRow>(this.dataSource, listSql(''), parameters)
        : await many<AuditRow>(this.dataSource, listSql('AND subject_id = $5'), [...parameters, subject_id]);
    return page.close(rows, toAuditEntry);
  }
}
