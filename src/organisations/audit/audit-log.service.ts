import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { idsWithin } from '../../database/keyset';
import { many, one } from '../../database/statements';
import { inUtc } from '../../http/requests/instant';
import { type OpenPage, type Page, Pages } from '../../http/requests/page';
import type { ActingMember } from '../members/memberships.service';
import { AuditEntryOut, AuditLogQuery, type AuditRow, toAuditEntry } from './audit-entry.dto';
import { AUDIT_FILTERS, endOfAuditFile, listAuditLog } from './audit-log.sql';

/** A cursor is valid only in its own organisation. */
const listOf = (orgId: string) => `audit log of ${orgId}`;

/** Rows of a file that are read at once: some hundred kilobytes. */
const CHUNK = 1_000;
/** What spreadsheets still open without trouble. */
const MAX_FILE_ROWS = 100_000;

/** The filter of the log, as its cursors carry it. */
interface AuditLogFilter extends Record<string, string | undefined> {
  subject_id?: string;
  action?: string;
  actor_id?: string;
  from?: string;
  to?: string;
}

/** A long part of the log. */
export interface AuditFile {
  /** In chunks, read one after the other. */
  entries: AsyncIterable<AuditEntryOut[]>;
  /** The cursor of what follows; undefined if this is all. */
  next: string | undefined;
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
    const page = this.open(member, query);
    const rows = await this.read(member, page, idsWithin(page.filter, page.after), page.take);
    return page.close(rows, toAuditEntry);
  }

  /**
   * Newest first, at most `MAX_FILE_ROWS`. What is written meanwhile is not in it. No transaction is open between the
   * chunks: entries are immutable, and the end of the file is known before it begins.
   *
   * @param query whose `limit` does not count
   */
  async file(member: ActingMember, query: AuditLogQuery): Promise<AuditFile> {
    const page = this.open(member, query);
    const [first, end] = idsWithin(page.filter, page.after);
    const chunk = await this.read(member, page, [first, end], CHUNK);
    const newest = chunk[0]?.id;
    if (newest === undefined || chunk.length < CHUNK) {
      return { entries: this.chunks(member, page, chunk, undefined), next: undefined };
    }
    const { columns, values } = filtersOf(page.filter);
    const { oldest, is_cut: isCut } = await one<{ oldest: string | null; is_cut: boolean }>(
      this.dataSource,
      endOfAuditFile(columns),
      [member.orgId, first, newest, MAX_FILE_ROWS, ...values],
    );
    const last = oldest ?? newest;
    return {
      entries: this.chunks(member, page, chunk, last),
      next: isCut ? page.cursorAfter(last) : undefined,
    };
  }

  /** @param last the id of the last entry; undefined if the first chunk has all */
  private async *chunks(
    member: ActingMember,
    page: OpenPage<AuditLogFilter>,
    first: AuditRow[],
    last: string | undefined,
  ): AsyncGenerator<AuditEntryOut[]> {
    let chunk = first;
    while (chunk.length > 0) {
      yield chunk.map(toAuditEntry);
      const after = chunk.at(-1)?.id;
      if (last === undefined || after === undefined || after <= last) return;
      chunk = await this.read(member, page, [last, after], CHUNK);
    }
  }

  private open(member: ActingMember, query: AuditLogQuery): OpenPage<AuditLogFilter> {
    return this.pages.open<AuditLogFilter>(listOf(member.orgId), query, {
      // Stored ids are lower case.
      subject_id: query.subject_id?.toLowerCase(),
      action: query.action,
      actor_id: query.actor_id?.toLowerCase(),
      from: inUtc(query.from),
      to: inUtc(query.to),
    });
  }

  private read(
    member: ActingMember,
    { filter }: OpenPage<AuditLogFilter>,
    within: [first: string, end: string],
    take: number,
  ): Promise<AuditRow[]> {
    const { columns, values } = filtersOf(filter);
    return many<AuditRow>(this.dataSource, listAuditLog(columns), [member.orgId, ...within, take, ...values]);
  }
}

function filtersOf(filter: AuditLogFilter) {
  const columns = AUDIT_FILTERS.filter((column) => filter[column] !== undefined);
  return { columns, values: columns.map((column) => filter[column]) };
}
