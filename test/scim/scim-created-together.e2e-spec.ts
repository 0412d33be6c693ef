import { BatchedTransactions } from '../../src/database/batched-transactions';
import { createTestApp, type TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { idOf, unique } from '../support/factories';
import { holding, untilBlocked } from '../support/held-lock';
import { syncOf } from '../support/organisations';
import { newUser } from '../support/scim';
import { Directory } from '../support/scim-directory';
import { statementsOf } from '../support/statements';

interface Sent {
  status: number;
  body: { id?: string; detail?: string };
}

/** While one change of an organisation takes place, others wait; users that are to be created then share the next turn. */
describe('Users that are created at the same time', () => {
  let test: TestApp;
  let directory: Directory;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
  });

  beforeEach(async () => {
    directory = await Directory.create(test);
  });

  afterAll(() => test.close());

  async function post(body: object, requestId: string): Promise<Sent> {
    const response = await fetch(`${test.url}${directory.path('Users')}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${directory.provider.token}`,
        'Content-Type': 'application/scim+json',
        'X-Request-Id': requestId,
      },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Sent['body'] };
  }

  /**
   * The first of the users takes its turn and has to wait for the organisation's lock; all others wait for the next.
   *
   * @param meanwhile runs when all of them wait
   */
  async function createAtOnce(users: readonly object[], meanwhile = () => Promise.resolve()): Promise<Sent[]> {
    const joined = jest.spyOn(BatchedTransactions.prototype, 'make');
    try {
      return await holding(
        test.dataSource,
        `SELECT FROM organisations WHERE id = '${directory.orgId}' FOR UPDATE`,
        async (release) => {
          const first = post(users[0] ?? {}, 'request-0');
          await untilBlocked(test.dataSource, 1);
          const others = users.slice(1).map((user, index) => post(user, `request-${index + 1}`));
          await eventually(
            () => joined.mock.calls.length,
            (calls) => calls === users.length,
            5_000,
          );
          await meanwhile();
          await release();
          return Promise.all([first, ...others]);
        },
      );
    } finally {
      joined.mockRestore();
    }
  }

  const many = <Row>(sql: string) => test.dataSource.query<Row[]>(sql, [directory.orgId]);

  it('share a transaction, and each has all that it would have had alone', async () => {
    await directory.events();
    const users = Array.from({ length: 10 }, () => newUser());
    let sent: Sent[] = [];
    const statements = await statementsOf(test, async () => {
      sent = await createAtOnce(users);
    });
    expect(sent.map(({ status }) => status)).toEqual(users.map(() => 201));
    expect(statements.filter(({ sql }) => sql === 'COMMIT')).toHaveLength(2);

    const ids = sent.map(({ body }) => body.id ?? '');
    const accounts = await Promise.all(ids.map((id) => directory.accountOf(id)));
    expect(await Promise.all(ids.map((id) => directory.roleOf(id)))).toEqual(ids.map(() => 'MEMBER'));
    const told = await directory.events();
    for (const type of ['scim.user_provisioned', 'member.added']) {
      const about = told.filter((event) => event.type === type).map(({ data }) => data.user_id);
      expect(about.sort()).toEqual([...accounts].sort());
    }
    const audited = await many<{ request_id: string; subject_id: string }>(
      `SELECT request_id, subject_id FROM audit_log WHERE org_id = $1 AND action = 'member.added' AND actor_type = 'scim_token'`,
    );
    expect(new Map(audited.map(({ request_id, subject_id }) => [request_id, subject_id]))).toEqual(
      new Map(accounts.map((account, index) => [`request-${index}`, account])),
    );
    const logged = await many<{ request_id: string; resource_id: string; status: number }>(
      `SELECT request_id, resource_id, status FROM scim_log WHERE org_id = $1 AND method = 'POST'`,
    );
    expect(logged).toHaveLength(10);
    expect(logged).toEqual(
      expect.arrayContaining(
        ids.map((id, index) => ({ request_id: `request-${index}`, resource_id: id, status: 201 })),
      ),
    );
    expect(await syncOf(directory.owner, directory.orgId)).toMatchObject({ joined: 0, promoted: 0, demoted: 0 });
  });

  it.each(['MEMBER', 'ADMIN', null] as const)('have the role that a sync gives them, by default %s', async (role) => {
    const settings = { default_role: role, allow_owner_mapping: false, last_owner_policy: 'retain' } as const;
    await directory.owner.put(`/v1/organisations/${directory.orgId}/scim/settings`, settings, 200);
    const alone = [await directory.createUser(), await directory.createUser({ active: false })];
    const together = await createAtOnce([newUser(), newUser({ active: false }), newUser()]);
    const ids = [...alone.map(({ id }) => id), ...together.map(({ body }) => body.id ?? '')];
    const active = role ?? undefined;
    expect(await Promise.all(ids.map((id) => directory.roleOf(id)))).toEqual([
      active,
      undefined,
      active,
      undefined,
      active,
    ]);
    const counts = { joined: 0, promoted: 0, demoted: 0, removed: 0, retained: 0 };
    expect(await syncOf(directory.owner, directory.orgId)).toMatchObject(counts);
  });

  it('do not fail because one of them does', async () => {
    const { userName } = await directory.createUser();
    const externalId = unique('external');
    const users = [
      newUser(),
      newUser(),
      newUser({ userName }),
      newUser({ externalId }),
      newUser({ externalId, displayName: 'Too late' }),
      newUser(),
    ];
    const sent = await createAtOnce(users);
    expect(sent.map(({ status }) => status)).toEqual([201, 201, 409, expect.any(Number), expect.any(Number), 201]);
    expect([sent[3]?.status, sent[4]?.status].sort()).toEqual([201, 409]);
    expect(sent[2]?.body.detail).toContain('userName');
    const rows = await many<{ status: number }>(
      `SELECT status FROM scim_log WHERE org_id = $1 AND request_id LIKE 'request-%' ORDER BY status`,
    );
    expect(rows.map(({ status }) => status)).toEqual([201, 201, 201, 201, 409, 409]);
  });

  it('are asked for their consent, if someone uses their account already', async () => {
    const subject = unique('known');
    const userId = await idOf(await test.as(subject));
    const known = newUser({ userName: `${subject}@example.com` });
    const sent = await createAtOnce([newUser(), newUser(), known, newUser()]);
    expect(sent.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const [asked] = await many<{ consent: string; request_id: string }>(
      `SELECT consent, request_id FROM scim_users JOIN audit_log ON subject_id = scim_users.id
       WHERE scim_users.org_id = $1 AND user_id = '${userId}' AND action = 'member.pending'`,
    );
    expect(asked).toEqual({ consent: 'PENDING', request_id: 'request-2' });
    const roles = await Promise.all(sent.map(({ body }) => directory.roleOf(body.id ?? '')));
    expect(roles).toEqual(['MEMBER', 'MEMBER', undefined, 'MEMBER']);
  });

  it('with one address get accounts of their own, and a note in the log', async () => {
    const emails = [{ value: `${unique('shared')}@example.com` }];
    const users = [newUser(), ...Array.from({ length: 3 }, () => newUser({ emails }))];
    const sent = await createAtOnce(users);
    const accounts = await Promise.all(sent.map(({ body }) => directory.accountOf(body.id ?? '')));
    expect(new Set(accounts).size).toBe(4);
    const rows = await many<{ notes: string[] }>(`SELECT notes FROM scim_log WHERE org_id = $1 AND method = 'POST'`);
    expect(rows.filter(({ notes }) => notes.length === 1)).toHaveLength(2);
  });

  it('are all refused if their token was revoked while they waited', async () => {
    const sent = await createAtOnce([newUser(), newUser(), newUser()], async () => {
      await many(`DELETE FROM scim_tokens WHERE org_id = $1`);
    });
    // The statement of the first one had begun before.
    expect(sent.map(({ status }) => status)).toEqual([201, 401, 401]);
    expect(await many(`SELECT id FROM scim_users WHERE org_id = $1`)).toHaveLength(1);
  });
});
