import { newId } from '../../database/id';
import { ConflictError, NotFoundError, ValidationError } from '../../errors/errors';
import { ErrorCode } from '../scim.errors';
import type { Role } from '../../organisations/members/role';
import type { ScimSettings } from './role-resolution';
import type { ProposedMappings, ProposedSettings } from './sync-preview.dto';

/** A row of the mapping table, current or proposed. */
export interface TableMapping {
  id: string;
  group_id: string | null;
  group_name: string;
  role: Role;
}

/** A group that a proposal names, by the id or the name in the proposal. */
export interface NamedGroup {
  wanted: string;
  id: string;
  name: string;
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
 * @param settings the proposed ones
 * @param groups named by `create`
 * @returns the table, and the ids in it of proposed mappings
 * @throws NotFoundError for an unknown mapping or group; ConflictError if a group would be mapped twice, several groups
 *   have a name, or OWNER is not allowed; ValidationError unless a group is named in exactly one way
 */
export function withMappings(
  table: readonly TableMapping[],
  proposed: ProposedMappings | null | undefined,
  settings: ScimSettings,
  groups: readonly NamedGroup[],
): { table: TableMapping[]; proposedIds: Set<string> } {
  const next = new Map(table.map((mapping) => [mapping.id, mapping]));
  const find = (mappingId: string): TableMapping => {
    const mapping = next.get(mappingId.toLowerCase());
    if (!mapping) throw new NotFoundError(ErrorCode.RoleMappingNotFound, mappingId);
    return mapping;
  };
  for (const mappingId of proposed?.delete ?? []) {
    const { id, group_id, group_name } = find(mappingId);
    next.delete(id);
    // The group becomes available to the mapping that waits for its name.
    const heir = group_id !== null && waitingFor(group_name, next);
    if (heir) next.set(heir.id, { ...heir, group_id, group_name });
  }
  for (const { id, role } of proposed?.update ?? []) {
    const mapping = find(id);
    if (role !== mapping.role) requireOwnerAllowed(role, settings);
    next.set(mapping.id, { ...mapping, role });
  }
  const proposedIds = new Set<string>();
  for (const [index, { role, ...names }] of (proposed?.create ?? []).entries()) {
    const named = namedOnce(names, index);
    requireOwnerAllowed(role, settings);
    const group = groupOf(named, groups);
    requireUnmapped(group, next);
    const id = newId();
    proposedIds.add(id);
    next.set(id, { id, group_id: group.id, group_name: group.name, role });
  }
  return { table: [...next.values()], proposedIds };
}

function namedOnce(
  { group_id, group_name }: { group_id?: string | null; group_name?: string | null },
  index: number,
): { id: string } | { name: string } {
  if (group_id && !group_name) return { id: group_id.toLowerCase() };
  if (group_name && !group_id) return { name: group_name };
  const loc = ['body', 'role_mappings', 'create', String(index), 'group_id'];
  const type = group_id ? 'value_error' : 'missing';
  throw new ValidationError([{ loc, msg: 'Provide either group_id or group_name.', type }]);
}

/** @returns the group; without an id if no group has the name yet */
function groupOf(
  named: { id: string } | { name: string },
  groups: readonly NamedGroup[],
): { id: string | null; name: string } {
  const matches = groups.filter(({ wanted }) => wanted === ('id' in named ? named.id : named.name));
  if (matches.length > 1) {
    throw new ConflictError(
      ErrorCode.RoleMappingConflict,
      `Several groups have the name ${JSON.stringify(matches[0]?.name)}; give the group_id of one.`,
    );
  }
  const [group] = matches;
  if (group) return { id: group.id, name: group.name };
  if ('id' in named) throw new NotFoundError(ErrorCode.ScimGroupNotFound, named.id);
  return { id: null, name: named.name };
}

function requireUnmapped(group: { id: string | null; name: string }, table: ReadonlyMap<string, TableMapping>): void {
  const other =
    group.id === null
      ? waitingFor(group.name, table)
      : [...table.values()].find(({ group_id }) => group_id === group.id);
  if (!other) return;
  throw new ConflictError(
    ErrorCode.RoleMappingConflict,
    group.id === null
      ? `A role mapping already waits for a group with the name ${JSON.stringify(group.name)}; change that one.`
      : `The group ${group.id} is already mapped; change that mapping.`,
  );
}

/** @returns the first mapping that waits for a group of this name, ignoring case */
function waitingFor(name: string, table: ReadonlyMap<string, TableMapping>): TableMapping | undefined {
  return [...table.values()].find(
    ({ group_id, group_name }) => group_id === null && group_name.toLowerCase() === name.toLowerCase(),
  );
}

function requireOwnerAllowed(role: Role, { allowOwnerMapping }: ScimSettings): void {
  if (role !== 'OWNER' || allowOwnerMapping) return;
  throw new ConflictError(
    ErrorCode.RoleMappingConflict,
    'A mapping to OWNER needs allow_owner_mapping in the SCIM settings; an OWNER can turn it on.',
  );
}
