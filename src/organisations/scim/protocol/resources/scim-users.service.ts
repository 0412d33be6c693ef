import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { Environment } from '../../../../config/environment';
import { newId } from '../../../../database/id';
import { record } from '../../../../events/outbox';
import { Accounts } from '../../../../users/accounts.service';
import { inOrganisation } from '../../../organisation-lock';
import { RoleSync } from '../../roles/role-sync';
import { patchUser } from '../patch/user-patch';
import { causeOf, type ScimClient } from '../scim-client';
import { ScimError } from '../scim-error';
import { scimBase } from '../scim-exchange';
import type { Found, ListResponse, ScimQuery, Written } from '../scim-resource';
import type { StoredUser, UserDocument } from '../schema/user-document';
import { USER_TYPE } from '../schema/user-schema';
import { buryFormerAccount, linkAccount } from './account-link';
import { managerOf, managersOf } from './managers';
import { isKnown, requireMatch } from './scim-conditions';
import { ScimLists } from './scim-lists.service';
import { selectAttributes } from './selection';
import { deleteUser, findUser, groupsOf, insertUser, LinkedUser, updateUser } from './stored-users';
import { userResource, userVersion } from './to-scim';
import { tellingClashes } from './uniqueness';
import { readUser } from './user-reader';

/**
 * The users of an organisation's directory (RFC 7644, section 3, for `/Users`). Each write holds the organisation's
 * lock and ends with the role of the person being what the directory says now. What changes nothing writes nothing, and
 * says the version that there was.
 */
@Injectable()
export class ScimUsers {
  constructor(
    private readonly dataSource: DataSource,
    private readonly environment: Environment,
    private readonly accounts: Accounts,
    private readonly roleSync: RoleSync,
    private readonly lists: ScimLists,
  ) {}

  /**
   * @throws ScimError what readUser throws; uniqueness for a userName, an externalId or an account that another user of
   *   the organisation has
   * @throws LastOwnerError
   */
  async create(client: ScimClient, body: unknown, query: ScimQuery): Promise<Written> {
    const document = readUser(body, client.ignored);
    const { orgId } = client;
    return tellingClashes(
      inOrganisation(this.dataSource, orgId, async (manager) => {
        const accountId = await linkAccount(manager, this.accounts, document);
        const user = await insertUser(manager, orgId, newId(), accountId, document);
        await record(manager, {
          type: 'scim.user_provisioned',
          orgId,
          data: { ...told(orgId, user), active: user.active },
        });
        await this.roleSync.apply(manager, orgId, [accountId], causeOf(client));
        return this.written(manager, client, user, query);
      }),
    );
  }

  /** @throws ScimError notFound */
  async get(client: ScimClient, id: string, query: ScimQuery, ifNoneMatch?: string): Promise<Found> {
    const { manager } = this.dataSource;
    const user = await find(manager, client.orgId, id);
    const { resource, version } = await this.written(manager, client, user, query);
    return { version, resource: isKnown(ifNoneMatch, version) ? undefined : resource };
  }

  /**
   * PUT (RFC 7644, section 3.5.1): what the body leaves out is taken away. Groups, which are read-only here, stay, and
   * who is inactive stays so unless the body says otherwise.
   *
   * @throws ScimError what readUser throws; notFound, preconditionFailed, uniqueness
   * @throws LastOwnerError
   */
  async replace(client: ScimClient, id: string, body: unknown, query: ScimQuery, ifMatch?: string): Promise<Written> {
    return this.change(client, id, (before) => readUser(body, client.ignored, before), query, ifMatch);
  }

  /**
   * PATCH (RFC 7644, section 3.5.2): all operations, or none.
   *
   * @throws ScimError what patchUser throws; notFound, preconditionFailed, uniqueness
   * @throws LastOwnerError
   */
  async patch(client: ScimClient, id: string, body: unknown, query: ScimQuery, ifMatch?: string): Promise<Written> {
    return this.change(client, id, (before) => patchUser(before, body, client.ignored), query, ifMatch);
  }

  /**
   * The person leaves the organisation, as far as the directory brought them, and all of its groups. Another user of
   * the same name is another one, with another id.
   *
   * @throws ScimError notFound, preconditionFailed
   * @throws LastOwnerError
   */
  async remove(client: ScimClient, id: string, ifMatch?: string): Promise<void> {
    const { orgId } = client;
    await inOrganisation(this.dataSource, orgId, async (manager) => {
      const user = await find(manager, orgId, id);
      requireMatch(ifMatch, user.version);
      await deleteUser(manager, orgId, user.id);
      await record(manager, { type: 'scim.user_deleted', orgId, data: told(orgId, user) });
      await this.roleSync.apply(manager, orgId, [user.userId], causeOf(client));
    });
  }

  /** @throws ScimError invalidFilter, invalidPath, invalidValue, invalidCursor */
  list(client: ScimClient, query: ScimQuery): Promise<ListResponse> {
    return this.lists.read(client, [USER_TYPE], query);
  }

  private async change(
    client: ScimClient,
    id: string,
    changed: (before: UserDocument) => UserDocument,
    query: ScimQuery,
    ifMatch: string | undefined,
  ): Promise<Written> {
    const { orgId } = client;
    return tellingClashes(
      inOrganisation(this.dataSource, orgId, async (manager) => {
        const before = await find(manager, orgId, id);
        requireMatch(ifMatch, before.version);
        const document = changed(documentOf(before));
        const accountId = await linkAccount(manager, this.accounts, document, { document: before, account: before });
        const changes = changesOf(before, document);
        if (changes.length === 0 && accountId === before.userId) return this.written(manager, client, before, query);
        const user = await updateUser(manager, orgId, before.id, accountId, document);
        const isRelinked = accountId !== before.userId;
        if (isRelinked && !(before.active && user.active))
          await buryFormerAccount(manager, orgId, before.userId, before.id);
        await tell(manager, orgId, before, user, changes);
        await this.roleSync.apply(manager, orgId, [...new Set([before.userId, accountId])], causeOf(client));
        return this.written(manager, client, user, query);
      }),
    );
  }

  private async written(
    manager: EntityManager,
    { orgId }: ScimClient,
    user: StoredUser,
    query: ScimQuery,
  ): Promise<Written & Required<Pick<Written, 'resource'>>> {
    const base = scimBase(this.environment.publicUrl, orgId);
    const selection = selectAttributes(USER_TYPE, query);
    const groups = selection.wants('groups') ? (await groupsOf(manager, orgId, [user.id])).get(user.id) : undefined;
    const managers = selection.wants('manager') ? await managersOf(manager, orgId, [user]) : undefined;
    const found = managers && managerOf(user, managers);
    return {
      id: user.id,
      location: `${base}/Users/${user.id}`,
      version: userVersion(user, groups, found),
      resource: selection.apply(userResource(user, groups, base, found)),
    };
  }
}

/** @throws ScimError notFound for what is no id, deleted, or of another organisation: there is no telling them apart */
async function find(manager: EntityManager, orgId: string, id: string): Promise<LinkedUser> {
  const user = isUuid(id) ? await findUser(manager, orgId, id) : undefined;
  if (!user) throw new ScimError('notFound', `There is no user ${id}.`);
  return user;
}

function documentOf({ userName, externalId, displayName, active, attributes }: StoredUser): UserDocument {
  return { userName, externalId, displayName, active, attributes };
}

type Change = 'user_name' | 'display_name' | 'external_id' | 'active' | 'other';

function changesOf(before: UserDocument, after: UserDocument): Change[] {
  const changes: [Change, boolean][] = [
    ['user_name', before.userName !== after.userName],
    ['display_name', before.displayName !== after.displayName],
    ['external_id', before.externalId !== after.externalId],
    ['active', before.active !== after.active],
    ['other', !isDeepStrictEqual(before.attributes, after.attributes)],
  ];
  return changes.filter(([, isChanged]) => isChanged).map(([change]) => change);
}

/**
 * Becoming inactive is an event of its own; what changed beside it is told first, in the same way as ever. An exchange
 * of the account, with nothing else, is something else that changed.
 */
async function tell(
  manager: EntityManager,
  orgId: string,
  before: StoredUser,
  user: StoredUser,
  changes: Change[],
): Promise<void> {
  const isDeactivated = before.active && !user.active;
  const changed = isDeactivated ? changes.filter((change) => change !== 'active') : changes;
  if (changed.length > 0 || !isDeactivated) {
    await record(manager, {
      type: 'scim.user_updated',
      orgId,
      data: { ...told(orgId, user), active: user.active, changed: changed.length > 0 ? changed : ['other'] },
    });
  }
  if (isDeactivated) {
    await record(manager, { type: 'scim.user_deactivated', orgId, data: { ...told(orgId, user), active: false } });
  }
}

/** What every event about a user says. */
function told(orgId: string, { id, userId, userName, displayName }: StoredUser) {
  return { org_id: orgId, scim_user_id: id, user_id: userId, user_name: userName, display_name: displayName };
}
