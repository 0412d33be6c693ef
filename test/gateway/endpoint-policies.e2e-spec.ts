import type { Api } from '../support/api';
import { createScimGroup, createScimUser, idOf, unique } from '../support/factories';
import { watchEvents } from '../support/organisations';
import { ScimConnection } from '../support/scim-connection';
import { statementsOf } from '../support/statements';
import type { Person, Stage } from './support/endpoint-stage';
import { MessageStream, type ModernClient } from './support/mcp-client';
import { everyone, everywhere, namesOf, policiesOf, PolicyStage, type Rule } from './support/policy-stage';
import type { Json } from './support/test-upstream';

const streams: MessageStream[] = [];
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

afterEach(async () => {
  for (const stream of streams.splice(0)) await stream.close();
});

afterAll(() => of.close());

const opened = () => of.opened();
const put = (...values: Parameters<PolicyStage['put']>) => of.put(...values);

async function listen(client: ModernClient): Promise<MessageStream> {
  const notifications = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
  const stream = new MessageStream(await client.send('subscriptions/listen', { notifications }));
  streams.push(stream);
  await stream.nextOf('notifications/subscriptions/acknowledged');
  return stream;
}

describe('The rules of a bundle', () => {
  it('are none at first, and everything is allowed', async () => {
    const endpoint = await opened();
    expect((await ada.api.get(policiesOf(endpoint))).body).toMatchObject({ default_access: 'ALLOW', rules: [] });
    expect(await namesOf(await bob.modern(endpoint))).toEqual(['change', 'delete', 'get']);
  });

  it('are replaced as a whole, as a version of the bundle, with its events and an entry in the audit log', async () => {
    const endpoint = await opened();
    const events = watchEvents(stage.test.dataSource, orgId);
    await events();
    const before = (await ada.api.get(policiesOf(endpoint))).body.version;
    const rule = {
      effect: 'DENY',
      subject: { kind: 'role', role: 'ORG_MEMBER' },
      tools: 'del*',
      hint: 'destructive',
    } as const;
    const stored = await put(endpoint, [rule, { effect: 'ALLOW', subject: everyone }], 'READ_ONLY');
    const whole = { ...rule, subject: { ...rule.subject, id: null }, entry_id: null };
    expect(stored).toMatchObject({ version: before + 1, default_access: 'READ_ONLY' });
    expect(stored.rules).toEqual([
      whole,
      { effect: 'ALLOW', subject: { kind: 'everyone', role: null, id: null }, tools: '*', hint: null, entry_id: null },
    ]);
    expect((await ada.api.get(policiesOf(endpoint))).body).toEqual(stored);
    expect((await ada.api.get(`/v1/bundles/${endpoint.bundleId}/endpoint`)).body.default_access).toBe('READ_ONLY');
    const told = await events();
    expect(told.map(({ type }) => type).sort()).toEqual(['bundle.updated', 'policy.changed']);
    expect(told.find(({ type }) => type === 'policy.changed')?.data).toMatchObject({
      changed: ['rules', 'default_access'],
      rule_count: 2,
      default_access: 'READ_ONLY',
      bundle_version: before + 1,
    });
    const [entry] = (await ada.api.get(`/v1/organisations/${orgId}/audit-log`)).body;
    expect(entry).toMatchObject({ action: 'policy.changed', subject_type: 'bundle', subject_id: endpoint.bundleId });
    expect(entry?.after).toMatchObject({ default_access: 'READ_ONLY', rules: stored.rules });
    // The same once more is no change.
    const body = { rules: stored.rules, default_access: 'READ_ONLY' as const, base_version: stored.version };
    expect((await ada.api.put(policiesOf(endpoint), body, 200)).body).toEqual(stored);
    expect(await events()).toEqual([]);
  });

  it('are not replaced on the base of an older version', async () => {
    const endpoint = await opened();
    const { version } = await put(endpoint, [{ effect: 'DENY', subject: everyone }]);
    const stale = { rules: [], base_version: version - 1 };
    expect((await ada.api.put(policiesOf(endpoint), stale, 409)).body.code).toBe('bundle_conflict');
  });

  it('name only what the bundle has, else the index of the rule is said', async () => {
    const endpoint = await opened();
    const eve = await stage.person();
    const nobody = await idOf(eve.api);
    const elsewhere = (await eve.api.post('/v1/organisations', { name: unique('Org'), slug: unique('org') })).body.id;
    const group = await createScimGroup(stage.test.dataSource, elsewhere);
    const rules = [
      { effect: 'ALLOW', subject: everyone },
      { effect: 'DENY', subject: { kind: 'person', id: nobody } },
      { effect: 'DENY', subject: { kind: 'group', id: group } },
      { effect: 'DENY', subject: { kind: 'token', id: nobody } },
      { effect: 'DENY', subject: everyone, entry_id: nobody },
    ] as const;
    const { detail } = (await ada.api.put(policiesOf(endpoint), { rules: [...rules] }, 422)).body;
    expect(detail.map(({ loc }) => loc.join('.'))).toEqual([
      'body.rules.1.subject.id',
      'body.rules.2.subject.id',
      'body.rules.3.subject.id',
      'body.rules.4.entry_id',
    ]);
    const odd = await ada.api.raw('put', policiesOf(endpoint)).send({
      rules: [
        { effect: 'ALLOW', subject: { kind: 'role' } },
        { effect: 'ALLOW', subject: { kind: 'person' } },
        { effect: 'ALLOW', subject: { kind: 'everyone', id: nobody } },
        { effect: 'ALLOW', subject: { kind: 'group', id: nobody, role: 'ORG_ADMIN' } },
      ],
    });
    expect([
      odd.status,
      (odd.body as { detail: { loc: string[] }[] }).detail.map(({ loc }) => loc.slice(2).join('.')),
    ]).toEqual([422, ['0.subject.role', '1.subject.id', '2.subject.id', '3.subject.role']]);
    expect((await ada.api.get(policiesOf(endpoint))).body.rules).toEqual([]);
  });

  it('are at most 200, with patterns of at most 128 characters', async () => {
    const endpoint = await opened();
    const rule = (tools: string): Rule => ({ effect: 'ALLOW', subject: everyone, tools });
    const many = Array.from({ length: 200 }, (_, number) => rule(`tool_${number}_*`));
    expect((await put(endpoint, many)).rules).toHaveLength(200);
    const tooMany = await ada.api.raw('put', policiesOf(endpoint)).send({ rules: [...many, rule('x')] });
    const tooLong = await ada.api.raw('put', policiesOf(endpoint)).send({ rules: [rule('x'.repeat(129))] });
    expect([tooMany.status, tooLong.status]).toEqual([422, 422]);
  });

  it('are changed by editors only, and read by who belongs to the bundle', async () => {
    const endpoint = await opened();
    await ada.api.patch(`/v1/bundles/${endpoint.bundleId}`, { visibility: 'PUBLIC' });
    const eve = await stage.person();
    const statusOf = async (api: Api, method: 'get' | 'put') =>
      (await api.raw(method, policiesOf(endpoint)).send(method === 'put' ? { rules: [] } : undefined)).status;
    expect([await statusOf(bob.api, 'get'), await statusOf(bob.api, 'put')]).toEqual([200, 403]);
    expect([await statusOf(eve.api, 'get'), await statusOf(eve.api, 'put')]).toEqual([403, 403]);
  });
});

describe('Who may use what', () => {
  it('is the same for lists, calls, prompts, resources and completion, and says no more than that it is unknown', async () => {
    const endpoint = await opened();
    await put(endpoint, [
      { effect: 'DENY', subject: { kind: 'person', id: bobId }, hint: 'destructive' },
      { effect: 'DENY', subject: { kind: 'person', id: bobId }, tools: 'greet' },
      { effect: 'DENY', subject: { kind: 'person', id: bobId }, tools: 'memo://*' },
    ]);
    const [ofAda, ofBob] = [await ada.modern(endpoint), await bob.modern(endpoint)];
    const [tool] = (await ofAda.all('tools/list', 'tools')).filter(({ name }) => String(name).endsWith('delete'));
    const [prompt] = await ofAda.all('prompts/list', 'prompts');
    expect(await namesOf(ofBob)).toEqual(['change', 'get']);
    for (const [method, field] of [
      ['prompts/list', 'prompts'],
      ['resources/list', 'resources'],
      ['resources/templates/list', 'resourceTemplates'],
    ] as const)
      expect(await ofBob.all(method, field)).toEqual([]);
    const asked = of.upstream.received.length;
    const hidden: [string, Json, Json][] = [
      ['tools/call', { name: tool?.name, arguments: {} }, { name: 'no_such_tool', arguments: {} }],
      ['prompts/get', { name: prompt?.name }, { name: 'no_such_prompt' }],
      [
        'completion/complete',
        { ref: { type: 'ref/prompt', name: prompt?.name }, argument: { name: 'n', value: '' } },
        { ref: { type: 'ref/prompt', name: 'none' }, argument: { name: 'n', value: '' } },
      ],
      [
        'completion/complete',
        { ref: { type: 'ref/resource', uri: 'memo://{name}' }, argument: { name: 'n', value: '' } },
        { ref: { type: 'ref/prompt', name: 'none' }, argument: { name: 'n', value: '' } },
      ],
    ];
    for (const [method, params, unknown] of hidden) {
      expect(await ofBob.error(method, params)).toEqual(await ofBob.error(method, unknown));
      expect(await ofAda.request(method, params)).toMatchObject({
        status: 200,
        answer: { result: expect.anything() as unknown },
      });
    }
    for (const uri of ['memo://one', 'memo://unlisted']) {
      expect(await ofBob.error('resources/read', { uri })).toMatchObject({
        code: -32602,
        message: 'Resource not found',
      });
      await ofAda.result('resources/read', { uri });
    }
    const usable = async ({ api }: Person) =>
      (await api.get(`/v1/bundles/${endpoint.bundleId}/tools`)).body.flatMap(
        ({ may_use: mayUse, upstream_name: name }) => (mayUse ? [name] : []),
      );
    expect(await usable(bob)).toEqual(['change', 'get']);
    expect(await usable(ada)).toEqual(expect.arrayContaining(['change', 'delete', 'get', 'greet', 'memo://{name}']));
    // The server was asked by her only.
    expect(of.upstream.received.slice(asked).filter(({ method }) => method === 'tools/call')).toHaveLength(1);
    expect(of.upstream.received.slice(asked).filter(({ method }) => method === 'resources/read')).toHaveLength(2);
  });

  it('counts from the next request on in every process when rules change, and open streams hear of it', async () => {
    const endpoint = await opened();
    const client = await bob.modern(endpoint);
    expect(await everywhere(client)).toEqual(Array(2).fill(['change', 'delete', 'get']));
    const stream = await listen(client);
    await put(endpoint, [{ effect: 'DENY', subject: { kind: 'role', role: 'ORG_MEMBER' }, tools: 'd*' }]);
    expect(await everywhere(client)).toEqual(Array(2).fill(['change', 'get']));
    await stream.nextOf('notifications/tools/list_changed');
    await endpoint.set({ default_access: 'READ_ONLY' });
    expect(await everywhere(client)).toEqual(Array(2).fill(['get']));
    await stream.nextOf('notifications/tools/list_changed');
    // Prompts and resources only read, so their lists are the same.
    expect(stream.messages.map(({ method }) => method)).not.toContain('notifications/prompts/list_changed');
    await endpoint.set({ default_access: 'DENY' });
    expect(await everywhere(client)).toEqual(Array(2).fill([]));
    await stream.nextOf('notifications/prompts/list_changed');
  });

  it('counts from the next request on in every process when a role changes', async () => {
    const endpoint = await opened();
    const { person: eve, id: eveId } = await of.member();
    await put(endpoint, [{ effect: 'ALLOW', subject: { kind: 'role', role: 'ORG_ADMIN' } }], 'DENY');
    const client = await eve.modern(endpoint);
    const stream = await listen(client);
    expect(await everywhere(client)).toEqual(Array(2).fill([]));
    await ada.api.patch(`/v1/organisations/${orgId}/members/${eveId}`, { role: 'ADMIN' });
    expect(await everywhere(client)).toEqual(Array(2).fill(['change', 'delete', 'get']));
    await stream.nextOf('notifications/tools/list_changed');
    await ada.api.patch(`/v1/organisations/${orgId}/members/${eveId}`, { role: 'MEMBER' });
    expect(await everywhere(client)).toEqual(Array(2).fill([]));
  });

  it('counts from the next request on in every process when the directory changes a group', async () => {
    const endpoint = await opened();
    const { person: eve, id: eveId } = await of.member();
    const { dataSource } = stage.test;
    const entry = await createScimUser(dataSource, orgId, { userId: eveId });
    const group = await createScimGroup(dataSource, orgId);
    const directory = await ScimConnection.open(stage.test, ada.api, orgId);
    const change = async (op: 'add' | 'remove') => {
      const path = op === 'add' ? 'members' : `members[value eq "${entry.id}"]`;
      const operation = { op, path, ...(op === 'add' ? { value: [{ value: entry.id }] } : {}) };
      const body = { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: [operation] };
      const { status } = await directory.send({ method: 'PATCH', path: `/Groups/${group}`, body });
      expect([200, 204]).toContain(status);
    };
    await put(endpoint, [{ effect: 'DENY', subject: { kind: 'group', id: group }, hint: 'destructive' }]);
    const client = await eve.modern(endpoint);
    const stream = await listen(client);
    expect(await everywhere(client)).toEqual(Array(2).fill(['change', 'delete', 'get']));
    await change('add');
    expect(await everywhere(client)).toEqual(Array(2).fill(['change', 'get']));
    await stream.nextOf('notifications/tools/list_changed');
    await change('remove');
    expect(await everywhere(client)).toEqual(Array(2).fill(['change', 'delete', 'get']));
  });

  it('is what its creator may for an access token, and what rules about the token say', async () => {
    const endpoint = await opened();
    const token = await endpoint.bundleToken();
    const [{ id = '' } = {}] = (await ada.api.get(`/v1/bundles/${endpoint.bundleId}/access-tokens`)).body;
    const adaId = await idOf(ada.api);
    const client = await ada.modern(endpoint);
    const machine = Object.assign(await ada.modern(endpoint), { token });
    await put(endpoint, [{ effect: 'DENY', subject: { kind: 'token', id }, tools: 'delete' }]);
    expect([await namesOf(client), await namesOf(machine)]).toEqual([
      ['change', 'delete', 'get'],
      ['change', 'get'],
    ]);
    await put(endpoint, [{ effect: 'DENY', subject: { kind: 'person', id: adaId }, tools: 'delete' }]);
    expect([await namesOf(client), await namesOf(machine)]).toEqual([
      ['change', 'get'],
      ['change', 'get'],
    ]);
    await put(endpoint, [{ effect: 'ALLOW', subject: { kind: 'token', id }, tools: 'get' }], 'DENY');
    expect([await namesOf(client), await namesOf(machine)]).toEqual([[], ['get']]);
  });

  it('can be less for those who use a bundle only because it is public', async () => {
    const endpoint = await opened();
    await ada.api.patch(`/v1/bundles/${endpoint.bundleId}`, { visibility: 'PUBLIC' });
    await put(endpoint, [{ effect: 'DENY', subject: { kind: 'role', role: 'OUTSIDER' }, hint: 'destructive' }]);
    const eve = await stage.person();
    const lists = [await namesOf(await bob.modern(endpoint)), await namesOf(await eve.modern(endpoint))];
    expect(lists).toEqual([
      ['change', 'delete', 'get'],
      ['change', 'get'],
    ]);
  });

  it('ends what someone follows of a resource that they may not read any more', async () => {
    const endpoint = await opened();
    const client = await bob.modern(endpoint);
    const subscribed = { notifications: { resourceSubscriptions: ['memo://one'], toolsListChanged: true } };
    const stream = new MessageStream(await client.send('subscriptions/listen', subscribed));
    streams.push(stream);
    await stream.nextOf('notifications/subscriptions/acknowledged');
    await put(endpoint, [
      { effect: 'DENY', subject: everyone, tools: 'memo://*' },
      { effect: 'DENY', subject: everyone, tools: 'delete' },
    ]);
    await stream.nextOf('notifications/tools/list_changed');
    of.upstream.update('memo://one');
    await put(endpoint, [{ effect: 'DENY', subject: everyone, tools: 'memo://*' }]);
    await stream.nextOf('notifications/tools/list_changed');
    expect(stream.messages.map(({ method }) => method)).not.toContain('notifications/resources/updated');
  });

  it('holds at deployments, which serve older versions', async () => {
    const endpoint = await opened();
    const made = await ada.api.post(`/v1/bundles/${endpoint.bundleId}/deployments`, {
      name: 'Desk',
      environment: 'production',
      kind: 'ENDPOINT',
      bundle_version: 2,
    });
    await put(endpoint, [{ effect: 'DENY', subject: everyone, tools: 'delete' }]);
    const client = await bob.modern({ path: `/mcp/deployments/${made.body.id}` });
    expect(await namesOf(client)).toEqual(['change', 'get']);
  });

  it('costs a call no statement more', async () => {
    const endpoint = await opened();
    const client = await bob.modern(endpoint);
    const one = Object.assign(await bob.modern(endpoint), { urls: client.urls.slice(0, 1) });
    const [tool] = await one.all('tools/list', 'tools');
    const call = () => one.result('tools/call', { name: tool?.name, arguments: {} });
    const measured = async () =>
      (await statementsOf(stage.test, call)).filter(({ sql }) => /bundle_endpoints|bundle_policies|scim_/.test(sql))
        .length;
    const statements = async () => {
      await one.all('tools/list', 'tools');
      await call();
      // One of them may be the call that reads again what is remembered for seconds.
      return Math.min(await measured(), await measured(), await measured());
    };
    const before = await statements();
    const group = await createScimGroup(stage.test.dataSource, orgId);
    await put(endpoint, [
      { effect: 'ALLOW', subject: { kind: 'group', id: group } },
      { effect: 'ALLOW', subject: { kind: 'role', role: 'ORG_MEMBER' } },
    ]);
    expect([before, await statements()]).toEqual([1, 1]);
  });
});
