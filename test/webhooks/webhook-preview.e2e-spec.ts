import { Webhook } from 'standardwebhooks';
import { newId } from '../../src/database/id';
import { sign } from '../../src/webhooks/sending/signature';
import { createTestApp, FakeClock, TestApp } from '../support/app';
import { createDelivery, createEvent } from '../support/deliveries';
import { Cast, createCast, createEndpoint } from '../support/factories';

/** In the past, so that no token has expired. */
const clock = new FakeClock(new Date('2025-11-20T12:34:56.789Z'));

let test: TestApp;
let cast: Cast;

beforeAll(async () => {
  test = await createTestApp({ clock, env: { RUN: 'api' } });
  cast = await createCast(test);
});

afterAll(() => test.close());

async function newDelivery(fields: object = {}) {
  const endpoint = await createEndpoint(cast.owner, { org_id: cast.orgId, ...fields });
  const eventId = await createEvent(test.dataSource, { orgId: cast.orgId });
  const { id } = await createDelivery(test.dataSource, endpoint.id, { eventId, status: 'FAILED' });
  return { endpoint, eventId, id, path: `/v1/webhooks/${endpoint.id}/deliveries/${id}/preview` as const };
}

describe('The preview of a webhook delivery', () => {
  it('is the request as it would go now, without a secret', async () => {
    const { endpoint, eventId, path } = await newDelivery({
      target_url: 'https://hooks.example.com/in?token=of-the-address',
      headers: { Authorization: 'Bearer never-shown', 'X-Team': 'never-shown-either' },
    });
    const { body: preview, text } = await cast.admin.post(path, undefined, 200);
    const seconds = Math.floor(clock.time.getTime() / 1_000);
    expect(preview).toMatchObject({
      method: 'POST',
      url: 'https://hooks.example.com/in?token=of-the-address',
      at: '2025-11-20T12:34:56.000Z',
      signature_count: 1,
      signed_content: `${eventId}.${seconds}.${preview.body}`,
      refusal: null,
    });
    expect(preview.headers).toEqual([
      { name: 'host', value: 'hooks.example.com' },
      { name: 'content-type', value: 'application/json' },
      { name: 'user-agent', value: 'Toolyard-Webhooks/1' },
      { name: 'accept-encoding', value: 'identity' },
      { name: 'webhook-id', value: eventId },
      { name: 'webhook-timestamp', value: String(seconds) },
      { name: 'webhook-signature', value: null },
      { name: 'Authorization', value: null },
      { name: 'X-Team', value: null },
      { name: 'content-length', value: String(Buffer.byteLength(preview.body)) },
    ]);
    // Who has the secret can sign it, as a receiver will check it; the answer has neither secret nor signature.
    const signature = sign(eventId, seconds, Buffer.from(preview.body), [endpoint.secret]);
    const standard = new Webhook(endpoint.secret).sign(eventId, clock.time, preview.body);
    expect(signature).toBe(standard);
    for (const secret of ['never-shown', endpoint.secret, signature.slice(3)]) expect(text).not.toContain(secret);
  });

  it('counts a signature for each secret that still signs', async () => {
    const { endpoint, path } = await newDelivery();
    await cast.owner.post(`/v1/webhooks/${endpoint.id}/rotate-secret`, { grace_seconds: 60 }, 200);
    expect((await cast.admin.post(path, undefined, 200)).body).toMatchObject({ signature_count: 2 });
    clock.advance(61_000);
    expect((await cast.admin.post(path, undefined, 200)).body).toMatchObject({ signature_count: 1 });
  });

  it('has the present address, sends nothing and changes nothing', async () => {
    const { endpoint, id, path } = await newDelivery();
    const read = async () => (await cast.admin.get(`/v1/webhooks/${endpoint.id}/deliveries/${id}`)).body;
    const before = await read();
    await cast.owner.patch(`/v1/webhooks/${endpoint.id}`, { target_url: 'https://new.example.com/there' });
    expect((await cast.admin.post(path, undefined, 200)).body.url).toBe('https://new.example.com/there');
    expect(await read()).toEqual(before);
  });

  it('is not there for other deliveries, for removed events and for others', async () => {
    const { endpoint, path } = await newDelivery();
    const { id: ofRemoved } = await createDelivery(test.dataSource, endpoint.id);
    const other = await newDelivery();
    for (const id of [newId(), ofRemoved, other.id]) {
      const missing = await cast.admin.post(`/v1/webhooks/${endpoint.id}/deliveries/${id}/preview`, undefined, 404);
      expect(missing.body).toMatchObject({ code: 'webhook_delivery_not_found' });
    }
    await cast.member.post(path, undefined, 403);
    await cast.outsider.post(path, undefined, 404);
  });
});
