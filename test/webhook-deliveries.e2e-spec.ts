import fc from 'fast-check';
import { newId, timeOf } from '../src/database/id';
import { DELIVERY_STATUSES } from '../src/webhooks/deliveries/delivery-status';
import type { Api } from './support/api';
import { createTestApp, PUBLIC_URL, TestApp } from './support/app';
import {
  createDeliveries,
  createDelivery,
  createEvent,
  DeliveryFields,
  queueDelivery,
  queueOf,
} from './support/deliveries';
import { Cast, createCast, createEndpoint } from './support/factories';
import { allPages, nextPage } from './support/pages';

const TYPES = ['bundle.created', 'bundle.deleted', 'listing.published', 'member.added'];
const CLASSES = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'];
const FIELDS = [
  'attempt_count',
  'created_at',
  'error',
  'event_id',
  'event_type',
  'id',
  'last_attempt_at',
  'next_attempt_at',
  'response_status',
  'status',
];

interface Delivery {
  id: string;
  event_id: string;
  event_type: string;
  status: string;
  attempt_count: number;
  next_attempt_at: string | null;
  response_status: number | null;
  error: string | null;
  created_at: string;
  last_attempt_at: string | null;
}

let test: TestApp;
let cast: Cast;

beforeAll(async () => {
  // No worker, which would send what is queued.
  test = await createTestApp({ env: { RUN: 'api' } });
  cast = await createCast(test);
});

afterAll(() => test.close());

const pathOf = (endpointId: string) => `/v1/webhooks/${endpointId}/deliveries`;
const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

async function newEndpoint(fields: object = {}): Promise<string> {
  return (await createEndpoint(cast.owner, { org_id: cast.orgId, ...fields })).id;
}

async function list(api: Api, endpointId: string, query = ''): Promise<Delivery[]> {
  return (await api.get(pathOf(endpointId) + query)).body as Delivery[];
}

async function faultsOf(path: string): Promise<string[]> {
  const { body } = (await cast.admin.get(path, 422)) as { body: { detail: { loc: string[]; type: string }[] } };
  return body.detail.map(({ loc, type }) => `${type} at ${loc.join(' ')}`);
}

describe('The list of deliveries', () => {
  it('gives exactly the fields of the contract, newest first', async () => {
    const endpointId = await newEndpoint();
    const older = await createDelivery(test.dataSource, endpointId, {
      at: new Date('2026-11-20T08:30:00.123Z'),
      status: 'FAILED',
      attemptCount: 10,
      responseStatus: 503,
      error: 'http_status',
      lastAttemptAt: new Date('2026-11-20T09:00:00.456Z'),
    });
    const newer = await createDelivery(test.dataSource, endpointId, { at: new Date('2026-11-20T08:30:00.124Z') });
    const rows = await list(cast.admin, endpointId);
    expect(ids(rows)).toEqual([newer.id, older.id]);
    expect(Object.keys(rows[0] ?? {}).sort()).toEqual(FIELDS);
    expect(rows[1]).toEqual({
      id: older.id,
      event_id: older.eventId,
      event_type: 'bundle.created',
      status: 'FAILED',
      attempt_count: 10,
      next_attempt_at: null,
      response_status: 503,
      error: 'http_status',
      created_at: '2026-11-20T08:30:00.123Z',
      last_attempt_at: '2026-11-20T09:00:00.456Z',
    });
  });

  it('holds nothing of other endpoints, whatever is asked for', async () => {
    const [endpointId, other] = [await newEndpoint(), await newEndpoint()];
    const own = await createDelivery(test.dataSource, endpointId);
    await createDelivery(test.dataSource, other);
    for (const query of ['', '?status=SUCCEEDED', '?event_type=bundle.created', '?response_class=none']) {
      expect(ids(await list(cast.admin, endpointId, query))).toEqual([own.id]);
    }
    const empty = await newEndpoint();
    expect(await list(cast.admin, empty)).toEqual([]);
    expect(await list(cast.admin, empty, '?status=SUCCEEDED')).toEqual([]);
  });

  it('says when a pending one is due, unless it is under way or void', async () => {
    const endpointId = await newEndpoint();
    const dueAt = new Date('2026-11-20T08:30:00.000Z');
    const make = (status: DeliveryFields['status']) => createDelivery(test.dataSource, endpointId, { status });
    const [waiting, underWay, stale, done] = [
      await make('PENDING'),
      await make('PENDING'),
      await make('PENDING'),
      await make('SUCCEEDED'),
    ];
    await queueDelivery(test.dataSource, endpointId, waiting, { dueAt });
    await queueDelivery(test.dataSource, endpointId, underWay, { dueAt, claimId: newId() });
    await queueDelivery(test.dataSource, endpointId, stale, { dueAt, generation: 0 });
    const due = new Map((await list(cast.admin, endpointId)).map((row) => [row.id, row.next_attempt_at]));
    expect(due).toEqual(
      new Map([
        [waiting.id, dueAt.toISOString()],
        [underWay.id, null],
        [stale.id, null],
        [done.id, null],
      ]),
    );
  });

  describe('with many of every kind', () => {
    const BEGIN = Date.parse('2026-11-20T08:30:00.000Z');
    const SPAN_MS = 10_000;
    let endpointId: string;
    /** Newest first; what every filter is held against. */
    let all: Delivery[];

    beforeAll(async () => {
      endpointId = await newEndpoint();
      const kinds = TYPES.flatMap((type) =>
        DELIVERY_STATUSES.flatMap((status) =>
          [null, 101, 204, 301, 404, 503, 604].map((responseStatus) => ({ type, status, responseStatus })),
        ),
      ).filter(
        ({ type, status, responseStatus }) => type !== TYPES[3] || (status === 'FAILED' && responseStatus !== 503),
      );
      // Up to twelve of each, some in the same millisecond; the first kinds are the most frequent ones by far.
      const deliveries = kinds.flatMap((kind, index) =>
        Array.from({ length: index < 4 ? 60 : index % 12 }, (_, n) => ({
          ...kind,
          at: new Date(BEGIN + ((n * 997 + index * 331) % SPAN_MS)),
        })),
      );
      await createDeliveries(test.dataSource, endpointId, deliveries);
      // Neighbours in the index, before and after.
      for (const other of [await newEndpoint(), await newEndpoint()]) {
        await createDeliveries(test.dataSource, other, deliveries.slice(0, 50));
      }
      all = await allPages<Delivery>(cast.admin, `${pathOf(endpointId)}?limit=100`);
    });

    it('is whole and in order without a filter', async () => {
      const rows = await test.dataSource.query<{ id: string }[]>(
        `SELECT id FROM webhook_deliveries WHERE endpoint_id = $1 ORDER BY id DESC`,
        [endpointId],
      );
      expect(rows.length).toBeGreaterThan(400);
      expect(ids(all)).toEqual(ids(rows));
    });

    interface Wanted {
      status?: string;
      event_type?: string;
      response_class?: string;
      from?: Date;
      to?: Date;
    }

    const classOf = ({ response_status: status }: Delivery) =>
      status === null ? 'none' : `${Math.floor(status / 100)}xx`;
    const expected = ({ status, event_type, response_class, from, to }: Wanted) =>
      ids(
        all.filter(
          (row) =>
            (status === undefined || row.status === status) &&
            (event_type === undefined || row.event_type === event_type) &&
            (response_class === undefined || classOf(row) === response_class) &&
            (from === undefined || timeOf(row.id) >= from) &&
            (to === undefined || timeOf(row.id) < to),
        ),
      );
    const queryOf = ({ from, to, ...rest }: Wanted, limit: number) =>
      `?${new URLSearchParams({
        limit: String(limit),
        ...(JSON.parse(JSON.stringify(rest)) as Record<string, string>),
        ...(from && { from: from.toISOString() }),
        ...(to && { to: to.toISOString() }),
      }).toString()}`;

    it.each(DELIVERY_STATUSES)('gives those that are %s', async (status) => {
      const rows = await allPages<Delivery>(cast.admin, pathOf(endpointId) + queryOf({ status }, 30));
      expect(rows.length).toBeGreaterThan(60);
      expect(ids(rows)).toEqual(expected({ status }));
    });

    it.each(TYPES)('gives those of %s', async (event_type) => {
      const rows = await allPages<Delivery>(cast.admin, pathOf(endpointId) + queryOf({ event_type }, 30));
      expect(rows.length).toBeGreaterThan(10);
      expect(ids(rows)).toEqual(expected({ event_type }));
    });

    it.each(CLASSES)('gives those that were answered with %s', async (response_class) => {
      const rows = await allPages<Delivery>(cast.admin, pathOf(endpointId) + queryOf({ response_class }, 30));
      expect(rows.length).toBeGreaterThan(30);
      expect(ids(rows)).toEqual(expected({ response_class }));
    });

    it('gives nothing for what there is not', async () => {
      expect(expected({ event_type: 'member.added', response_class: '5xx' })).toEqual([]);
      for (const query of ['?event_type=member.added&response_class=5xx', '?event_type=member.removed']) {
        expect(await list(cast.admin, endpointId, query)).toEqual([]);
      }
    });

    it('gives any combination, in pages of any length', async () => {
      const instants = fc.integer({ min: -10, max: SPAN_MS + 10 }).map((ms) => new Date(BEGIN + ms));
      const wanted = fc.record<Wanted>(
        {
          status: fc.constantFrom(...DELIVERY_STATUSES),
          event_type: fc.constantFrom(...TYPES),
          response_class: fc.constantFrom(...CLASSES),
          from: instants,
          to: instants,
        },
        { requiredKeys: [] },
      );
      await fc.assert(
        fc.asyncProperty(wanted, fc.constantFrom(1, 2, 7, 8, 9, 31, 64, 100), async (filter, limit) => {
          const want = expected(filter);
          fc.pre(want.length / limit < 25);
          const rows = await allPages<Delivery>(cast.admin, pathOf(endpointId) + queryOf(filter, limit));
          expect(ids(rows)).toEqual(want);
        }),
        { numRuns: 120 },
      );
    }, 120_000);

    it('takes back the time that it gave, from it on and before it', async () => {
      const { created_at } = all[100] as Delivery;
      const from = await list(cast.admin, endpointId, `?limit=100&to=9999-12-31T23:59:59Z&from=${created_at}`);
      expect(ids(from)).toEqual(ids(all.slice(0, 100)));
      const to = await list(cast.admin, endpointId, `?limit=1&to=${created_at}`);
      expect(to[0]?.created_at.localeCompare(created_at)).toBe(-1);
      const inOffset = new Date(Date.parse(created_at) + 7_200_000).toISOString().replace('Z', '%2B02:00');
      expect(await list(cast.admin, endpointId, `?limit=100&from=${inOffset}`)).toEqual(from);
    });

    it('carries its filters in its cursors, in whatever form a time was given', async () => {
      const query = `?limit=10&status=FAILED&event_type=bundle.created&from=2026-11-20T08:30:00Z`;
      const first = await cast.admin.get(pathOf(endpointId) + query);
      const cursor = new URL(nextPage(first) ?? '', PUBLIC_URL).searchParams.get('cursor');
      const want = expected({ status: 'FAILED', event_type: 'bundle.created' }).slice(10, 20);
      for (const repeated of ['', '&status=FAILED', '&from=2026-11-20T09:30:00.000%2B01:00']) {
        const next = await list(cast.admin, endpointId, `?limit=10&cursor=${cursor}${repeated}`);
        expect(ids(next)).toEqual(want);
      }
      for (const other of ['status=PENDING', 'response_class=5xx', 'to=2026-11-20T08:30:00Z']) {
        const [name] = other.split('=');
        expect(await faultsOf(`${pathOf(endpointId)}?cursor=${cursor}&${other}`)).toEqual([
          `value_error at query ${name}`,
        ]);
      }
    });

    it('has cursors that nobody can change, and that are worth nothing elsewhere', async () => {
      const cursor =
        new URL(nextPage(await cast.admin.get(`${pathOf(endpointId)}?limit=1`)) ?? '', PUBLIC_URL).searchParams.get(
          'cursor',
        ) ?? '';
      for (let place = 0; place < cursor.length; place += 9) {
        const changed = cursor.slice(0, place) + (cursor[place] === 'A' ? 'B' : 'A') + cursor.slice(place + 1);
        expect(await faultsOf(`${pathOf(endpointId)}?cursor=${changed}`)).toEqual(['value_error at query cursor']);
      }
      const other = await newEndpoint();
      expect(await faultsOf(`${pathOf(other)}?cursor=${cursor}`)).toEqual(['value_error at query cursor']);
      expect(await faultsOf(`/v1/webhooks/${endpointId}/recoveries?cursor=${cursor}`)).toEqual([
        'value_error at query cursor',
      ]);
    });
  });

  it.each(['', '?status=SUCCEEDED', '?event_type=bundle.created'])(
    'shows nothing twice and leaves nothing out while others come (%s)',
    async (query) => {
      const endpointId = await newEndpoint();
      const at = (n: number) => new Date(Date.parse('2026-11-20T08:30:00.000Z') + n);
      const made = await createDeliveries(
        test.dataSource,
        endpointId,
        Array.from({ length: 25 }, (_, n) => ({ at: at(n) })),
      );
      let more = 25;
      const seen = await allPages<Delivery>(cast.admin, `${pathOf(endpointId)}${query || '?'}&limit=10`, () =>
        createDelivery(test.dataSource, endpointId, { at: at(more++) }),
      );
      expect(ids(seen)).toEqual(ids(made).reverse());
    },
  );

  it('tells all faults of a query at once', async () => {
    const endpointId = await newEndpoint();
    const query =
      'status=LOST&event_type=bundle.painted&response_class=6xx&from=yesterday&to=2026-11-20T08:30:00&limit=0';
    expect((await faultsOf(`${pathOf(endpointId)}?${query}`)).sort()).toEqual([
      'datetime_parsing at query from',
      'datetime_parsing at query to',
      'enum at query event_type',
      'enum at query response_class',
      'enum at query status',
      'greater_than_equal at query limit',
    ]);
    expect(await faultsOf(`${pathOf(endpointId)}?status=FAILED&status=PENDING`)).toEqual([
      'string_type at query status',
    ]);
  });
});

describe('A delivery', () => {
  interface Attempt {
    number: number;
    status: string;
    response_body: string | null;
    error: string | null;
  }
  interface Detail extends Delivery {
    payload: { type: string; timestamp: string; data: object } | null;
    attempts: Attempt[];
  }

  const attempt = (
    deliveryId: string,
    number: number,
    fields: { error?: string; status?: number; body?: string } = {},
  ) =>
    test.dataSource.query(
      `INSERT INTO webhook_attempts
         (delivery_id, number, started_at, duration_ms, response_status, response_body, error, error_message)
       VALUES ($1, $2, $3, 123, $4, $5, $6, $7)`,
      [
        deliveryId,
        number,
        new Date(Date.parse('2026-11-20T08:30:00.000Z') + number),
        fields.status ?? null,
        fields.body ?? null,
        fields.error ?? null,
        fields.error ? 'Told to a person.' : null,
      ],
    );

  async function read(endpointId: string, id: string): Promise<Detail> {
    return (await cast.admin.get(`${pathOf(endpointId)}/${id}`)).body as Detail;
  }

  it('has the body that is sent, and every attempt in its order', async () => {
    const endpointId = await newEndpoint();
    const createdAt = new Date('2026-11-20T08:29:59.999Z');
    const eventId = await createEvent(test.dataSource, { orgId: cast.orgId }, { createdAt });
    const [event] = await test.dataSource.query<{ data: object }[]>(`SELECT data FROM events WHERE id = $1`, [eventId]);
    const made = await createDelivery(test.dataSource, endpointId, {
      eventId,
      attemptCount: 3,
      responseStatus: 200,
      lastAttemptAt: new Date('2026-11-20T08:30:00.003Z'),
    });
    await attempt(made.id, 3, { status: 200, body: 'ok' });
    await attempt(made.id, 1, { status: 503, body: '', error: 'http_status' });
    const detail = await read(endpointId, made.id);
    const { payload, attempts, ...rest } = detail;
    expect([rest]).toEqual(await list(cast.admin, endpointId));
    expect(payload).toEqual({ type: 'bundle.created', timestamp: createdAt.toISOString(), data: event?.data });
    expect(attempts).toEqual([
      {
        number: 1,
        started_at: '2026-11-20T08:30:00.001Z',
        duration_ms: 123,
        status: 'FAILED',
        response_status: 503,
        response_body: '',
        error: 'http_status',
        error_message: 'Told to a person.',
      },
      {
        number: 3,
        started_at: '2026-11-20T08:30:00.003Z',
        duration_ms: 123,
        status: 'SUCCEEDED',
        response_status: 200,
        response_body: 'ok',
        error: null,
        error_message: null,
      },
    ]);
  });

  it('shows the latest hundred attempts of one that was sent very often', async () => {
    const endpointId = await newEndpoint();
    const { id } = await createDelivery(test.dataSource, endpointId);
    for (let number = 1; number <= 103; number++) await attempt(id, number, { error: 'timeout' });
    const { attempts } = await read(endpointId, id);
    expect(attempts.map(({ number }) => number)).toEqual(Array.from({ length: 100 }, (_, n) => n + 4));
  });

  it('can be read when its event is gone', async () => {
    const endpointId = await newEndpoint();
    const { id } = await createDelivery(test.dataSource, endpointId);
    expect(await read(endpointId, id)).toMatchObject({ id, payload: null, attempts: [] });
  });

  it('is not found under another endpoint, nor when there is none', async () => {
    const [endpointId, other] = [await newEndpoint(), await newEndpoint()];
    const { id } = await createDelivery(test.dataSource, endpointId);
    for (const path of [`${pathOf(other)}/${id}`, `${pathOf(endpointId)}/${newId()}`]) {
      expect((await cast.admin.get(path, 404)).body).toMatchObject({ code: 'webhook_delivery_not_found' });
      expect((await cast.admin.post(`${path}/redeliver`, undefined, 404)).body).toMatchObject({
        code: 'webhook_delivery_not_found',
      });
    }
    expect(await queueOf(test.dataSource, other)).toEqual([]);
    expect((await cast.admin.get(`${pathOf(newId())}/${id}`, 404)).body).toMatchObject({
      code: 'webhook_endpoint_not_found',
    });
    await cast.admin.get(`${pathOf(endpointId)}/latest`, 422);
  });

  it('is that of its organisation or person alone', async () => {
    const stranger = await createCast(test);
    const person = await test.as('a-person');
    const personal = (await createEndpoint(person)).id;
    for (const [endpointId, owner] of [
      [await newEndpoint(), cast.owner],
      [personal, person],
    ] as const) {
      const { id } = await createDelivery(test.dataSource, endpointId);
      expect(ids(await list(owner, endpointId))).toEqual([id]);
      for (const neighbour of [stranger.owner, stranger.admin, cast.outsider]) {
        await neighbour.get(pathOf(endpointId), 404);
        await neighbour.get(`${pathOf(endpointId)}/${id}`, 404);
        await neighbour.post(`${pathOf(endpointId)}/${id}/redeliver`, undefined, 404);
      }
    }
    await cast.owner.get(pathOf(personal), 404);
  });
});

describe('Redelivering', () => {
  const redeliver = async (endpointId: string, id: string, status = 200) =>
    (await cast.admin.post(`${pathOf(endpointId)}/${id}/redeliver`, undefined, status)).body as Delivery;

  it.each(DELIVERY_STATUSES)('queues one that is %s again, from the beginning of the schedule', async (status) => {
    const endpointId = await newEndpoint();
    const made = await createDelivery(test.dataSource, endpointId, {
      status,
      attemptCount: 4,
      responseStatus: 500,
      error: status === 'SUCCEEDED' ? null : 'http_status',
    });
    if (status === 'PENDING') {
      const dueAt = new Date(Date.now() + 3_600_000);
      await queueDelivery(test.dataSource, endpointId, made, { dueAt, step: 4, attempt: 4 });
    }
    const before = Date.now();
    const row = await redeliver(endpointId, made.id);
    expect(row).toMatchObject({ id: made.id, event_id: made.eventId, status: 'PENDING', attempt_count: 4 });
    expect([row]).toEqual(await list(cast.admin, endpointId));
    const queued = await queueOf(test.dataSource, endpointId);
    expect(queued).toHaveLength(1);
    expect(queued[0]).toMatchObject({ delivery_id: made.id, event_id: made.eventId, step: 0, attempt: 4 });
    const dueAt = queued[0]?.due_at ?? new Date(0);
    expect(row.next_attempt_at).toBe(dueAt.toISOString());
    expect(dueAt.getTime()).toBeGreaterThanOrEqual(before);
    expect(dueAt.getTime()).toBeLessThanOrEqual(Date.now());
    const [lane] = await test.dataSource.query<{ wake_at: Date }[]>(
      `SELECT wake_at FROM webhook_lanes WHERE endpoint_id = $1`,
      [endpointId],
    );
    expect(lane?.wake_at.getTime()).toBeLessThanOrEqual(dueAt.getTime());
  });

  it('records no event, and can be done again', async () => {
    const endpointId = await newEndpoint({ event_types: ['webhook.endpoint_disabled'] });
    const { id } = await createDelivery(test.dataSource, endpointId, { status: 'FAILED' });
    const count = async () =>
      (await test.dataSource.query<object[]>(`SELECT FROM events WHERE org_id = $1`, [cast.orgId])).length;
    const before = await count();
    await redeliver(endpointId, id);
    await redeliver(endpointId, id);
    expect(await count()).toBe(before);
    expect(await queueOf(test.dataSource, endpointId)).toHaveLength(1);
  });

  it('is refused while the endpoint is disabled, and changes nothing then', async () => {
    const endpointId = await newEndpoint();
    const { id } = await createDelivery(test.dataSource, endpointId, { status: 'FAILED' });
    await cast.admin.patch(`/v1/webhooks/${endpointId}`, { is_active: false });
    expect(await redeliver(endpointId, id, 409)).toMatchObject({ code: 'webhook_endpoint_conflict' });
    expect(await list(cast.admin, endpointId)).toMatchObject([{ id, status: 'FAILED' }]);
    expect(await queueOf(test.dataSource, endpointId)).toEqual([]);
    await cast.admin.post(`${pathOf(endpointId)}/${newId()}/redeliver`, undefined, 404);
    await cast.admin.patch(`/v1/webhooks/${endpointId}`, { is_active: true });
    await redeliver(endpointId, id);
    const [lane] = await test.dataSource.query<{ generation: number }[]>(
      `SELECT generation FROM webhook_lanes WHERE endpoint_id = $1`,
      [endpointId],
    );
    expect(await queueOf(test.dataSource, endpointId)).toMatchObject([{ delivery_id: id, ...lane }]);
  });

  it('by many at once queues it once', async () => {
    const endpointId = await newEndpoint();
    const { id } = await createDelivery(test.dataSource, endpointId, { status: 'FAILED' });
    await Promise.all(Array.from({ length: 12 }, () => redeliver(endpointId, id)));
    expect(await queueOf(test.dataSource, endpointId)).toHaveLength(1);
  });

  it('of a personal endpoint is its owner’s', async () => {
    const person = await test.as('redelivering-person');
    const endpointId = (await createEndpoint(person)).id;
    const { id } = await createDelivery(test.dataSource, endpointId, { status: 'CANCELLED' });
    await person.post(`${pathOf(endpointId)}/${id}/redeliver`, undefined, 200);
    expect(await queueOf(test.dataSource, endpointId)).toMatchObject([{ delivery_id: id }]);
  });
});
