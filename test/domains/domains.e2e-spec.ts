import { newId } from '../../src/database/id';
import { Api } from '../support/api';
import type { Domain } from '../support/api-types';
import { createTestApp, FakeClock, type TestApp } from '../support/app';
import { type Cast, createCast, idOf, unique } from '../support/factories';
import { codeOf } from '../support/faults';
import { myInvitations } from '../support/invitations';
import { allPages } from '../support/pages';
import { createProvider, newUser, type Provider } from '../support/scim';
import { TxtDns } from '../support/txt-dns';
import type { OrganisationPath } from '../support/typed-paths';

const dns = new TxtDns();
const clock = new FakeClock(new Date());
let test: TestApp;
let root: Api;
let cast: Cast;
let provider: Provider;
let domains: OrganisationPath<'domains'>;
/** One per test, so that no test sees the proofs of another. */
let domain: string;

beforeAll(async () => {
  test = await createTestApp({
    dns,
    clock,
    env: { RUN: 'api', PLATFORM_ADMINS: 'root@example.com', LIMIT_DOMAINS_PER_ORGANISATION: '3' },
  });
  root = await test.as('root');
});

beforeEach(async () => {
  cast = await createCast(test);
  provider = await createProvider(test, cast);
  domains = `/v1/organisations/${cast.orgId}/domains`;
  domain = `${unique('acme')}.example`;
  dns.isSilent = false;
});

afterAll(() => test.close());

const name = async (text = domain, by = cast.owner): Promise<Domain> => (await by.post(domains, { domain: text })).body;
const publish = ({ record }: Domain, ...others: string[]) => dns.records.set(record.name, [...others, record.value]);
const verify = (id: string, status = 200) => cast.admin.post(`${domains}/${id}/verify`, undefined, status);
const later = () => clock.advance(10_000);

/** A person who has signed in with an address at the domain. */
async function employee(of = domain): Promise<{ api: Api; id: string; email: string }> {
  const subject = unique('employee');
  const email = `${subject}@${of}`;
  const api = new Api(test.url, test.document, await test.token(subject, { email }));
  return { api, id: await idOf(api), email };
}
const push = (userName: string) => provider.api.post(`${provider.base}/Users`, newUser({ userName }));
const isMember = async ({ api }: { api: Api }) =>
  (await api.call('get', `/v1/organisations/${cast.orgId}`, undefined)).status === 200;

describe('A domain of an organisation', () => {
  it('is accepted in any spelling, returned with the TXT record to publish, and listed', async () => {
    const created = await cast.admin.post(domains, { domain: 'BÜCHER.example' });
    const body = created.body;
    expect(body).toEqual({
      id: expect.any(String) as string,
      domain: 'xn--bcher-kva.example',
      record: {
        type: 'TXT',
        name: '_toolyard.xn--bcher-kva.example',
        value: expect.stringMatching(/^toolyard-verification=[\w-]{32}$/) as string,
      },
      proved_at: null,
      vouched_at: null,
      checked_at: null,
      created_at: expect.stringMatching(/Z$/) as string,
    });
    expect(created.headers.location).toBe(`${domains}/${body.id}`);
    expect((await cast.owner.get(`${domains}/${body.id}`)).body).toEqual(body);
    const second = await name();
    const listed = await allPages(cast.owner, `${domains}?limit=1`);
    expect(listed).toEqual([body, second]);
    expect(codeOf(await cast.owner.post(domains, { domain: domain.toUpperCase() }, 409))).toBe('domain_conflict');
  });

  it.each(['example', 'ann@acme.example', 'https://acme.example', '10.0.0.1', 'acme..example', 'a b.example'])(
    'cannot be %s',
    async (text) => {
      const { detail } = (await cast.owner.post(domains, { domain: text }, 422)).body;
      expect(detail).toMatchObject([{ loc: ['body', 'domain'], type: 'value_error' }]);
    },
  );

  it('counts towards a limit', async () => {
    for (let n = 0; n < 3; n++) await name(`${unique('one')}.example`);
    const refused = await cast.owner.post(domains, { domain }, 409);
    expect(refused.body).toMatchObject({ code: 'domain_conflict', detail: expect.stringContaining('3') as string });
  });

  it('is proved by its record, among others, but not by that of another organisation', async () => {
    const other = await createCast(test);
    const theirs = (await other.owner.post(`/v1/organisations/${other.orgId}/domains`, { domain })).body;
    const ours = await name();
    expect(theirs.record.value).not.toBe(ours.record.value);
    publish(theirs, 'v=spf1 -all');
    expect(codeOf(await verify(ours.id, 409))).toBe('domain_conflict');
    later();
    dns.records.set(ours.record.name, [theirs.record.value, ours.record.value]);
    expect((await verify(ours.id)).body).toMatchObject({ id: ours.id, proved_at: clock.now().toISOString() });
    // Both organisations can prove it.
    await other.owner.post(`/v1/organisations/${other.orgId}/domains/${theirs.id}/verify`, undefined, 200);
    expect(dns.questions.at(-1)).toBe(`_toolyard.${domain}`);
  });

  it('is looked up at most once in 10 seconds, for all callers together', async () => {
    const { id } = await name();
    await verify(id, 409);
    const asked = dns.questions.length;
    const refused = await cast.owner.post(`${domains}/${id}/verify`, undefined, 429);
    expect(codeOf(refused)).toBe('rate_limited');
    expect(refused.headers['retry-after']).toBe('10');
    expect(dns.questions).toHaveLength(asked);
    later();
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => cast.owner.call('post', `${domains}/${id}/verify`, undefined)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([409, 429, 429, 429]);
    expect(codeOf(await verify(newId(), 404))).toBe('domain_not_found');
  });

  it('loses its proof if the record disappears, but not if the DNS is silent', async () => {
    const claim = await name();
    publish(claim);
    await verify(claim.id);
    later();
    dns.isSilent = true;
    const silent = await verify(claim.id, 409);
    expect(silent.body).toMatchObject({ detail: expect.stringContaining('did not answer') as string });
    expect((await cast.owner.get(`${domains}/${claim.id}`)).body).toMatchObject({
      proved_at: expect.any(String) as string,
    });
    dns.isSilent = false;
    dns.records.delete(claim.record.name);
    later();
    await verify(claim.id, 409);
    expect((await cast.owner.get(`${domains}/${claim.id}`)).body).toMatchObject({ proved_at: null });
  });

  it('is audited when added, proved, lost, removed and vouched for', async () => {
    const claim = await name();
    publish(claim);
    await verify(claim.id);
    dns.records.delete(claim.record.name);
    later();
    await verify(claim.id, 409);
    await root.put(`${domains}/${domain}/vouch`);
    await root.delete(`${domains}/${domain}/vouch`);
    await cast.owner.delete(`${domains}/${claim.id}`);
    const log = (await cast.owner.get(`/v1/organisations/${cast.orgId}/audit-log?subject_id=${claim.id}`)).body;
    expect(log.map(({ action }) => action).reverse()).toEqual([
      'domain.added',
      'domain.proved',
      'domain.proof_lost',
      'domain.vouched',
      'domain.vouch_withdrawn',
      'domain.removed',
    ]);
  });
});

describe('The people of a verified domain', () => {
  it('become members at once when the directory pushes them', async () => {
    const claim = await name();
    publish(claim);
    await verify(claim.id);
    const [here, elsewhere] = [await employee(), await employee(`${unique('other')}.example`)];
    for (const { email } of [here, elsewhere]) await push(email.toUpperCase());
    expect([await isMember(here), await isMember(elsewhere)]).toEqual([true, false]);
  });

  it('do not include those of a parent domain', async () => {
    const claim = await name(`mail.${domain}`);
    publish(claim);
    await verify(claim.id);
    const above = await employee(domain);
    await push(above.email);
    expect(await isMember(above)).toBe(false);
  });

  it('are matched by the ASCII form of the domain, not by lookalike letters', async () => {
    const label = unique('kim');
    const claim = await name(`b\u00fccher.${label}.example`);
    publish(claim);
    await verify(claim.id);
    const here = await employee(`b\u00fccher.${label}.example`);
    const kelvin = await employee(`b\u00fccher.\u212a${label.slice(1)}.example`);
    for (const { email } of [here, kelvin]) {
      const user = newUser({ userName: unique('name'), emails: [{ value: email, primary: true }] });
      await provider.api.post(`${provider.base}/Users`, user);
    }
    expect([await isMember(here), await isMember(kelvin)]).toEqual([true, false]);
  });

  it('become members on verification if pushed before, and stay when the domain is removed', async () => {
    const waiting = await employee();
    await push(waiting.email);
    const claim = await name();
    expect(await isMember(waiting)).toBe(false);
    publish(claim);
    await verify(claim.id);
    expect(await isMember(waiting)).toBe(true);
    await cast.owner.delete(`${domains}/${claim.id}`);
    await cast.owner.post(`/v1/organisations/${cast.orgId}/scim/sync`, undefined, 200);
    expect(await isMember(waiting)).toBe(true);
    const late = await employee();
    await push(late.email);
    expect(await isMember(late)).toBe(false);
  });

  it('stay out if they have left, whatever is verified later', async () => {
    const claim = await name();
    publish(claim);
    await verify(claim.id);
    const leaver = await employee();
    await push(leaver.email);
    await leaver.api.delete(`/v1/organisations/${cast.orgId}/members/${leaver.id}`);
    later();
    await verify(claim.id);
    await root.put(`${domains}/${domain}/vouch`);
    await cast.owner.post(`/v1/organisations/${cast.orgId}/scim/sync`, undefined, 200);
    expect(await isMember(leaver)).toBe(false);
    expect(await myInvitations(leaver.api)).toMatchObject([{ kind: 'DIRECTORY', status: 'DECLINED' }]);
  });

  it('are matched by their verified address, whatever the directory says', async () => {
    const claim = await name();
    publish(claim);
    await verify(claim.id);
    const victim = await employee(`${unique('victim')}.example`);
    const { id } = (await push(victim.email)).body;
    const work = [{ op: 'replace', value: { emails: [{ value: `victim@${domain}`, type: 'work', primary: true }] } }];
    await provider.api.patch(`${provider.base}/Users/${id}`, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: work,
    });
    expect(await isMember(victim)).toBe(false);
  });
});

describe('Vouching for a domain of an organisation', () => {
  it('is only for platform administrators, and counts as verification', async () => {
    const person = await employee();
    await push(person.email);
    for (const api of [cast.owner, cast.admin, cast.outsider]) {
      expect(codeOf(await api.put(`${domains}/${domain}/vouch`, undefined, 403))).toBe('forbidden');
      expect(codeOf(await api.delete(`${domains}/${domain}/vouch`, 403))).toBe('forbidden');
    }
    for (let time = 0; time < 2; time++) await root.put(`${domains}/${domain.toUpperCase()}/vouch`);
    expect(await isMember(person)).toBe(true);
    const [listed] = (await cast.owner.get(domains)).body;
    expect(listed).toMatchObject({ domain, proved_at: null, vouched_at: expect.any(String) as string });

    for (let time = 0; time < 2; time++) await root.delete(`${domains}/${domain}/vouch`);
    expect(await isMember(person)).toBe(true);
    const late = await employee();
    await push(late.email);
    expect(await isMember(late)).toBe(false);
  });

  it('requires an existing organisation and a valid domain', async () => {
    const nowhere = `/v1/organisations/${newId()}/domains/${domain}/vouch` as const;
    expect(codeOf(await root.put(nowhere, undefined, 404))).toBe('organisation_not_found');
    expect(codeOf(await root.delete(nowhere, 404))).toBe('organisation_not_found');
    const { detail } = (await root.put(`${domains}/localhost/vouch`, undefined, 422)).body;
    expect(detail).toMatchObject([{ loc: ['path', 'domain'] }]);
  });
});
