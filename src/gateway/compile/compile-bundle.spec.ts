import fc from 'fast-check';
import { definitionDigest } from '../protocol/definition-digest';
import { compileBundle } from './compile-bundle';
import type { CompiledBundle, CompiledEntry, CompileTarget, ReachableEntry } from './compiled-bundle';
import type { DefinitionKind } from '../protocol/definition-list';
import type { StoredDefinition, UpstreamState } from '../upstreams/upstream';

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

const plain: CompileTarget = { ...target, naming: 'PLAIN' };

function state(id: string, rest: Partial<UpstreamState> = {}): UpstreamState {
  return {
    id,
    url: `https://${id}.example`,
    headers: {},
    modern: '2026-07-28',
    legacy: null,
    serverInfo: null,
    capabilities: null,
    instructions: null,
    listedAt: new Date(),
    listError: null,
    leftOut: [],
    ttlMs: null,
    ...rest,
  };
}

const entryOf = (key: string, upstream: UpstreamState | null = state(key)): CompiledEntry => ({
  id: `entry ${key}`,
  key,
  alias: key,
  listingName: `com.example/${key}`,
  listingVersion: '1.0.0',
  upstream,
});

function defined(upstreamId: string, kind: DefinitionKind, name: string, rest: object = {}): StoredDefinition {
  const key = { tool: 'name', prompt: 'name', resource: 'uri', template: 'uriTemplate' }[kind];
  const needed = kind === 'tool' ? { inputSchema: { type: 'object' } } : kind === 'prompt' ? {} : { name };
  const body = { ...needed, [key]: name, ...rest };
  return { upstreamId, kind, name, body: JSON.stringify(body), digest: definitionDigest(body) };
}

const tool = (upstreamId: string, name: string, rest: object = {}) => defined(upstreamId, 'tool', name, rest);
const listOf = (bundle: CompiledBundle, method: keyof CompiledBundle['pages']) =>
  bundle.pages[method].flatMap(
    ({ items }) => Object.values(JSON.parse(`{${items.toString()}}`) as object).flat() as object[],
  );

describe('A compiled bundle', () => {
  it('offers the tools of all entries, by entry and then by name', async () => {
    const bundle = await compileBundle(
      target,
      [entryOf('b'), entryOf('a')],
      [tool('a', 'x'), tool('b', 'z', { title: 'Z' }), tool('b', 'y')],
      [],
    );
    expect([...bundle.tools.keys()]).toEqual(['b__y', 'b__z', 'a__x']);
    expect(bundle.tools.get('a__x')).toMatchObject({ name: 'x', entry: { id: 'entry a' } });
    expect(listOf(bundle, 'tools/list')[1]).toEqual({ name: 'b__z', title: 'Z', inputSchema: { type: 'object' } });
    expect(bundle.serverInfo).toEqual({ name: 'work', title: 'Work', version: '3' });
    expect(bundle.problems).toEqual([]);
  });

  it('names prompts like tools, and leaves addresses and templates as they are', async () => {
    const bundle = await compileBundle(
      target,
      [entryOf('a')],
      [
        defined('a', 'prompt', 'p'),
        defined('a', 'resource', 'file:///a', { name: 'A' }),
        defined('a', 'template', 'file:///{x}'),
      ],
      [],
    );
    expect([...bundle.prompts.keys()]).toEqual(['a__p']);
    expect(listOf(bundle, 'resources/list')).toEqual([{ uri: 'file:///a', name: 'A' }]);
    expect([...bundle.templates.keys()]).toEqual(['file:///{x}']);
  });

  it('takes off what belongs to one hop', async () => {
    const meta = { 'io.modelcontextprotocol/x': 1, ui: { resourceUri: 'ui://a' } };
    const bundle = await compileBundle(target, [entryOf('a')], [tool('a', 'x', { _meta: meta, execution: {} })], []);
    expect(listOf(bundle, 'tools/list')).toEqual([
      { name: 'a__x', inputSchema: { type: 'object' }, _meta: { ui: meta.ui } },
    ]);
  });

  it('offers two tools with the same name by their longer names, and says which', async () => {
    const bundle = await compileBundle(
      plain,
      [entryOf('a'), entryOf('b')],
      [tool('a', 'x'), tool('b', 'x', { title: 'X' }), tool('b', 'y')],
      [],
    );
    expect([...bundle.tools].map(([key, { name, entry }]) => [key, name, entry.key])).toEqual([
      ['a__x', 'x', 'a'],
      ['b__x', 'x', 'b'],
      ['y', 'y', 'b'],
    ]);
    expect(listOf(bundle, 'tools/list')[1]).toEqual({ name: 'b__x', title: 'X', inputSchema: { type: 'object' } });
    expect(bundle.problems).toEqual([
      {
        code: 'name_clash',
        entryId: 'entry b',
        otherEntryId: 'entry a',
        subject: 'x',
        detail: 'a (x) and b (x) have the same name: they are offered as a__x and b__x.',
      },
    ]);
  });

  it('lets no server take the longer name of another one', async () => {
    const bundle = await compileBundle(
      plain,
      [entryOf('a'), entryOf('evil')],
      [tool('a', 'x'), tool('evil', 'x'), tool('evil', 'a__x'), tool('evil', 'evil__a__x')],
      [],
    );
    expect([...bundle.tools].map(([key, { entry }]) => [key, entry.key])).toEqual([
      ['a__x', 'a'],
      ['evil__a__x', 'evil'],
      ['evil__evil__a__x', 'evil'],
      ['evil__x', 'evil'],
    ]);
    expect(bundle.problems.map(({ code, subject }) => [code, subject])).toEqual([
      ['name_clash', 'x'],
      ['name_clash', 'a__x'],
      ['name_clash', 'evil__a__x'],
    ]);
  });

  it('never lets servers hide tools of others, or be called in their place', async () => {
    const names = fc.uniqueArray(fc.constantFrom('x', 'y', 'a__x', 'b__x', 'a__a__x', 'b__a__x', 'x y', 'y.z'));
    await fc.assert(
      fc.asyncProperty(names, names, async (own, others) => {
        const definitions = [...own.map((name) => tool('a', name)), ...others.map((name) => tool('b', name))];
        const { tools, problems } = await compileBundle(plain, [entryOf('a'), entryOf('b')], definitions, []);
        const offered = [...tools.values()].map(({ entry, name }) => `${entry.key} ${name}`).sort();
        expect(offered).toEqual([...own.map((name) => `a ${name}`), ...others.map((name) => `b ${name}`)].sort());
        for (const name of own.filter((each) => others.includes(each))) {
          expect(tools.get(name)?.name).not.toBe(name);
          expect(problems.map(({ subject }) => subject)).toContain(name);
        }
      }),
    );
  });

  it('leaves out the definitions of entries that do not fit, and says so', async () => {
    const bundle = await compileBundle(
      target,
      [entryOf('a'), entryOf('b')],
      [tool('a', 'x'), tool('b', 'y')],
      [],
      new Set(['entry b']),
    );
    expect([...bundle.tools.keys()]).toEqual(['a__x']);
    expect(bundle.problems).toMatchObject([{ code: 'left_out', entryId: 'entry b' }]);
  });

  it('has the resource of the earlier entry where two have the same', async () => {
    const all = [
      defined('a', 'resource', 'x://1'),
      defined('b', 'resource', 'x://1'),
      defined('b', 'resource', 'x://2'),
    ];
    const bundle = await compileBundle(target, [entryOf('b'), entryOf('a')], all, []);
    expect(bundle.resources.get('x://1')?.entry.key).toBe('b');
    expect(listOf(bundle, 'resources/list')).toHaveLength(2);
    expect(bundle.problems).toEqual([
      expect.objectContaining({ code: 'uri_taken', entryId: 'entry a', subject: 'x://1' }),
    ]);
  });

  it('keeps a part of many problems, and how many there are', async () => {
    const many = (key: string) => Array.from({ length: 2_000 }, (_, n) => defined(key, 'resource', `x://${n}`));
    const bundle = await compileBundle(target, [entryOf('a'), entryOf('b')], [...many('a'), ...many('b')], []);
    expect(bundle.problemCount).toBe(2_000);
    expect(bundle.problems.length).toBeLessThan(110);
    expect(bundle.problems.at(-1)).toMatchObject({ code: 'uri_taken', entryId: 'entry b' });
    expect(bundle.problems.at(-1)?.detail).toMatch(/^18\d\d more /);
  });

  it('says what is wrong with servers', async () => {
    const entries = [
      entryOf('a', state('a', { listedAt: null })),
      entryOf(
        'b',
        state('b', { listError: 'It did not answer.', leftOut: [{ name: 'x', reason: 'It has no "inputSchema".' }] }),
      ),
      entryOf('c', state('c', { modern: '', legacy: '2025-06-18' })),
      entryOf('d', null),
    ];
    const given = [{ code: 'no_remote', entryId: 'entry d', detail: 'It is a package.' }] as const;
    const bundle = await compileBundle(
      target,
      entries,
      [tool('b', 't', { execution: { taskSupport: 'required' } })],
      given,
    );
    expect(bundle.problems.map(({ code, entryId, subject }) => [code, entryId, subject])).toEqual([
      ['no_remote', 'entry d', undefined],
      ['not_listed', 'entry a', undefined],
      ['list_failed', 'entry b', undefined],
      ['left_out', 'entry b', 'x'],
      ['left_out', 'entry b', 't'],
      ['nothing_listed', 'entry c', undefined],
      ['legacy_only', 'entry c', undefined],
    ]);
    expect(bundle.tools.size).toBe(0);
  });

  it('knows the parameters that a tool wants in headers', async () => {
    const inputSchema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } };
    const bundle = await compileBundle(target, [entryOf('a')], [tool('a', 'x', { inputSchema }), tool('a', 'y')], []);
    expect(bundle.tools.get('a__x')).toMatchObject({
      paramHeaders: [{ name: 'mcp-param-region', path: ['region'] }],
      inputSchema,
    });
    expect(bundle.tools.get('a__y')).toMatchObject({ paramHeaders: [], inputSchema: undefined });
  });

  it('offers at most 5,000 tools', async () => {
    const many = Array.from({ length: 5_001 }, (_, index) => tool('a', `t${String(index).padStart(4, '0')}`));
    const bundle = await compileBundle(target, [entryOf('a')], many, []);
    expect(bundle.tools.size).toBe(5_000);
    expect(bundle.pages['tools/list']).toHaveLength(10);
    expect(bundle.problems).toEqual([expect.objectContaining({ code: 'too_many_tools', subject: 'a__t5000' })]);
  });

  it('has a digest of each list that changes with that list only', async () => {
    const compile = (...definitions: StoredDefinition[]) => compileBundle(target, [entryOf('a')], definitions, []);
    const before = await compile(tool('a', 'x'), defined('a', 'prompt', 'p'));
    const after = await compile(tool('a', 'x', { description: 'new' }), defined('a', 'prompt', 'p'));
    expect(after.digests).toEqual({
      ...before.digests,
      tools: expect.not.stringMatching(before.digests.tools) as string,
    });
  });

  it('combines what servers say for models', async () => {
    const words = (id: string, instructions: string | null) =>
      entryOf(id, state(id, { instructions })) as ReachableEntry;
    const bundle = await compileBundle(
      target,
      [words('a', ' Ask first. '), words('b', null), words('c', 'x'.repeat(9_000))],
      [],
      [],
    );
    expect(bundle.instructions).toMatch(/^# a\nAsk first\.\n\n# c\nx{4096}$/);
  });

  it('has names that do not depend on other entries and their order', async () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[A-Za-z_./]{1,60}$/), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(names, names, async (own, others) => {
        const definitions = [...own.map((name) => tool('a', name)), ...others.map((name) => tool('b', name))];
        const keysOf = async (entries: CompiledEntry[]) => {
          const { tools } = await compileBundle(target, entries, definitions, []);
          return [...tools].flatMap(([key, { entry }]) => (entry.key === 'a' ? [key] : []));
        };
        const alone = await keysOf([entryOf('a')]);
        expect(alone).toHaveLength(own.length);
        expect(await keysOf([entryOf('b'), entryOf('a')])).toEqual(alone);
        expect(await keysOf([entryOf('a'), entryOf('b')])).toEqual(alone);
      }),
      { numRuns: 30 },
    );
  });
});

describe('What a server lists in a form that clients cannot read', () => {
  const problemsOf = ({ problems }: CompiledBundle) =>
    problems.map(({ code, entryId, subject, detail }) => [code, entryId, subject, detail]);

  it('is mended or left out, and the report names it, while everything else is offered', async () => {
    const bundle = await compileBundle(
      target,
      [entryOf('a'), entryOf('b')],
      [
        tool('a', 'none', { inputSchema: {}, title: null, outputSchema: null }),
        tool('a', 'odd', { inputSchema: { type: 'string' } }),
        defined('a', 'prompt', 'p', { arguments: null }),
        defined('a', 'resource', 'memo://a', { name: undefined }),
        tool('b', 'fine'),
      ],
      [],
    );
    expect(listOf(bundle, 'tools/list')).toEqual([
      { name: 'a__none', inputSchema: { type: 'object' } },
      { name: 'b__fine', inputSchema: { type: 'object' } },
    ]);
    expect(listOf(bundle, 'prompts/list')).toEqual([{ name: 'a__p' }]);
    expect(listOf(bundle, 'resources/list')).toEqual([{ uri: 'memo://a', name: 'memo://a' }]);
    expect(problemsOf(bundle)).toEqual([
      [
        'definition_mended',
        'entry a',
        'none',
        'Clients could not read it: /inputSchema/type is missing: completed to "object"; /title is null: dropped; /outputSchema is null: dropped.',
      ],
      ['left_out', 'entry a', 'odd', 'Its "inputSchema" is not of type "object".'],
      ['definition_mended', 'entry a', 'p', 'Clients could not read it: /arguments is null: dropped.'],
      [
        'definition_mended',
        'entry a',
        'memo://a',
        'Clients could not read it: /name is missing: completed to its uri.',
      ],
    ]);
  });

  it('has hints only where the server says them as the protocol has it', async () => {
    const bundle = await compileBundle(
      target,
      [entryOf('a')],
      [tool('a', 'x', { annotations: { readOnlyHint: 1 } })],
      [],
    );
    expect(bundle.tools.get('a__x')?.annotations).toEqual({});
  });

  it('is another list for clients of the legacy era, where an output schema is of another type than object', async () => {
    const outputSchema = { type: 'array', items: { $ref: '#/$defs/A' }, $defs: { A: { type: 'string' } } };
    const definitions = [tool('a', 'list', { outputSchema }), tool('a', 'plain', { outputSchema: { type: 'object' } })];
    const bundle = await compileBundle(target, [entryOf('a')], definitions, []);
    expect(listOf(bundle, 'tools/list')).toMatchObject([{ outputSchema }, { outputSchema: { type: 'object' } }]);
    const [page] = bundle.legacyPages['tools/list'];
    expect(JSON.parse(`{${page?.items.toString()}}`)).toMatchObject({
      tools: [
        {
          name: 'a__list',
          outputSchema: {
            type: 'object',
            properties: { result: { ...outputSchema, items: { $ref: '#/properties/result/$defs/A' } } },
            required: ['result'],
          },
        },
        { name: 'a__plain', outputSchema: { type: 'object' } },
      ],
    });
    expect([...bundle.tools.values()].map(({ wrapsOutput }) => wrapsOutput)).toEqual([true, false]);
    expect(bundle.problems).toEqual([]);
    const same = await compileBundle(target, [entryOf('a')], definitions.slice(1), []);
    expect(same.legacyPages['tools/list']).toBe(same.pages['tools/list']);
  });

  it('keeps its form for clients of the legacy era when it gets its longer name', async () => {
    const definitions = ['a', 'b'].map((of) => tool(of, 'x', { outputSchema: { type: 'array' } }));
    const bundle = await compileBundle(plain, [entryOf('a'), entryOf('b')], definitions, []);
    const [page] = bundle.legacyPages['tools/list'];
    expect(JSON.parse(`{${page?.items.toString()}}`)).toMatchObject({
      tools: [
        { name: 'a__x', outputSchema: { type: 'object' } },
        { name: 'b__x', outputSchema: { type: 'object' } },
      ],
    });
  });

  it.each([
    ['a direction mark', 'a\u202eb', 'aU+202Eb'],
    ['a line break', 'a\nb', 'a b'],
    ['a blank', 'a b', 'a b'],
    ['a blank of another width', 'a\u3000b', 'a\u3000b'],
    ['a sign that is shown as a blank', 'a\u2800b', 'a\u2800b'],
    ['a character of no width', 'a\u200bb', 'aU+200Bb'],
  ])('is offered by its longer name where its own has %s', async (_, name, visible) => {
    const definitions = [tool('a', name), defined('a', 'prompt', name), tool('a', 'fine')];
    const bundle = await compileBundle(plain, [entryOf('a')], definitions, []);
    expect([...bundle.tools.keys(), ...bundle.prompts.keys()]).toEqual([
      expect.stringMatching(/^a__a_b_[a-z2-7]{7}$/),
      'fine',
      expect.stringMatching(/^a__a_b_[a-z2-7]{7}$/),
    ]);
    expect(bundle.problems.map(({ code, subject }) => [code, subject])).toEqual([
      ['name_not_possible', name],
      ['name_not_possible', name],
    ]);
    expect(bundle.problems[0]?.detail).toContain(`"${visible}" is refused`);
  });
});
