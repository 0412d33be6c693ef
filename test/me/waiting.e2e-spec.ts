import { newId } from '../../src/database/id';
import { definitionDigest } from '../../src/gateway/protocol/definition-digest';
import { Api } from '../support/api';
import type { Waiting } from '../support/api-types';
import { createTestApp, type TestApp } from '../support/app';
import { type Cast, createBundle, createCast, createListing, idOf, join, unique } from '../support/factories';
import { statementsOf } from '../support/statements';

const PATH = '/v1/users/me/waiting';
const NONE = { count: 0, items: [] };
const SERVER = 'https://server.example.com/mcp';

let test: TestApp;
let cast: Cast;

beforeAll(async () => {
  test = await createTestApp({ env: { RUN: 'api' } });
});

beforeEach(async () => {
  cast = await createCast(test);
});

afterAll(() => test.close());

const waitingFor = async (api: Api): Promise<Waiting> => (await api.get(PATH)).body;
const sql = <Row>(text: string, values: unknown[] = []) => test.dataSource.query<Row[]>(text, values);

/** An entry whose server can be reached and that takes a credential of each person, and the bundle of it with an endpoint. */
async function entryOf(by: Api, { mode = 'PERSONAL', isEnabled = true, ...bundle }: EntryFields = {}) {
  const { id, name } = await createBundle(by, bundle);
  const listingId = await createListing(test.dataSource);
  await sql(`UPDATE listings SET transports = '{streamable-http}' WHERE id = $1`, [listingId]);
  const remotes = [
    { type: 'streamable-http', url: SERVER, headers: [{ name: 'X-Key', isSecret: true, isRequired: true }] },
  ];
  await sql(`UPDATE listing_versions SET server = (server::jsonb || $2)::json WHERE listing_id = $1`, [
    listingId,
    { remotes },
  ]);
  const entry = (await by.post(`/v1/bundles/${id}/entries`, { listing_id: listingId, credential_mode: mode })).body;
  await by.patch(`/v1/bundles/${id}/endpoint`, { is_enabled: isEnabled });
  return { bundleId: id, bundleName: name, entryId: entry.id, key: entry.key, listingName: entry.listing_name };
}

interface EntryFields {
  mode?: 'NONE' | 'PERSONAL' | 'SHARED' | 'PERSONAL_OR_SHARED';
  isEnabled?: boolean;
  org_id?: string;
  visibility?: 'PUBLIC' | 'PRIVATE';
}

type Entry = Awaited<ReturnType<typeof entryOf>>;

const give = async (by: Api, { bundleId, entryId }: Entry, owner?: 'BUNDLE') => {
  const place = { bundle_id: bundleId, entry_id: entryId };
  const body = { ...place, is_personal: owner === undefined, values: { 'X-Key': 'k' } };
  return (await by.post('/v1/credentials', body)).body;
};

/** A tool that the server of an entry lists. */
async function listTool({ bundleId, entryId }: Entry, name: string): Promise<string> {
  const id = newId();
  await sql(
    `INSERT INTO bundle_tools (id, bundle_id, entry_id, kind, name, digest, is_listed) VALUES ($1, $2, $3, 'tool', $4, $5, true)`,
    [id, bundleId, entryId, name, definitionDigest({ name, inputSchema: { type: 'object' } })],
  );
  return id;
}
const pin = (by: Api, { bundleId, entryId }: Entry) =>
  by.patch(`/v1/bundles/${bundleId}/entries/${entryId}`, { pinning: 'APPROVE' });
const toolsIn = ({ bundleId, bundleName }: Entry, count: number) => {
  return { bundle_id: bundleId, bundle_name: bundleName, count };
};

describe('What waits for a person', () => {
  it('is nothing at first', async () => {
    const newcomer = await test.as(unique('newcomer'));
    expect(await waitingFor(newcomer)).toEqual({
      total: 0,
      invitations: NONE,
      accounts: NONE,
      tools: NONE,
      requests: NONE,
    });
  });

  it('is each pending invitation, with who sent it only if they know each other', async () => {
    const invited = await test.as(unique('invited'));
    const { id: userId, email } = (await invited.get('/v1/users/me')).body;
    const invite = (by: Cast) => by.owner.post(`/v1/organisations/${by.orgId}/members`, { email, role: 'ADMIN' });
    await sql(`UPDATE users SET name = 'Grace Hopper' WHERE id = $1`, [await idOf(cast.owner)]);
    const first = (await invite(cast)).body;
    const { invitations, total } = await waitingFor(invited);
    const [organisation] = await sql<{ name: string }>(`SELECT name FROM organisations WHERE id = $1`, [cast.orgId]);
    expect([total, invitations]).toEqual([
      1,
      {
        count: 1,
        items: [
          {
            id: first.id,
            kind: 'INVITATION',
            org_id: cast.orgId,
            organisation_name: organisation?.name,
            role: 'ADMIN',
            invited_by_name: null,
            created_at: first.created_at,
          },
        ],
      },
    ]);
    const other = await createCast(test);
    await join(other.owner, other.orgId, cast.owner);
    await join(other.owner, other.orgId, invited);
    expect((await waitingFor(invited)).invitations.items).toMatchObject([{ invited_by_name: 'Grace Hopper' }]);
    await sql(
      `INSERT INTO scim_users (id, org_id, user_id, consent_user_id, consent, user_name) VALUES ($1, $2, $3, $3, 'PENDING', 'x')`,
      [newId(), (await createCast(test)).orgId, userId],
    );
    expect((await waitingFor(invited)).invitations).toMatchObject({
      count: 2,
      items: [{ kind: 'DIRECTORY', role: null, invited_by_name: null }, { id: first.id }],
    });
    await invited.post(`/v1/users/me/invitations/${first.id}/decline`, undefined, 200);
    expect((await waitingFor(invited)).invitations.count).toBe(1);
  });

  it('is each account that a server in a bundle of theirs needs, until it is connected', async () => {
    const entry = await entryOf(cast.owner, { org_id: cast.orgId });
    expect((await waitingFor(cast.member)).accounts).toEqual(NONE);
    await cast.member.put(`/v1/bundles/${entry.bundleId}/follow`);
    const { bundleId, bundleName, entryId, key, listingName } = entry;
    const item = { bundle_id: bundleId, bundle_name: bundleName, entry_id: entryId, key, listing_name: listingName };
    for (const api of [cast.member, cast.owner])
      expect((await waitingFor(api)).accounts).toEqual({ count: 1, items: [{ ...item, reason: 'MISSING' }] });
    const { id } = await give(cast.member, entry);
    expect((await waitingFor(cast.member)).accounts).toEqual(NONE);
    await sql(`UPDATE credentials SET status = 'RECONNECT' WHERE id = $1`, [id]);
    expect((await waitingFor(cast.member)).accounts.items).toEqual([{ ...item, reason: 'RECONNECT' }]);
    await cast.owner.patch(`/v1/bundles/${bundleId}/endpoint`, { is_enabled: false });
    expect((await waitingFor(cast.member)).accounts).toEqual(NONE);
  });

  it('is no account that another credential stands in for, or that nothing needs', async () => {
    const shared = await entryOf(cast.owner, { org_id: cast.orgId, mode: 'PERSONAL_OR_SHARED' });
    const disabled = await entryOf(cast.owner, { org_id: cast.orgId });
    const unreachable = await entryOf(cast.owner, { org_id: cast.orgId });
    const none = await entryOf(cast.owner, { org_id: cast.orgId, mode: 'SHARED' });
    const hidden = await entryOf(cast.owner, { org_id: cast.orgId });
    for (const { bundleId } of [shared, disabled, unreachable, none, hidden])
      await cast.member.put(`/v1/bundles/${bundleId}/follow`);
    expect((await waitingFor(cast.member)).accounts.count).toBe(4);
    await give(cast.owner, shared, 'BUNDLE');
    await cast.owner.patch(`/v1/bundles/${disabled.bundleId}/entries/${disabled.entryId}`, { is_enabled: false });
    await sql(`UPDATE listings SET transports = '{stdio}' WHERE name = $1`, [unreachable.listingName]);
    await sql(`UPDATE listings SET visibility = 'PRIVATE' WHERE name = $1`, [hidden.listingName]);
    expect((await waitingFor(cast.member)).accounts).toEqual(NONE);
    const leaver = await test.as(unique('leaver'));
    const userId = await join(cast.owner, cast.orgId, leaver);
    const seen = await entryOf(cast.owner, { org_id: cast.orgId });
    await leaver.put(`/v1/bundles/${seen.bundleId}/follow`);
    expect((await waitingFor(leaver)).accounts.count).toBe(1);
    await leaver.delete(`/v1/organisations/${cast.orgId}/members/${userId}`);
    expect((await waitingFor(leaver)).accounts).toEqual(NONE);
  });

  it('is each definition that is held until someone who may change the bundle approves it', async () => {
    const entry = await entryOf(cast.owner, { org_id: cast.orgId, mode: 'NONE' });
    await pin(cast.owner, entry);
    const [first, second] = [await listTool(entry, 'read'), await listTool(entry, 'write')];
    const loose = await entryOf(cast.owner, { org_id: cast.orgId, mode: 'NONE' });
    await listTool(loose, 'read');
    await cast.owner.patch(`/v1/bundles/${loose.bundleId}/entries/${loose.entryId}`, { pinning: 'WARN' });
    for (const api of [cast.owner, cast.admin])
      expect((await waitingFor(api)).tools).toEqual({ count: 2, items: [toolsIn(entry, 2)] });
    expect((await waitingFor(cast.member)).tools).toEqual(NONE);
    await cast.owner.put(`/v1/bundles/${entry.bundleId}/editors/${await idOf(cast.member)}`);
    expect((await waitingFor(cast.member)).tools.count).toBe(2);

    const approve = (digest: string) =>
      sql(
        `INSERT INTO tool_approvals (bundle_id, entry_id, kind, name, digest, from_version, approved_at)
         SELECT bundle_id, entry_id, kind, name, ${digest}, 1, now() FROM bundle_tools WHERE id = $1`,
        [first],
      );
    await approve(`'other'::bytea`);
    expect((await waitingFor(cast.owner)).tools.count).toBe(2);
    await approve('digest');
    expect((await waitingFor(cast.owner)).tools.count).toBe(1);
    await sql(`UPDATE bundle_tools SET shown_digest = 'b' WHERE id = $1`, [first]);
    expect((await waitingFor(cast.owner)).tools.count).toBe(1);
    await sql(`UPDATE tool_approvals SET shown_digest = 'a'`);
    expect((await waitingFor(cast.owner)).tools.count).toBe(2);
    await sql(`UPDATE bundle_tools SET is_listed = false WHERE id = ANY ($1)`, [[first, second]]);
    expect((await waitingFor(cast.owner)).tools).toEqual(NONE);
  });

  it('is the open requests of each organisation that they administer', async () => {
    const other = await createCast(test);
    await join(other.owner, other.orgId, cast.admin, 'ADMIN');
    const ask = async (by: Cast) =>
      (await by.member.post(`/v1/organisations/${by.orgId}/server-requests`, { name: unique('Server') })).body;
    await ask(other);
    await ask(cast);
    const decided = await ask(cast);
    const countIn = ({ orgId }: Cast, count: number) => {
      return { org_id: orgId, organisation_name: expect.any(String) as string, count };
    };
    expect(await waitingFor(cast.admin)).toMatchObject({
      total: 3,
      requests: { count: 3, items: [countIn(cast, 2), countIn(other, 1)] },
    });
    await cast.owner.post(`/v1/organisations/${cast.orgId}/server-requests/${decided.id}/decline`, undefined, 200);
    expect((await waitingFor(cast.owner)).requests).toEqual({ count: 1, items: [countIn(cast, 1)] });
    expect((await waitingFor(cast.member)).requests).toEqual(NONE);
  });

  it('is found by as many statements for many bundles as for one, and shown up to twenty of each', async () => {
    await entryOf(cast.owner, { org_id: cast.orgId });
    const few = await statementsOf(test, () => waitingFor(cast.owner));
    for (let n = 0; n < 22; n++) {
      const entry = await entryOf(cast.owner, { org_id: cast.orgId });
      await pin(cast.owner, entry);
      await listTool(entry, 'read');
    }
    let waiting: Waiting | undefined;
    const many = await statementsOf(test, async () => {
      waiting = await waitingFor(cast.owner);
    });
    expect(many.map(({ sql: text }) => text).toSorted()).toEqual(few.map(({ sql: text }) => text).toSorted());
    expect(many.length).toBeLessThan(12);
    expect([waiting?.accounts.count, waiting?.accounts.items.length]).toEqual([23, 20]);
    expect([waiting?.tools.count, waiting?.tools.items.length]).toEqual([22, 20]);
  });

  it('says nothing of bundles to a token that may not read them', async () => {
    await entryOf(cast.owner, { org_id: cast.orgId });
    const { id } = (await cast.owner.get('/v1/users/me')).body;
    expect((await waitingFor(cast.owner)).accounts.count).toBe(1);
    const subject = await test.dataSource
      .query<{ subject: string }[]>(`SELECT subject FROM identities WHERE user_id = $1`, [id])
      .then(([row]) => row?.subject ?? '');
    const limited = async (scope: string) => new Api(test.url, test.document, await test.token(subject, { scope }));
    expect((await (await limited('organisations:read')).get(PATH)).body.accounts).toEqual(NONE);
    expect((await (await limited('organisations:read bundles:read')).get(PATH)).body.accounts.count).toBe(1);
  });
});
