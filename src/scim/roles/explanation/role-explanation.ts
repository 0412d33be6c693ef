import { highest, type Role, ROLES } from '../../../organisations/members/role';
import { type Consent, hasAgreed } from '../../directory/consent';
import { reasonInForce, type RoleReason } from '../resolution/role-reason';
import {
  type DirectoryEntry,
  type MemberState,
  type Resolution,
  resolveEntry,
  resolveOrganisation,
  type RoleMapping,
  type ScimSettings,
} from '../resolution/role-resolution';

/** A group of the person with a role mapping. */
export interface MappedGroup {
  mappingId: string;
  groupId: string;
  groupName: string;
  role: Role;
  /** When the mapping last changed. */
  mappedSince: Date;
  /** When the person joined the group. */
  memberSince: Date;
  /** The mapping that waits for the name of the group, and would be bound to it if this one were deleted. */
  heir: { mappingId: string; role: Role } | null;
}

/** Everything that determines the role of one person. */
export interface PersonFacts {
  /** Null for someone without a membership. */
  member: (Omit<MemberState, 'userId' | 'createdAt'> & { role: Role | null }) | null;
  /** The existing entry counts, or else the last one deleted; null: the person was never in the directory. */
  entry: { active: boolean; deletedAt: Date | null; consent: Consent } | null;
  /** The mapped groups of that entry. */
  groups: readonly MappedGroup[];
  settings: ScimSettings;
}

/** Why someone has a role. */
export interface RoleExplanation {
  role: Role | null;
  reason: RoleReason;
  /** For people. */
  summary: string;
  /** With reason `mapping`: the group whose mapping gives the role. */
  decides: MappedGroup | null;
  /** In the order in which they apply. */
  groups: (MappedGroup & { counts: boolean })[];
  /** Whether the stored roles equal the computed ones; otherwise the next sync updates them. */
  isUpToDate: boolean;
  /** With reason `mapping`: the effective role if that mapping were deleted, apart from the rule of the last OWNER. */
  without: { role: Role | null; reason: RoleReason; mappingId: string | null } | null;
}

const NO_ROLES = { manualRole: null, scimRole: null, suspended: false, retainedLastOwner: false, role: null };

/** Explains one person's role with the same functions that compute it. */
export function explainRole({ member, entry, groups, settings }: PersonFacts): RoleExplanation {
  const stored = member ?? NO_ROLES;
  const resolution = resolve(entry, groups, settings);
  const reason = reasonInForce(resolution, stored.manualRole, stored.retainedLastOwner);
  const decides = reason === 'mapping' ? (groups.find((one) => one.mappingId === resolution.mappingId) ?? null) : null;
  const isPresent = entry !== null && entry.active && entry.deletedAt === null && hasAgreed(entry.consent);
  const isUpToDate =
    stored.scimRole === resolution.scimRole &&
    // Without a membership there is nothing to suspend.
    (member === null || stored.suspended === resolution.suspended);
  return {
    role: stored.role,
    reason,
    summary: `${sentence(stored, resolution, reason, decides, groups)}${isUpToDate ? '' : ' The next sync changes that.'}`,
    decides,
    groups: [...groups]
      .sort((a, b) => ROLES.indexOf(b.role) - ROLES.indexOf(a.role) || (a.mappingId < b.mappingId ? -1 : 1))
      .map((group) => ({ ...group, counts: isPresent && (group.role !== 'OWNER' || settings.allowOwnerMapping) })),
    isUpToDate,
    without: decides && withoutMapping(decides, stored.manualRole, entry, groups, settings),
  };
}

function resolve(entry: PersonFacts['entry'], groups: readonly MappedGroup[], settings: ScimSettings): Resolution {
  const mappings = groups.map(({ mappingId, groupId, role }): RoleMapping => ({ id: mappingId, groupId, role }));
  const groupIds = groups.map(({ groupId }) => groupId);
  const directoryEntry = entry
    ? { active: entry.active, deleted: entry.deletedAt !== null, consent: entry.consent, groupIds }
    : undefined;
  return resolveEntry(directoryEntry, mappings, settings);
}

function withoutMapping(
  decides: MappedGroup,
  manualRole: Role | null,
  entry: PersonFacts['entry'],
  groups: readonly MappedGroup[],
  settings: ScimSettings,
): NonNullable<RoleExplanation['without']> {
  const others = groups
    .map((group) => (group === decides ? { ...group, ...group.heir } : group))
    .filter(({ mappingId }) => mappingId !== decides.mappingId);
  const resolution = resolve(entry, others, settings);
  const reason = reasonInForce(resolution, manualRole, false);
  return {
    role: highest(manualRole, resolution.scimRole),
    reason,
    mappingId: reason === 'mapping' ? resolution.mappingId : null,
  };
}

/** All current OWNERs, with their directory entries. */
export interface Owners {
  members: readonly MemberState[];
  /** By user id. */
  entries: ReadonlyMap<string, DirectoryEntry>;
  /** User ids of accounts that nobody can sign in with. */
  unreachable: ReadonlySet<string>;
}

/**
 * The rule of the last OWNER for `without`: if the person were not OWNER any more, deleting a mapping would make nobody
 * else OWNER, so the rule only has to consider the current ones.
 *
 * @param mappings the remaining ones
 * @returns whether the person would still be OWNER, retained as the last one or, under `refuse`, because the change is
 *   rejected
 */
export function staysLastOwner(
  userId: string,
  { members, entries, unreachable }: Owners,
  mappings: readonly RoleMapping[],
  settings: ScimSettings,
): boolean {
  const next = resolveOrganisation(members, entries, mappings, settings, 0, unreachable);
  const retained = next.find((state) => state.retainedLastOwner);
  if (!retained) return false;
  const wasRetained = members.some((state) => state.userId === retained.userId && state.retainedLastOwner);
  return retained.userId === userId || (settings.lastOwnerPolicy === 'refuse' && !wasRetained);
}

function sentence(
  { role, manualRole }: NonNullable<PersonFacts['member']>,
  { scimRole, suspended, reason: why }: Resolution,
  reason: RoleReason,
  decides: MappedGroup | null,
  groups: readonly MappedGroup[],
): string {
  const inNone = groups.length > 0 ? 'in no mapped group that counts' : 'in no mapped group';
  const gone =
    why === 'deleted' ? 'the person was deleted from the directory' : 'the person is deactivated in the directory';
  const effectiveRole = role ?? 'No access';
  switch (reason) {
    case 'mapping':
      return decides
        ? `${effectiveRole}: the person has been in the group "${decides.groupName}" since ${day(decides.memberSince)}, and the group has been mapped to ${decides.role} since ${day(decides.mappedSince)}.`
        : `${effectiveRole}, by a role mapping.`;
    case 'default_role':
      return `${effectiveRole}, the default role: the person is active in the directory and ${inNone}.`;
    case 'no_default_role':
      return `${effectiveRole}: the person is active in the directory but ${inNone}, and there is no default role.`;
    case 'deactivated':
    case 'deleted':
      return `${effectiveRole}: ${gone}${manualRole ? `, which also suspends the manual role ${manualRole}` : ''}.`;
    case 'pending':
      return `${effectiveRole} yet: the person is active in the directory, but already had an account, and the organisation is not vouched for with regard to the domain of their address. They have to accept the membership.`;
    case 'opted_out':
      return `${effectiveRole}: the person left the organisation or declined the membership. Only they can come back, by accepting it.`;
    case 'not_in_directory':
      return `${effectiveRole}: the person is not in the directory and has no manual role.`;
    case 'manual': {
      const directory =
        why === 'not_in_directory'
          ? 'the person is not in the directory'
          : `the directory gives ${scimRole ?? 'no role'}`;
      return `${effectiveRole}, assigned manually; ${directory}.`;
    }
    case 'last_owner': {
      const instead = suspended ? gone : `the role would be ${highest(manualRole, scimRole) ?? 'none'}`;
      return `${effectiveRole} only until there is another active OWNER: ${instead}, but an organisation keeps at least one.`;
    }
  }
}

function day(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}
