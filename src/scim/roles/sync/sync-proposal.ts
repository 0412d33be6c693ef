import { newId } from '../../../database/id';
import { ConflictError, requireFound } from '../../../errors/errors';
import { ErrorCode } from '../../scim.errors';
import type { Role } from '../../../organisations/members/role';
import {
  alreadyAwaited,
  type GroupReference,
  groupReference,
  mappingsExhausted,
  requireOneGroup,
  requireOwnerAllowed,
} from '../mappings/mapping-rules';
import type { ScimSettings } from '../resolution/role-resolution';
import type { ProposedMappings, ProposedSettings } from './sync-preview.dto';

/** A row of the mapping table, current or proposed. */
export interface TableMapping {
  id: string;
  group_id: string | null;
  group_name: string;
  /** The name as the database compares it. */
  name_key: string;
  role: Role;
}

/** A group that a proposal refers to by its id or name; without an id if no group has the name yet. */
export interface ReferredGroup {
  /** The id or the name in the proposal. */
  reference: string;
  id: string | null;
  name: string;
  name_key: string;
}

/** What the proposed mappings are held against. */
interface Circumstances {
  /** As they would be. */
  settings: ScimSettings;
  /** `create` refers to these. */
  groups: readonly ReferredGroup[];
  /** How many mappings the organisation may have. */
  most: number;
}

/** @returns the proposed settings, completed by the current ones */
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
 * The proposed mapping table, by the rules of the operations that change it, one proposal after the other.
 *
 * @param table oldest first
 * @returns the table, and the ids in it of proposed mappings
 * @throws NotFoundError for an unknown mapping or group; ConflictError if a group would be mapped twice, several groups
 *   have a name, OWNER is not allowed, or there would be more mappings than allowed; ValidationError unless a group is
 *   named in exactly one way
 */
export function withMappings(
  table: readonly TableMapping[],
  proposed: ProposedMappings | null | undefined,
  { settings, groups, most }: Circumstances,
): { table: TableMapping[]; proposedIds: Set<string> } {
  const next = new Map(table.map((mapping) => [mapping.id, mapping]));
  const find = (mappingId: string): TableMapping =>
    requireFound(next.get(mappingId.toLowerCase()), ErrorCode.RoleMappingNotFound, mappingId);
  for (const mappingId of proposed?.delete ?? []) {
    const { id, group_id, group_name, name_key } = find(mappingId);
    next.delete(id);
    // The group becomes available to the mapping that waits for its name.
    const heir = group_id !== null && waitingFor(name_key, next);
    if (heir) next.set(heir.id, { ...heir, group_id, group_name });
  }
  for (const { id, role } of proposed?.update ?? []) {
    const mapping = find(id);
    if (role !== mapping.role) requireOwnerAllowed(role, settings.allowOwnerMapping);
    next.set(mapping.id, { ...mapping, role });
  }
  const proposedIds = new Set<string>();
  for (const [index, { role, ...names }] of (proposed?.create ?? []).entries()) {
    const reference = groupReference(names, ['body', 'role_mappings', 'create', String(index), 'group_id']);
    requireOwnerAllowed(role, settings.allowOwnerMapping);
    const group = groupOf(reference, groups);
    const waiting = group.id === null ? waitingFor(group.name_key, next) : undefined;
    if (waiting) {
      throw alreadyAwaited(proposedIds.has(waiting.id) ? 'A proposed role mapping' : `Role mapping ${waiting.id}`);
    }
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
  return requireFound(group, ErrorCode.ScimGroupNotFound, given);
}

function requireUnmapped(groupId: string | null, table: ReadonlyMap<string, TableMapping>): void {
  if (groupId === null || ![...table.values()].some(({ group_id }) => group_id === groupId)) return;
  throw new ConflictError(
    ErrorCode.RoleMappingConflict,
    `The group ${groupId} already has a role mapping; change that one.`,
  );
}

/** @returns the first mapping that waits for a group of this name */
function waitingFor(nameKey: string, table: ReadonlyMap<string, TableMapping>): TableMapping | undefined {
  return [...table.values()].find(({ group_id, name_key }) => group_id === null && name_key === nameKey);
}
