import { newId } from '../../database/id';
import { ConflictError, NotFoundError } from '../../errors/errors';
import { ErrorCode } from '../scim.errors';
import type { Role } from '../../organisations/members/role';
import {
  alreadyAwaited,
  type GroupReference,
  groupReference,
  mappingsExhausted,
  requireOneGroup,
  requireOwnerAllowed,
} from './mapping-rules';
import type { ScimSettings } from './role-resolution';
import type { ProposedMappings, ProposedSettings } from './sync-preview.dto';

/** A row of the mapping table, as it is or as it would be. */
export interface TableMapping {
  id: string;
  group_id: string | null;
  group_name: string;
  /** The name as the database compares it. */
  name_key: string;
  role: Role;
}

/** What a proposal calls a group by, an id or a name, and a group that it may mean; without an id, no group has the name. */
export interface ReferredGroup {
  reference: string;
  id: string | null;
  name: string;
  name_key: string;
}

/** What the proposed mappings are held against. */
interface Circumstances {
  /** As they would be. */
  settings: ScimSettings;
  /** Those that `create` refers to. */
  groups: readonly ReferredGroup[];
  /** How many mappings the organisation may have. */
  most: number;
}

/** @returns the settings as they would be */
export function withSettings(settings: ScimSettings, proposed: ProposedSettings | null | undefined): ScimSettings {
  if (!proposed) return settings;
  const { default_role, allow_owner_mapping, last_owner_policy } = proposed;
  return {
    defaultRole: default_role === undefined ? settings.defaultRole : default_role,
    allowOwnerMapping: allow_owner_mapping ?? settings.allowOwnerMapping,
    lastOwnerPolicy: last_owner_policy ?? settings.lastOwnerPolicy,
  };
}

/**
 * The mapping table as it would be, by the rules of the operations that change it, one proposal after the other.
 *
 * @param table the oldest first
 * @returns the table, and the ids in it that no mapping has yet
 * @throws NotFoundError for an unknown mapping or group; ConflictError when a group would be mapped twice, a name is that
 *   of several groups, OWNER is not allowed, or there would be more mappings than allowed; ValidationError unless a group
 *   is referred to in exactly one way
 */
export function withMappings(
  table: readonly TableMapping[],
  proposed: ProposedMappings | null | undefined,
  { settings, groups, most }: Circumstances,
): { table: TableMapping[]; proposedIds: Set<string> } {
  const next = new Map(table.map((mapping) => [mapping.id, mapping]));
  const find = (given: string): TableMapping => {
    const mapping = next.get(given.toLowerCase());
    if (!mapping) throw new NotFoundError(ErrorCode.RoleMappingNotFound, given);
    return mapping;
  };
  for (const given of proposed?.delete ?? []) {
    const { id, group_id, group_name, name_key } = find(given);
    next.delete(id);
    // The group is free for the one that waits for its name.
    const heir = group_id !== null && waitingFor(name_key, next);
    if (heir) next.set(heir.id, { ...heir, group_id, group_name });
  }
  for (const { id, role } of proposed?.update ?? []) {
    const mapping = find(id);
    if (role !== mapping.role) requireOwnerAllowed(role, settings.allowOwnerMapping);
    next.set(mapping.id, { ...mapping, role });
  }
  const proposedIds = new Set<string>();
  for (const [index, { role, ...given }] of (proposed?.create ?? []).entries()) {
    const reference = groupReference(given, ['body', 'role_mappings', 'create', String(index), 'group_id']);
    requireOwnerAllowed(role, settings.allowOwnerMapping);
    const group = groupOf(reference, groups);
    const waiting = group.id === null ? waitingFor(group.name_key, next) : undefined;
    if (waiting)
      throw alreadyAwaited(proposedIds.has(waiting.id) ? 'A proposed role mapping' : `Role mapping ${waiting.id}`);
    if (next.size >= most) throw new ConflictError(ErrorCode.RoleMappingConflict, mappingsExhausted(most));
    requireUnmapped(group.id, next);
    const id = newId();
    proposedIds.add(id);
    next.set(id, { id, group_id: group.id, group_name: group.name, name_key: group.name_key, role });
  }
  return { table: [...next.values()], proposedIds };
}

/** @throws NotFoundError, ConflictError */
function groupOf(reference: GroupReference, groups: readonly ReferredGroup[]): ReferredGroup {
  const given = 'id' in reference ? reference.id.toLowerCase() : reference.name;
  const candidates = groups.filter((group) => group.reference === given);
  requireOneGroup(candidates);
  const [group] = candidates;
  if (!group) throw new NotFoundError(ErrorCode.ScimGroupNotFound, given);
  return group;
}

function requireUnmapped(groupId: string | null, table: ReadonlyMap<string, TableMapping>): void {
  if (groupId === null || ![...table.values()].some(({ group_id }) => group_id === groupId)) return;
  throw new ConflictError(
    ErrorCode.RoleMappingConflict,
    `The group ${groupId} already has a role mapping; change that one.`,
  );
}

/** @returns the first that waits for a group of this name */
function waitingFor(nameKey: string, table: ReadonlyMap<string, TableMapping>): TableMapping | undefined {
  return [...table.values()].find(({ group_id, name_key }) => group_id === null && name_key === nameKey);
}
