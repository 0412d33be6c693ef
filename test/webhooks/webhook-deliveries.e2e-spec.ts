import fc from 'fast-check';
import { newId, timeOf } from '../../src/database/id';
import { DELIVERY_STATUSES } from '../../src/webhooks/deliveries/delivery-status';
import type { Api } from '../support/api';
import type { WebhookDelivery } from '../support/api-types';
import { createTestApp, PUBLIC_URL, TestApp } from '../support/app';
import { createDeliveries, createDelivery, DeliveryFields, queueDelivery } from '../support/deliveries';
import { Cast, createCast, createEndpoint } from '../support/factories';
import { allPages, nextPage } from '../support/pages';
import type { Query } from '../support/typed-paths';

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

let test: TestApp;
let cast: Cast;

beforeAll(async () => {
  // Without a worker, which would send what is queued.
  test = await createTestApp({ env: { RUN: 'api' } });
  cast = await createCast(test);
});

afterAll(() => test.close());

const pathOf = (endpointId: string) => `/v1/webhooks/${endpointId}/deliveries` as const;
const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

async function newEndpoint(fields: object = {}): Promise<string> {
  return (await createEndpoint(cast.owner, { org_id: cast.orgId, ...fields })).id;
}

async function list(api: Api, endpointId: string, query: Query = ''): Promise<WebhookDelivery[]> {
  return (await api.get(`${pathOf(endpointId)}${query}`)).body;
}

async function faultsOf(path: `/v1/webhooks/${string}/${'deliveries' | 'recoveries'}?${string}`): Promise<string[]> {
  const { body } = await cast.admin.get(path, 422);
  return body.detail.map(({ loc, type }) => `${type} at ${loc.join(' ')}`);
}

describe('The list of webhook deliveries', () => {
  it('returns exactly the fields of the contract, newest first', async () => {
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

  it('contains nothing of other endpoints, whatever the filter', async () => {
    const [endpointId, other] = [await newEndpoint(), await newEndpoint()];
    const own = await createDelivery(test.dataSource, endpointId);
    await createDelivery(test.dataSource, other);
    for (const query of ['', '?status=SUCCEEDED', '?event_type=bundle.created', '?response_class=none'] as const) {
      expect(ids(await list(cast.admin, endpointId, query))).toEqual([own.id]);
    }
    const empty = await newEndpoint();
    expect(await list(cast.admin, empty)).toEqual([]);
    expect(await list(cast.admin, empty, '?status=SUCCEEDED')).toEqual([]);
  });

  it('shows when a pending delivery is due, unless it is in progress or void', async () => {
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

  describe('with many deliveries of every kind', () => {
    const BEGIN = Date.parse('2026-11-20T08:30:00.000Z');
    const SPAN_MS = 10_000;
    let endpointId: string;
    /** Newest first; the expected rows of every filter are taken from it. */
    let all: WebhookDelivery[];

    beforeAll(async () => {
      endpointId = await newEndpoint();
      const kinds = TYPES.flatMap((type) =>
        DELIVERY_STATUSES.flatMap((status) =>
          [null, 101, 204, 301, 404, 503, 604].map((responseStatus) => ({ type, status, responseStatus })),
        ),
      ).filter(
        ({ type, status, responseStatus }) => type !== TYPES[3] || (status === 'FAILED' && responseStatus !== 503),
      );
      // Up to twelve of each, some in the same millisecond; the first kinds are by far the most frequent.
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
      all = await allPages(cast.admin, `${pathOf(endpointId)}?limit=100`);
    });

    it('is complete and in order without a filter', async () => {
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

    const classOf = ({ response_status: status }: WebhookDelivery) =>
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
    const queryOf = ({ from, to, ...rest }: Wanted, limit: number): Query =>
      `?${new URLSearchParams({
        limit: String(limit),
        ...(JSON.parse(JSON.stringify(rest)) as Record<string, string>),
        ...(from && { from: from.toISOString() }),
        ...(to && { to: to.toISOString() }),
      }).toString()}`;

    it.each(DELIVERY_STATUSES)('can be filtered by status %s', async (status) => {
      const rows = await allPages(cast.admin, `${pathOf(endpointId)}${queryOf({ status }, 30)}`);
      expect(rows.length).toBeGreaterThan(60);
      expect(ids(rows)).toEqual(expected({ status }));
    });

    it.each(TYPES)('can be filtered by event type %s', async (event_type) => {
      const rows = await allPages(cast.admin, `${pathOf(endpointId)}${queryOf({ event_type }, 30)}`);
      expect(rows.length).toBeGreaterThan(10);
      expect(ids(rows)).toEqual(expected({ event_type }));
    });

    it.each(CLASSES)('can be filtered by response class %s', async (response_class) => {
      const rows = await allPages(cast.admin, `${pathOf(endpointId)}${queryOf({ response_class }, 30)}`);
      expect(rows.length).toBeGreaterThan(30);
      expect(ids(rows)).toEqual(expected({ response_class }));
    });

    it('is empty if no delivery matches', async () => {
      expect(expected({ event_type: 'member.added', response_class: '5xx' })).toEqual([]);
      for (const query of ['?event_type=member.added&response_class=5xx', '?event_type=member.removed'] as const) {
        expect(await list(cast.admin, endpointId, query)).toEqual([]);
      }
    });

    it('matches any combination of filters, in pages of any length', async () => {
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
          const rows = await allPages(cast.admin, `${pathOf(endpointId)}${queryOf(filter, limit)}`);
          expect(ids(rows)).toEqual(want);
        }),
        { numRuns: 120 },
      );
    });

    it('accepts its own timestamps as from (inclusive) and to (exclusive)', async () => {
      const { created_at } = all[100] as WebhookDelivery;
      const from = await list(cast.admin, endpointId, `?limit=100&to=9999-12-31T23:59:59Z&from=${created_at}`);
      expect(ids(from)).toEqual(ids(all.slice(0, 100)));
      const to = await list(cast.admin, endpointId, `?limit=1&to=${created_at}`);
      expect(to[0]?.created_at.localeCompare(created_at)).toBe(-1);
      const inOffset = new Date(Date.parse(created_at) + 7_200_000).toISOString().replace('Z', '%2B02:00');
      expect(await list(cast.admin, endpointId, `?limit=100&from=${inOffset}`)).toEqual(from);
    });

    it('carries its filters in its cursors, however the times are written', async () => {
      const query = `?limit=10&status=FAILED&event_type=bundle.created&from=2026-11-20T08:30:00Z`;
      const first = await cast.admin.get(`${pathOf(endpointId)}${query}`);
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

    it('rejects cursors that were changed or are from another list', async () => {
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

  it.each(['', '&status=SUCCEEDED', '&event_type=bundle.created'])(
    'repeats and misses nothing while new deliveries arrive (%s)',
    async (query) => {
      const endpointId = await newEndpoint();
      const at = (n: number) => new Date(Date.parse('2026-11-20T08:30:00.000Z') + n);
      const deliveries = await createDeliveries(
        test.dataSource,
        endpointId,
        Array.from({ length: 25 }, (_, n) => ({ at: at(n) })),
      );
      let more = 25;
      const seen = await allPages(cast.admin, `${pathOf(endpointId)}?limit=10${query}`, () =>
        createDelivery(test.dataSource, endpointId, { at: at(more++) }),
      );
      expect(ids(seen)).toEqual(ids(deliveries).reverse());
    },
  );

  it('reports all errors of a query at once', async () => {
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
