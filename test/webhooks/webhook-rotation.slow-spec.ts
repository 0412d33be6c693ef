import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Webhook } from 'standardwebhooks';
import type { Api } from '../support/api';
import { createTestApp, FakeClock, TestApp } from '../support/app';
import { Cast, createBundle, createCast, createEndpoint, unique } from '../support/factories';
import { eventually } from '../support/eventually';
import { type ReceivedWebhook, Receiver } from '../support/receiver';
import { SENDING } from '../support/sending';

const DAY_MS = 86_400_000;
/** Shorter than the five minutes of clock difference that the reference library tolerates. */
const GRACE_SECONDS = 60;

const clock = new FakeClock(new Date());
let test: TestApp;
let cast: Cast;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await Receiver.start();
  test = await createTestApp({ clock, env: SENDING });
  cast = await createCast(test);
});

afterAll(async () => {
  await test.close();
  await receiver.close();
});

beforeEach(() => {
  clock.time = new Date();
});

/** Each at its own path, since all of them get the events of the organisation. */
async function create(fields: object = {}): Promise<{ id: string; secret: string; path: string }> {
  const path = `/${unique('in')}`;
  const target_url = receiver.url + path;
  return { ...(await createEndpoint(cast.owner, { org_id: cast.orgId, target_url, ...fields })), path };
}

const rotate = async <S extends number = 200>(id: string, body?: object, status = 200 as S, api: Api = cast.admin) =>
  (await api.call('post', `/v1/webhooks/${id}/rotate-secret`, status, body)).body;

function isSignedWith(secret: string, { body, headers }: ReceivedWebhook): boolean {
  try {
    new Webhook(secret).verify(body.toString('utf8'), headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

/** The webhooks of a ping and a delivery. */
async function sendBoth({ id, path }: { id: string; path: string }): Promise<ReceivedWebhook[]> {
  const came = () => receiver.requests.filter((request) => request.path === path);
  const { length: before } = came();
  await cast.admin.post(`/v1/webhooks/${id}/ping`, undefined, 200);
  await createBundle(cast.owner, { org_id: cast.orgId });
  const requests = await eventually(
    () => came().slice(before),
    ({ length }) => length === 2,
    10_000,
  );
  const types = requests.map(({ body }) => (JSON.parse(body.toString('utf8')) as { type: string }).type);
  expect(types).toEqual(['webhook.ping', 'bundle.created']);
  // Its result must be recorded before a test moves the clock, or the lease is over and it comes again.
  await eventually(
    () =>
      test.dataSource.query<{ count: number }[]>(`SELECT count(*)::int FROM webhook_queue WHERE endpoint_id = $1`, [
        id,
      ]),
    ([row]) => row?.count === 0,
    10_000,
  );
  return requests;
}

/** For each secret, whether a ping and a delivery verify with it alone. */
async function verdicts(endpoint: { id: string; path: string }, secrets: string[]): Promise<boolean[]> {
  const requests = await sendBoth(endpoint);
  return secrets.map((secret) => {
    const [ping, delivery] = requests.map((request) => isSignedWith(secret, request));
    expect(delivery).toBe(ping);
    return ping === true;
  });
}

async function stored(id: string): Promise<Date[]> {
  const rows = await test.dataSource.query<{ expires_at: Date }[]>(
    `SELECT expires_at FROM webhook_former_secrets WHERE endpoint_id = $1 ORDER BY expires_at`,
    [id],
  );
  return rows.map(({ expires_at }) => expires_at);
}

describe('Rotating the secret of a webhook endpoint', () => {
  it('returns the endpoint with a new secret, which nothing else shows', async () => {
    const { id, secret: first } = await create({ headers: { 'X-Team': 'pagers' } });
    const before = (await cast.admin.get(`/v1/webhooks/${id}`)).body;
    const { secret, former_secrets_expire_at, updated_at, ...endpoint } = await rotate(id);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(secret).not.toBe(first);
    expect({ ...endpoint, updated_at: before.updated_at }).toEqual(before);
    expect(updated_at > before.updated_at).toBe(true);
    expect(former_secrets_expire_at).toBe(new Date(clock.now().getTime() + DAY_MS).toISOString());
    const after = await cast.admin.get(`/v1/webhooks/${id}`);
    expect(after.body).toEqual({ ...endpoint, updated_at });
    const [row] = await test.dataSource.query<{ whole: string }[]>(
      `SELECT concat(endpoints::text, former::text) AS whole FROM webhook_endpoints AS endpoints
       JOIN webhook_former_secrets AS former ON former.endpoint_id = endpoints.id WHERE endpoints.id = $1`,
      [id],
    );
    for (const clear of [first, secret].flatMap((text) => [text.slice(6), Buffer.from(text).toString('hex')])) {
      expect(row?.whole).not.toContain(clear);
    }
  });

  it.each([
    [undefined, DAY_MS],
    [{}, DAY_MS],
    [{ grace_seconds: null }, DAY_MS],
    [{ grace_seconds: 1 }, 1_000],
    [{ grace_seconds: 604_800 }, 7 * DAY_MS],
  ])('keeps the former secret for the grace period of %j', async (body, ms) => {
    const { id } = await create();
    const end = new Date(clock.now().getTime() + ms);
    expect(await rotate(id, body)).toMatchObject({ former_secrets_expire_at: end.toISOString() });
    expect(await stored(id)).toEqual([end]);
  });

  it.each([
    [{ grace_seconds: -1 }, 'grace_seconds', 'greater_than_equal'],
    [{ grace_seconds: 604_801 }, 'grace_seconds', 'less_than_equal'],
    [{ grace_seconds: 0.5 }, 'grace_seconds', 'int_parsing'],
    [{ grace_seconds: '60' }, 'grace_seconds', 'int_parsing'],
    [{ secret: 'whsec_mine' }, 'secret', 'extra_forbidden'],
  ])('rejects %j', async (body, field, type) => {
    const { id, secret, path } = await create();
    expect(await rotate(id, body, 422)).toMatchObject({ detail: [{ loc: ['body', field], type }] });
    expect(await verdicts({ id, path }, [secret])).toEqual([true]);
  });

  it('accepts an empty body, but not invalid JSON or a non-object', async () => {
    const { id } = await create();
    const path = `/v1/webhooks/${id}/rotate-secret` as const;
    await cast.admin.raw('post', path).set('Content-Type', 'application/json').send('').expect(200);
    // A chunked body, but without a single chunk.
    const headers = {
      Authorization: `Bearer ${cast.admin.token}`,
      'Content-Type': 'application/json',
      'Transfer-Encoding': 'chunked',
    };
    const call = request(test.url + path, { method: 'POST', headers }).end();
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    expect(answer.resume().statusCode).toBe(200);
    await cast.admin.raw('post', path).set('Content-Type', 'application/json').send('{').expect(422);
    await cast.admin.raw('post', path).set('Content-Type', 'application/json').send('[]').expect(422);
    await cast.admin.raw('post', path).set('Content-Type', 'text/plain').send('{}').expect(415);
  });

  it('signs deliveries and pings with both secrets until the grace period is over', async () => {
    const endpoint = await create();
    const { secret: old } = endpoint;
    expect(await verdicts(endpoint, [old])).toEqual([true]);
    const { secret: fresh } = await rotate(endpoint.id, { grace_seconds: GRACE_SECONDS });
    const foreign = (await create()).secret;
    expect(await verdicts(endpoint, [old, fresh, foreign])).toEqual([true, true, false]);
    clock.advance(GRACE_SECONDS * 1_000 - 1);
    expect(await verdicts(endpoint, [old, fresh])).toEqual([true, true]);
    clock.advance(1);
    expect(await verdicts(endpoint, [old, fresh])).toEqual([false, true]);
  });

  it('ends all former secrets at once with a grace period of 0', async () => {
    const { id, secret: first, path } = await create();
    const { secret: second } = await rotate(id);
    const { secret: third, former_secrets_expire_at } = await rotate(id, { grace_seconds: 0 });
    expect(former_secrets_expire_at).toBeNull();
    expect(await stored(id)).toEqual([]);
    expect(await verdicts({ id, path }, [first, second, third])).toEqual([false, false, true]);
  });

  it('shortens longer grace periods of earlier rotations', async () => {
    const { id } = await create();
    await rotate(id, { grace_seconds: 30 });
    await rotate(id, { grace_seconds: 604_800 });
    const at = (seconds: number) => new Date(clock.now().getTime() + seconds * 1_000);
    expect(await stored(id)).toEqual([at(30), at(604_800)]);
    expect(await rotate(id, { grace_seconds: GRACE_SECONDS })).toMatchObject({
      former_secrets_expire_at: at(GRACE_SECONDS).toISOString(),
    });
    expect(await stored(id)).toEqual([at(30), at(GRACE_SECONDS), at(GRACE_SECONDS)]);
  });

  it('keeps up to four former secrets, newest first, and says when a fifth is possible', async () => {
    const { id, secret: first, path } = await create();
    const secrets = [first];
    for (const grace_seconds of [20, 30, 40, 50]) secrets.unshift((await rotate(id, { grace_seconds })).secret);
    const [request] = await sendBoth({ id, path });
    const signatures = String(request?.headers['webhook-signature']).split(' ');
    expect(signatures).toHaveLength(5);
    for (const [index, secret] of secrets.entries()) {
      const only = { ...request?.headers, 'webhook-signature': signatures[index] };
      expect(isSignedWith(secret, { ...(request as ReceivedWebhook), headers: only })).toBe(true);
    }

    const next = new Date(clock.now().getTime() + 20_000);
    const refused = await rotate(id, { grace_seconds: 10 }, 409);
    expect(refused).toMatchObject({
      code: 'webhook_endpoint_conflict',
      detail: expect.stringContaining(next.toISOString()) as string,
    });
    expect(await verdicts({ id, path }, secrets)).toEqual([true, true, true, true, true]);

    clock.time = next;
    const { secret } = await rotate(id, { grace_seconds: 40 });
    expect(await stored(id)).toHaveLength(4);
    expect(await verdicts({ id, path }, [secret, ...secrets])).toEqual([true, true, true, true, true, false]);
    await rotate(id, { grace_seconds: 10 }, 409);
    await rotate(id, { grace_seconds: 0 });
    expect(await stored(id)).toEqual([]);
  });

  it('gives concurrent requests different secrets, up to the limit of four former ones', async () => {
    const { id } = await create();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => cast.admin.call('post', `/v1/webhooks/${id}/rotate-secret`, undefined)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 409, 409, 409, 409]);
    expect(await stored(id)).toHaveLength(4);
  });
});
