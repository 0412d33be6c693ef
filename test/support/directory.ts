import type { EntityManager } from 'typeorm';
import { consentTo } from '../../src/scim/directory/directory-consent';
import type { Role } from '../../src/organisations/members/role';
import {
  DirectoryEntry,
  MemberState,
  resolveOrganisation,
  RoleMapping,
  ScimSettings,
} from '../../src/scim/roles/resolution/role-resolution';

/** Everything from which roles follow in one organisation. */
export interface OrganisationState {
  members: MemberState[];
  /** By user id; of several entries of one person the living one. */
  entries: Map<string, DirectoryEntry>;
  mappings: RoleMapping[];
  settings: ScimSettings;
  /** Accounts that no one can sign in to. */
  unreachable: Set<string>;
}

/** Reads it from the tables, in the form in which the pure function takes it. */
export async function loadOrganisation(
  database: Pick<EntityManager, 'query'>,
  orgId: string,
): Promise<OrganisationState> {
  const select = <T>(sql: string): Promise<T[]> => database.query<T[]>(sql, [orgId]);
  const members = await select<MemberState & { createdAt: Date; role: Role | null }>(
    `SELECT user_id AS "userId", manual_role AS "manualRole", scim_role AS "scimRole", suspended,
            retained_last_owner AS "retainedLastOwner", created_at AS "createdAt"
     FROM memberships WHERE org_id = $1 ORDER BY user_id`,
  );
  const entries = await select<DirectoryEntry & { userId: string }>(
    `SELECT user_id AS "userId", active, deleted_at IS NOT NULL AS deleted, ${consentTo('scim_users')} AS consent,
            ARRAY(SELECT group_id::text FROM scim_group_members WHERE scim_user_id = scim_users.id) AS "groupIds"
     FROM scim_users WHERE org_id = $1`,
  );
  const byUser = new Map<string, DirectoryEntry>();
  for (const { userId, ...entry } of entries) {
    if (!entry.deleted || !byUser.has(userId)) byUser.set(userId, entry);
  }
  const mappings = await select<RoleMapping>(
    `SELECT id, group_id AS "groupId", role FROM scim_role_mappings WHERE org_id = $1`,
  );
  const [settings] = await select<ScimSettings>(
    `SELECT default_role AS "defaultRole", allow_owner_mapping AS "allowOwnerMapping",
            last_owner_policy AS "lastOwnerPolicy" FROM scim_settings WHERE org_id = $1`,
  );
  if (!settings) throw new Error('Every organisation has settings.');
  const unreachable = await database.query<{ id: string }[]>(
    `SELECT id FROM users WHERE closed_at IS NOT NULL OR (email IS NULL AND claimed_at IS NULL)`,
  );
  const states = members.map((member) => ({ ...member, createdAt: member.createdAt.getTime() }));
  return {
    members: states,
    entries: byUser,
    mappings,
    settings,
    unreachable: new Set(unreachable.map(({ id }) => id)),
  };
}

/**
 * What the memberships shall be, by user id.
 *
 * @param now when those who join become members, milliseconds since the epoch
 */
export function resolved(
  { members, entries, mappings, settings, unreachable }: OrganisationState,
  now: number,
): MemberState[] {
  const states = resolveOrganisation(members, entries, mappings, settings, now, unreachable);
  return states.sort((a, b) => (a.userId < b.userId ? -1 : 1));
}
