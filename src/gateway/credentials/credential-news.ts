import type { EntityManager } from 'typeorm';
import { currentRequestId } from '../../database/deadline';
import { record } from '../../events/outbox';
import { audit } from '../../organisations/audit/audit-trail';
import type { CredentialRow } from './credential-store.sql';

/** What happened to a credential. None of it contains values. */
export type CredentialNews =
  | { readonly type: 'credential.connected'; readonly by: string }
  | { readonly type: 'credential.reconnect_needed' }
  | { readonly type: 'credential.origin_changed'; readonly newOrigin: string }
  | { readonly type: 'credential.revoked'; readonly by: string | null };

/**
 * Records the event, and an entry in the audit log of the organisation, if it is one's.
 *
 * @param manager of the transaction of the change
 */
export async function tellOfCredential(
  manager: EntityManager,
  row: CredentialRow,
  news: CredentialNews,
): Promise<void> {
  const { tenant_org_id: orgId, tenant_person_id: ownerId } = row;
  const data = { ...dataOf(row), org_id: orgId };
  const tenant = { orgId, ownerId };
  if (news.type === 'credential.connected')
    await record(manager, { type: news.type, ...tenant, data: { ...data, connected_by: news.by } });
  else if (news.type === 'credential.revoked')
    await record(manager, { type: news.type, ...tenant, data: { ...data, revoked_by: news.by } });
  else if (news.type === 'credential.origin_changed')
    await record(manager, { type: news.type, ...tenant, data: { ...data, new_origin: news.newOrigin } });
  else await record(manager, { type: news.type, ...tenant, data });
  if (orgId === null) return;
  const actorId = 'by' in news ? news.by : null;
  await audit(manager, {
    orgId,
    cause: { actorType: actorId === null ? 'system' : 'user', actorId, requestId: currentRequestId() ?? null },
    action: news.type,
    subjectType: 'credential',
    subjectId: row.id,
    before: null,
    after: null,
    reason: null,
    details: { ...dataOf(row), ...('newOrigin' in news ? { new_origin: news.newOrigin } : {}) },
  });
}

function dataOf({ id, kind, owner, person_id, bundle_id, entry_id, listing_id, origin }: CredentialRow) {
  return { credential_id: id, kind, owner, person_id, bundle_id, entry_id, listing_id, origin };
}
