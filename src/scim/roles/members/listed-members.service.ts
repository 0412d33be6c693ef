import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { inSnapshot } from '../../../database/snapshot';
import { many } from '../../../database/statements';
import { type Page, Pages } from '../../../http/requests/page';
import type { ActingMember } from '../../../organisations/members/memberships.service';
import { isAtLeast } from '../../../organisations/members/role';
import { prefixQuery } from '../../../users/prefix-query';
import { storedSettings } from '../settings/stored-settings';
import type { ListedMemberOut, ListedMemberQuery, ListedMemberRow } from './listed-member.dto';
import { toListedMember } from './listed-member.dto';
import { memberPage } from './listed-members.sql';

const LIST = 'members';

/** The members of an organisation, each with the reason of the role. */
@Injectable()
export class ListedMembers {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pages: Pages,
  ) {}

  /**
   * Ordered by user id, which is roughly the order in which the accounts were created. The number of statements does
   * not depend on the size of the page.
   */
  async list(member: ActingMember, query: ListedMemberQuery): Promise<Page<ListedMemberOut>> {
    const { orgId } = member;
    const { role, reason, search } = query;
    const page = this.pages.open(LIST, query, { org: orgId, role, reason, search });
    const { role: ofRole, reason: because, search: text } = page.filter;
    const words = text === undefined ? undefined : prefixQuery(text);
    const rows = await inSnapshot(this.dataSource, async (manager) => {
      const settings = await storedSettings(manager, orgId);
      const { sql, parameters } = memberPage(
        orgId,
        settings,
        { role: ofRole, reason: because, words },
        page.after,
        page.take,
      );
      return many<ListedMemberRow>(manager, sql, parameters);
    });
    const forAdministrator = isAtLeast(member.role, 'ADMIN');
    return page.close(
      rows,
      (row) => toListedMember(row, forAdministrator),
      (row) => row.user_id,
    );
  }
}
