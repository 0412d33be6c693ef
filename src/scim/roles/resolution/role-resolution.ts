import { highest, isAtLeast, Role } from '../../../organisations/members/role';
import type { Consent } from '../../directory/consent';
import type { ScimRoleMapping } from '../mappings/scim-role-mapping.entity';
import type { ScimSettingsRow } from '../settings/scim-settings.entity';

/** The directory entry of one person in one organisation. */
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

/** The result for one person: the SCIM role, whether all access is suspended, and why. */
export interface Resolution {
  scimRole: Role | null;
  suspended: boolean;
  reason: Reason;
  mappingId: string | null;
  groupId: string | null;
}

/**
 * Role resolution (contract, sections 7 and 12.1): an inactive or deleted entry gives no access, manual role included;
 * one to which the person has not agreed, or from which they opted out, has no effect; otherwise the highest role among
 * the mapped groups of the entry; otherwise the default role. The order of groups and mappings never matters: of
 * several mappings to the same role the one with the lowest id is given as the reason.
 *
 * `outcome.sql.ts` is the same in SQL, for some users or for a whole organisation; property tests compare the two.
 *
 * @param entry undefined for a person who is not in the directory (any more)
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
      (bestSoFar, mapping) => (bestSoFar && !isBetter(mapping, bestSoFar) ? bestSoFar : mapping),
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

/** A stored membership. */
export interface MemberState {
  userId: string;
  manualRole: Role | null;
  scimRole: Role | null;
  suspended: boolean;
  retainedLastOwner: boolean;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

/** @returns the effective role: the higher one of the manual and the SCIM role, unless suspended or retained */
export function roleInForce(state: Omit<MemberState, 'userId' | 'createdAt'>): Role | null {
  if (state.retainedLastOwner) return 'OWNER';
  return state.suspended ? null : highest(state.manualRole, state.scimRole);
}

/**
 * The memberships that result from a directory: `resolveEntry` for everyone, and the rule of the last OWNER. If no
 * active OWNER would be left, one of the current ones is retained: one who is active in the directory before one who is
 * not, then the longest member, then the lowest user id. An OWNER whose account nobody can sign in with does not count.
 *
 * @param entries by user id
 * @param now milliseconds since the epoch; when new members join
 * @param unreachable user ids of accounts that nobody can sign in with
 * @returns the new memberships; users without one are left out
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
  const userIds = [...new Set([...current.keys(), ...entries.keys()])];
  const next = userIds.map((userId): MemberState => {
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
