import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../../../auth/caller';
import { idsWithin } from '../../../database/keyset';
import { many } from '../../../database/statements';
import { ForbiddenError } from '../../../errors/errors';
import { inUtc } from '../../../http/requests/instant';
import { type Page, Pages } from '../../../http/requests/page';
import { listAccountLog } from '../../../users/account-log/account-log.sql';
import {
  type AccountAuditEntryOut,
  type AccountAuditLogQuery,
  type AccountAuditRow,
  type OwnAuditLogQuery,
  toAccountAuditEntry,
  toOwnAuditEntry,
} from './account-audit-entry.dto';

/** Reads the audit log of accounts. */
@Injectable()
export class AccountAuditLog {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pages: Pages,
  ) {}

  /**
   * Everything, newest first. The cost of a page does not depend on the length of the log.
   *
   * @throws ForbiddenError unless the caller is a platform administrator
   */
  async list(caller: Caller, query: AccountAuditLogQuery): Promise<Page<AccountAuditEntryOut>> {
    if (!caller.isPlatformAdmin) throw new ForbiddenError('Only platform administrators can read this audit log.');
    return this.read('audit log', query, toAccountAuditEntry);
  }

  /** What happened to the caller's own account, newest first. */
  listOwn({ userId }: Caller, query: OwnAuditLogQuery): Promise<Page<AccountAuditEntryOut>> {
    return this.read(`audit log of ${userId}`, { ...query, user_id: userId }, toOwnAuditEntry);
  }

  private async read(
    list: string,
    query: AccountAuditLogQuery,
    toEntry: (row: AccountAuditRow) => AccountAuditEntryOut,
  ): Promise<Page<AccountAuditEntryOut>> {
    const filters = {
      // Stored ids are lower case.
      user_id: query.user_id?.toLowerCase(),
      subject_id: query.subject_id?.toLowerCase(),
      from: inUtc(query.from),
      to: inUtc(query.to),
    };
    const page = this.pages.open(list, query, filters);
    const columns = (['user_id', 'subject_id'] as const).filter((column) => page.filter[column] !== undefined);
    const rows = await many<AccountAuditRow>(this.dataSource, listAccountLog(columns), [
      ...idsWithin(page.filter, page.after),
      page.take,
      ...columns.map((column) => page.filter[column]),
    ]);
    return page.close(rows, toEntry);
  }
}
