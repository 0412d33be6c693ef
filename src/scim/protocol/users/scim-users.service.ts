import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { firstErrorOf } from '../../../database/transaction';
import { record } from '../../../events/outbox';
import { Accounts } from '../../../users/accounts.service';
import { ACCOUNT_NOTE_TEXT } from '../../directory/account-note';
import { ScimLog } from '../../log/scim-log.service';
import { settingsForRoles } from '../../roles/settings/stored-settings';
import { RoleSync } from '../../roles/sync/role-sync';
import { inDirectory } from '../directory-lock';
import { ScimLists } from '../lists/scim-lists.service';
import { selectAttributes } from '../values/selection';
import { patchUser } from '../patch/user-patch';
import type { StoredUser, UserDocument } from '../schema/user-document';
import { USER_TYPE } from '../schema/user-schema';
import { causeOf, type ScimClient } from '../scim-client';
import { isKnown, requireMatch } from '../scim-conditions';
import { ScimError } from '../scim-error';
import type { ListResponse, ReadResource, Removed, ScimQuery, Written } from '../scim-resource';
import { translatingConflicts } from '../uniqueness';
import { leaveDeletedEntry, relinkAccount } from './account-link';
import type { AccountLink } from '../stored/linked-account';
import {
  deleteUser,
  findUser,
  findUserToChange,
  LinkedUser,
  updateAccountNote,
  updateUser,
} from '../stored/stored-users';
import { UserAnswers } from './user-answers';
import { type CreateRequest, UserCreation } from './user-creation';
import { changeEvents, changesOf, eventData } from './user-events';
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
    private readonly creation: UserCreation,
    private readonly accounts: Accounts,
    private readonly roleSync: RoleSync,
    private readonly lists: ScimLists,
    private readonly answers: UserAnswers,
    private readonly log: ScimLog,
  ) {}

  /**
   * @throws ScimError what readUser throws; uniqueness if another user of the organisation has the userName or the
   *   externalId
   * @throws LastOwnerError
   */
  create(client: ScimClient, body: unknown, query: ScimQuery): Promise<Written> {
    return this.creation.create(client, body, query);
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
  createMany(requests: readonly CreateRequest[], query: ScimQuery): Promise<Written[]> {
    return this.creation.createMany(requests, query);
  }

  /** @throws ScimError notFound */
  async get(client: ScimClient, id: string, query: ScimQuery, ifNoneMatch?: string): Promise<ReadResource> {
    const { manager } = this.dataSource;
    const user = await find(manager, client.orgId, id);
    const { resource, version } = await this.answers.written(manager, client, user, selectAttributes(USER_TYPE, query));
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
  async remove(client: ScimClient, id: string, ifMatch?: string): Promise<Removed> {
    const { orgId } = client;
    const begin = (manager: EntityManager) => find(manager, orgId, id, findUserToChange);
    return inDirectory(this.dataSource, client, begin, async (manager, user) => {
      requireMatch(ifMatch, user.version);
      await deleteUser(manager, orgId, user.id);
      const hidden = new Set(user.isAgreedTo ? [] : [user.userId]);
      await record(manager, { type: 'scim.user_deleted', orgId, data: eventData(orgId, user, hidden) });
      const [, isLogged] = await firstErrorOf([
        this.roleSync.apply(manager, orgId, [user.userId], causeOf(client)),
        this.log.writeWith(manager, client, { status: 204 }),
      ]);
      return { isLogged };
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
    const begin = (manager: EntityManager) =>
      Promise.all([find(manager, orgId, id, findUserToChange), settingsForRoles(manager, orgId, 'some')]);
    return translatingConflicts(
      inDirectory(this.dataSource, client, begin, async (manager, [before, settings]) => {
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
          return this.answers.written(manager, client, before, selectAttributes(USER_TYPE, query));
        }
        const user = await updateUser(manager, orgId, before.id, link, document);
        const isRelinked = accountId !== before.userId;
        if (isRelinked && !(before.active && user.active))
          await leaveDeletedEntry(manager, orgId, before.userId, before.id);
        const concerned = { accounts: [...new Set([before.userId, accountId])] };
        const [, isLogged] = await firstErrorOf([
          this.roleSync.publishAndApply(manager, orgId, settings, concerned, causeOf(client), (hidden) =>
            changeEvents(orgId, before, user, changes, hidden),
          ),
          this.log.writeWith(manager, client, { status: 200 }),
        ]);
        return { ...(await this.answers.written(manager, client, user, selectAttributes(USER_TYPE, query))), isLogged };
      }),
    );
  }
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
