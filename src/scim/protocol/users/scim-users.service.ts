import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { Environment } from '../../../config/environment';
import { newId } from '../../../database/id';
import { type AnyDomainEvent, type DomainEvent, record } from '../../../events/outbox';
import { nextTurn } from '../../../http/requests/next-turn';
import { Accounts } from '../../../users/accounts.service';
import { inDirectory } from '../directory-lock';
import { type ConcernedAccounts, RoleSync } from '../../roles/sync/role-sync';
import { patchUser } from '../patch/user-patch';
import { causeOf, type ScimClient } from '../scim-client';
import { ScimError } from '../scim-error';
import { resourceAddress, scimBase } from '../scim-address';
import type { ListResponse, ReadResource, ScimQuery, Written } from '../scim-resource';
import type { StoredUser, UserDocument } from '../schema/user-document';
import { USER_TYPE } from '../schema/user-schema';
import { ACCOUNT_NOTE_TEXT } from '../../directory/account-note';
import { type AccountLink, addressesOf, leaveDeletedEntry, linkAccounts, relinkAccount } from './account-link';
import { findUserManagers, userManagerOf } from './user-managers';
import { isKnown, requireMatch } from '../scim-conditions';
import { ScimLists } from '../lists/scim-lists.service';
import { selectAttributes } from '../lists/selection';
import {
  deleteUser,
  findUser,
  findUserToChange,
  groupsOf,
  insertUser,
  insertUsers,
  LinkedUser,
  updateAccountNote,
  updateUser,
} from './stored-users';
import { type UserGroup, userResource, userVersion } from '../to-scim';
import { translatingConflicts } from '../uniqueness';
import { readUser } from './user-reader';

/**
 * The users of an organisation's directory (RFC 7644, section 3, for `/Users`). Each write holds the organisation's
 * lock and ends with role resolution for the user. A request that changes nothing writes nothing, except to correct an
 * account note, and returns the existing version.
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
   * @throws ScimError what readUser throws; uniqueness if another user of the organisation has the userName or the
   *   externalId
   * @throws LastOwnerError
   */
  async create(client: ScimClient, body: unknown, query: ScimQuery): Promise<Written> {
    const document = readUser(body, client.ignored);
    const { orgId } = client;
    return translatingConflicts(
      inDirectory(
        this.dataSource,
        client,
        async (manager) => {
          const [link] = await linkAccounts(manager, this.accounts, orgId, [document]);
          if (!link) throw new Error('The new user has no account link.');
          const user = await insertUser(manager, orgId, { id: newId(), link, document });
          await this.roleSync.publishAndApply(manager, orgId, concernedBy([link]), causeOf(client), (hidden) => [
            provisioned(orgId, user, hidden),
          ]);
          noteLink(client, link);
          return this.written(manager, client, user, query, NO_GROUPS);
        },
        addressesOf([document]),
      ),
    );
  }

  /**
   * Creates many users in one transaction, in a number of statements that does not depend on their number, with the
   * same effect as POST after POST.
   *
   * @param requests in the order in which they were sent, at least one; of one organisation and one token
   * @returns the results of the first requests, up to the first one that `create` would reject; that one and those
   *   after it were not written
   * @throws LastOwnerError
   */
  async createMany(requests: readonly CreateRequest[], query: ScimQuery): Promise<Written[]> {
    for (let remaining = await readable(requests); ;) {
      const [first] = remaining;
      if (!first) return [];
      const users = remaining;
      try {
        const addresses = addressesOf(users.map(({ document }) => document));
        return await inDirectory(
          this.dataSource,
          first.client,
          (manager) => this.createAll(manager, first.client, users, query),
          addresses,
        );
      } catch (error) {
        if (!(error instanceof UniquenessViolation)) throw error;
        remaining = users.slice(0, error.index);
      }
    }
  }

  /** @throws ScimError notFound */
  async get(client: ScimClient, id: string, query: ScimQuery, ifNoneMatch?: string): Promise<ReadResource> {
    const { manager } = this.dataSource;
    const user = await find(manager, client.orgId, id);
    const { resource, version } = await this.written(manager, client, user, query);
    return { version, resource: isKnown(ifNoneMatch, version) ? undefined : resource };
  }

  /**
   * PUT (RFC 7644, section 3.5.1): omitted attributes are removed. Groups, which are read-only here, stay, and an
   * inactive user stays inactive unless the body says otherwise.
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
   * The user loses the access that the directory gave them, and leaves all groups. A later user of the same name is a
   * different one, with a new id.
   *
   * @throws ScimError notFound, preconditionFailed
   * @throws LastOwnerError
   */
  async remove(client: ScimClient, id: string, ifMatch?: string): Promise<void> {
    const { orgId } = client;
    await inDirectory(this.dataSource, client, async (manager) => {
      const user = await find(manager, orgId, id, findUserToChange);
      requireMatch(ifMatch, user.version);
      await deleteUser(manager, orgId, user.id);
      const hidden = new Set(user.isAgreedTo ? [] : [user.userId]);
      await record(manager, { type: 'scim.user_deleted', orgId, data: eventData(orgId, user, hidden) });
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
    return translatingConflicts(
      inDirectory(this.dataSource, client, async (manager) => {
        const before = await find(manager, orgId, id, findUserToChange);
        requireMatch(ifMatch, before.version);
        const document = changed(userDocumentOf(before));
        const link = await relinkAccount(manager, this.accounts, orgId, document, before.id, before);
        const { userId: accountId } = link;
        noteLink(client, link);
        const changes = changesOf(before, document);
        if (changes.length === 0 && accountId === before.userId) {
          if (link.accountNote !== before.accountNote) {
            await updateAccountNote(manager, orgId, before.id, link.accountNote);
          }
          return this.written(manager, client, before, query);
        }
        const user = await updateUser(manager, orgId, before.id, link, document);
        const isRelinked = accountId !== before.userId;
        if (isRelinked && !(before.active && user.active))
          await leaveDeletedEntry(manager, orgId, before.userId, before.id);
        const concerned = { accounts: [...new Set([before.userId, accountId])] };
        await this.roleSync.publishAndApply(manager, orgId, concerned, causeOf(client), (hidden) =>
          changeEvents(orgId, before, user, changes, hidden),
        );
        return this.written(manager, client, user, query);
      }),
    );
  }

  /** @throws UniquenessViolation for the first such user; the transaction must not be committed then */
  private async createAll(
    manager: EntityManager,
    client: ScimClient,
    requests: readonly ReadRequest[],
    query: ScimQuery,
  ): Promise<Written[]> {
    const { orgId } = client;
    const documents = requests.map(({ document }) => document);
    const links = await linkAccounts(manager, this.accounts, orgId, documents);
    const users = requests.flatMap((request, index) => {
      const link = links[index];
      return link ? [{ ...request, id: newId(), link }] : [];
    });
    const stored = await insertUsers(manager, orgId, users);
    const clash = users.findIndex(({ id }) => !stored.has(id));
    if (clash !== -1) throw new UniquenessViolation(clash);
    await this.roleSync.publishAndApply(manager, orgId, concernedBy(links), causeOf(client), (hidden) =>
      [...stored.values()].map((user) => provisioned(orgId, user, hidden)),
    );
    const written: Written[] = [];
    for (const { id, link, client: own } of users) {
      const user = stored.get(id);
      if (!user) throw new Error('A created user was not stored.');
      noteLink(own, link);
      written.push(await this.written(manager, own, user, query, NO_GROUPS));
    }
    return written;
  }

  /** @param known the groups, if they need not be read */
  private async written(
    manager: EntityManager,
    { orgId }: ScimClient,
    user: StoredUser,
    query: ScimQuery,
    known?: UserGroup[],
  ): Promise<Written & Required<Pick<Written, 'resource'>>> {
    const base = scimBase(this.environment.publicUrl, orgId);
    const selection = selectAttributes(USER_TYPE, query);
    const groups = selection.wants('groups')
      ? (known ?? (await groupsOf(manager, orgId, [user.id])).get(user.id))
      : undefined;
    const managers = selection.wants('manager') ? await findUserManagers(manager, orgId, [user]) : undefined;
    const managerEntry = managers && userManagerOf(user, managers);
    return {
      id: user.id,
      location: resourceAddress(base, USER_TYPE, user.id),
      version: userVersion(user, groups, managerEntry),
      resource: selection.apply(userResource(user, groups, base, managerEntry)),
    };
  }
}

/** One of many users to create. */
export interface CreateRequest {
  /** Of the operation. */
  client: ScimClient;
  body: unknown;
}

interface ReadRequest extends CreateRequest {
  document: UserDocument;
}

/**
 * A user could not be inserted: another user of the organisation, or an earlier one in the request, has a unique value
 * of theirs.
 */
class UniquenessViolation extends Error {
  /** @param index of the request */
  constructor(readonly index: number) {
    super(`The user at index ${index} violates a unique constraint.`);
  }
}

/** @returns the first requests, up to one that cannot be parsed */
async function readable(requests: readonly CreateRequest[]): Promise<ReadRequest[]> {
  const read: ReadRequest[] = [];
  for (const { client, body } of requests) {
    await nextTurn();
    try {
      read.push({ client, body, document: readUser(body, client.ignored) });
    } catch (error) {
      if (error instanceof ScimError) break;
      throw error;
    }
  }
  return read;
}

/** A new user is in none. */
const NO_GROUPS: UserGroup[] = [];

function concernedBy(links: readonly AccountLink[]): ConcernedAccounts {
  return {
    accounts: links.map(({ userId }) => userId),
    agreed: new Set(links.filter(({ isNew }) => isNew).map(({ userId }) => userId)),
  };
}

function noteLink(client: ScimClient, { accountNote }: AccountLink): void {
  if (accountNote) client.notes.add(ACCOUNT_NOTE_TEXT[accountNote]);
}

/** @throws ScimError notFound for an invalid id, or a user who is deleted or belongs to another organisation, alike */
async function find(manager: EntityManager, orgId: string, id: string, by = findUser): Promise<LinkedUser> {
  const user = isUuid(id) ? await by(manager, orgId, id) : undefined;
  if (!user) throw new ScimError('notFound', `User ${id} does not exist.`);
  return user;
}

function userDocumentOf({ userName, externalId, displayName, active, attributes }: StoredUser): UserDocument {
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
 * Deactivation is an event of its own; other changes in the same request are emitted before it, as usual. A new account
 * link without any other change counts as such a change.
 */
function changeEvents(
  orgId: string,
  before: StoredUser,
  user: StoredUser,
  changes: Change[],
  hidden: ReadonlySet<string>,
): AnyDomainEvent[] {
  const isDeactivated = before.active && !user.active;
  const changed = isDeactivated ? changes.filter((change) => change !== 'active') : changes;
  const events: AnyDomainEvent[] = [];
  if (changed.length > 0 || !isDeactivated) {
    const data = {
      ...eventData(orgId, user, hidden),
      active: user.active,
      changed: changed.length > 0 ? changed : (['other'] satisfies Change[]),
    };
    events.push({ type: 'scim.user_updated', orgId, data });
  }
  if (isDeactivated) {
    const data = { ...eventData(orgId, user, hidden), active: false } as const;
    events.push({ type: 'scim.user_deactivated', orgId, data });
  }
  return events;
}

function provisioned(
  orgId: string,
  user: StoredUser,
  hidden: ReadonlySet<string>,
): DomainEvent<'scim.user_provisioned'> {
  return { type: 'scim.user_provisioned', orgId, data: { ...eventData(orgId, user, hidden), active: user.active } };
}

/**
 * The data of every event about a user.
 *
 * @param hidden accounts that the organisation may not know
 */
function eventData(orgId: string, { id, userId, userName, displayName }: StoredUser, hidden: ReadonlySet<string>) {
  const user_id = hidden.has(userId) ? null : userId;
  return { org_id: orgId, scim_user_id: id, user_id, user_name: userName, display_name: displayName };
}
