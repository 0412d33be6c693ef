import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { MIN_ID } from '../../database/id';
import { requireFound } from '../../errors/errors';
import { ErrorCode } from '../scim.errors';
import { Page, PageQuery, Pages } from '../../http/requests/page';
import type { ActingMember } from '../../organisations/members/memberships.service';
import { inSnapshot } from '../../database/snapshot';
import { many } from '../../database/statements';
import {
  DirectoryGroupMemberOut,
  DirectoryGroupMemberRow,
  DirectoryGroupOut,
  DirectoryGroupQuery,
  DirectoryGroupRow,
  toDirectoryGroup,
  toGroupMember,
} from './directory-group.dto';
import { GROUP_MEMBERS, GROUP_SIZES, groupPage, ONE_GROUP } from './directory-groups.sql';
import { ScimGroup } from './scim-group.entity';

const LIST = 'directory groups';
const MEMBER_LIST = 'directory group members';

/** The groups that the identity provider pushed, with their mappings. */
@Injectable()
export class DirectoryGroupsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pages: Pages,
  ) {}

  /** By name, ignoring case. The number of statements does not depend on the size of the page. */
  async list({ orgId }: ActingMember, query: DirectoryGroupQuery): Promise<Page<DirectoryGroupOut>> {
    const page = this.pages.open(LIST, query, { org: orgId, display_name: query.display_name });
    const rows = await inSnapshot(this.dataSource, (manager) =>
      readGroups(manager, groupPage(orgId, page.filter.display_name, page.position(), page.take)),
    );
    return page.close(rows, toDirectoryGroup, ({ position, id }) => [position, id]);
  }

  /** @throws NotFoundError */
  async get({ orgId }: ActingMember, groupId: string): Promise<DirectoryGroupOut> {
    const [row] = await inSnapshot(this.dataSource, (manager) =>
      readGroups(manager, { sql: ONE_GROUP, parameters: [orgId, groupId] }),
    );
    return toDirectoryGroup(requireFound(row, ErrorCode.ScimGroupNotFound, groupId));
  }

  /**
   * Ordered by id, which is roughly the order in which they were provisioned.
   *
   * @throws NotFoundError
   */
  async members({ orgId }: ActingMember, groupId: string, query: PageQuery): Promise<Page<DirectoryGroupMemberOut>> {
    // Not by `get`, which would count all members again for each page.
    const found = await this.dataSource.manager.findOneBy(ScimGroup, { orgId, id: groupId });
    const group = requireFound(found, ErrorCode.ScimGroupNotFound, groupId);
    const page = this.pages.open(MEMBER_LIST, query, { group: group.id });
    const rows = await many<DirectoryGroupMemberRow>(this.dataSource, GROUP_MEMBERS, [
      orgId,
      group.id,
      page.after ?? MIN_ID,
      page.take,
    ]);
    return page.close(rows, toGroupMember);
  }
}

/** @param groups the statement that selects them */
async function readGroups(
  manager: EntityManager,
  groups: { sql: string; parameters: unknown[] },
): Promise<DirectoryGroupRow[]> {
  const rows = await many<Omit<DirectoryGroupRow, 'member_count'>>(manager, groups.sql, groups.parameters);
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const sizes = await many<{ group_id: string; member_count: number }>(manager, GROUP_SIZES, [ids]);
  const byGroup = new Map(sizes.map(({ group_id, member_count }) => [group_id, member_count]));
  return rows.map((row) => ({ ...row, member_count: byGroup.get(row.id) ?? 0 }));
}
