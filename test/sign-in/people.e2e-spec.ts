import { hash, randomBytes } from 'node:crypto';
import { newId } from '../../src/database/id';
import { SignInWays } from '../../src/sign-in/ways/sign-in-ways';
import { Api } from '../support/api';
import { createTestApp, FakeClock, TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { createBundle, createCast, createEndpoint, createListing, idOf, unique } from '../support/factories';
import { faultsOf } from '../support/faults';
import { holding, untilBlocked } from '../support/held-lock';
import { allPages } from '../support/pages';

const USERS = '/v1/users';
const DAY_MS = 86_400_000;

describe('Administering people', () => {
  let test: TestApp;
  let root: Api;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api', PLATFORM_ADMINS: 'root@example.com' } });
    root = await test.as('root');
    await idOf(root);
  });

  afterAll(() => test.close());

  const query = <Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> =>
    test.dataSource.query<Row[]>(sql, parameters);
  const newPerson = async (name = unique('person')) => {
    const api = await test.as(name);
    return { api, id: await idOf(api), email: `${name}@example.com` };
  };
  /** As a sign-in in a browser leaves it. */
  const addSession = (userId: string) =>
    query(
      `INSERT INTO sessions (id, digest, user_id, methods, signed_in_at, last_seen_at, expires_at, address, device)
       VALUES ($1, $2, $3, '{pwd}', now(), now(), now() + interval '1 day', '192.0.2.1', 'test')`,
      [newId(), hash('sha256', randomBytes(32), 'buffer'), userId],
    );
  const sessionsOf = async (userId: string) =>
    (await query(`SELECT id FROM sessions WHERE user_id = $1`, [userId])).length;
  const shown = async (userId: string) => (await allPages(root, `${USERS}?limit=100`)).find(({ id }) => id === userId);

  describe('the list', () => {
    it('has every account once, newest first, in pages, without deleted ones', async () => {
      const people = [await newPerson(), await newPerson(), await newPerson()];
      const gone = await newPerson();
      await root.delete(`/v1/users/${gone.id}`);
      const ids = (await allPages(root, `${USERS}?limit=2`)).map(({ id }) => id);
      expect(ids).toEqual([...ids].sort().reverse());
      expect(ids).toEqual(expect.arrayContaining(people.map(({ id }) => id)));
      expect(ids).not.toContain(gone.id);
    });

    it('says who somebody is, whether they administer the platform, and how they can sign in', async () => {
      const { id } = await newPerson();
      const issuer = 'https://login.example.org';
      await query(`INSERT INTO identities (issuer, subject, user_id) VALUES ($1, $2, $3)`, [issuer, unique('s'), id]);
      expect((await shown(id))?.sign_in).toEqual([]);
      test.app.get(SignInWays).acceptIssuer(issuer);
      expect(await shown(id)).toMatchObject({
        state: 'ACTIVE',
        is_platform_admin: false,
        sign_in: [{ kind: 'IDENTITY', issuer }],
        closed_at: null,
        last_signed_in_at: null,
      });
      expect(await shown(await idOf(root))).toMatchObject({ email: 'root@example.com', is_platform_admin: true });
    });

    it.each([
      ['lovel', true],
      ['ADA', true],
      ['countess@analytical', true],
      ['engine example', true],
      ['ada byron', false],
      ['velace', false],
      ['’', false],
    ])('finds by the beginnings of words in name and address: %s', async (search, isFound) => {
      const id = newId();
      await query(`INSERT INTO users (id, email, name, claimed_at) VALUES ($1, $2, 'Ada Lovelace', now())`, [
        id,
        `countess+${id}@analytical-engine.example`,
      ]);
      const found = await allPages(root, `${USERS}?search=${encodeURIComponent(search)}`);
      expect(found.some((user) => user.id === id)).toBe(isFound);
    });

    it('finds names that are not ASCII however they were typed, and takes no operators', async () => {
      const id = newId();
      await query(`INSERT INTO users (id, name, claimed_at) VALUES ($1, $2, now())`, [
        id,
        'Žofie Dvořák'.normalize('NFD'),
      ]);
      for (const search of ['Dvořák', 'dvořák'.normalize('NFD'), `'žof' & dvoř`]) {
        const found = await root.get(`/v1/users?search=${encodeURIComponent(search)}`);
        expect([search, found.body.map((user) => user.id)]).toEqual([search, [id]]);
      }
      expect((await root.get(`/v1/users?search=${encodeURIComponent(`dvořák | !a:* \\ '`)}`)).body).toEqual([]);
    });

    it('filters by state, also together with a search', async () => {
      const word = unique('filter');
      const ids = { ACTIVE: newId(), WAITING: newId(), CLOSED: newId() };
      for (const [state, id] of Object.entries(ids)) {
        await query(`INSERT INTO users (id, email, claimed_at, closed_at) VALUES ($1, $2, $3, $4)`, [
          id,
          `${word}.${state}@example.com`,
          state === 'WAITING' ? null : new Date(),
          state === 'CLOSED' ? new Date() : null,
        ]);
      }
      for (const [state, id] of Object.entries(ids)) {
        const found = await root.get(`/v1/users?search=${word}&state=${state}`);
        expect(found.body.map((user) => [user.id, user.state])).toEqual([[id, state]]);
        const all = await allPages(root, `${USERS}?state=${state}`);
        expect([...new Set(all.map((user) => user.state))]).toEqual([state]);
      }
    });

    it('refuses searches that are not text, have no word or are too long, with the name of the field', async () => {
      for (const search of ['%00', '', '---', 'x'.repeat(201)]) {
        const refused = await root.raw('get', `/v1/users?search=${search}`);
        expect([search, refused.status]).toEqual([search, 422]);
      }
      expect(faultsOf(await root.get('/v1/users?state=OPEN&search=a&search=b', 422))).toEqual(
        expect.arrayContaining(['query.state enum']),
      );
    });
  });

  it('is read by its id, and says why it is there', async () => {
    const { api, id, email } = await newPerson();
    const orgs = await Promise.all(
      Array.from({ length: 6 }, async () => (await api.post('/v1/organisations', { name: unique('Org') })).body),
    );
    const { body } = await root.get(`/v1/users/${id}`);
    expect(body).toMatchObject({ id, email, state: 'ACTIVE', organisation_count: 6 });
    const first = orgs.toSorted((a, b) => (a.id < b.id ? -1 : 1)).slice(0, 5);
    expect(body.organisations).toEqual(first.map(({ id: org_id, name }) => ({ org_id, name, role: 'OWNER' })));
    expect(await shown(id)).toEqual(body);
    expect((await root.get(`/v1/users/${await idOf(root)}`)).body).toMatchObject({
      organisations: [],
      organisation_count: 0,
      is_platform_admin: true,
    });
    await root.get(`/v1/users/${newId()}`, 404);
  });

  describe('the preview of a departure', () => {
    it('counts what closing ends and what deletion takes, and names organisations without another OWNER', async () => {
      const { api, id } = await newPerson();
      const empty = (await root.get(`/v1/users/${id}/departure-preview`)).body;
      expect(Object.values(empty).filter((value) => typeof value === 'number' && value > 0)).toEqual([]);
      await addSession(id);
      const { body: org } = await api.post('/v1/organisations', { name: unique('Alone') });
      await createBundle(api);
      await createBundle(api);
      await createBundle(api, { org_id: org.id });
      await createEndpoint(api, {});
      const draft = { status: 'DRAFT', visibility: 'PRIVATE', ownerId: id } as const;
      await createListing(test.dataSource, draft);
      const listingId = await createListing(test.dataSource, { visibility: 'PUBLIC', ownerId: id });
      await api.post(`/v1/mcp/listings/${listingId}/reviews`, { rating: 5 });
      await query(
        `INSERT INTO personal_access_tokens (id, user_id, name, prefix, digest, scopes, expires_at)
         VALUES ($1, $2, 'ci', 'tlyp_1234', $3, '{}', now() + interval '1 day')`,
        [newId(), id, randomBytes(32)],
      );
      expect((await root.get(`/v1/users/${id}/departure-preview`)).body).toEqual({
        user_id: id,
        last_owner_of: [{ org_id: org.id, name: org.name }],
        session_count: 1,
        application_count: 0,
        access_token_count: 1,
        membership_count: 1,
        bundle_count: 2,
        credential_count: 0,
        deleted_listing_count: 1,
        archived_listing_count: 1,
        endpoint_count: 1,
        review_count: 1,
      });
      await api.get(`/v1/users/${id}/departure-preview`, 403);
      await root.get(`/v1/users/${newId()}/departure-preview`, 404);
    });
  });

  describe('closing an account', () => {
    it('ends its sessions and tokens everywhere, and opening it again lets the person back in', async () => {
      const name = unique('person');
      const { api, id } = await newPerson(name);
      await addSession(id);
      const closed = (await root.post(`/v1/users/${id}/close`, undefined, 200)).body;
      expect(closed).toMatchObject({ id, state: 'CLOSED', closed_at: expect.any(String) as string });
      expect(await sessionsOf(id)).toBe(0);
      await api.get('/v1/users/me', 401);
      const again = (await root.post(`/v1/users/${id}/close`, {}, 200)).body;
      expect(again.closed_at).toBe(closed.closed_at);
      expect((await root.post(`/v1/users/${id}/reopen`, undefined, 200)).body).toMatchObject({
        state: 'ACTIVE',
        closed_at: null,
      });
      // No token from before. Tokens have whole seconds, so one of this second is no later one.
      await api.get('/v1/users/me', 401);
      const response = await eventually(
        async () => (await test.as(name)).raw('get', '/v1/users/me'),
        ({ status }) => status === 200,
        2_000,
      );
      expect(response.body).toMatchObject({ id });
      expect(await sessionsOf(id)).toBe(0);
    });

    it('is refused for one’s own account, an unknown one and a deleted one', async () => {
      const refused = await root.post(`/v1/users/${await idOf(root)}/close`, undefined, 409);
      expect(refused.body).toMatchObject({ code: 'user_conflict' });
      await root.post(`/v1/users/${newId()}/close`, undefined, 404);
      const { id } = await newPerson();
      await root.post(`/v1/users/${id}/password-reset-link`, undefined, 200);
      await root.delete(`/v1/users/${id}`);
      expect(await query(`SELECT FROM password_resets WHERE user_id = $1`, [id])).toEqual([]);
      await root.post(`/v1/users/${id}/close`, undefined, 404);
      await root.post(`/v1/users/${id}/reopen`, undefined, 404);
      await root.post(`/v1/users/${id}/password-reset-link`, undefined, 404);
      expect(faultsOf(await root.raw('post', '/v1/users/me/close'))).toEqual(['path.user_id uuid_parsing']);
    });

    it('leaves no organisation without an OWNER, unless that is allowed', async () => {
      const { owner, orgId } = await createCast(test);
      const id = await idOf(owner);
      const refused = await root.post(`/v1/users/${id}/close`, undefined, 409);
      expect(refused.body).toMatchObject({ code: 'last_owner' });
      expect((await owner.get(`/v1/organisations/${orgId}`)).status).toBe(200);
      await root.post(`/v1/users/${id}/close`, { allow_last_owner: true }, 200);
      await owner.get(`/v1/organisations/${orgId}`, 401);
      await root.post(`/v1/users/${id}/reopen`, undefined, 200);
      await owner.get(`/v1/organisations/${orgId}`, 401);
      const found = await query(`SELECT FROM memberships WHERE user_id = $1 AND role = 'OWNER'`, [id]);
      expect(found).toHaveLength(1);
    });

    it('leaves one platform administrator when two close each other', async () => {
      const own = await createTestApp({ env: { RUN: 'api' } });
      try {
        const admins = await Promise.all(
          ['one', 'two'].map(async (name) => new Api(own.url, own.document, await own.token(name, { isAdmin: true }))),
        );
        const ids = await Promise.all(admins.map((api) => idOf(api)));
        await own.dataSource.query(`UPDATE users SET is_platform_admin = true`);
        const statuses = await Promise.all(
          admins.map(async (api, index) => (await api.raw('post', `/v1/users/${ids[1 - index]}/close`)).status),
        );
        // The one who was closed first is either too late by authentication or by the rule.
        expect(statuses.filter((status) => status === 200)).toHaveLength(1);
        expect(statuses.find((status) => status !== 200)).toBe(409);
        const open = await own.dataSource.query<object[]>(`SELECT FROM users WHERE closed_at IS NULL`);
        expect(open).toHaveLength(1);
      } finally {
        await own.close();
      }
    });

    it('waits for a sign-in that has begun, and ends its session', async () => {
      const { id } = await newPerson();
      const secret = randomBytes(32);
      const closing = await holding(
        test.dataSource,
        `WITH held AS (SELECT id FROM users WHERE id = '${id}' AND closed_at IS NULL FOR KEY SHARE)
         INSERT INTO sessions (id, digest, user_id, methods, signed_in_at, last_seen_at, expires_at, address, device)
         SELECT '${newId()}', '\\x${secret.toString('hex')}', id, '{pwd}', now(), now(), now() + interval '1 day',
                '192.0.2.1', 'test' FROM held`,
        async (release) => {
          const closed = root.post(`/v1/users/${id}/close`, undefined, 200);
          await untilBlocked(test.dataSource, 1);
          await release();
          return closed;
        },
      );
      expect(closing.body.state).toBe('CLOSED');
      expect(await sessionsOf(id)).toBe(0);
    });

    it('cannot be undone while another account has the address', async () => {
      const { id, email } = await newPerson();
      await root.post(`/v1/users/${id}/close`, undefined, 200);
      await query(`INSERT INTO users (id, email, claimed_at) VALUES ($1, $2, now())`, [newId(), email]);
      expect((await root.post(`/v1/users/${id}/reopen`, undefined, 409)).body).toMatchObject({ code: 'user_conflict' });
    });
  });

  describe('inviting', () => {
    const invite = (email: string) => root.post('/v1/users/invitations', { email });

    it('answers the link once, and stores only its digest', async () => {
      const email = `${unique('Guest')}@Example.com`;
      const created = await root.post('/v1/users/invitations', { email, name: 'Guest' });
      const { link, mailed, ...invitation } = created.body;
      expect(mailed).toBe(false);
      expect(link).toMatch(/^https:\/\/toolyard\.test\/invitations\/[A-Za-z0-9_-]{43}$/);
      expect(created.headers['cache-control']).toContain('no-store');
      expect(created.headers.location).toBe(`/v1/users/invitations/${invitation.id}`);
      expect(invitation).toMatchObject({ email, name: 'Guest', invited_by: await idOf(root) });
      expect(new Date(invitation.expires_at).getTime() - new Date(invitation.created_at).getTime()).toBe(7 * DAY_MS);
      expect((await root.get(`/v1/users/invitations/${invitation.id}`)).body).toEqual(invitation);
      expect((await allPages(root, '/v1/users/invitations?limit=2'))[0]).toEqual(invitation);
      const secret = link.split('/').at(-1) ?? '';
      const stored = await query(`SELECT account_invitations::text FROM account_invitations`);
      expect(JSON.stringify(stored)).not.toContain(secret);
      expect(JSON.stringify(stored)).toContain(hash('sha256', secret, 'hex'));
      expect(test.log.join('')).not.toContain(secret);
    });

    it('replaces the former invitation of an address, in whatever case', async () => {
      const name = unique('again');
      const [first, second] = [await invite(`${name}@example.com`), await invite(`${name.toUpperCase()}@EXAMPLE.com`)];
      await root.get(`/v1/users/invitations/${first.body.id}`, 404);
      expect((await root.get(`/v1/users/invitations/${second.body.id}`)).status).toBe(200);
    });

    it('refuses an address that has an account, with advice, and not one that waits', async () => {
      const { id, email } = await newPerson();
      const refused = (await root.post('/v1/users/invitations', { email: email.toUpperCase() }, 409)).body;
      expect(refused).toMatchObject({ code: 'user_conflict', detail: expect.stringContaining('reset link') as string });
      await root.post(`/v1/users/${id}/close`, undefined, 200);
      const closed = (await root.post('/v1/users/invitations', { email }, 409)).body;
      expect(closed).toMatchObject({ detail: expect.stringContaining('closed') as string });
      const waiting = `${unique('waiting')}@example.com`;
      await query(`INSERT INTO users (id, email) VALUES ($1, $2)`, [newId(), waiting]);
      await invite(waiting);
    });

    it('can be taken back', async () => {
      const { id } = (await invite(`${unique('back')}@example.com`)).body;
      await root.delete(`/v1/users/invitations/${id}`);
      await root.delete(`/v1/users/invitations/${id}`, 404);
    });

    it('checks the fields', async () => {
      const bodies = [
        {},
        { email: 'x' },
        { email: 'a@b c' },
        { email: 'a\0@b.c' },
        { email: `${'a'.repeat(251)}@b.c` },
      ];
      for (const body of [...bodies, { email: 'a@b.c', name: ' ' }, { email: 'a@b.c', role: 'OWNER' }]) {
        const refused = await root.raw('post', '/v1/users/invitations').send(body);
        expect([body, refused.status]).toEqual([body, 422]);
      }
    });

    it('is bounded however many requests come at once, not counting expired invitations', async () => {
      const clock = new FakeClock();
      const own = await createTestApp({ clock, env: { RUN: 'api', LIMIT_ACCOUNT_INVITATIONS: '3' } });
      try {
        const admin = new Api(own.url, own.document, await own.token('admin', { isAdmin: true, ttl: 30 * 86_400 }));
        await idOf(admin);
        const send = async (index: number) =>
          (await admin.raw('post', '/v1/users/invitations').send({ email: `p${index}@example.com` })).status;
        const statuses = await Promise.all([0, 1, 2, 3, 4, 5].map(send));
        expect(statuses.toSorted()).toEqual([201, 201, 201, 409, 409, 409]);
        clock.advance(7 * DAY_MS);
        expect(await send(6)).toBe(201);
      } finally {
        await own.close();
      }
    });
  });

  describe('a password reset link', () => {
    it('is shown once, lives for 24 hours, and replaces the former one', async () => {
      const { id } = await newPerson();
      const before = Date.now();
      const first = await root.post(`/v1/users/${id}/password-reset-link`, undefined, 200);
      expect(first.body.link).toMatch(/^https:\/\/toolyard\.test\/password-reset\/[A-Za-z0-9_-]{43}$/);
      expect(first.headers['cache-control']).toContain('no-store');
      expect(new Date(first.body.expires_at).getTime() - before).toBeGreaterThanOrEqual(DAY_MS);
      const second = await root.post(`/v1/users/${id}/password-reset-link`, undefined, 200);
      const secret = second.body.link.split('/').at(-1) ?? '';
      const rows = await query<{ digest: Buffer }>(`SELECT digest FROM password_resets WHERE user_id = $1`, [id]);
      expect(rows.map(({ digest }) => digest.toString('hex'))).toEqual([hash('sha256', secret, 'hex')]);
      expect(test.log.join('')).not.toContain(secret);
    });

    it('is refused for accounts that cannot sign in with a password', async () => {
      const closed = await newPerson();
      await root.post(`/v1/users/${closed.id}/close`, undefined, 200);
      const [waiting, nameless] = [newId(), newId()];
      await query(`INSERT INTO users (id, email) VALUES ($1, $2)`, [waiting, `${unique('waits')}@example.com`]);
      await query(`INSERT INTO users (id, claimed_at) VALUES ($1, now())`, [nameless]);
      for (const id of [closed.id, waiting, nameless]) {
        const refused = await root.post(`/v1/users/${id}/password-reset-link`, undefined, 409);
        expect(refused.body).toMatchObject({ code: 'user_conflict' });
      }
    });
  });
});
