import { SharedTurns } from '../../src/database/shared-turns';
import type { Api } from '../support/api';
import type { Bundle } from '../support/api-types';
import { createTestApp, type TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { createCast, type Cast, unique } from '../support/factories';
import { holding, untilBlocked } from '../support/held-lock';
import { watchEvents } from '../support/organisations';
import { statementsOf } from '../support/statements';

const MOST = 6;

interface Sent {
  status: number;
  body: Bundle & { code?: string; detail?: string };
}

/** While one bundle of a caller waits for the lock of the cap, others wait; they share the next transaction. */
describe('Bundles that are created at the same time', () => {
  let test: TestApp;
  let cast: Cast;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api', LIMIT_BUNDLES_PER_ORGANISATION: String(MOST) } });
  });

  beforeEach(async () => {
    cast = await createCast(test);
  });

  afterAll(() => test.close());

  const post = async (api: Api, fields: object = {}): Promise<Sent> => {
    const answer = await api.raw('post', '/v1/bundles').send({ name: unique('Bundle'), org_id: cast.orgId, ...fields });
    return { status: answer.status, body: answer.body as Sent['body'] };
  };

  /** @param whileHeld what to do while nobody gets the lock of the organisation's cap */
  const holdingCap = <T>(whileHeld: (release: () => Promise<void>) => Promise<T>): Promise<T> =>
    holding(
      test.dataSource,
      `SELECT pg_advisory_xact_lock(hashtextextended('cap of bundles of an organisation: ${cast.orgId}', 0))`,
      whileHeld,
    );

  /** The first takes its turn and has to wait for the lock; the others wait for the next turn. */
  async function createAtOnce(bundles: readonly object[]): Promise<Sent[]> {
    const made = jest.spyOn(SharedTurns.prototype, 'make');
    try {
      return await holdingCap(async (release) => {
        const first = post(cast.owner, bundles[0]);
        await untilBlocked(test.dataSource, 1);
        const others = bundles.slice(1).map((fields) => post(cast.owner, fields));
        await eventually(
          () => made.mock.calls.length,
          (calls) => calls === bundles.length,
          5_000,
        );
        await release();
        return Promise.all([first, ...others]);
      });
    } finally {
      made.mockRestore();
    }
  }

  it('share a transaction, and each has all that it would have had alone', async () => {
    const events = watchEvents(test.dataSource, cast.orgId);
    await events();
    const names = Array.from({ length: MOST }, () => unique('Bundle'));
    let sent: Sent[] = [];
    const statements = await statementsOf(test, async () => {
      sent = await createAtOnce(names.map((name) => ({ name, description: `About ${name}`, visibility: 'PUBLIC' })));
    });
    expect(sent.map(({ status }) => status)).toEqual(names.map(() => 201));
    expect(statements.filter(({ sql }) => sql === 'COMMIT')).toHaveLength(2);
    expect(sent.map(({ body }) => body.name)).toEqual(names);
    for (const { body } of sent) {
      expect((await cast.owner.get(`/v1/bundles/${body.id}`)).body).toEqual(body);
      expect((await cast.owner.get(`/v1/bundles/${body.id}/versions`)).body).toMatchObject([
        { action: 'CREATED', changes: { added: 0, moved: 0 } },
      ]);
    }
    const told = await events();
    expect(told.map(({ type, data }) => [type, data.bundle_id]).sort()).toEqual(
      sent.map(({ body }) => ['bundle.created', body.id]).sort(),
    );
  });

  it('do not fail because the slug of one is taken', async () => {
    const slug = unique('slug').toLowerCase();
    const sent = await createAtOnce([{}, {}, { slug }, { slug }, {}]);
    expect(sent.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 409]);
    const refused = sent.find(({ status }) => status === 409);
    expect(refused?.body.detail).toContain('slug');
    expect([sent[2], sent[3]]).toContain(refused);
  });

  it('are as many as the cap leaves room for', async () => {
    const sent = await createAtOnce(Array.from({ length: MOST + 3 }, () => ({})));
    const refused = sent.filter(({ status }) => status === 409);
    expect([sent.length - refused.length, refused.length]).toEqual([MOST, 3]);
    for (const { body } of refused) expect(body.detail).toContain(`${MOST} bundles, which is the limit`);
    expect((await cast.owner.get(`/v1/bundles?org_id=${cast.orgId}`)).body).toHaveLength(MOST);
  });

  it('are refused to an outsider without waiting for the members', async () => {
    const outsider = await test.as(unique('outsider'));
    const answers = await holdingCap(async () => {
      const member = post(cast.owner);
      await untilBlocked(test.dataSource, 1);
      const refused = await Promise.all([post(outsider), post(outsider), post(outsider)]);
      return { member, refused };
    });
    expect(answers.refused.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await answers.member).status).toBe(201);
  });
});
