import type { EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { prepared } from '../../../database/prepared';
import { many } from '../../../database/statements';
import { compileMemberFilter } from '../filter/compile';
import type { Filter } from '../filter/filter';
import type { GroupStep } from '../patch/group-patch';
import { ScimError } from '../scim-error';
import { IS_OWN } from '../tenancy';

/** How many unknown members an error names. */
const MAX_NAMED = 5;

/**
 * $1 organisation, $2 group, $3 ids. One row for each id of a non-deleted user, and another for each that was not a
 * member before. Users are looked up one by one and the rows joined by the caller, who knows how many there are.
 */
const ADD_MEMBERS = {
  name: 'add members',
  sql: `
  WITH wanted AS (
    SELECT found.* FROM unnest((SELECT $3::uuid[])) AS member (id)
    CROSS JOIN LATERAL (
      SELECT id, user_id FROM scim_users
      WHERE scim_users.id = member.id AND ${IS_OWN} AND deleted_at IS NULL LIMIT 1
    ) AS found
  ),
  added AS (
    INSERT INTO scim_group_members (group_id, scim_user_id) SELECT $2, id FROM wanted
    ON CONFLICT DO NOTHING RETURNING scim_user_id
  )
  SELECT id, user_id AS "accountId" FROM wanted UNION ALL SELECT scim_user_id, NULL FROM added`,
};

/** $1 organisation, $2 group. The organisation is checked on the group, and the users are looked up by id only. */
const REMOVE_MEMBERS = `
  DELETE FROM scim_group_members USING scim_users
  WHERE scim_group_members.group_id = (SELECT id FROM scim_groups WHERE id = $2 AND ${IS_OWN})
    AND scim_users.id = scim_group_members.scim_user_id`;

const REMOVED = `RETURNING scim_users.id, scim_users.user_id AS "accountId"`;

interface Member {
  id: string;
  accountId: string;
}

/**
 * Changes the members of a group, one statement per step, at a cost that depends on the members a step names and not on
 * the size of the group. Changes that a later step reverts do not count.
 */
export class MemberDeltas {
  /** Ids of directory users to their accounts: new members, and former ones. */
  readonly added = new Map<string, string>();
  readonly removed = new Map<string, string>();

  /** @param manager of a transaction that holds the organisation's lock */
  constructor(
    private readonly manager: EntityManager,
    private readonly orgId: string,
    private readonly groupId: string,
  ) {}

  /** The accounts of added and removed members. */
  get accountIds(): string[] {
    return [...new Set([...this.added.values(), ...this.removed.values()])];
  }

  /**
   * @throws ScimError invalidValue if a new member is not a user of the organisation; what compileMemberFilter throws
   */
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

  /** Existing members keep their membership and its date. */
  private async add(members: string[]): Promise<void> {
    if (members.length === 0) return;
    const rows = await prepared<{ id: string; accountId: string | null }>(this.manager, ADD_MEMBERS, [
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

  /** Ids that are not members are ignored, and need not exist. */
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
    // "Not in a list" becomes a hash lookup, however large the planner estimates the group to be.
    await this.delete(`AND scim_group_members.scim_user_id <> ALL ($3::uuid[])`, [uuidsOf(members)]);
    await this.add(members);
  }

  private async delete(condition: string, values: unknown[]): Promise<void> {
    const rows = await many<Member>(this.manager, `${REMOVE_MEMBERS} ${condition} ${REMOVED}`, [
      this.orgId,
      this.groupId,
      ...values,
    ]);
    for (const { id, accountId } of rows) move(id, accountId, this.added, this.removed);
  }
}

/** The ids that could be users', lower-cased like the database's; each once. */
function uuidsOf(members: string[]): string[] {
  return [...new Set(members.filter((id) => isUuid(id)).map((id) => id.toLowerCase()))];
}

/** Reverts an earlier change of the member, or records this one. */
function move(id: string, accountId: string | undefined, from: Map<string, string>, to: Map<string, string>): void {
  if (!from.delete(id) && accountId !== undefined) to.set(id, accountId);
}

function describeUnknown(ids: string[]): string {
  const named = ids.slice(0, MAX_NAMED).map((id) => `"${id.slice(0, 64)}"`);
  const more = ids.length > MAX_NAMED ? ` and ${ids.length - MAX_NAMED} more` : '';
  return `No user of this organisation has the id ${named.join(', ')}${more}. Members are users; groups cannot be.`;
}
