import { highest, isAtLeast, Role } from '../../organisations/members/role';
import type { Consent } from '../directory/directory-consent';
import type { ScimRoleMapping } from './scim-role-mapping.entity';
import type { ScimSettingsRow } from './scim-settings.entity';

/** What a directory says of one person in one organisation. */
export interface DirectoryEntry {
  active: boolean;
  deleted: boolean;
  consent: Consent;
  groupIds: readonly string[];
}

/** A row of the mapping table. Without a group id it waits for its group and has no effect. */
export type RoleMapping = Pick<ScimRoleMapping, 'id' | 'groupId' | 'role'>;

export type ScimSettings = Pick<ScimSettingsRow, 'defaultRole' | 'allowOwnerMapping' | 'lastOwnerPolicy'>;

export type Reason =
  | 'mapping'
  | 'default_role'
  | 'no_default_role'
  | 'deactivated'
  | 'deleted'
  | 'pending'
  | 'opted_out'
  | 'not_in_directory'
  | 'last_owner';

/** What follows for one person: the SCIM role, whether all access is suspended, and why. */
export interface Resolution {
  scimRole: Role | null;
  suspended: boolean;
  reason: Reason;
  mappingId: string | null;
  groupId: string | null;
}

/**
 * Role resolution (contract, sections 7 and 12.1): an inactive or deleted entry gives no access, manual role included;
 * one to which the person has not agreed, or from which they opted out, gives nothing and takes nothing; otherwise the
 * highest role among the mapped groups of the entry; otherwise the default role. The order of groups and mappings
 * never matters: of several mappings to the same role the one with the lowest id is named as the reason.
 *
 * `outcome.sql.ts` says the same in SQL, for some people or for a whole organisation; property tests hold them together.
 *
 * @param entry undefined for a person whom the directory does not know (any more)
 */
export function resolveEntry(
  entry: DirectoryEntry | undefined,
  mappings: readonly RoleMapping[],
  settings: ScimSettings,
): Resolution {
  const nothing = { scimRole: null, suspended: false, mappingId: null, groupId: null };
  if (!entry) return { ...nothing, reason: 'not_in_directory' };
  if (entry.deleted) return { ...nothing, suspended: true, reason: 'deleted' };
  if (!entry.active) return { ...nothing, suspended: true, reason: 'deactivated' };
  if (entry.consent === 'PENDING') return { ...nothing, reason: 'pending' };
  if (entry.consent === 'OPTED_OUT') return { ...nothing, reason: 'opted_out' };
  const best = mappings
    .filter(
      ({ groupId, role }) =>
        groupId !== null && entry.groupIds.includes(groupId) && (role !== 'OWNER' || settings.allowOwnerMapping),
    )
    .reduce<RoleMapping | undefined>(
      (found, mapping) => (found && !isBetter(mapping, found) ? found : mapping),
      undefined,
    );
  if (best)
    return { scimRole: best.role, suspended: false, reason: 'mapping', mappingId: best.id, groupId: best.groupId };
  return {
    ...nothing,
    scimRole: settings.defaultRole,
    reason: settings.defaultRole ? 'default_role' : 'no_default_role',
  };
}

function isBetter(mapping: RoleMapping, other: RoleMapping): boolean {
  if (mapping.role !== other.role) return isAtLeast(mapping.role, other.role);
  return mapping.id < other.id;
}

/** A membership as it is stored. */
export interface MemberState {
  userId: string;
  manualRole: Role | null;
  scimRole: Role | null;
  suspended: boolean;
  retainedLastOwner: boolean;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

/** @returns the role in force: the higher one of the manual and the SCIM role, unless suspended or retained */
export function roleInForce(state: Omit<MemberState, 'userId' | 'createdAt'>): Role | null {
  if (state.retainedLastOwner) return 'OWNER';
  return state.suspended ? null : highest(state.manualRole, state.scimRole);
}

/**
 * The memberships that follow from a directory: `resolveEntry` for everybody, and the rule of the last OWNER. If
 * nobody would be an active OWNER any more, one of those who are now stays it, marked as retained: one whom the directory
 * has active before one whom it has not, then the longest member, then the lowest user id. An OWNER as whom nobody can
 * sign in is none that an organisation could be left to.
 *
 * @param entries by user id
 * @param now milliseconds since the epoch; when those who join became members
 * @param unreachable user ids of those as whom nobody can sign in
 * @returns the memberships afterwards; whoever is not among them has none
 */
export function resolveOrganisation(
  members: readonly MemberState[],
  entries: ReadonlyMap<string, DirectoryEntry>,
  mappings: readonly RoleMapping[],
  settings: ScimSettings,
  now: number,
  unreachable: ReadonlySet<string> = new Set(),
): MemberState[] {
  const current = new Map(members.map((member) => [member.userId, member]));
  const everybody = [...new Set([...current.keys(), ...entries.keys()])];
  const next = everybody.map((userId): MemberState => {
    const { scimRole, suspended } = resolveEntry(entries.get(userId), mappings, settings);
    const { manualRole = null, createdAt = now } = current.get(userId) ?? {};
    return { userId, manualRole, scimRole, suspended, retainedLastOwner: false, createdAt };
  });
  const isActiveOwner = (state: MemberState) => roleInForce(state) === 'OWNER' && !unreachable.has(state.userId);
  if (!next.some(isActiveOwner)) {
    const keeper = next
      .filter(({ userId }) => {
        const before = current.get(userId);
        return before !== undefined && isActiveOwner(before);
      })
      .sort(
        (a, b) =>
          Number(a.suspended) - Number(b.suspended) || a.createdAt - b.createdAt || (a.userId < b.userId ? -1 : 1),
      )[0];
    if (keeper) keeper.retainedLastOwner = true;
  }
  return next.filter(
    ({ manualRole, scimRole, retainedLastOwner }) => manualRole !== null || scimRole !== null || retainedLastOwner,
  );
}
