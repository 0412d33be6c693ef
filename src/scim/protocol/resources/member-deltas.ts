import type { EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { many } from '../../../database/statements';
import { compileMemberFilter } from '../filter/compile';
import type { Filter } from '../filter/filter';
import type { GroupStep } from '../patch/group-patch';
import { ScimError } from '../scim-error';
import { IS_OWN } from './tenancy';

/** Unknown members that an error names. */
const MOST_NAMED = 5;

/**
 * $1 organisation, $2 group, $3 ids. One row for each of them that is a living user, and one more for each that was not
 * a member before. Users are looked up one by one and the rows joined by the caller, who knows how many there are.
 */
const ADD = `
  WITH wanted AS (
    SELECT found.* FROM unnest($3::uuid[]) AS member (id)
    CROSS JOIN LATERAL (
      SELECT id, user_id FROM scim_users
      WHERE scim_users.id = member.id AND ${IS_OWN} AND deleted_at IS NULL LIMIT 1
    ) AS found
  ),
  added AS (
    INSERT INTO scim_group_members (group_id, scim_user_id) SELECT $2, id FROM wanted
    ON CONFLICT DO NOTHING RETURNING scim_user_id
  )
  SELECT id, user_id AS "accountId" FROM wanted UNION ALL SELECT scim_user_id, NULL FROM added`;

/** $1 organisation, $2 group. Whose the members are is asked of the group, and the users are looked up by their ids alone. */
const REMOVE = `
  DELETE FROM scim_group_members USING scim_users
  WHERE scim_group_members.group_id = (SELECT id FROM scim_groups WHERE id = $2 AND ${IS_OWN})
    AND scim_users.id = scim_group_members.scim_user_id`;

const REMOVED = `RETURNING scim_users.id, scim_users.user_id AS "accountId"`;

interface Member {
  id: string;
  accountId: string;
}

/**
 * Changes who is in a group, a statement for each step, at a cost that follows from the members that a step names and
 * not from those that the group has. What a step undoes of another counts as no change.
 */
export class MemberDeltas {
  /** Ids of directory users to their accounts: members now who were none before, and the other way round. */
  readonly added = new Map<string, string>();
  readonly removed = new Map<string, string>();

  /** @param manager of a transaction that holds the organisation's lock */
  constructor(
    private readonly manager: EntityManager,
    private readonly orgId: string,
    private readonly groupId: string,
  ) {}

  /** The accounts of those who came or went. */
  get accountIds(): string[] {
    return [...new Set([...this.added.values(), ...this.removed.values()])];
  }

  /** @throws ScimError invalidValue for a new member who is no user of the organisation; what compileMemberFilter throws */
  async apply(step: Exclude<GroupStep, { kind: 'set' }>): Promise<void> {
    switch (step.kind) {
      case 'add':
        return this.add(step.members);
      case 'remove':
        return this.remove(step.members);
      case 'removeMatching':
        return this.removeMatching(step.filter);
      case 'replace':
        return this.replace(step.members);
    }
  }

  /** Who is a member already stays one, since when they were. */
  private async add(members: string[]): Promise<void> {
    if (members.length === 0) return;
    const rows = await many<{ id: string; accountId: string | null }>(this.manager, ADD, [
      this.orgId,
      this.groupId,
      uuidsOf(members),
    ]);
    const accounts = new Map<string, string>();
    for (const { id, accountId } of rows) if (accountId !== null) accounts.set(id, accountId);
    const unknown = members.filter((id) => !accounts.has(id.toLowerCase()));
    if (unknown.length > 0) throw new ScimError('invalidValue', describeUnknown(unknown));
    for (const { id, accountId } of rows) {
      if (accountId === null) move(id, accounts.get(id), this.removed, this.added);
    }
  }

  /** Who is no member stays none, and need not exist. */
  private async remove(members: string[]): Promise<void> {
    const ids = uuidsOf(members);
    if (ids.length === 0) return;
    await this.delete(`AND scim_group_members.scim_user_id = ANY ($3::uuid[])`, [ids]);
  }

  private async removeMatching(filter: Filter): Promise<void> {
    const values: unknown[] = [this.orgId, this.groupId];
    const condition = compileMemberFilter(filter, values);
    await this.delete(`AND (${condition})`, values.slice(2));
  }

  private async replace(members: string[]): Promise<void> {
    // "Not one of a list" is looked up in a hash table, of whatever size the planner takes the group to be.
    await this.delete(`AND scim_group_members.scim_user_id <> ALL ($3::uuid[])`, [uuidsOf(members)]);
    await this.add(members);
  }

  private async delete(condition: string, values: unknown[]): Promise<void> {
    const rows = await many<Member>(this.manager, `${REMOVE} ${condition} ${REMOVED}`, [
      this.orgId,
      this.groupId,
      ...values,
    ]);
    for (const { id, accountId } of rows) move(id, accountId, this.added, this.removed);
  }
}

/** The ids that can be those of users, in small letters, as the database writes them; each once. */
function uuidsOf(members: string[]): string[] {
  return [...new Set(members.filter((id) => isUuid(id)).map((id) => id.toLowerCase()))];
}

/** Undoes what was done to the member before, or notes what was done now. */
function move(id: string, accountId: string | undefined, from: Map<string, string>, to: Map<string, string>): void {
  if (!from.delete(id) && accountId !== undefined) to.set(id, accountId);
}

function describeUnknown(ids: string[]): string {
  const named = ids.slice(0, MOST_NAMED).map((id) => `"${id.slice(0, 64)}"`);
  const more = ids.length > MOST_NAMED ? ` and ${ids.length - MOST_NAMED} more` : '';
  return `No user of this organisation has the id ${named.join(', ')}${more}. Members are users; groups cannot be.`;
}
