import { highest, type Role, ROLES } from '../../organisations/members/role';
import type { Consent } from '../directory/directory-consent';
import { reasonInForce, type RoleReason } from './role-reason';
import {
  type DirectoryEntry,
  type MemberState,
  resolveEntry,
  type Resolution,
  resolveOrganisation,
  type RoleMapping,
  type ScimSettings,
} from './role-resolution';

/** A group of the person that a mapping turns into a role. */
export interface MappedGroup {
  mappingId: string;
  groupId: string;
  groupName: string;
  role: Role;
  /** When the mapping last changed. */
  mappedSince: Date;
  /** Since when the person is in the group. */
  memberSince: Date;
  /** The mapping that waits for the name of the group, and would be bound to it if this one went. */
  heir: { mappingId: string; role: Role } | null;
}

/** Everything from which the role of one person follows. */
export interface PersonFacts {
  /** Null for somebody who has no membership. */
  member: (Omit<MemberState, 'userId' | 'createdAt'> & { role: Role | null }) | null;
  /** Of several entries the living one, else the one that was deleted last; null: the directory never knew them. */
  entry: { active: boolean; deletedAt: Date | null; consent: Consent } | null;
  /** The mapped groups of that entry. */
  groups: readonly MappedGroup[];
  settings: ScimSettings;
}

/** Why somebody has a role. */
export interface RoleExplanation {
  role: Role | null;
  reason: RoleReason;
  /** For a person. */
  summary: string;
  /** With reason `mapping`: the group whose mapping gives the role. */
  decides: MappedGroup | null;
  /** In the order in which they would decide. */
  groups: (MappedGroup & { counts: boolean })[];
  /** Whether the stored roles are those that follow; otherwise the next sync brings that about. */
  isUpToDate: boolean;
  /** With reason `mapping`: what would be in force if that mapping went, but for the rule of the last OWNER. */
  without: { role: Role | null; reason: RoleReason; mappingId: string | null } | null;
}

const NO_ROLES = { manualRole: null, scimRole: null, suspended: false, retainedLastOwner: false, role: null };

/** Explains one person's role by the very functions that gave it. */
export function explainRole({ member, entry, groups, settings }: PersonFacts): RoleExplanation {
  const stored = member ?? NO_ROLES;
  const resolution = resolve(entry, groups, settings);
  const reason = reasonInForce(resolution, stored.manualRole, stored.retainedLastOwner);
  const decides = reason === 'mapping' ? (groups.find((one) => one.mappingId === resolution.mappingId) ?? null) : null;
  const isPresent = entry !== null && entry.active && entry.deletedAt === null && isAgreedTo(entry.consent);
  const isUpToDate =
    stored.scimRole === resolution.scimRole &&
    // Where there is no membership there is nothing to suspend.
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
  const known = entry
    ? { active: entry.active, deleted: entry.deletedAt !== null, consent: entry.consent, groupIds }
    : undefined;
  return resolveEntry(known, mappings, settings);
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

/** Everybody who is OWNER now, with what the directory says of them. */
export interface Owners {
  members: readonly MemberState[];
  /** By user id. */
  entries: ReadonlyMap<string, DirectoryEntry>;
  /** User ids of those as whom nobody can sign in. */
  unreachable: ReadonlySet<string>;
}

/**
 * The rule of the last OWNER for `without`: where the person would be none, nobody becomes OWNER by a mapping
 * that goes, so the present ones are all whom the rule has to look at.
 *
 * @param mappings those that stay
 * @returns whether the person would still be OWNER, kept as the last one or, under `refuse`, since it cannot go
 */
export function staysLastOwner(
  userId: string,
  { members, entries, unreachable }: Owners,
  mappings: readonly RoleMapping[],
  settings: ScimSettings,
): boolean {
  const next = resolveOrganisation(members, entries, mappings, settings, 0, unreachable);
  const kept = next.find((state) => state.retainedLastOwner);
  if (!kept) return false;
  const wasKept = members.some((state) => state.userId === kept.userId && state.retainedLastOwner);
  return kept.userId === userId || (settings.lastOwnerPolicy === 'refuse' && !wasKept);
}

function sentence(
  { role, manualRole }: NonNullable<PersonFacts['member']>,
  { scimRole, suspended, reason: why }: Resolution,
  reason: RoleReason,
  decides: MappedGroup | null,
  groups: readonly MappedGroup[],
): string {
  const inNone = groups.length > 0 ? 'in no mapped group that counts' : 'in no mapped group';
  const gone = why === 'deleted' ? 'the directory has deleted the person' : 'the directory has the person deactivated';
  const given = role ?? 'No access';
  switch (reason) {
    case 'mapping':
      return decides
        ? `${given}: the person is in the group "${decides.groupName}" since ${day(decides.memberSince)}, and that group is mapped to ${decides.role} since ${day(decides.mappedSince)}.`
        : `${given}, by a role mapping.`;
    case 'default_role':
      return `${given}, the default role: the directory has the person active, and ${inNone}.`;
    case 'no_default_role':
      return `${given}: the directory has the person active, but ${inNone}, and there is no default role.`;
    case 'deactivated':
    case 'deleted':
      return `${given}: ${gone}${manualRole ? `, which suspends the manual role ${manualRole} too` : ''}.`;
    case 'pending':
      return `${given} yet: the directory has the person active, but they had an account before and the organisation is not vouched for the domain of their address. They have to accept the membership.`;
    case 'opted_out':
      return `${given}: the person left the organisation or declined the membership. Only they can come back, by accepting it.`;
    case 'not_in_directory':
      return `${given}: the directory does not know the person, and nobody gave them a role.`;
    case 'manual': {
      const directory =
        why === 'not_in_directory'
          ? 'the directory does not know the person'
          : `the directory gives ${scimRole ?? 'none'}`;
      return `${given}, given by a person; ${directory}.`;
    }
    case 'last_owner': {
      const instead = suspended ? gone : `the role would be ${highest(manualRole, scimRole) ?? 'none'}`;
      return `${given} only until there is another active OWNER: ${instead}, but an organisation keeps at least one.`;
    }
  }
}

function isAgreedTo(consent: Consent): boolean {
  return consent === 'NOT_NEEDED' || consent === 'ACCEPTED';
}

function day(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}
