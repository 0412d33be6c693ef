import type { Response } from 'supertest';
import { DataSource } from 'typeorm';
import { LIMITS } from '../../src/scim/protocol/limits';
import type { ScimBulkResult } from '../support/api-types';
import { createTestApp, type TestApp } from '../support/app';
import { holding, untilBlocked } from '../support/held-lock';
import { ERROR_URN, newGroup, newUser } from '../support/scim';
import { Directory } from '../support/scim-directory';

const CONNECTIONS = 2;
/** The requirement: every answer well below this. */
const MAX_ANSWER_MS = 10_000;

describe('A SCIM request that takes too long', () => {
  let test: TestApp;
  let directory: Directory;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api', DATABASE_POOL_SIZE: String(CONNECTIONS) } });
    directory = await Directory.create(test);
  });

  afterEach(() => jest.restoreAllMocks());

  afterAll(() => test.close());

  it('is limited to less time than clients wait', () => {
    expect(2 * LIMITS.filterMs).toBeLessThan(MAX_ANSWER_MS);
    expect(LIMITS.bulkMs).toBeLessThan(MAX_ANSWER_MS);
  });

  /** The timeouts of all connections of the application, each of which must be free to be taken. */
  async function patienceOfConnections(): Promise<string[]> {
    const dataSource = test.app.get(DataSource);
    const runners = Array.from({ length: CONNECTIONS }, () => dataSource.createQueryRunner());
    try {
      const asked = await Promise.all(
        runners.map((runner): Promise<unknown> => runner.query(`SHOW statement_timeout`)),
      );
      return asked.map((rows) => JSON.stringify(rows));
    } finally {
      for (const runner of runners) await runner.release();
    }
  }

  it.each<[string, () => Promise<Response>]>([
    [
      'a list',
      () => directory.provider.api.call('get', directory.path('Users', { filter: 'title co "x"' }), undefined),
    ],
    [
      'a search',
      () =>
        directory.provider.api.call('post', directory.path('.search'), undefined, {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
          filter: 'displayName co "x"',
        }),
    ],
  ])('is rejected if it is the filter of %s, and holds no connection', async (_, ask) => {
    const before = await patienceOfConnections();
    const limits: { filterMs: number } = LIMITS;
    jest.replaceProperty(limits, 'filterMs', 150);
    await holding(test.dataSource, `LOCK TABLE scim_users IN ACCESS EXCLUSIVE MODE`, async () => {
      // More than there are connections: each must be returned before the next.
      const answers = await Promise.all(Array.from({ length: CONNECTIONS + 1 }, ask));
      for (const { status, body, headers } of answers) {
        expect(status).toBe(400);
        expect(headers['content-type']).toMatch(/^application\/scim\+json/);
        expect(body).toMatchObject({ schemas: [ERROR_URN], status: '400', scimType: 'tooMany' });
      }
    });
    expect((await ask()).status).toBe(200);
    expect(await patienceOfConnections()).toEqual(before);
  });

  it('stops a bulk request: completed operations stay, and the others can be sent again', async () => {
    const kept = await directory.createUser();
    const now = performance.now.bind(performance);
    let passed = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now() + passed);
    const post = (bulkId: string, path: string, data: object) => ({ method: 'POST', path, bulkId, data });
    const send = async (operations: object[]): Promise<ScimBulkResult[]> => {
      const body = { schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'], Operations: operations };
      const answer = await directory.provider.api.call('post', directory.path('Bulk'), 200, body);
      return answer.body.Operations;
    };
    const begun = [post('ada', '/Users', newUser()), post('club', '/Groups', newGroup(['bulkId:ada']))];
    const late = [
      post('eve', '/Users', newUser({ userName: 'eve' })),
      post('choir', '/Groups', newGroup(['bulkId:eve'])),
      { method: 'DELETE', path: `/Users/${kept.id}`, bulkId: 'gone' },
    ];

    const results = await holding(test.dataSource, `LOCK TABLE scim_groups IN SHARE MODE`, async (release) => {
      const sent = send([...begun, ...late]);
      await untilBlocked(test.dataSource, 1);
      // While the second operation is in progress, which is finished.
      passed = LIMITS.bulkMs + 1;
      await release();
      return sent;
    });

    expect(results.map(({ bulkId, status }) => [bulkId, status])).toEqual([
      ['ada', '201'],
      ['club', '201'],
      ['eve', '503'],
      ['choir', '503'],
      ['gone', '503'],
    ]);
    for (const { location, response } of results.slice(2)) {
      expect(location).toBeUndefined();
      expect(response).toMatchObject({ schemas: [ERROR_URN], status: '503' });
    }
    const idAt = (index: number) => results[index]?.location?.split('/').at(-1) ?? '';
    expect(await directory.membersOf(idAt(1))).toEqual([idAt(0)]);
    expect(await directory.read(`Users/${kept.id}`)).toEqual(kept);
    expect(await directory.list('Users', { filter: 'userName eq "eve"' })).toMatchObject({ totalResults: 0 });

    expect((await send(late)).map(({ status }) => status)).toEqual(['201', '201', '204']);
  });
});
