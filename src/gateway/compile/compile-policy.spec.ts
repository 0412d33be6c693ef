import fc from 'fast-check';
import { entryOfResource } from '../edge/routes';
import { type EndpointPresentation, DEFAULT_ACCESS } from '../settings/endpoint-enums';
import { OPEN_POLICY, Policy } from '../rules/policy';
import { POLICY_EFFECTS, type RuleScope } from '../rules/policy-rule';
import { NO_RULES } from '../rules/tool-rules';
import type { DefinitionKind } from '../protocol/definition-list';
import type { StoredDefinition, UpstreamState } from '../upstreams/upstream';
import { compileBundle } from './compile-bundle';
import type { CompiledBundle, CompiledEntry, CompileTarget } from './compiled-bundle';
import { definitionDigest } from '../protocol/definition-digest';

const target: CompileTarget = {
  bundleId: '019a9f64-59cb-7615-8c3e-20b6d1f79ea8',
  name: 'Work',
  slug: 'work',
  boundVersion: null,
  version: 3,
  personId: '019a9f64-59cb-7615-8c3e-20b6d1f79ea9',
  tokenId: null,
  presentation: 'ALL',
  naming: 'PREFIX',
  nameBudget: 48,
};

const state = (id: string): UpstreamState => ({
  id,
  url: `https://${id}.example`,
  headers: {},
  modern: '2026-07-28',
  legacy: null,
  serverInfo: null,
  capabilities: { resources: {} },
  instructions: `How to use ${id}.`,
  listedAt: new Date(),
  listError: null,
  leftOut: [],
  ttlMs: null,
});
const entryOf = (key: string): CompiledEntry => ({
  id: `entry ${key}`,
  key,
  alias: key,
  listingName: `com.example/${key}`,
  listingVersion: '1.0.0',
  upstream: state(key),
});
function defined(upstreamId: string, kind: DefinitionKind, name: string, rest: object = {}): StoredDefinition {
  const key = { tool: 'name', prompt: 'name', resource: 'uri', template: 'uriTemplate' }[kind];
  const body = { [key]: name, ...(kind === 'tool' ? { inputSchema: { type: 'object' } } : {}), ...rest };
  return { upstreamId, kind, name, body: JSON.stringify(body), digest: definitionDigest(body) };
}
const rule = (effect: RuleScope['effect'], rest: Partial<RuleScope> = {}): RuleScope => ({
  place: 0,
  effect,
  tools: '*',
  hint: null,
  entryId: null,
  ...rest,
});
const compiled = (
  definitions: readonly StoredDefinition[],
  policy = OPEN_POLICY,
  rest: Partial<CompileTarget> = {},
  entries = [entryOf('a'), entryOf('b')],
) => compileBundle({ ...target, ...rest }, entries, definitions, [], new Set(), NO_RULES, policy);
function listed(bundle: CompiledBundle, method: keyof CompiledBundle['pages']): Record<string, unknown>[] {
  return bundle.pages[method].flatMap(
    ({ items }) => Object.values(JSON.parse(`{${items.toString()}}`) as object).flat() as Record<string, unknown>[],
  );
}
const toolNames = (bundle: CompiledBundle) => listed(bundle, 'tools/list').map(({ name }) => name);

describe('A bundle compiled under a policy', () => {
  const everything = [
    defined('a', 'tool', 'get', { annotations: { readOnlyHint: true } }),
    defined('a', 'tool', 'delete'),
    defined('a', 'prompt', 'review'),
    defined('a', 'resource', 'file:///open'),
    defined('a', 'resource', 'file:///secret'),
    defined('a', 'template', 'file:///{path}'),
    defined('b', 'tool', 'get'),
  ];

  it('has in its lists what the policy allows, and nothing else to be called', async () => {
    const policy = new Policy('READ_ONLY', [rule('DENY', { tools: 'file:///secret' })]);
    const bundle = await compiled(everything, policy);
    expect(toolNames(bundle)).toEqual(['a__get']);
    expect([...bundle.tools.keys()]).toEqual(['a__get']);
    expect([...bundle.prompts.keys()]).toEqual(['a__review']);
    expect([...bundle.resources.keys()]).toEqual(['file:///open']);
    expect([...bundle.templates.keys()]).toEqual(['file:///{path}']);
    expect(entryOfResource(bundle, 'file:///secret')).toBeUndefined();
  });

  it('goes by the names of the servers, whatever clients call them', async () => {
    const policy = new Policy('ALLOW', [rule('DENY', { tools: 'get', entryId: 'entry a' })]);
    for (const naming of ['PREFIX', 'PLAIN'] as const)
      expect((await compiled(everything, policy, { naming })).tools.size).toBe(2);
  });

  it('gives nothing another name, so that what is hidden moves nothing', async () => {
    const policy = new Policy('ALLOW', [rule('DENY', { entryId: 'entry b' })]);
    expect(toolNames(await compiled(everything, policy, { naming: 'PLAIN' }))).toEqual(['delete', 'a__get']);
  });

  it('says nothing of a server of which nothing may be used', async () => {
    const policy = new Policy('ALLOW', [rule('DENY', { entryId: 'entry b' })]);
    expect((await compiled(everything, policy)).instructions).toBe('# a\nHow to use a.');
    expect((await compiled(everything)).instructions).toContain('How to use b.');
  });

  it('has other digests for who may use something else, and the same ones for who may use the same', async () => {
    const [open, narrow] = [await compiled(everything), await compiled(everything, new Policy('READ_ONLY', []))];
    expect(narrow.digests.tools).not.toBe(open.digests.tools);
    expect(narrow.digests.prompts).toBe(open.digests.prompts);
    const same = await compiled(everything, new Policy('DENY', [rule('ALLOW', { hint: 'read_only' })]));
    expect(same.digests).toEqual(narrow.digests);
  });

  it('lists exactly what can be called, under any rules and in any presentation', async () => {
    const rules = fc.array(
      fc.record({
        place: fc.nat(9),
        effect: fc.constantFrom(...POLICY_EFFECTS),
        tools: fc.constantFrom('*', 'get', 'd*', '?et'),
        hint: fc.constantFrom(null, 'read_only' as const, 'destructive' as const),
        entryId: fc.constantFrom(null, 'entry a', 'entry b'),
      }),
      { maxLength: 5 },
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...DEFAULT_ACCESS), rules, async (access, own) => {
        const policy = new Policy(access, own);
        const all = await compiled(everything, policy);
        const searched = await compiled(everything, policy, { presentation: 'SEARCH' });
        expect(toolNames(all)).toEqual([...all.tools.keys()]);
        expect([...searched.tools.keys()]).toEqual([...all.tools.keys()]);
        const found = searched.search?.find('', 50).tools.map(({ name }) => name);
        expect(found).toEqual([...all.tools.keys()]);
        const names = [...(await compiled(everything)).tools.keys()];
        expect(searched.search?.describe(names).unknown).toEqual(names.filter((name) => !all.tools.has(name)));
      }),
      { numRuns: 60 },
    );
  });
});

describe('The presentation of a compiled bundle', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, number) => defined('a', 'tool', `tool_${number}`, { description: 'Does it.' }));
  const searching = ['find_tools', 'describe_tools', 'call_tool'];
  const namesWith = async (presentation: EndpointPresentation, count: number, policy = OPEN_POLICY) =>
    toolNames(await compiled(many(count), policy, { presentation }));

  it('SEARCH has three tools, AUTO has them above 60 tools that may be used', async () => {
    expect(await namesWith('SEARCH', 1)).toEqual(searching);
    expect(await namesWith('AUTO', 60)).toHaveLength(60);
    expect(await namesWith('AUTO', 61)).toEqual(searching);
    const policy = new Policy('ALLOW', [rule('DENY', { tools: 'tool_60' })]);
    expect(await namesWith('AUTO', 61, policy)).toHaveLength(60);
  });

  it('has the same few bytes however many tools there are', async () => {
    const bundle = await compiled(many(2_000), OPEN_POLICY, { presentation: 'SEARCH' });
    expect(bundle.pages['tools/list']).toHaveLength(1);
    expect(bundle.pages['tools/list'][0]?.items.length).toBeLessThan(3_500);
    expect(bundle.tools.size).toBe(2_000);
  });

  it('gives a tool with the name of a search tool its longer one, and says so', async () => {
    const definitions = [defined('a', 'tool', 'find_tools'), defined('b', 'tool', 'a__find_tools')];
    const bundle = await compiled(definitions, OPEN_POLICY, { naming: 'PLAIN', presentation: 'AUTO' });
    expect([...bundle.tools].map(([key, { name }]) => [key, name])).toEqual([
      ['a__find_tools', 'find_tools'],
      ['b__a__find_tools', 'a__find_tools'],
    ]);
    expect(bundle.problems.map(({ code, subject }) => [code, subject])).toEqual([
      ['name_reserved', 'find_tools'],
      ['name_clash', 'a__find_tools'],
    ]);
    const all = await compiled(definitions, OPEN_POLICY, { naming: 'PLAIN' });
    expect([...all.tools.keys()]).toEqual(['find_tools', 'a__find_tools']);
    expect(all.problems).toEqual([]);
  });
});
