import { given, nothing, ofOrganisation, type Recipe, type Row } from './access-table';
import { createDelivery, createEvent } from './deliveries';
import { createEndpoint, idOf } from './factories';

/** A webhook of the side's organisation, or of the person. */
export const endpoint: Recipe = async ({ api, orgId }) => ({
  path: { endpoint_id: (await createEndpoint(api, { org_id: orgId })).id },
});
const delivery: Recipe = async (side) => {
  const { path } = await endpoint(side);
  const { id } = await createDelivery(side.test.dataSource, String(path?.endpoint_id), { status: 'FAILED' });
  return { path: { ...path, delivery_id: id } };
};
const deliveryOfEvent: Recipe = async (side) => {
  const { path } = await endpoint(side);
  const { dataSource } = side.test;
  const eventId = await createEvent(dataSource, side.orgId ? { orgId: side.orgId } : { ownerId: await idOf(side.api) });
  const { id } = await createDelivery(dataSource, String(path?.endpoint_id), { status: 'FAILED', eventId });
  return { path: { ...path, delivery_id: id } };
};
const recovery: Recipe = async (side) => {
  const { path } = await endpoint(side);
  const started = await side.api.post(`/v1/webhooks/${path?.endpoint_id}/recover`, { since: '2026-01-01T00:00:00Z' });
  return { path: { ...path, recovery_id: started.body.id } };
};

/** Rows of `test/access.e2e-spec.ts`: webhooks, their deliveries and recoveries. */
export const WEBHOOK_ROWS: readonly Row[] = [
  [
    'POST /v1/webhooks',
    [401, 404, 403, 201, 201, 201],
    given(nothing, ({ orgId }) => ({ org_id: orgId, target_url: 'https://hooks.example.com/in', event_types: [] })),
  ],
  ['GET /v1/webhooks', [401, 404, 200, 200, 200, 200], ofOrganisation],
  ['GET /v1/webhooks/{endpoint_id}', [401, 404, 200, 200, 200, 200], endpoint],
  [
    'PATCH /v1/webhooks/{endpoint_id}',
    [401, 404, 403, 200, 200, 200],
    given(endpoint, () => ({ description: 'Changed.' })),
  ],
  ['DELETE /v1/webhooks/{endpoint_id}', [401, 404, 403, 204, 204, 204], endpoint],
  ['POST /v1/webhooks/{endpoint_id}/rotate-secret', [401, 404, 403, 200, 200, 200], endpoint],
  ['POST /v1/webhooks/{endpoint_id}/ping', [401, 404, 403, 200, 200, 200], endpoint],
  ['GET /v1/webhooks/{endpoint_id}/deliveries', [401, 404, 403, 200, 200, 200], endpoint],
  ['GET /v1/webhooks/{endpoint_id}/deliveries/{delivery_id}', [401, 404, 403, 200, 200, 200], delivery],
  ['POST /v1/webhooks/{endpoint_id}/deliveries/{delivery_id}/redeliver', [401, 404, 403, 200, 200, 200], delivery],
  [
    'POST /v1/webhooks/{endpoint_id}/recover',
    [401, 404, 403, 201, 201, 201],
    given(endpoint, () => ({ since: '2026-01-01T00:00:00Z' })),
  ],
  ['GET /v1/webhooks/{endpoint_id}/recoveries', [401, 404, 403, 200, 200, 200], endpoint],
  ['GET /v1/webhooks/{endpoint_id}/recoveries/{recovery_id}', [401, 404, 403, 200, 200, 200], recovery],
  ['DELETE /v1/webhooks/{endpoint_id}/recoveries/{recovery_id}', [401, 404, 403, 204, 204, 204], recovery],
  ['POST /v1/webhooks/{endpoint_id}/deliveries/{delivery_id}/preview', [401, 404, 403, 200, 200, 200], deliveryOfEvent],
  ['GET /v1/webhooks/{endpoint_id}/stats', [401, 404, 403, 200, 200, 200], endpoint],
  ['GET /v1/webhooks/stats', [401, 404, 403, 200, 200, null], ofOrganisation],
];
