import { isDeepStrictEqual } from 'node:util';
import type { AnyDomainEvent, DomainEvent } from '../../../events/outbox';
import type { StoredUser, UserDocument } from '../schema/user-document';

export type Change = 'user_name' | 'display_name' | 'external_id' | 'active' | 'other';

export function changesOf(before: UserDocument, after: UserDocument): Change[] {
  const changes: [Change, boolean][] = [
    ['user_name', before.userName !== after.userName],
    ['display_name', before.displayName !== after.displayName],
    ['external_id', before.externalId !== after.externalId],
    ['active', before.active !== after.active],
    ['other', !isDeepStrictEqual(before.attributes, after.attributes)],
  ];
  return changes.filter(([, isChanged]) => isChanged).map(([change]) => change);
}

/**
 * Deactivation is an event of its own; other changes in the same request are emitted before it, as usual. A new account
 * link without any other change counts as such a change.
 */
export function changeEvents(
  orgId: string,
  before: StoredUser,
  user: StoredUser,
  changes: Change[],
  hidden: ReadonlySet<string>,
): AnyDomainEvent[] {
  const isDeactivated = before.active && !user.active;
  const changed = isDeactivated ? changes.filter((change) => change !== 'active') : changes;
  const events: AnyDomainEvent[] = [];
  if (changed.length > 0 || !isDeactivated) {
    const data = {
      ...eventData(orgId, user, hidden),
      active: user.active,
      changed: changed.length > 0 ? changed : (['other'] satisfies Change[]),
    };
    events.push({ type: 'scim.user_updated', orgId, data });
  }
  if (isDeactivated) {
    const data = { ...eventData(orgId, user, hidden), active: false } as const;
    events.push({ type: 'scim.user_deactivated', orgId, data });
  }
  return events;
}

export function provisioned(
  orgId: string,
  user: NamedUser & Pick<StoredUser, 'active'>,
  hidden: ReadonlySet<string>,
): DomainEvent<'scim.user_provisioned'> {
  return { type: 'scim.user_provisioned', orgId, data: { ...eventData(orgId, user, hidden), active: user.active } };
}

type NamedUser = Pick<StoredUser, 'id' | 'userId' | 'userName' | 'displayName'>;

/**
 * The data of every event about a user.
 *
 * @param hidden accounts that the organisation may not know
 */
export function eventData(
  orgId: string,
  { id, userId, userName, displayName }: NamedUser,
  hidden: ReadonlySet<string>,
) {
  const user_id = hidden.has(userId) ? null : userId;
  return { org_id: orgId, scim_user_id: id, user_id, user_name: userName, display_name: displayName };
}
