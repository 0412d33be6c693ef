import type { EntityManager } from 'typeorm';
import { prepared } from '../../../database/prepared';
import type { Cause } from '../../audit/audit-trail';
import { isVouchedFor } from '../../domains/vouching.sql';

/**
 * Whether a person agrees to the membership that a directory gives them (contract, section 12.1).
 *
 * - `NOT_NEEDED`: the directory made the account, or the organisation was vouched for, or the person was a member already.
 * - `PENDING`: the person had signed in before the directory named them, and has not answered yet.
 * - `ACCEPTED`, `OPTED_OUT`: their answer. It outlives every push, also one that deletes the entry and creates it again.
 */
export type Consent = 'NOT_NEEDED' | 'PENDING' | 'ACCEPTED' | 'OPTED_OUT';

/**
 * The consent to an entry. One that `settleConsent` has not seen since it was linked to its account gives a person who
 * has signed in nothing.
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
 * $1 organisation, $2 whether it is vouched for all people, $3 and $4 who caused it, $5 request id. Entries that are
 * settled are not written, so that there is hardly ever anything to do.
 *
 * @param whose a further condition on `entry`
 */
function settle(whose: string): string {
  return `
  WITH decided AS (
    SELECT entry.id, entry.user_id, entry.consent AS consent_before, entry.consent_user_id AS of_before,
           COALESCE(former.consent,
             CASE WHEN account.claimed_at IS NULL OR $2::boolean
                    OR (SELECT manual_role IS NOT NULL FROM memberships WHERE org_id = $1 AND user_id = entry.user_id)
                    OR ${isVouchedFor('$1', 'account.email')}
                  THEN 'NOT_NEEDED' ELSE 'PENDING' END) AS consent
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
      AND (entry.consent_user_id IS DISTINCT FROM entry.user_id OR entry.consent = 'PENDING') ${whose}
  ),
  changed AS (
    SELECT * FROM decided WHERE (of_before, consent_before) IS DISTINCT FROM (user_id, consent)
  ),
  written AS (
    UPDATE scim_users SET consent = changed.consent, consent_user_id = changed.user_id
    FROM changed WHERE scim_users.id = changed.id
  )
  INSERT INTO audit_log (id, org_id, action, actor_type, actor_id, subject_type, subject_id, reason, details, request_id)
  SELECT uuid_v7(), $1, 'member.pending', $3, $4::uuid, 'member', user_id, 'pending',
         jsonb_build_object('scim_user_id', id), $5
  FROM changed WHERE consent = 'PENDING'`;
}

const SETTLE_EVERYBODY = settle('');
const SETTLE_SOME = { name: 'consent of some', sql: settle('AND entry.user_id = ANY ($6::uuid[])') };

/**
 * Decides for entries that are new, or linked to another account, whether the person has to agree; and for people who
 * have not answered, whether the organisation has been vouched for meanwhile. For a transaction that holds the
 * organisation's lock, before role resolution.
 *
 * @param concerned account ids, or `everybody`
 * @param isVouchedForAll whether only platform administrators create organisations
 */
export async function settleConsent(
  manager: EntityManager,
  orgId: string,
  concerned: readonly string[] | 'everybody',
  { actorType, actorId, requestId }: Cause,
  isVouchedForAll: boolean,
): Promise<void> {
  const parameters = [orgId, isVouchedForAll, actorType, actorId, requestId];
  if (concerned === 'everybody') await manager.query(SETTLE_EVERYBODY, parameters);
  else await prepared(manager, SETTLE_SOME, [...parameters, concerned]);
}

/**
 * Keeps the answer of a person to the directory of an organisation.
 *
 * @param manager of a transaction that holds the organisation's lock
 * @returns whether the directory has them at all
 */
export async function answerDirectory(
  manager: EntityManager,
  orgId: string,
  userId: string,
  answer: 'ACCEPTED' | 'OPTED_OUT',
): Promise<boolean> {
  const [, count] = await manager.query<[object[], number]>(
    `UPDATE scim_users SET consent = $3, consent_user_id = user_id
     WHERE org_id = $1 AND user_id = $2 AND deleted_at IS NULL`,
    [orgId, userId, answer],
  );
  return count > 0;
}
