import type { OpenAPIObject } from '@nestjs/swagger';
import { References } from '../../src/http/openapi/openapi-references';
import { type Operation } from '../../src/http/openapi/openapi-walk';
import { type Answer, Api } from '../support/api';
import type { Listing } from '../support/api-types';
import { createTestApp, PUBLIC_URL, TestApp } from '../support/app';
import { createBundle, createEndpoint, createListing } from '../support/factories';
import { faultsOf } from '../support/faults';
import { allPages, nextPage } from '../support/pages';
import { ScimConnection } from '../support/scim-connection';
import { listIn } from '../support/scim-directory';

const PATH = '/v1/mcp/listings';
const TOTAL = 35;

describe('Pages of a list', () => {
  let test: TestApp;
  let alice: Api;
  let newestFirst: string[];

  beforeAll(async () => {
    test = await createTestApp({ env: { PLATFORM_ADMINS: 'platform@example.com' } });
    alice = await test.as('alice');
    const made: string[] = [];
    for (let index = 0; index < TOTAL; index++) {
      made.push(await createListing(test.dataSource, { category: index % 5 === 0 ? 'rare' : 'common' }));
    }
    newestFirst = made.reverse();
    for (const fields of [{ status: 'DRAFT' }, { status: 'ARCHIVED' }, { visibility: 'PRIVATE' }]) {
      await createListing(test.dataSource, fields);
    }
  });

  afterAll(async () => {
    await test.close();
    expect(test.log.join('')).not.toContain(alice.token?.split('.')[2]);
  });

  const ids = (rows: Listing[]) => rows.map(({ id }) => id);
  const cursorOf = async (path: string, api = alice) =>
    new URL(nextPage(await api.get(path)) ?? '', PUBLIC_URL).searchParams.get('cursor') ?? '';
  const faultsAt = async (path: `${typeof PATH}?${string}`) => faultsOf(await alice.get(path, 422));

  it.each([1, 7, 34, 35, 36, 100])('contain every row once, in order, %i at a time', async (limit) => {
    expect(ids(await allPages(alice, `${PATH}?limit=${limit}`))).toEqual(newestFirst);
  });

  it('have 30 rows by default', async () => {
    const first = await alice.get(PATH);
    expect(first.body).toHaveLength(30);
    const second = await alice.get(nextPage(first) ?? '');
    expect(second.body).toHaveLength(TOTAL - 30);
    expect(nextPage(second)).toBeUndefined();
  });

  it('do not end with an empty page', async () => {
    const first = await alice.get(`${PATH}?limit=${TOTAL}`);
    expect(first.body).toHaveLength(TOTAL);
    expect(first.headers.link).toBeUndefined();
  });

  it('neither repeat nor miss a row when others are added and removed in between', async () => {
    const doomed = await createListing(test.dataSource, { category: 'common' });
    const late: string[] = [];
    const rows = await allPages(alice, `${PATH}?limit=10`, async () => {
      late.push(await createListing(test.dataSource, { category: 'common' }));
      await test.dataSource.query(`DELETE FROM listings WHERE id = $1`, [doomed]);
    });
    await test.dataSource.query(`DELETE FROM listings WHERE id = ANY($1)`, [late]);
    expect(ids(rows)).toEqual([doomed, ...newestFirst]);
  });

  it('link to the next page (RFC 8288) below the public address', async () => {
    const response = await alice.get(`${PATH}?limit=10&unknown=1`);
    expect(response.headers.link).toMatch(
      /^<https:\/\/toolyard\.test\/v1\/mcp\/listings\?limit=10&cursor=[A-Za-z0-9_-]+>; rel="next"$/,
    );
  });

  it('keep verify_locally=false in the links to the next pages', async () => {
    const next = nextPage(await alice.get(`${PATH}?limit=20&verify_locally=no`)) ?? '';
    expect(new URL(next, PUBLIC_URL).searchParams.get('verify_locally')).toBe('false');
    expect((await alice.get(next)).body).toHaveLength(TOTAL - 20);
  });

  describe('requested by a cursor', () => {
    it('keep the filter of the first page, with any limit', async () => {
      const rare = await allPages(alice, `${PATH}?category=rare&limit=3`);
      expect(rare).toHaveLength(TOTAL / 5);
      expect(new Set(rare.map(({ category }) => category))).toEqual(new Set(['rare']));
      const cursor = await cursorOf(`${PATH}?category=rare&limit=3`);
      const rest = await alice.get(`${PATH}?cursor=${cursor}&limit=100`);
      expect(ids(rest.body)).toEqual(ids(rare.slice(3)));
      const same = await alice.get(`${PATH}?cursor=${cursor}&limit=100&category=rare`);
      expect(same.body).toEqual(rest.body);
    });

    it('cannot use another filter', async () => {
      const [filtered, all] = [await cursorOf(`${PATH}?category=rare&limit=3`), await cursorOf(`${PATH}?limit=3`)];
      expect(await faultsAt(`${PATH}?cursor=${filtered}&category=common`)).toEqual(['query.category value_error']);
      expect(await faultsAt(`${PATH}?cursor=${all}&category=common`)).toEqual(['query.category value_error']);
    });

    it('are the same on every replica', async () => {
      const replica = await createTestApp({ database: test.database });
      const cursor = await cursorOf(`${PATH}?limit=3`, await replica.as('bob'));
      await replica.close();
      const rest = await alice.get(`${PATH}?cursor=${cursor}&limit=100`);
      expect(ids(rest.body)).toEqual(newestFirst.slice(3));
    });

    it('are refused if the cursor was changed at any position', async () => {
      const cursor = await cursorOf(`${PATH}?category=rare&limit=3`);
      for (let place = 0; place < cursor.length; place += 5) {
        const changed = cursor.slice(0, place) + (cursor[place] === 'A' ? 'B' : 'A') + cursor.slice(place + 1);
        expect(await faultsAt(`${PATH}?cursor=${changed}`)).toEqual(['query.cursor value_error']);
      }
    });

    it('are refused for anything that is not a cursor', async () => {
      const cursor = await cursorOf(`${PATH}?limit=3`);
      const forged = Buffer.from(JSON.stringify([newestFirst[0], {}])).toString('base64url');
      for (const other of [
        'x',
        forged,
        cursor.slice(0, -1),
        `${cursor}A`,
        `${cursor}%3D`,
        `%20${cursor}`,
        `${cursor}%0A`,
      ]) {
        expect(await faultsAt(`${PATH}?cursor=${other}`)).toEqual(['query.cursor value_error']);
      }
    });

    it('start at the beginning if the cursor is empty, in every list of every API', async () => {
      const owner = await test.as('platform');
      const { id: orgId } = (await owner.post('/v1/organisations', { name: 'Lists' })).body;
      const provider = await ScimConnection.open(test, owner, orgId);
      const things = { org_id: orgId, bundle_id: (await createBundle(owner, { org_id: orgId })).id };
      const ids: Record<string, string> = {
        ...things,
        endpoint_id: (await createEndpoint(owner, { org_id: orgId })).id,
      };
      const lists = listsOf(test.document).filter(({ names }) => names.every((name) => name in ids));
      expect(lists.length).toBeGreaterThan(20);
      for (const { path } of lists) {
        const isScim = path.includes('/scim/v2/');
        const api = isScim ? new Api(test.url, test.document, provider.token) : owner;
        const address = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');
        // Whose view is previewed.
        const query = path.endsWith('/endpoint/preview') ? ['as=role', 'id=ORG_MEMBER'] : [];
        const asked = (...parameters: string[]) => api.get([address, parameters.join('&')].filter(Boolean).join('?'));
        const [first, empty] = [await asked(...query), await asked(...query, 'cursor=')];
        // In SCIM an empty cursor also requests cursor paging (RFC 9865), which the answer shows.
        const shown = (answer: Answer) => (isScim ? listIn(answer).Resources : answer.body);
        expect({ path, body: shown(empty) }).toEqual({ path, body: shown(first) });
      }
    });

    it('are refused if the cursor is from another list', async () => {
      for (const name of ['One', 'Two']) await alice.post('/v1/bundles', { name });
      const foreign = await cursorOf('/v1/bundles?limit=1');
      expect(await faultsAt(`${PATH}?cursor=${foreign}`)).toEqual(['query.cursor value_error']);
    });

    it('are refused if the cursor is from an installation with another key', async () => {
      const env = { SECRETS_KEY: Buffer.alloc(32, 8).toString('base64') };
      const stranger = await createTestApp({ env });
      for (let index = 0; index < 4; index++) await createListing(stranger.dataSource);
      const foreign = await cursorOf(`${PATH}?limit=3`, await stranger.as('bob'));
      await stranger.close();
      expect(await faultsAt(`${PATH}?cursor=${foreign}`)).toEqual(['query.cursor value_error']);
    });
  });
});

/** The paths of all lists with a cursor, and the names of their parameters. */
function listsOf(document: OpenAPIObject): { path: string; names: string[] }[] {
  const references = new References(document);
  return Object.entries(document.paths)
    .filter(([, item]) =>
      ((item.get as Operation | undefined)?.parameters ?? []).some((parameter) => {
        const { name, in: place } = references.resolve<{ name?: string; in?: string }>(parameter);
        return name === 'cursor' && place === 'query';
      }),
    )
    .map(([path]) => ({ path, names: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name) }));
}
