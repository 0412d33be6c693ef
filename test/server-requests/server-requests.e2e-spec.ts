import { MailWorker } from '../../src/mail/mail-worker';
import { RowRetention } from '../../src/database/row-retention';
import type { Api } from '../support/api';
import type { ServerRequest, ServerRequestCreate } from '../support/api-types';
import { createTestApp, FakeClock, PUBLIC_URL, type TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { type Cast, createCast, createListing, idOf, join, unique } from '../support/factories';
import { codeOf } from '../support/faults';
import { watchEvents } from '../support/organisations';
import { allPages } from '../support/pages';
import { SmtpServer } from '../support/smtp-server';
import type { OrganisationPath } from '../support/typed-paths';

const DAY_MS = 24 * 3_600_000;
const OPEN_OF_MEMBER = 3;
const OPEN_OF_ORGANISATION = 4;
const PER_DAY = 6;

let server: SmtpServer;
let clock: FakeClock;
let test: TestApp;
let cast: Cast;
let path: OrganisationPath<'server-requests'>;
let events: ReturnType<typeof watchEvents>;

beforeAll(async () => {
  server = await SmtpServer.start();
  clock = new FakeClock(new Date());
  test = await createTestApp({
    clock,
    env: {
      SMTP_URL: server.url,
      MAIL_FROM: 'toolyard@example.com',
      LIMIT_SERVER_REQUESTS_PER_MEMBER: `${OPEN_OF_MEMBER}`,
      LIMIT_SERVER_REQUESTS_PER_ORGANISATION: `${OPEN_OF_ORGANISATION}`,
      LIMIT_SERVER_REQUESTS_PER_DAY: `${PER_DAY}`,
    },
  });
});

beforeEach(async () => {
  cast = await createCast(test);
  path = `/v1/organisations/${cast.orgId}/server-requests`;
  events = watchEvents(test.dataSource, cast.orgId);
  await events();
});

afterAll(async () => {
  await test.close();
  await server.close();
});

const ask = async (by: Api, fields: ServerRequestCreate = { name: unique('Server') }): Promise<ServerRequest> =>
  (await by.post(path, fields)).body;
const read = async (by: Api, id: string): Promise<ServerRequest> => (await by.get(`${path}/${id}`)).body;
const decide = async (by: Api, id: string, verb: 'approve' | 'decline', body?: { answer?: string }) =>
  (await by.post(`${path}/${id}/${verb}`, body, 200)).body;
const withdraw = async (by: Api, id: string) => (await by.post(`${path}/${id}/withdraw`, undefined, 200)).body;
/** The mail about a decision; that of the invitation has come before. */
const decisionTo = async (api: Api) => {
  const { email } = (await api.get('/v1/users/me')).body;
  await test.app.get(MailWorker).run();
  const mails = await eventually(
    () => server.mailsTo(String(email)).filter(({ text }) => text.includes('your request')),
    (found) => found.length > 0,
    10_000,
  );
  return mails[0];
};
const idsOf = (requests: readonly { id: string }[]) => requests.map(({ id }) => id);
const nameOf = async (listing: string) =>
  (await test.dataSource.query<{ name: string }[]>(`SELECT name FROM listings WHERE id = $1`, [listing]))[0]?.name;

describe('A member', () => {
  it('asks for a listing, with what it is for, and an event is emitted', async () => {
    const listing = await createListing(test.dataSource);
    const { body, headers } = await cast.member.post(path, { listing_id: listing, why: 'For forecasts.' });
    const asker = await idOf(cast.member);
    expect(body).toEqual({
      id: expect.any(String) as string,
      listing_id: listing,
      listing_name: await nameOf(listing),
      name: await nameOf(listing),
      why: 'For forecasts.',
      status: 'OPEN',
      requested_by: { user_id: asker, name: null },
      decided_by: null,
      answer: null,
      created_at: clock.now().toISOString(),
      decided_at: null,
      may_decide: false,
      may_withdraw: true,
    });
    expect(headers.location).toBe(`${path}/${body.id}`);
    expect(await read(cast.member, body.id)).toEqual(body);
    expect(await events()).toEqual([
      {
        type: 'server_request.created',
        data: {
          org_id: cast.orgId,
          request_id: body.id,
          listing_id: listing,
          name: await nameOf(listing),
          requested_by: asker,
        },
      },
    ]);
  });

  it('asks for a server that the catalogue lacks, by its name', async () => {
    const request = await ask(cast.member, { name: ' Weather of tomorrow ', why: null });
    expect(request).toMatchObject({ listing_id: null, listing_name: null, name: ' Weather of tomorrow ', why: '' });
  });

  it.each([
    [{}, 'missing'],
    [{ name: 'Weather', listing_id: '019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10' }, 'value_error'],
    [{ name: ' \n' }, 'value_error'],
    [{ name: 'x'.repeat(201) }, 'string_too_long'],
    [{ name: 'Weather', why: 'x'.repeat(2_001) }, 'string_too_long'],
  ])('cannot ask with %j', async (body, type) => {
    const { body: refused } = await cast.member.post(path, body, 422);
    expect(refused).toMatchObject({ detail: [{ type }] });
  });

  it('cannot ask for a listing that they or the others do not see', async () => {
    const hidden = await createListing(test.dataSource, { visibility: 'PRIVATE', ownerId: await idOf(cast.outsider) });
    expect(codeOf(await cast.member.post(path, { listing_id: hidden }, 404))).toBe('listing_not_found');
    const personal = await createListing(test.dataSource, { visibility: 'PRIVATE', ownerId: await idOf(cast.member) });
    const { body } = await cast.member.post(path, { listing_id: personal }, 422);
    expect(body).toMatchObject({ detail: [{ loc: ['body', 'listing_id'], type: 'value_error' }] });
    const own = await createListing(test.dataSource, { visibility: 'PRIVATE', orgId: cast.orgId });
    await ask(cast.member, { listing_id: own });
  });

  it('has each thing open once; others may ask for it, too, and they again once it is not open', async () => {
    const listing = await createListing(test.dataSource);
    const byListing = await ask(cast.member, { listing_id: listing });
    const byName = await ask(cast.member, { name: 'Weather  Map' });
    expect(codeOf(await cast.member.post(path, { listing_id: listing.toUpperCase() }, 409))).toBe(
      'server_request_conflict',
    );
    expect(codeOf(await cast.member.post(path, { name: ' weather map' }, 409))).toBe('server_request_conflict');
    await ask(cast.admin, { listing_id: listing });
    await withdraw(cast.member, byListing.id);
    await decide(cast.owner, byName.id, 'decline');
    await ask(cast.member, { listing_id: listing });
    await ask(cast.member, { name: 'weather map' });
  });

  it('sees and lists their own only; an administrator all, or their own', async () => {
    const own = await ask(cast.member);
    const ofAdmin = await ask(cast.admin);
    await cast.member.get(`${path}/${ofAdmin.id}`, 404);
    expect(idsOf((await cast.member.get(path)).body)).toEqual([own.id]);
    expect(idsOf((await cast.owner.get(path)).body)).toEqual([ofAdmin.id, own.id]);
    expect(idsOf((await cast.admin.get(`${path}?mine=true`)).body)).toEqual([ofAdmin.id]);
    expect(await read(cast.owner, own.id)).toMatchObject({ may_decide: true, may_withdraw: false });
    expect(await read(cast.admin, ofAdmin.id)).toMatchObject({ may_decide: true, may_withdraw: true });
  });

  it('lists in pages, by status', async () => {
    const [first, second, third] = [await ask(cast.member), await ask(cast.member), await ask(cast.member)];
    await decide(cast.admin, second.id, 'approve');
    const open = await allPages(cast.member, `${path}?status=OPEN&limit=1`);
    expect(idsOf(open as { id: string }[])).toEqual([third.id, first.id]);
    const all = await allPages(cast.owner, `${path}?limit=2`);
    expect(idsOf(all as { id: string }[])).toEqual([third.id, second.id, first.id]);
    expect(idsOf((await cast.owner.get(`${path}?status=APPROVED`)).body)).toEqual([second.id]);
  });

  it('withdraws their own, once, and no one else does', async () => {
    const { id } = await ask(cast.member);
    await events();
    expect(codeOf(await cast.owner.post(`${path}/${id}/withdraw`, undefined, 403))).toBe('forbidden');
    clock.advance(1_000);
    expect(await withdraw(cast.member, id)).toMatchObject({
      status: 'WITHDRAWN',
      decided_by: null,
      decided_at: clock.now().toISOString(),
      may_withdraw: false,
    });
    const { body } = await cast.member.post(`${path}/${id}/withdraw`, undefined, 409);
    expect(body).toMatchObject({ code: 'server_request_conflict', detail: 'This request was already withdrawn.' });
    await cast.admin.post(`${path}/${id}/approve`, undefined, 409);
    expect((await events()).map(({ type }) => type)).toEqual(['server_request.withdrawn']);
  });
});

describe('An administrator', () => {
  it.each(['approve', 'decline'] as const)(
    'can %s a request with a word, which is mailed to who asked',
    async (verb) => {
      const { id, name } = await ask(cast.member, { name: unique('Weather') });
      await events();
      const decider = await idOf(cast.admin);
      const status = verb === 'approve' ? 'APPROVED' : 'DECLINED';
      const decided = await decide(cast.admin, id, verb, { answer: 'Look into “Delivery”.\nRegards' });
      expect(decided).toMatchObject({
        status,
        decided_by: { user_id: decider, name: null },
        answer: 'Look into “Delivery”.\nRegards',
        decided_at: clock.now().toISOString(),
        may_decide: false,
      });
      expect(await read(cast.member, id)).toEqual({ ...decided, may_decide: false });
      const asker = await idOf(cast.member);
      expect(await events()).toEqual([
        {
          type: `server_request.${status.toLowerCase()}`,
          data: {
            org_id: cast.orgId,
            request_id: id,
            listing_id: null,
            name,
            requested_by: asker,
            decided_by: decider,
          },
        },
      ]);
      const mail = await decisionTo(cast.member);
      expect(mail?.text).toContain(`${status.toLowerCase()} your request for the server “${name}”`);
      expect(mail?.text).toContain('Their answer: “Look into “Delivery”. Regards”');
      expect(mail?.text).toContain(PUBLIC_URL);
    },
  );

  it('mails no links, and nothing to themself or to who has left', async () => {
    const own = await ask(cast.admin);
    await decide(cast.admin, own.id, 'approve');
    const leaver = await test.as(unique('leaver'));
    const userId = await join(cast.owner, cast.orgId, leaver);
    const left = await ask(leaver);
    const linked = await ask(cast.member);
    await leaver.delete(`/v1/organisations/${cast.orgId}/members/${userId}`);
    expect(await read(cast.admin, left.id)).toMatchObject({
      status: 'OPEN',
      requested_by: { user_id: userId, name: null },
      may_decide: true,
    });
    await decide(cast.admin, left.id, 'decline');
    await decide(cast.admin, linked.id, 'decline', { answer: 'Win at https://evil.example' });
    const mail = await decisionTo(cast.member);
    expect(mail?.text).toContain('Their answer is with your request.');
    expect(mail?.text).not.toContain('evil');
    const posted = await test.dataSource.query<object[]>(
      `SELECT 1 FROM mails WHERE kind = 'SERVER_REQUEST_DECISION' AND about_id = ANY ($1)`,
      [[await idOf(cast.admin), userId]],
    );
    expect(posted).toEqual([]);
  });

  it('decides once, also when two decide at the same time', async () => {
    const { id } = await ask(cast.member);
    const answers = await Promise.all([
      cast.admin.call('post', `${path}/${id}/approve`),
      cast.owner.call('post', `${path}/${id}/decline`),
      cast.member.call('post', `${path}/${id}/withdraw`),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await events()).toHaveLength(2);
  });
});

describe('The bounds of requests', () => {
  it('are so many open ones of a member and of an organisation, however many are made at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: OPEN_OF_MEMBER + 2 }, () =>
        cast.member.call('post', path, undefined, { name: unique('S') }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(OPEN_OF_MEMBER);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({
      code: 'server_request_conflict',
      detail: expect.stringContaining(`${OPEN_OF_MEMBER} open requests`) as string,
    });
    const made = [];
    for (let n = OPEN_OF_MEMBER; n < OPEN_OF_ORGANISATION; n++) made.push(await ask(cast.admin));
    const { body } = await cast.admin.post(path, { name: unique('S') }, 409);
    expect(body).toMatchObject({ detail: expect.stringContaining(`${OPEN_OF_ORGANISATION} open requests`) as string });
    await decide(cast.owner, String(made[0]?.id), 'decline');
    await ask(cast.admin);
  });

  it('are so many of a member in a day, also if they are withdrawn', async () => {
    for (let n = 0; n < PER_DAY; n++) await withdraw(cast.member, (await ask(cast.member)).id);
    const refused = await cast.member.post(path, { name: unique('S') }, 429);
    expect(codeOf(refused)).toBe('rate_limited');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await ask(cast.admin);
  });
});

describe('A request goes', () => {
  it('a year after it was made, unless it is open', async () => {
    const [open, over] = [await ask(cast.member), await ask(cast.member)];
    await withdraw(cast.member, over.id);
    clock.advance(366 * DAY_MS);
    try {
      await test.app.get(RowRetention).run();
    } finally {
      clock.advance(-366 * DAY_MS);
    }
    expect(idsOf((await cast.owner.get(path)).body)).toEqual([open.id]);
  });

  it('not with its listing, whose name it keeps', async () => {
    const listing = await createListing(test.dataSource, { orgId: cast.orgId, status: 'DRAFT', visibility: 'PRIVATE' });
    const name = String(await nameOf(listing));
    const request = await ask(cast.member, { listing_id: listing });
    const byName = await ask(cast.member, { name });
    await cast.owner.delete(`/v1/mcp/listings/${listing}`);
    expect(await read(cast.owner, request.id)).toMatchObject({ listing_id: null, listing_name: name, status: 'OPEN' });
    expect(await read(cast.owner, byName.id)).toMatchObject({ listing_id: null, listing_name: null });
  });

  it('with the account of who asked; what they decided stays without them', async () => {
    const admin = await test.as(unique('admin'));
    await join(cast.owner, cast.orgId, admin, 'ADMIN');
    const own = await ask(admin);
    const decided = await ask(cast.member);
    await decide(admin, decided.id, 'decline', { answer: 'No.' });
    await admin.delete('/v1/users/me');
    await cast.owner.get(`${path}/${own.id}`, 404);
    expect(await read(cast.member, decided.id)).toMatchObject({ status: 'DECLINED', decided_by: null, answer: 'No.' });
  });
});
