import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { Environment } from '../../../config/environment';
import type { Columns } from '../../../database/columns';
import { newId } from '../../../database/id';
import { inSnapshot } from '../../../database/snapshot';
import { firstErrorOf } from '../../../database/transaction';
import { many } from '../../../database/statements';
import { record } from '../../../events/outbox';
import { type LoggedAnswer, ScimLog } from '../../log/scim-log.service';
import { inDirectory } from '../directory-lock';
import type { ScimUser } from '../../directory/scim-user.entity';
import { releaseMapping, updateGroupMapping } from '../../roles/mappings/group-mapping';
import { ACCOUNTS_IN_GROUP } from '../../roles/mappings/role-mappings.sql';
import { RoleSync } from '../../roles/sync/role-sync';
import { type GroupStep, planGroupPatch } from '../patch/group-patch';
import { causeOf, type ScimClient } from '../scim-client';
import { ScimError } from '../scim-error';
import { resourceAddress, scimBase } from '../scim-address';
import type { ListResponse, ReadResource, Removed, ScimQuery, Written } from '../scim-resource';
import type { StoredGroup } from '../schema/group-document';
import { GROUP_TYPE } from '../schema/group-schema';
import { readGroup } from './group-reader';
import { MemberDeltas } from './member-deltas';
import { isKnown, requireMatch } from '../scim-conditions';
import { ScimLists } from '../lists/scim-lists.service';
import { selectAttributes } from '../values/selection';
import {
  deleteGroup,
  findGroup,
  findGroupToChange,
  insertGroup,
  membersOf,
  updateGroup,
} from '../stored/stored-groups';
import { groupResource, groupVersion } from '../stored/to-scim';
import { translatingConflicts } from '../uniqueness';

/**
 * The groups of an organisation's directory (RFC 7644, section 3, for `/Groups`). Each write holds the organisation's
 * lock and ends with role resolution for added and removed members. A request that changes nothing writes nothing, and
 * returns the existing version.
 */
@Injectable()
export class ScimGroups {
  constructor(
    private readonly dataSource: DataSource,
    private readonly environment: Environment,
    private readonly roleSync: RoleSync,
    private readonly lists: ScimLists,
    private readonly log: ScimLog,
  ) {}

  /**
   * @throws ScimError what readGroup throws; uniqueness if another group of the organisation has the externalId;
   *   invalidValue if a member is not a user of the organisation
   * @throws LastOwnerError
   */
  async create(client: ScimClient, body: unknown, query: ScimQuery): Promise<Written> {
    const { members = [], ...document } = readGroup(body, client.ignored);
    const { orgId } = client;
    const begin = (manager: EntityManager) => insertGroup(manager, orgId, { id: newId(), ...document });
    return translatingConflicts(
      inDirectory(this.dataSource, client, begin, async (manager, group) => {
        const deltas = new MemberDeltas(manager, orgId, group.id);
        await deltas.apply({ kind: 'add', members });
        await recordEvents(manager, orgId, 'created', undefined, group, deltas);
        await updateGroupMapping(manager, orgId, causeOf(client), group);
        const answer = { status: 201, resourceId: group.id };
        const isLogged = await this.resolveRolesAndLog(manager, client, deltas.accountIds, answer);
        return { ...(await this.written(manager, client, group, query)), isLogged };
      }),
    );
  }

  /** @throws ScimError notFound */
  async get(client: ScimClient, id: string, query: ScimQuery, ifNoneMatch?: string): Promise<ReadResource> {
    return inSnapshot(this.dataSource, async (manager) => {
      const group = await find(manager, client.orgId, id);
      const version = groupVersion(group);
      if (isKnown(ifNoneMatch, version)) return { version, resource: undefined };
      const { resource } = await this.written(manager, client, group, query);
      return { version, resource };
    });
  }

  /**
   * PUT (RFC 7644, section 3.5.1). A body without `members` leaves them unchanged: clients that rename a group by PUT
   * do not all send thousands of members with it, and an empty list can still clear the group.
   *
   * @throws ScimError what readGroup throws; notFound, preconditionFailed, uniqueness; invalidValue if a member is not
   *   a user of the organisation
   * @throws LastOwnerError
   */
  async replace(client: ScimClient, id: string, body: unknown, query: ScimQuery, ifMatch?: string): Promise<Written> {
    const { members, ...document } = readGroup(body, client.ignored);
    const steps: GroupStep[] = [{ kind: 'set', ...document }];
    if (members) steps.push({ kind: 'replace', members });
    return this.change(client, id, steps, ifMatch, query);
  }

  /**
   * PATCH (RFC 7644, section 3.5.2): all operations, or none; the cost depends on the operations, not on the size of
   * the group. The resource is only returned if attributes are requested.
   *
   * @throws ScimError what planGroupPatch throws; notFound, preconditionFailed, uniqueness; invalidValue if a member is
   *   not a user of the organisation
   * @throws LastOwnerError
   */
  async patch(client: ScimClient, id: string, body: unknown, query: ScimQuery, ifMatch?: string): Promise<Written> {
    const steps = planGroupPatch(body, client.ignored);
    const isAsked = query.attributes !== undefined || query.excludedAttributes !== undefined;
    return this.change(client, id, steps, ifMatch, isAsked ? query : undefined);
  }

  /**
   * The group's role mapping is kept for another group of this name, and has no effect until one exists.
   *
   * @throws ScimError notFound, preconditionFailed
   * @throws LastOwnerError
   */
  async remove(client: ScimClient, id: string, ifMatch?: string): Promise<Removed> {
    const { orgId } = client;
    const begin = (manager: EntityManager) => find(manager, orgId, id, findGroupToChange);
    return inDirectory(this.dataSource, client, begin, async (manager, group) => {
      requireMatch(ifMatch, group.version);
      const deltas = new MemberDeltas(manager, orgId, group.id);
      await deltas.apply({ kind: 'replace', members: [] });
      await releaseMapping(manager, orgId, causeOf(client), group.id);
      await deleteGroup(manager, orgId, group.id);
      await record(manager, { type: 'scim.group_deleted', orgId, data: eventData(orgId, group) });
      return { isLogged: await this.resolveRolesAndLog(manager, client, deltas.accountIds, { status: 204 }) };
    });
  }

  /** @throws ScimError invalidFilter, invalidPath, invalidValue, invalidCursor */
  list(client: ScimClient, query: ScimQuery): Promise<ListResponse> {
    return this.lists.read(client, [GROUP_TYPE], query);
  }

  /** @param query undefined: the resource is not asked for */
  private async change(
    client: ScimClient,
    id: string,
    steps: GroupStep[],
    ifMatch: string | undefined,
    query: ScimQuery | undefined,
  ): Promise<Written> {
    const { orgId } = client;
    const answer = async (manager: EntityManager, group: StoredGroup): Promise<Written> =>
      query ? this.written(manager, client, group, query) : this.unsaid(client, group);
    const begin = (manager: EntityManager) => find(manager, orgId, id, findGroupToChange);
    return translatingConflicts(
      inDirectory(this.dataSource, client, begin, async (manager, before) => {
        requireMatch(ifMatch, before.version);
        const target = { ...before };
        const deltas = new MemberDeltas(manager, orgId, before.id);
        for (const step of steps) {
          if (step.kind === 'set') {
            if (step.displayName !== undefined) target.displayName = step.displayName;
            if (step.externalId !== undefined) target.externalId = step.externalId;
          } else {
            await deltas.apply(step);
          }
        }
        if (changesOf(before, target, deltas).length === 0) return answer(manager, before);
        const [group] = await firstErrorOf([
          updateGroup(manager, orgId, target),
          recordEvents(manager, orgId, 'updated', before, target, deltas),
        ]);
        const isRenamed = group.displayName !== before.displayName;
        const isMappedNow = isRenamed && (await updateGroupMapping(manager, orgId, causeOf(client), group));
        const concerned = isMappedNow ? await accountsIn(manager, orgId, group.id) : [];
        const accountIds = [...new Set([...deltas.accountIds, ...concerned])];
        const isLogged = await this.resolveRolesAndLog(manager, client, accountIds, { status: query ? 200 : 204 });
        return { ...(await answer(manager, group)), isLogged };
      }),
    );
  }

  /** @returns whether the log has the answer (`ScimLog.writeWith`) */
  private async resolveRolesAndLog(
    manager: EntityManager,
    client: ScimClient,
    accountIds: string[],
    answer: LoggedAnswer,
  ): Promise<boolean> {
    const [, isLogged] = await firstErrorOf([
      accountIds.length > 0 ? this.roleSync.apply(manager, client.orgId, accountIds, causeOf(client)) : undefined,
      this.log.writeWith(manager, client, answer),
    ]);
    return isLogged;
  }

  private async written(
    manager: EntityManager,
    client: ScimClient,
    group: StoredGroup,
    query: ScimQuery,
  ): Promise<Written> {
    const selection = selectAttributes(GROUP_TYPE, query);
    const members = selection.wants('members') ? await membersOf(manager, client.orgId, group.id) : undefined;
    const resource = groupResource(group, members, scimBase(this.environment.publicUrl, client.orgId));
    return { ...this.unsaid(client, group), resource: selection.apply(resource) };
  }

  private unsaid({ orgId }: ScimClient, group: StoredGroup): Written {
    return {
      id: group.id,
      location: resourceAddress(scimBase(this.environment.publicUrl, orgId), GROUP_TYPE, group.id),
      version: groupVersion(group),
      resource: undefined,
    };
  }
}

/**
 * @throws ScimError notFound for an invalid id, or a group that is deleted or belongs to another organisation, alike
 */
async function find(manager: EntityManager, orgId: string, id: string, by = findGroup): Promise<StoredGroup> {
  const group = isUuid(id) ? await by(manager, orgId, id) : undefined;
  if (!group) throw new ScimError('notFound', `Group ${id} does not exist.`);
  return group;
}

async function accountsIn(manager: EntityManager, orgId: string, groupId: string): Promise<string[]> {
  const rows = await many<Pick<Columns<ScimUser>, 'user_id'>>(manager, ACCOUNTS_IN_GROUP, [orgId, groupId]);
  return rows.map(({ user_id }) => user_id);
}

type Change = 'display_name' | 'external_id' | 'members';

/** @param before undefined: the group is new */
function changesOf(
  before: Pick<StoredGroup, 'displayName' | 'externalId'> | undefined,
  after: Pick<StoredGroup, 'displayName' | 'externalId'>,
  { added, removed }: MemberDeltas,
): Change[] {
  const changes: [Change, boolean][] = [
    ['display_name', before?.displayName !== after.displayName],
    ['external_id', (before?.externalId ?? null) !== after.externalId],
    ['members', added.size + removed.size > 0],
  ];
  return changes.filter(([, isChanged]) => isChanged).map(([change]) => change);
}

async function recordEvents(
  manager: EntityManager,
  orgId: string,
  change: 'created' | 'updated',
  before: StoredGroup | undefined,
  group: StoredGroup,
  deltas: MemberDeltas,
): Promise<void> {
  await record(manager, {
    type: 'scim.group_changed',
    orgId,
    data: {
      ...eventData(orgId, group),
      change,
      changed: changesOf(before, group, deltas),
      members_added: deltas.added.size,
      members_removed: deltas.removed.size,
    },
  });
}

/** The data of every event about a group. */
function eventData(orgId: string, { id, displayName }: StoredGroup) {
  return { org_id: orgId, group_id: id, display_name: displayName };
}
