import type { EntityManager } from 'typeorm';
import { prepared } from '../../database/prepared';
import { execute } from '../../database/statements';
import type { Cause } from '../../organisations/audit/audit-trail';
import { isVouchedFor } from '../../domains/vouching.sql';
import { hasAgreedSql } from './consent';
import { NEWEST_ENTRY } from './newest-entry.sql';

/**
 * The consent to an entry. Until `settleConsent` has processed a new link to an account that has signed in, the entry
 * gives no access.
 *
 * @param entry the name of a row of `scim_users`
 */
export function consentTo(entry: string): string {
  return `
    CASE WHEN ${entry}.consent_user_id = ${entry}.user_id THEN ${entry}.consent
         WHEN (SELECT claimed_at IS NOT NULL FROM users WHERE id = ${entry}.user_id) THEN 'PENDING'
         ELSE 'NOT_NEEDED' END`;
}

/**
 * Whether the organisation may know which account an entry is linked to. Otherwise pushing an address would reveal an
 * account id, which public listings and bundles show as `owner_id`.
 *
 * @param entry the name of a row of `scim_users`
 */
export function agreementTo(entry: string): string {
  return hasAgreedSql(consentTo(entry));
}

/**
 * $1 organisation, $2 whether it is vouched for all users, $3 and $4 the actor, $5 request id. Settled entries are not
 * written, so there is hardly ever anything to do.
 *
 * An entry that was linked to another account without the person's involvement (the account was deleted, ADR 9) stays
 * OPTED_OUT, and PENDING unless the organisation is vouched for.
 *
 * @param condition a further one on `entry`
 */
function settled(condition: string): string {
  return `
  WITH decided AS (
    SELECT entry.id, entry.user_id, entry.consent AS consent_before, entry.consent_user_id AS of_before,
           CASE WHEN entry.consent = 'OPTED_OUT' THEN 'OPTED_OUT'
                WHEN former.consent IS NOT NULL THEN former.consent
                WHEN (account.claimed_at IS NULL AND entry.consent <> 'PENDING') OR $2::boolean
                  OR ${isVouchedFor('$1', 'account.email')} THEN 'NOT_NEEDED'
                WHEN (SELECT manual_role IS NOT NULL FROM memberships WHERE org_id = $1 AND user_id = entry.user_id)
                THEN 'ACCEPTED' ELSE 'PENDING' END AS consent
    FROM scim_users AS entry
    JOIN users AS account ON account.id = entry.user_id
    LEFT JOIN LATERAL (
      -- What held for the same person before they were deleted. What nobody could object to then is worth nothing now.
      SELECT consent FROM scim_users
      WHERE org_id = $1 AND user_id = entry.user_id AND consent_user_id = entry.user_id AND deleted_at IS NOT NULL
        AND (consent IN ('ACCEPTED', 'OPTED_OUT') OR (consent = 'NOT_NEEDED' AND deleted_at > account.claimed_at))
      ORDER BY deleted_at DESC LIMIT 1
    ) AS former ON true
    WHERE entry.org_id = $1 AND entry.deleted_at IS NULL
      AND (entry.consent_user_id IS DISTINCT FROM entry.user_id OR entry.consent = 'PENDING') ${condition}
  ),
  changed AS (
    SELECT * FROM decided WHERE (of_before, consent_before) IS DISTINCT FROM (user_id, consent)
  ),
  written AS (
    UPDATE scim_users SET consent = changed.consent, consent_user_id = changed.user_id
    FROM changed WHERE scim_users.id = changed.id
  ),
  audited AS (
    INSERT INTO audit_log (id, org_id, action, actor_type, actor_id, subject_type, subject_id, reason, request_id)
    SELECT uuid_v7(), $1, 'member.pending', $3, $4::uuid, 'scim_user', id, 'pending', $5
    FROM changed WHERE consent = 'PENDING'
  )`;
}

/** The subquery hides the number of accounts from the planner, which would otherwise plan each execution again: 1.1 ms. */
const OF_SOME = 'AND entry.user_id = ANY ((SELECT $6::uuid[])::uuid[])';
const SETTLE_EVERYBODY = `${settled('')} SELECT count(*)::int AS count FROM changed`;
/** Returns the accounts that the organisation may not know. */
const SETTLE_SOME = {
  name: 'consent of some',
  sql: `${settled(OF_SOME)}
  SELECT entry.user_id FROM scim_users AS entry LEFT JOIN changed ON changed.id = entry.id
  WHERE entry.org_id = $1 AND entry.deleted_at IS NULL ${OF_SOME}
    AND COALESCE(changed.consent, entry.consent) IN ('PENDING', 'OPTED_OUT')`,
};

/**
 * Decides for new or relinked entries whether the person has to agree, and for unanswered ones whether the organisation
 * has been vouched for in the meantime. For a transaction that holds the organisation's lock, before role resolution.
 *
 * @param concerned account ids
 * @param isVouchedForAll whether only platform administrators create organisations
 * @returns those accounts that the organisation may not know, because their owners have not agreed
 */
export async function settleConsent(
  manager: EntityManager,
  orgId: string,
  concerned: readonly string[],
  { actorType, actorId, requestId }: Cause,
  isVouchedForAll: boolean,
): Promise<ReadonlySet<string>> {
  const parameters = [orgId, isVouchedForAll, actorType, actorId, requestId, concerned];
  const hidden = await prepared<{ user_id: string }>(manager, SETTLE_SOME, parameters);
  return new Set(hidden.map(({ user_id }) => user_id));
}

/** The same for the whole directory. */
export async function settleEverybodysConsent(
  manager: EntityManager,
  orgId: string,
  { actorType, actorId, requestId }: Cause,
  isVouchedForAll: boolean,
): Promise<void> {
  await execute(manager, SETTLE_EVERYBODY, [orgId, isVouchedForAll, actorType, actorId, requestId]);
}

/**
 * Stores a person's answer to the directory of an organisation. Someone who opts out may already have been deleted from
 * it; the answer must count if they are pushed again.
 *
 * @param manager of a transaction that holds the organisation's lock
 * @returns whether the directory has, or had, an entry for them
 */
export async function storeConsentAnswer(
  manager: EntityManager,
  orgId: string,
  userId: string,
  answer: 'ACCEPTED' | 'OPTED_OUT',
): Promise<boolean> {
  const count = await execute(
    manager,
    `UPDATE scim_users SET consent = $3, consent_user_id = user_id
     WHERE id = (SELECT id FROM scim_users WHERE org_id = $1 AND user_id = $2
                 ${NEWEST_ENTRY})
       AND (deleted_at IS NULL OR $3 = 'OPTED_OUT')`,
    [orgId, userId, answer],
  );
  return count > 0;
}

/**
 * Resets consent after an ADMIN removed the member: a directory that pushes them again has to ask again. Not through
 * the entity, which would change `updated_at`: the SCIM resource does not change.
 *
 * @param manager of a transaction that holds the organisation's lock
 */
export async function forgetAcceptance(manager: EntityManager, orgId: string, userId: string): Promise<void> {
  await execute(
    manager,
    `UPDATE scim_users SET consent = 'PENDING'
     WHERE org_id = $1 AND user_id = $2 AND consent_user_id = user_id AND consent = 'ACCEPTED'`,
    [orgId, userId],
  );
}
