import type { Answer, Api } from '../support/api';
import type { Error as ErrorBody, ListingCreate, Namespace } from '../support/api-types';
import { createTestApp, FakeClock, TestApp } from '../support/app';
import { type Cast, createCast, idOf, unique } from '../support/factories';
import { allPages } from '../support/pages';
import { TxtDns } from '../support/txt-dns';

const dns = new TxtDns();
const clock = new FakeClock();
let test: TestApp;
let cast: Cast;
let chief: Api;

beforeAll(async () => {
  const env = { PLATFORM_ADMINS: 'chief', PUBLIC_LISTINGS: 'verified', LIMIT_NAMESPACES_PER_HOLDER: '12' };
  test = await createTestApp({ env, dns, clock });
  cast = await createCast(test);
  chief = await test.as('chief');
  await chief.post('/v1/mcp/categories', { name: 'weather' });
});

afterAll(() => test.close());

const claim = async (api: Api, namespace: string, fields: object = {}) =>
  (await api.post('/v1/mcp/namespaces', { namespace, ...fields })).body;
const verify = async <S extends number = 200>(api: Api, { id }: Namespace, status = 200 as S) => {
  clock.advance(5_000);
  return (await api.post(`/v1/mcp/namespaces/${id}/verify`, undefined, status)).body;
};

/** Claims it, writes the record, and has it looked up. */
async function prove(api: Api, namespace: string, fields: object = {}): Promise<Namespace> {
  const claimed = await claim(api, namespace, fields);
  if (!claimed.record) throw new Error('A claim has a record.');
  dns.records.set(claimed.record.name, ['v=spf1 -all', claimed.record.value]);
  return verify(api, claimed);
}

const document = (name: string, version = '1.0.0') => ({ name, description: 'A tool server.', version });

async function draft(api: Api, name: string, fields: Partial<ListingCreate> = {}): Promise<string> {
  const body: ListingCreate = { server: document(name), category: 'weather', visibility: 'PUBLIC', ...fields };
  return (await api.post('/v1/mcp/listings', body)).body.id;
}

const publish = (api: Api, id: string, status = 200) => api.post(`/v1/mcp/listings/${id}/publish`, undefined, status);
const ofOrganisation = () => ({ org_id: cast.orgId });
const isPublished = async (name: string) =>
  (await test.anonymous.get(`/v0.1/servers?search=${name}`)).body.servers.length === 1;

describe('A namespace', () => {
  it('is proved by a TXT record at its domain, among other records', async () => {
    const claimed = await claim(cast.admin, 'Com.Example', ofOrganisation());
    expect(claimed).toMatchObject({
      namespace: 'com.example',
      method: 'dns',
      status: 'PENDING',
      org_id: cast.orgId,
      user_id: null,
      record: {
        type: 'TXT',
        name: 'example.com',
        value: expect.stringMatching(/^toolyard-namespace=[\w-]{22}$/) as string,
      },
      verified_at: null,
      checked_at: null,
    });
    expect(await verify(cast.admin, claimed, 409)).toMatchObject({ code: 'namespace_conflict' });
    dns.records.set('example.com', ['toolyard-namespace=AAAAAAAAAAAAAAAAAAAAAA']);
    await verify(cast.admin, claimed, 409);
    dns.records.set('example.com', ['v=spf1 -all', String(claimed.record?.value)]);
    expect(await verify(cast.admin, claimed)).toMatchObject({
      status: 'VERIFIED',
      verified_at: clock.now().toISOString(),
    });
    expect(dns.questions.at(-1)).toBe('example.com');
    // Its record can be looked up again at any time, which changes nothing.
    dns.records.delete('example.com');
    await verify(cast.admin, claimed, 409);
    expect((await cast.member.get(`/v1/mcp/namespaces/${claimed.id}`)).body).toMatchObject({ status: 'VERIFIED' });
  });

  it('held by another owner can be proved too, by a record of one’s own', async () => {
    const [one, other] = await Promise.all(['one', 'other'].map((name) => test.as(name)));
    if (!one || !other) throw new Error('Two subjects give two callers.');
    await prove(one, 'org.shared');
    const second = await claim(other, 'org.shared');
    await verify(other, second, 409);
    dns.records.set('shared.org', [...(dns.records.get('shared.org') ?? []), String(second.record?.value)]);
    expect(await verify(other, second)).toMatchObject({ status: 'VERIFIED' });
    await other.post('/v1/mcp/namespaces', { namespace: 'ORG.shared' }, 409);
  });

  it('is looked up at most once in 5 seconds, and stays pending while the DNS is silent', async () => {
    const person = await test.as('impatient');
    const claimed = await claim(person, 'com.impatient');
    await verify(person, claimed, 409);
    const asked = dns.questions.length;
    const soon = await person.post(`/v1/mcp/namespaces/${claimed.id}/verify`, undefined, 429);
    expect([soon.headers['retry-after'], dns.questions.length]).toEqual(['5', asked]);
    dns.isSilent = true;
    const silent = await verify(person, claimed, 409);
    dns.isSilent = false;
    expect(silent).toMatchObject({ detail: expect.stringContaining('did not answer') as string });
  });

  it.each(['io.github.alice', 'com.github', 'IO.GitHub.Alice.tools', 'org.codeberg.x'])(
    '%s belongs to an account at a code host, and can only be granted',
    async (namespace) => {
      const person = await test.as('alice');
      await person.post('/v1/mcp/namespaces', { namespace }, 422);
      await person.post('/v1/mcp/namespaces', { namespace, method: 'grant', user_id: await idOf(person) }, 403);
      const granted = await claim(chief, namespace, { method: 'grant', user_id: await idOf(person) });
      expect(granted).toMatchObject({ status: 'VERIFIED', record: null, method: 'grant', org_id: null });
      expect(await verify(person, granted)).toMatchObject({ status: 'VERIFIED' });
    },
  );

  it.each(['com', 'com.bücher', 'com..example', 'com.example/x', '', 'com._acme'])(
    'cannot be %j',
    async (namespace) => {
      await cast.owner.post('/v1/mcp/namespaces', { namespace }, 422);
    },
  );

  it('is claimed for an organisation by ADMINs, visible to members, and not found by others', async () => {
    await cast.member.post('/v1/mcp/namespaces', { namespace: 'com.org', ...ofOrganisation() }, 403);
    await cast.outsider.post('/v1/mcp/namespaces', { namespace: 'com.org', ...ofOrganisation() }, 404);
    const { id } = await claim(cast.owner, 'com.org', ofOrganisation());
    await cast.member.get(`/v1/mcp/namespaces/${id}`);
    await cast.member.post(`/v1/mcp/namespaces/${id}/verify`, undefined, 403);
    await cast.member.delete(`/v1/mcp/namespaces/${id}`, 403);
    for (const call of ['get', 'delete'] as const) await cast.outsider[call](`/v1/mcp/namespaces/${id}`, 404);
    await cast.outsider.get(`/v1/mcp/namespaces?org_id=${cast.orgId}`, 404);
    await cast.outsider.get('/v1/mcp/namespaces?scope=all', 403);
    await chief.get(`/v1/mcp/namespaces/${id}`);
    await cast.admin.delete(`/v1/mcp/namespaces/${id}`);
    await cast.admin.get(`/v1/mcp/namespaces/${id}`, 404);
    const log = (await cast.owner.get(`/v1/organisations/${cast.orgId}/audit-log?subject_id=${id}`)).body;
    expect(log).toMatchObject([
      { action: 'namespace.removed', before: { namespace: 'com.org', method: 'dns', status: 'PENDING' }, after: null },
      { action: 'namespace.claimed', before: null, after: { namespace: 'com.org', status: 'PENDING' } },
    ]);
  });

  it('can only be granted to an existing user or organisation, and not to both', async () => {
    const grant = { namespace: 'com.granted', method: 'grant' };
    await chief.post('/v1/mcp/namespaces', grant, 422);
    await chief.post('/v1/mcp/namespaces', { ...grant, org_id: cast.orgId, user_id: await idOf(chief) }, 422);
    await chief.post('/v1/mcp/namespaces', { ...grant, org_id: await idOf(chief) }, 404);
    await chief.post('/v1/mcp/namespaces', { ...grant, user_id: cast.orgId }, 404);
    await cast.owner.post('/v1/mcp/namespaces', { namespace: 'com.granted', user_id: await idOf(cast.owner) }, 422);
  });

  it('cannot be granted to a deleted organisation', async () => {
    const { owner, orgId } = await createCast(test);
    await owner.delete(`/v1/organisations/${orgId}`, 204);
    const grant = { namespace: 'com.too-late', method: 'grant', org_id: orgId };
    await chief.post('/v1/mcp/namespaces', grant, 404);
  });

  it('that its holder claimed without proof becomes a grant', async () => {
    const { owner, orgId } = await createCast(test);
    const claimed = await claim(owner, 'com.claimed-first', { org_id: orgId });
    const grant = { namespace: 'com.claimed-first', method: 'grant', org_id: orgId };
    expect(await claim(chief, 'Com.Claimed-First', { method: 'grant', org_id: orgId })).toMatchObject({
      id: claimed.id,
      namespace: 'com.claimed-first',
      method: 'grant',
      status: 'VERIFIED',
      record: null,
      org_id: orgId,
    });
    const log = (await owner.get(`/v1/organisations/${orgId}/audit-log?limit=1`)).body;
    expect(log).toMatchObject([
      {
        action: 'namespace.granted',
        subject_id: claimed.id,
        before: { namespace: 'com.claimed-first', method: 'dns', status: 'PENDING' },
        after: { namespace: 'com.claimed-first', method: 'grant', status: 'VERIFIED' },
      },
    ]);
    await chief.post('/v1/mcp/namespaces', grant, 409);
    const proved = await prove(owner, 'com.proved-first', { org_id: orgId });
    await chief.post('/v1/mcp/namespaces', { ...grant, namespace: proved.namespace }, 409);
  });

  it('is listed newest first, in pages, and found by name', async () => {
    const person = await test.as('collector');
    const names = Array.from({ length: 5 }, (_, n) => `com.collected${n}`);
    for (const name of names) await claim(person, name);
    const listed = await allPages(person, '/v1/mcp/namespaces?limit=2');
    expect(listed.map(({ namespace }) => namespace)).toEqual([...names].reverse());
    const matches = (await person.get('/v1/mcp/namespaces?namespace=COM.collected3')).body;
    expect(matches.map(({ namespace }) => namespace)).toEqual(['com.collected3']);
    const everybodys = await allPages(chief, '/v1/mcp/namespaces?scope=all&namespace=com.collected3');
    expect(everybodys).toEqual(matches);
    await person.get(`/v1/mcp/namespaces?scope=mine&org_id=${cast.orgId}`, 422);
  });

  it('counts towards a limit, under concurrent claims too', async () => {
    const person = await test.as('greedy');
    await idOf(person);
    const answers: Answer<Namespace | ErrorBody>[] = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        person.raw('post', '/v1/mcp/namespaces').send({ namespace: `com.greedy${n}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(12);
    const refused = answers.find(({ status }) => status === 409)?.body;
    expect(refused).toMatchObject({
      code: 'namespace_conflict',
      detail: expect.stringContaining('at most 12') as string,
    });
  });
});

describe('A public listing', () => {
  it('can be published under a namespace of its owner, or below it', async () => {
    const person = await test.as('publisher');
    const id = await draft(person, 'com.publisher/tool');
    expect((await publish(person, id, 403)).body).toMatchObject({
      code: 'namespace_required',
      detail: expect.stringContaining('com.publisher') as string,
    });
    const pending = await claim(person, 'com.publisher');
    await publish(person, id, 403);
    dns.records.set('publisher.com', [String(pending.record?.value)]);
    await verify(person, pending);
    await publish(person, id);
    await publish(person, await draft(person, 'COM.Publisher.team.deep/Tool'));
    await publish(person, await draft(person, 'com.publisher2/tool'), 403);
    await publish(person, await draft(person, 'com/tool'), 403);
  });

  it('of an organisation needs the organisation’s namespace, not that of a member', async () => {
    await prove(cast.owner, 'com.owners');
    const id = await draft(cast.owner, 'com.owners/tool', ofOrganisation());
    await publish(cast.owner, id, 403);
    await prove(cast.owner, 'com.orgs', ofOrganisation());
    await publish(cast.member, await draft(cast.member, 'com.orgs/tool', ofOrganisation()));
    await publish(cast.owner, await draft(cast.owner, 'com.orgs/personal'), 403);
  });

  it('can be published by platform administrators under any name', async () => {
    await publish(chief, await draft(chief, 'com.anything/tool'));
    const id = await draft(cast.owner, 'com.allowed/tool', ofOrganisation());
    await publish(cast.owner, id, 403);
    await claim(chief, 'com.allowed', { method: 'grant', org_id: cast.orgId });
    await publish(cast.owner, id);
  });

  it('needs its namespace also when made public, restored or given a new version', async () => {
    const person = await test.as('roundabout');
    const id = await draft(person, 'com.roundabout/tool', { visibility: 'PRIVATE' });
    await publish(person, id);
    await person.patch(`/v1/mcp/listings/${id}`, { visibility: 'PUBLIC' }, 403);
    await person.post(`/v1/mcp/listings/${id}/archive`, undefined, 200);
    // It would block the name for those who own the namespace.
    await person.patch(`/v1/mcp/listings/${id}`, { visibility: 'PUBLIC' }, 403);

    const held = await prove(person, 'com.roundabout');
    await person.patch(`/v1/mcp/listings/${id}`, { visibility: 'PUBLIC' });
    await person.post(`/v1/mcp/listings/${id}/restore`, undefined, 200);
    const version = (number: string) => ({ server: document('com.roundabout/tool', number) });
    await person.post(`/v1/mcp/listings/${id}/versions`, version('1.1.0'));

    await chief.delete(`/v1/mcp/namespaces/${held.id}`);
    // A published listing stays published; its category and slug can still be changed.
    expect(await isPublished('com.roundabout/tool&version=latest')).toBe(true);
    await person.patch(`/v1/mcp/listings/${id}`, { slug: 'roundabout' });
    const refused = await person.post(`/v1/mcp/listings/${id}/versions`, version('1.2.0'), 403);
    expect(refused.body).toMatchObject({ code: 'namespace_required' });
    await person.post(`/v1/mcp/listings/${id}/archive`, undefined, 200);
    await person.post(`/v1/mcp/listings/${id}/restore`, undefined, 403);
    await person.post(`/v1/mcp/listings/${id}/publish`, undefined, 403);
    await person.patch(`/v1/mcp/listings/${id}`, { visibility: 'PRIVATE' });
    await person.post(`/v1/mcp/listings/${id}/restore`, undefined, 200);
    await person.post(`/v1/mcp/listings/${id}/versions`, version('1.2.0'));
    expect(await isPublished('com.roundabout/tool')).toBe(false);
  });

  it('needs no namespace while it is private or a draft', async () => {
    const id = await draft(cast.outsider, 'com.microsoft/playwright', { visibility: 'PRIVATE' });
    await publish(cast.outsider, id);
    await cast.outsider.post(`/v1/mcp/listings/${id}/versions`, {
      server: document('com.microsoft/playwright', '2.0.0'),
    });
    await draft(cast.outsider, 'com.microsoft/draft');
  });

  it('needs no namespace where anyone may publish', async () => {
    const open = await createTestApp({ env: { PUBLIC_LISTINGS: 'anybody' }, database: test.database });
    const person = await open.as(unique('anybody'));
    await publish(person, await draft(person, 'com.anybody/tool'));
    await open.close();
  });
});
