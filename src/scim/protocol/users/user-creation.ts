import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { newId } from '../../../database/id';
import { BatchedTransactions } from '../../../database/batched-transactions';
import { firstErrorOf } from '../../../database/transaction';
import { causingTrace } from '../../../events/outbox';
import { nextTurn } from '../../../http/requests/next-turn';
import { Accounts } from '../../../users/accounts.service';
import { ACCOUNT_NOTE_TEXT } from '../../directory/account-note';
import { ScimLog } from '../../log/scim-log.service';
import type { ScimSettings } from '../../roles/resolution/role-resolution';
import { settingsForRoles } from '../../roles/settings/stored-settings';
import { admitNewcomers } from '../../roles/sync/newcomers';
import { RoleSync } from '../../roles/sync/role-sync';
import { inDirectory } from '../directory-lock';
import { type Selection, selectAttributes } from '../values/selection';
import type { UserDocument } from '../schema/user-document';
import { USER_TYPE } from '../schema/user-schema';
import { causeOf, type ScimClient } from '../scim-client';
import { ScimError } from '../scim-error';
import type { ScimQuery, Written } from '../scim-resource';
import type { UserGroup } from '../stored/to-scim';
import { translatingConflicts } from '../uniqueness';
import { addressesOf, linkAccounts } from './account-link';
import type { AccountLink } from '../stored/linked-account';
import { insertUser, insertUsers } from '../stored/stored-users';
import { UserAnswers } from './user-answers';
import { provisioned } from './user-events';
import { readUser } from './user-reader';

/** One of many users to create. */
export interface CreateRequest {
  /** Each operation has a client of its own (`ofOperation`). */
  client: ScimClient;
  body: unknown;
}

/** A user to create, as far as that is known before anything is looked up. */
interface Creation {
  client: ScimClient;
  document: UserDocument;
  /** The response has these attributes. */
  selection: Selection;
  traceparent: string | null;
}

interface NewUser extends Creation {
  id: string;
  link: AccountLink;
}

/** What a creation needs first. */
interface Begun {
  /** In the order of the creations. */
  links: AccountLink[];
  settings: ScimSettings;
}

type CreateSome = (manager: EntityManager, creations: readonly Creation[], begun: Begun) => Promise<Written[]>;

/** A larger user does not share a transaction: rows of a group are built without a pause. */
const MAX_CHARACTERS_TOGETHER = 16_384;

/** A new user is in none. */
const NO_GROUPS: UserGroup[] = [];
const NOBODY: ReadonlySet<string> = new Set();

/** Creates the users of a directory: one by one, several requests together, and those of a bulk request. */
@Injectable()
export class UserCreation {
  private readonly batches = new BatchedTransactions<Creation, Written>({
    together: (first, close) => this.createTogether(first, close),
    alone: (creation) => this.createAlone(creation),
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: Accounts,
    private readonly roleSync: RoleSync,
    private readonly answers: UserAnswers,
    private readonly log: ScimLog,
  ) {}

  /** As `ScimUsers.create`. Requests with one token that wait for the same turn share a transaction. */
  async create(client: ScimClient, body: unknown, query: ScimQuery): Promise<Written> {
    const creation = creationOf(client, body, selectAttributes(USER_TYPE, query));
    const isSmall = JSON.stringify(creation.document.attributes).length <= MAX_CHARACTERS_TOGETHER;
    if (!client.request || !isSmall) return this.createAlone(creation);
    return this.batches.make(`${client.orgId} ${client.tokenId}`, creation);
  }

  /** As `ScimUsers.createMany`. */
  async createMany(requests: readonly CreateRequest[], query: ScimQuery): Promise<Written[]> {
    const creations = await readable(requests, selectAttributes(USER_TYPE, query));
    const [first] = creations;
    return first ? this.createFirst(first, () => creations) : [];
  }

  /** @returns those that were created, the first ones: the others have to be created alone */
  private createTogether(first: Creation, close: () => readonly Creation[]): Promise<Written[]> {
    const create: CreateSome = async (manager, creations, begun) => {
      if (close().length === 1) return [await this.createOne(manager, first, begun)];
      // Others need role resolution, which is for one request: the audit log names it.
      const known = begun.links.findIndex(({ isNew }) => !isNew);
      if (known !== -1) throw new NotTogether(known);
      return this.createAll(manager, creations, begun);
    };
    return translatingConflicts(this.createFirst(first, close, create));
  }

  /**
   * Creates as many as possible in one transaction.
   *
   * @param all called when the organisation's turn has come
   * @returns the first ones, up to one that has to be created alone
   */
  private async createFirst(
    first: Creation,
    all: () => readonly Creation[],
    create: CreateSome = (...given) => this.createAll(...given),
  ): Promise<Written[]> {
    for (let most = Infinity; most > 0;) {
      const creations = () => all().slice(0, most);
      try {
        return await inDirectory(
          this.dataSource,
          first.client,
          (manager) => this.begin(manager, creations()),
          (manager, begun) => create(manager, creations(), begun),
          () => addressesOf(creations().map(({ document }) => document)),
        );
      } catch (error) {
        if (!(error instanceof NotTogether)) throw error;
        most = error.index;
      }
    }
    return [];
  }

  private createAlone(creation: Creation): Promise<Written> {
    const { client, document } = creation;
    return translatingConflicts(
      inDirectory(
        this.dataSource,
        client,
        (manager) => this.begin(manager, [creation]),
        (manager, begun) => this.createOne(manager, creation, begun),
        () => addressesOf([document]),
      ),
    );
  }

  private async begin(manager: EntityManager, creations: readonly Creation[]): Promise<Begun> {
    const orgId = orgOf(creations);
    const documents = creations.map(({ document }) => document);
    const [links, settings] = await Promise.all([
      linkAccounts(manager, this.accounts, orgId, documents),
      settingsForRoles(manager, orgId, 'some'),
    ]);
    return { links, settings };
  }

  private async createOne(manager: EntityManager, creation: Creation, begun: Begun): Promise<Written> {
    const { client, selection } = creation;
    const [user] = linked([creation], begun);
    if (!user) throw new Error('The new user has no account link.');
    const [stored, , isLogged] = await firstErrorOf([
      insertUser(manager, client.orgId, user),
      this.resolveRoles(manager, [user], begun),
      this.log.writeWith(manager, client, { status: 201, resourceId: user.id }),
    ]);
    return { ...(await this.answers.written(manager, client, stored, selection, NO_GROUPS)), isLogged };
  }

  /** @throws NotTogether for the first that conflicts with another; the transaction must not be committed then */
  private async createAll(manager: EntityManager, creations: readonly Creation[], begun: Begun): Promise<Written[]> {
    const users = linked(creations, begun);
    const rows = users.map(({ client, id }) => ({ client, answer: { status: 201, resourceId: id } }));
    const [stored, , isLogged] = await firstErrorOf([
      insertUsers(manager, orgOf(creations), users),
      this.resolveRoles(manager, users, begun),
      this.log.writeAllWith(manager, rows),
    ]);
    const clash = users.findIndex(({ id }) => !stored.has(id));
    if (clash !== -1) throw new NotTogether(clash);
    const written: Written[] = [];
    for (const { id, client, selection } of users) {
      const user = stored.get(id);
      if (!user) throw new Error('A created user was not stored.');
      written.push({ ...(await this.answers.written(manager, client, user, selection, NO_GROUPS)), isLogged });
      // The lock has found the token, which is the same one.
      client.isUnconfirmed = false;
    }
    return written;
  }

  /** Records the creation as well. */
  private async resolveRoles(manager: EntityManager, users: readonly NewUser[], { settings }: Begun): Promise<void> {
    const orgId = orgOf(users);
    const eventsOf = (hidden: ReadonlySet<string>) =>
      users.map(({ id, link, document, traceparent }) => ({
        ...provisioned(orgId, { id, ...link, ...document }, hidden),
        traceparent,
      }));
    if (users.every(({ link }) => link.isNew)) {
      const newcomers = users.map(({ client, document, link, traceparent }) => {
        return { userId: link.userId, active: document.active, cause: causeOf(client), traceparent };
      });
      await admitNewcomers(manager, orgId, newcomers, settings, eventsOf(NOBODY));
      return;
    }
    const concerned = {
      accounts: users.map(({ link }) => link.userId),
      agreed: new Set(users.flatMap(({ link }) => (link.isNew ? link.userId : []))),
    };
    const [{ client }] = users as [NewUser];
    await this.roleSync.publishAndApply(manager, orgId, settings, concerned, causeOf(client), eventsOf);
  }
}

/** A user that has to be created alone: their values are another's, or so are those of an earlier one of the group. */
class NotTogether extends Error {
  /** @param index in the group */
  constructor(readonly index: number) {
    super(`The user at index ${index} cannot be created together with those before.`);
  }
}

/** @throws ScimError what readUser throws */
function creationOf(client: ScimClient, body: unknown, selection: Selection): Creation {
  return { client, document: readUser(body, client.ignored), selection, traceparent: causingTrace() };
}

/** @returns the first requests, up to one that cannot be parsed */
async function readable(requests: readonly CreateRequest[], selection: Selection): Promise<Creation[]> {
  const creations: Creation[] = [];
  for (const { client, body } of requests) {
    await nextTurn();
    try {
      creations.push(creationOf(client, body, selection));
    } catch (error) {
      if (error instanceof ScimError) break;
      throw error;
    }
  }
  return creations;
}

function linked(creations: readonly Creation[], { links }: Begun): NewUser[] {
  return creations.map((creation, index) => {
    const link = links[index];
    if (!link) throw new Error('A new user has no account link.');
    // Notes of an attempt that was rolled back do not count.
    creation.client.notes.clear();
    if (link.accountNote) creation.client.notes.add(ACCOUNT_NOTE_TEXT[link.accountNote]);
    return { ...creation, id: newId(), link };
  });
}

/** All creations of a transaction are of one organisation. */
function orgOf([first]: readonly Creation[]): string {
  if (!first) throw new Error('There is nobody to create.');
  return first.client.orgId;
}
