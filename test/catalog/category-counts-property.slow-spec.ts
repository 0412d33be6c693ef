import fc from 'fast-check';
import { CategoryCounts } from '../../src/catalog/categories/category-counts.service';
import type { Api } from '../support/api';
import type { ListingDetail } from '../support/api-types';
import { createTestApp, FakeClock, TestApp } from '../support/app';
import { unique } from '../support/factories';

const NINE_HOURS_MS = 9 * 3_600_000;
const CATEGORIES = ['first', 'second', 'third'];

type Step =
  | { do: 'create'; category: number; visibility: 'PUBLIC' | 'PRIVATE' }
  | { do: 'publish' | 'archive' | 'restore' | 'delete' | 'new version'; which: number }
  | { do: 'move'; which: number; category: number }
  | { do: 'show'; which: number; visibility: 'PUBLIC' | 'PRIVATE' }
  | { do: 'move all'; from: number; to: number }
  | { do: 'refresh' };

const which = fc.nat(7);
const category = fc.nat(CATEGORIES.length - 1);
const visibility = fc.constantFrom('PUBLIC' as const, 'PUBLIC' as const, 'PRIVATE' as const);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('create' as const), category, visibility }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom(...(['publish', 'publish', 'archive', 'restore', 'delete', 'new version'] as const)),
      which,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('move' as const), which, category }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('show' as const), which, visibility }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('move all' as const), from: category, to: category }) },
  { weight: 2, arbitrary: fc.constant({ do: 'refresh' as const }) },
);

describe('The listing counts of categories', () => {
  let test: TestApp;
  let clock: FakeClock;
  let chief: Api;
  const ids = new Map<string, number>();

  beforeAll(async () => {
    // In the past, so that no token has expired.
    clock = new FakeClock(new Date('2020-06-01T00:00:00.000Z'));
    test = await createTestApp({ clock, env: { RUN: 'api', PLATFORM_ADMINS: 'chief' } });
    chief = await test.as('chief');
    for (const slug of CATEGORIES) {
      ids.set(slug, (await chief.post('/v1/mcp/categories', { name: slug })).body.id);
    }
  });

  afterAll(() => test.close());

  it('equal the number of published, public listings at the refresh, after any sequence of changes', async () => {
    let refreshes = 0;
    let counted = 0;
    const known: ListingDetail[] = [];

    const call = async (path: string, body?: object) => {
      const response = await chief.call('post', `/v1/mcp/listings${path}`, undefined, body);
      expect([200, 201, 409]).toContain(response.status);
      return response;
    };
    /** After a step that may have been refused: the listing as it is shown now. */
    const reread = async (one: ListingDetail) =>
      Object.assign(one, (await chief.get(`/v1/mcp/listings/${one.id}`)).body);

    const take = async (one: Step): Promise<void> => {
      if (one.do === 'refresh') {
        clock.advance(NINE_HOURS_MS);
        expect(await test.app.get(CategoryCounts).refreshIfDue()).toBe(true);
        // Not from the answer, which a notification renews a moment later.
        const rows = await test.dataSource.query<{ slug: string; mcp_count: number }[]>(
          `SELECT slug, mcp_count FROM category_counts JOIN categories ON categories.id = category_id`,
        );
        const counts = Object.fromEntries(rows.map(({ slug, mcp_count }) => [slug, mcp_count]));
        for (const slug of CATEGORIES) {
          const expected = known.filter(
            (listing) => listing.category === slug && listing.status === 'PUBLISHED' && listing.visibility === 'PUBLIC',
          ).length;
          expect([slug, counts[slug]]).toEqual([slug, expected]);
          counted += expected;
        }
        refreshes++;
        return;
      }
      if (one.do === 'create') {
        const name = `io.github.count/${unique('server')}`;
        const server = { name, description: 'Counted.', version: '1.0.0' };
        const created = await chief.call('post', '/v1/mcp/listings', 201, {
          server,
          category: CATEGORIES[one.category],
          visibility: one.visibility,
        });
        known.push(created.body);
        return;
      }
      if (one.do === 'move all') {
        if (one.from === one.to) return;
        const [from, to] = [CATEGORIES[one.from] ?? '', CATEGORIES[one.to] ?? ''];
        await chief.post(`/v1/mcp/categories/${ids.get(from)}/move-listings`, { to }, 200);
        for (const listing of known) if (listing.category === from) listing.category = to;
        return;
      }
      const listing = known.length > 0 ? known[one.which % known.length] : undefined;
      if (!listing) return;
      switch (one.do) {
        case 'delete': {
          const { status } = await chief.call('delete', `/v1/mcp/listings/${listing.id}`, undefined);
          expect(status).toBe(listing.status === 'DRAFT' ? 204 : 409);
          if (status === 204) known.splice(known.indexOf(listing), 1);
          return;
        }
        case 'move':
          await chief.patch(`/v1/mcp/listings/${listing.id}`, { category: CATEGORIES[one.category] });
          break;
        case 'show':
          await chief.patch(`/v1/mcp/listings/${listing.id}`, { visibility: one.visibility });
          break;
        case 'new version': {
          const server = { name: listing.name, description: 'Counted.', version: `1.${unique('v').slice(2)}.0` };
          await call(`/${listing.id}/versions`, { server });
          break;
        }
        default:
          await call(`/${listing.id}/${one.do}`);
      }
      await reread(listing);
    };

    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 25 }), async (steps) => {
        for (const one of steps) await take(one);
        await take({ do: 'refresh' });
      }),
      { numRuns: 40, endOnFailure: true },
    );
    expect(refreshes).toBeGreaterThan(60);
    expect(counted).toBeGreaterThan(200);
  });
});
