import fc from 'fast-check';
import { createScimGroup, createScimUser, idOf } from '../support/factories';
import type { Person, Stage } from './support/endpoint-stage';
import { everyone, everywhere, namesOf, policiesOf, PolicyStage, type Rule } from './support/policy-stage';
import type { Json } from './support/test-upstream';

let stage: Stage;
let of: PolicyStage;
let ada: Person;
let bob: Person;
let orgId: string;
let bobId: string;

beforeAll(async () => {
  of = await PolicyStage.start();
  ({ stage, ada, bob, orgId, bobId } = of);
});

afterAll(() => of.close());

const opened = () => of.opened();
const put = (...values: Parameters<PolicyStage['put']>) => of.put(...values);

describe('A preview', () => {
  it('says who may use what, and by which rule', async () => {
    const endpoint = await opened();
    const rules = [
      { effect: 'ALLOW', subject: { kind: 'person', id: bobId }, tools: 'change' },
      { effect: 'DENY', subject: { kind: 'role', role: 'ORG_MEMBER' }, tools: 'delete' },
    ] as const;
    const path = `${policiesOf(endpoint)}/preview` as const;
    const body = { rules: [...rules], default_access: 'READ_ONLY' as const, as: 'person' as const, id: bobId };
    const { decisions, ...counts } = (await ada.api.post(path, body, 200)).body;
    expect(counts).toEqual({ bundle_id: endpoint.bundleId, allowed_tool_count: 2, denied_tool_count: 1 });
    expect(
      decisions.map(({ kind, upstream_name, is_allowed, reason, rule }) => [
        kind,
        upstream_name,
        is_allowed,
        reason,
        rule,
      ]),
    ).toEqual([
      ['tool', 'change', true, 'RULE', 0],
      ['tool', 'delete', false, 'RULE', 1],
      ['tool', 'get', true, 'DEFAULT', null],
      ['prompt', 'greet', true, 'DEFAULT', null],
      ['resource', 'memo://one', true, 'DEFAULT', null],
      ['template', 'memo://{name}', true, 'DEFAULT', null],
    ]);
    // Nothing is stored.
    expect((await ada.api.get(policiesOf(endpoint))).body.rules).toEqual([]);
    await put(endpoint, [...rules], 'READ_ONLY');
    const preview = (query: string) =>
      ada.api.get(
        `/v1/bundles/${endpoint.bundleId}/endpoint/preview?${query}` as `/v1/bundles/${string}/endpoint/preview`,
      );
    expect((await preview(`as=person&id=${bobId}`)).body.decisions).toEqual(decisions);
    const owner = (await preview('as=role&id=ORG_OWNER')).body;
    expect([owner.allowed_tool_count, owner.denied_tool_count]).toEqual([1, 2]);
  });

  it('has pages', async () => {
    const endpoint = await opened();
    const path = `/v1/bundles/${endpoint.bundleId}/endpoint/preview`;
    const first = await ada.api.raw('get', `${path}?as=role&id=ORG_MEMBER&limit=4`);
    const next = /<[^>]*(\?[^>]*)>/.exec(first.headers.link ?? '')?.[1] ?? '';
    const second = await ada.api.raw('get', `${path}${next}`);
    const namesIn = ({ body }: { body: unknown }) =>
      (body as { decisions: { upstream_name: string }[] }).decisions.map(({ upstream_name }) => upstream_name);
    expect([...namesIn(first), ...namesIn(second)]).toEqual([
      'change',
      'delete',
      'get',
      'greet',
      'memo://one',
      'memo://{name}',
    ]);
    expect(second.headers.link).toBeUndefined();
  });

  it('is of nobody who does not belong to the bundle', async () => {
    const endpoint = await opened();
    const eve = await stage.person();
    for (const query of [
      `as=person&id=${await idOf(eve.api)}`,
      'as=person&id=x',
      'as=role&id=NONE',
      `as=token&id=${bobId}`,
      'as=person',
      '',
    ])
      expect((await ada.api.raw('get', `/v1/bundles/${endpoint.bundleId}/endpoint/preview?${query}`)).status).toBe(422);
    expect(
      (await bob.api.raw('get', `/v1/bundles/${endpoint.bundleId}/endpoint/preview?as=role&id=OUTSIDER`)).status,
    ).toBe(403);
  });

  it('says the same as the endpoint does, for any rules', async () => {
    const endpoint = await opened();
    const { dataSource } = stage.test;
    const { person: eve, id: eveId } = await of.member('ADMIN');
    const [entryOfEve, entryOfBob] = [
      await createScimUser(dataSource, orgId, { userId: eveId }),
      await createScimUser(dataSource, orgId, { userId: bobId, active: true }),
    ];
    const groups = [
      await createScimGroup(dataSource, orgId, [entryOfEve.id]),
      await createScimGroup(dataSource, orgId, [entryOfEve.id, entryOfBob.id]),
    ];
    await ada.api.put(`/v1/bundles/${endpoint.bundleId}/editors/${eveId}`);
    const subjects: Rule['subject'][] = [
      everyone,
      ...(['ORG_OWNER', 'ORG_ADMIN', 'ORG_MEMBER', 'BUNDLE_OWNER', 'BUNDLE_EDITOR', 'OUTSIDER'] as const).map(
        (role) => ({ kind: 'role' as const, role }),
      ),
      ...groups.map((id) => ({ kind: 'group' as const, id })),
      { kind: 'person', id: bobId },
    ];
    const rule: fc.Arbitrary<Rule> = fc.record({
      effect: fc.constantFrom('ALLOW' as const, 'DENY' as const),
      subject: fc.constantFrom(...subjects),
      tools: fc.constantFrom('*', 'get', 'change', 'd*'),
    });
    const people = [
      [await idOf(ada.api), await ada.modern(endpoint)],
      [bobId, await bob.modern(endpoint)],
      [eveId, await eve.modern(endpoint)],
    ] as const;
    const property = fc.asyncProperty(
      fc.array(rule, { maxLength: 5 }),
      fc.constantFrom('ALLOW' as const, 'READ_ONLY' as const, 'DENY' as const),
      async (rules, access) => {
        await put(endpoint, rules, access);
        for (const [id, client] of people) {
          const path = `/v1/bundles/${endpoint.bundleId}/endpoint/preview?as=person&id=${id}`;
          const { decisions } = (await ada.api.raw('get', path)).body as { decisions: Json[] };
          const allowed = decisions.filter(({ kind, is_allowed }) => kind === 'tool' && is_allowed === true);
          expect(await namesOf(client)).toEqual(allowed.map(({ upstream_name }) => upstream_name));
        }
      },
    );
    await fc.assert(property, { numRuns: 12 });
  }, 60_000);
});

describe('The report and the versions of a bundle', () => {
  it('say which rules are about nothing, or about nobody', async () => {
    const endpoint = await opened();
    const token = (await ada.api.post(`/v1/bundles/${endpoint.bundleId}/access-tokens`, { name: 'Gone' })).body;
    const entries = (await ada.api.get(`/v1/bundles/${endpoint.bundleId}/entries`)).body;
    const entry_id = entries[0]?.id ?? '';
    await put(endpoint, [
      { effect: 'DENY', subject: everyone, tools: 'delete' },
      { effect: 'DENY', subject: everyone, tools: 'drop_*' },
      { effect: 'DENY', subject: { kind: 'token', id: token.id }, entry_id },
      { effect: 'DENY', subject: everyone, tools: 'change', hint: 'destructive' },
    ]);
    await ada.api.delete(`/v1/bundles/${endpoint.bundleId}/access-tokens/${token.id}`);
    const report = (await ada.api.post(`/v1/bundles/${endpoint.bundleId}/compile`, undefined, 200)).body;
    expect(report.policy_findings.map(({ rule, code }) => [rule, code])).toEqual([
      [1, 'NO_MATCH'],
      [2, 'NO_SUBJECT'],
      [3, 'NO_MATCH'],
    ]);
    // The report has everything, whatever rules say.
    expect(report.tools).toHaveLength(3);
  });

  it('keep the policies, compare them and bring them back', async () => {
    const endpoint = await opened();
    const bundle = `/v1/bundles/${endpoint.bundleId}` as const;
    const first = (await ada.api.get(policiesOf(endpoint))).body.version;
    const { version } = await put(endpoint, [{ effect: 'DENY', subject: everyone, tools: 'delete' }]);
    await endpoint.set({ presentation: 'SEARCH' });
    await put(endpoint, []);
    const compared = (await ada.api.get(`${bundle}/versions/${version}/compare`)).body;
    expect(compared.policies).toMatchObject({
      before: { presentation: 'ALL', rules: [{ tools: 'delete' }] },
      after: { presentation: 'SEARCH', rules: [] },
    });
    await ada.api.post(`${bundle}/versions/${version}/restore`, {}, 200);
    expect((await ada.api.get(policiesOf(endpoint))).body.rules).toMatchObject([{ tools: 'delete' }]);
    expect((await ada.api.get(`${bundle}/endpoint`)).body.presentation).toBe('ALL');
    expect(await everywhere(await bob.modern(endpoint))).toEqual(Array(2).fill(['change', 'get']));
    // A version from before there were any says nothing of them: bringing it back opens nothing.
    await ada.api.post(`${bundle}/versions/${first}/restore`, {}, 200);
    expect((await ada.api.get(policiesOf(endpoint))).body.rules).toHaveLength(1);
  });
});
