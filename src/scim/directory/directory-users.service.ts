import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { requireFound } from '../../errors/errors';
import { ErrorCode } from '../scim.errors';
import { Page, Pages } from '../../http/requests/page';
import type { ActingMember } from '../../organisations/members/memberships.service';
import { inSnapshot } from '../../database/snapshot';
import { many } from '../../database/statements';
import { storedSettings } from '../roles/settings/stored-settings';
import {
  DirectoryRoleRow,
  DirectoryUserDetailOut,
  DirectoryUserGroupRow,
  DirectoryUserOut,
  DirectoryUserQuery,
  DirectoryUserRow,
  ResolvedUserRow,
  toDirectoryUser,
  toUserGroup,
} from './directory-user.dto';
import { GROUPS_OF_USER, ONE_USER, ROLES_OF, userPage } from './directory-users.sql';

/** Not the name used when a cursor was only the user name. */
const LIST = 'directory users by name';

/** The users that the identity provider pushed, each with the effective role and its reason. */
@Injectable()
export class DirectoryUsersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pages: Pages,
  ) {}

  /** By `userName`, normalized. The number of statements does not depend on the size of the page. */
  async list({ orgId }: ActingMember, query: DirectoryUserQuery): Promise<Page<DirectoryUserOut>> {
    const { active, user_name, email, external_id } = query;
    const filter = { active: active === undefined ? undefined : String(active), user_name, email, external_id };
    const page = this.pages.open(LIST, query, { org: orgId, ...filter });
    const rows = await inSnapshot(this.dataSource, (manager) =>
      readUsers(manager, orgId, userPage(orgId, page.filter, page.position(), page.take)),
    );
    return page.close(rows, toDirectoryUser, ({ position, id }) => [position, id]);
  }

  /**
   * With all groups.
   *
   * @throws NotFoundError, also for a deleted user
   */
  async get({ orgId }: ActingMember, scimUserId: string): Promise<DirectoryUserDetailOut> {
    return inSnapshot(this.dataSource, async (manager) => {
      const [found] = await readUsers(manager, orgId, { sql: ONE_USER, parameters: [orgId, scimUserId] });
      const row = requireFound(found, ErrorCode.ScimUserNotFound, scimUserId);
      const groups = await many<DirectoryUserGroupRow>(manager, GROUPS_OF_USER, [orgId, row.id]);
      return { ...toDirectoryUser(row), groups: groups.map(toUserGroup) };
    });
  }
}

/** @param users the statement that selects them */
async function readUsers(
  manager: EntityManager,
  orgId: string,
  users: { sql: string; parameters: unknown[] },
): Promise<ResolvedUserRow[]> {
  const rows = await many<DirectoryUserRow>(manager, users.sql, users.parameters);
  if (rows.length === 0) return [];
  const { defaultRole, allowOwnerMapping } = await storedSettings(manager, orgId);
  const accounts = rows.map(({ user_id }) => user_id);
  const roles = await many<DirectoryRoleRow>(manager, ROLES_OF, [orgId, defaultRole, allowOwnerMapping, accounts]);
  const byAccount = new Map(roles.map((role) => [role.account_id, role]));
  return rows.map((row) => {
    const role = byAccount.get(row.user_id);
    if (!role) throw new Error('Role resolution must return a row for every user in the directory.');
    return { ...row, ...role };
  });
}
