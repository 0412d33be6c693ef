import { Api } from '../support/api';
import { createTestApp, TestApp } from '../support/app';
import { createCast, createEndpoint, createListing, idOf, unique } from '../support/factories';
import { holding, untilBlocked } from '../support/held-lock';
import { answer, myInvitations } from '../support/invitations';

const ME = '/v1/users/me';

describe('Deleting an account while invitations and requests are in flight', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
  });

  afterAll(() => test.close());

  const query = <T = Record<string, unknown>>(sql: string, parameters: unknown[] = []): Promise<T[]> =>
    test.dataSource.query<T[]>(sql, parameters);

  it('removes all addresses by which the person was invited, former ones included', async () => {
    const { orgId, owner } = await createCast(test);
    const subject = unique('renamed');
    const invite = async (email: string) =>
      (await owner.post(`/v1/organisations/${orgId}/members`, { email, role: 'MEMBER' })).body;
    const addresses = ['declined', 'accepted', 'pending'].map((word) => `${unique(word)}@example.com`);
    const [declined, accepted, pending] = addresses as [string, string, string];
    const calledBy = async (email: string) => {
      const api = new Api(test.url, test.document, await test.token(subject, { email }));
      await idOf(api);
      return api;
    };
    await answer(await calledBy(declined), (await invite(declined)).id, 'decline');
    await answer(await calledBy(accepted), (await invite(accepted)).id, 'accept');
    const leaver = await calledBy(pending);
    const other = await createCast(test);
    await other.owner.post(`/v1/organisations/${other.orgId}/members`, { email: pending, role: 'MEMBER' });
    const revoked = `${unique('revoked')}@example.com`;
    await owner.delete(`/v1/organisations/${orgId}/invitations/${(await invite(revoked)).id}`);
    await leaver.delete(ME, 204);
    const kept = await query<{ email: string }>(`SELECT email FROM invitations WHERE email = ANY ($1)`, [addresses]);
    expect(kept).toEqual([]);
    for (const address of [...addresses, revoked]) {
      expect(await query(`SELECT id FROM audit_log WHERE strpos(audit_log::text, $1) > 0`, [address])).toEqual([]);
    }
  });

  it('closes the account as of the end of the deletion, however long it takes', async () => {
    const leaver = await test.as(unique('slow-leaver'));
    const id = await idOf(leaver);
    const { id: endpointId } = await createEndpoint(leaver);
    const lock = `SELECT FROM webhook_endpoints WHERE id = '${endpointId}' FOR UPDATE`;
    const blockedAt = await holding(test.dataSource, lock, async (release) => {
      const deletion = leaver.call('delete', ME, undefined);
      await untilBlocked(test.dataSource, 1);
      const [row] = await query<{ instant: string }>(
        `SELECT date_trunc('milliseconds', clock_timestamp())::text AS instant`,
      );
      await release();
      await deletion;
      return row?.instant;
    });
    const closed = await query(
      `SELECT closed_at >= $2::timestamptz AS is_late, deleted_at = closed_at AS is_same FROM users WHERE id = $1`,
      [id, blockedAt],
    );
    expect(closed).toEqual([{ is_late: true, is_same: true }]);
  });

  it('keeps an invitation to an address that now belongs to another person', async () => {
    const { orgId, owner } = await createCast(test);
    const email = `${unique('handed-on')}@example.com`;
    const people: Api[] = [];
    for (const subject of [unique('former'), unique('present')]) {
      const api = new Api(test.url, test.document, await test.token(subject, { email }));
      await idOf(api);
      people.push(api);
    }
    const [former, present] = people as [Api, Api];
    const invited = (await owner.post(`/v1/organisations/${orgId}/members`, { email, role: 'MEMBER' })).body;
    await former.delete(ME, 204);
    expect((await myInvitations(present)).map(({ id }) => id)).toEqual([invited.id]);
    await present.delete(ME, 204);
    await owner.get(`/v1/organisations/${orgId}/invitations/${invited.id}`, 404);
  });

  it('refuses requests of the account that are in flight, and lets them create nothing', async () => {
    const cast = await createCast(test);
    const subject = unique('leaver-in-flight');
    const leaver = await test.as(subject);
    const id = await idOf(leaver);
    const { id: endpointId } = await createEndpoint(leaver);
    await createListing(test.dataSource);
    const body = { email: `${subject}@example.com`, role: 'MEMBER' } as const;
    const invited = (await cast.owner.post(`/v1/organisations/${cast.orgId}/members`, body)).body;
    const requests: [path: string, body?: object][] = [
      ['/v1/organisations', { name: unique('In flight') }],
      ['/v1/bundles', { name: 'In flight' }],
      ['/v1/webhooks', { target_url: 'https://hooks.example.com/in', event_types: ['bundle.created'] }],
      [
        '/v1/mcp/listings',
        {
          server: { name: 'com.example/in-flight', description: 'A tool server.', version: '1.0.0' },
          category: 'testing',
          visibility: 'PRIVATE',
        },
      ],
      ['/v1/mcp/namespaces', { namespace: 'com.in-flight' }],
      [`/v1/users/me/invitations/${invited.id}/accept`],
    ];
    // The last thing that a deletion takes before it closes the account.
    const lock = `SELECT FROM webhook_endpoints WHERE id = '${endpointId}' FOR UPDATE`;
    const statuses = await holding(test.dataSource, lock, async (release) => {
      const deletion = leaver.call('delete', ME, undefined);
      await untilBlocked(test.dataSource, 1);
      const inFlight = requests.map(([path, given]) => leaver.call('post', path, undefined, given));
      await untilBlocked(test.dataSource, 1 + requests.length);
      await release();
      const answers = await Promise.all([deletion, ...inFlight]);
      return answers.map(({ status }) => status);
    });
    expect(statuses).toEqual([204, ...requests.map(() => 401)]);
    const left = await query<{ left: string }>(
      `SELECT 'bundle' AS left FROM bundles WHERE owner_id = $1 UNION ALL
       SELECT 'endpoint' FROM webhook_endpoints WHERE owner_id = $1 UNION ALL
       SELECT 'listing' FROM listings WHERE owner_id = $1 UNION ALL
       SELECT 'namespace' FROM namespaces WHERE user_id = $1 UNION ALL
       SELECT 'membership' FROM memberships WHERE user_id = $1`,
      [id],
    );
    expect(left).toEqual([]);
  });
});
