import { readDefinitions } from './definition-list';
import type { JsonObject } from './json-rpc';
import { UpstreamFailure } from './upstream-failure';
import { JsonBytes } from './json-bytes';
import { readJson } from './json-reading';
import { LIST_PAGE } from './message-readings';

const tool = (name: string, fields: object = {}) => ({ name, inputSchema: { type: 'object' }, ...fields });

/** @returns what is read of these pages */
function read(...pages: JsonObject[]) {
  return readDefinitions('tool', (method, cursor) => {
    expect(method).toBe('tools/list');
    const index = cursor === undefined ? 0 : Number(cursor);
    const page = pages[index];
    return Promise.resolve(page && { ...page, ...(index + 1 < pages.length ? { nextCursor: String(index + 1) } : {}) });
  });
}

describe('The definitions of an upstream', () => {
  it('are read from all pages, in its order, and are fresh for the shortest time of them', async () => {
    const list = await read(
      { tools: [tool('b')], ttlMs: 5_000 },
      { tools: [tool('a')], ttlMs: 2_000 },
      { tools: [], ttlMs: -1 },
    );
    expect(list).toEqual({
      definitions: [
        { name: 'b', body: tool('b'), text: JSON.stringify(tool('b')) },
        { name: 'a', body: tool('a'), text: JSON.stringify(tool('a')) },
      ],
      leftOut: [],
      ttlMs: 2_000,
    });
  });

  it('keep their numbers and their words, but say each name once', async () => {
    const of = (text: string) => new JsonBytes(Buffer.from(text), 1);
    const { definitions } = await read({
      tools: [
        of('{"name": "a",\n"inputSchema":{"maximum":9007199254740993, "default":1.0,"title":"\\u00e9 b"}}'),
        of('{"name":"b","inputSchema":{"a":1.0,"\\u0061":2}}'),
      ],
    });
    expect(definitions.map(({ text }) => text)).toEqual([
      '{"name":"a","inputSchema":{"maximum":9007199254740993,"default":1.0,"title":"\\u00e9 b"}}',
      '{"name":"b","inputSchema":{"a":2}}',
    ]);
  });

  it('are none where the upstream does not know the method', async () => {
    expect(await readDefinitions('prompt', () => Promise.resolve(undefined))).toEqual({
      definitions: [],
      leftOut: [],
      ttlMs: undefined,
    });
  });

  it('are left out one by one, with the reason', async () => {
    const invalid = {
      type: 'object',
      properties: { a: { type: 'array', items: { type: 'string', 'x-mcp-header': 'A' } } },
    };
    const { definitions, leftOut } = await read({
      tools: [
        tool('a'),
        tool('a', { title: 'Other' }),
        tool(''),
        5,
        tool('b\0'),
        { name: 'c' },
        tool('d', { inputSchema: invalid }),
        tool('e', { description: 'x'.repeat(300_000) }),
      ],
    });
    expect(definitions.map(({ name }) => name)).toEqual(['a']);
    expect(leftOut).toEqual([
      { name: 'a', reason: 'The server lists the name twice; the first one counts.' },
      { name: undefined, reason: 'It has no name.' },
      { name: undefined, reason: 'It has no name.' },
      { name: undefined, reason: 'Its name is not valid text.' },
      { name: 'c', reason: 'It has no "inputSchema".' },
      { name: 'd', reason: 'Its "x-mcp-header" annotations violate the specification.' },
      { name: 'e', reason: 'It has more than 256 KiB.' },
    ]);
  });

  const many = (count: number, prefix: string, fields?: object) =>
    Array.from({ length: count }, (_, n) => tool(`${prefix}${n}`, fields));

  it.each<[string, JsonObject[], number, string]>([
    [
      'many',
      [{ tools: many(2_005, 'a') }],
      2_000,
      'It lists more than 2000 definitions: the first 2000 of its tools are offered.',
    ],
    [
      'much',
      [{ tools: many(50, 'a', { description: 'x'.repeat(100_000) }) }],
      41,
      'It lists more than 4 MiB: the first 41 of its tools are offered.',
    ],
    [
      'many pages',
      many(101, '').map(({ name }) => ({ tools: [tool(name)] })),
      100,
      'It lists more than 100 pages: the first 100 of its tools are offered.',
    ],
  ])('are cut where they are too %s', async (_, pages, count, reason) => {
    const { definitions, leftOut, failure } = await read(...pages);
    expect(definitions).toHaveLength(count);
    expect(leftOut).toEqual([{ name: undefined, reason, code: 'list_cut', kind: 'tool' }]);
    expect(failure).toBeUndefined();
  });

  const huge = tool('huge', { description: 'x'.repeat(4_300_000) });

  it('are offered where others that are left out are larger than all together may be', async () => {
    const bytesOf = (item: JsonObject) => new JsonBytes(Buffer.from(JSON.stringify(item)), 1);
    const twins = Array.from({ length: 20 }, (_, n) => tool('b', { description: 'x'.repeat(250_000 + n) }));
    const { definitions, leftOut } = await read({
      tools: [bytesOf(huge), huge, bytesOf({ ...huge, name: 'x'.repeat(2_000) }), tool('a'), ...twins, tool('c')],
    });
    expect(definitions.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(leftOut).toEqual([
      { name: 'huge', reason: 'It has more than 1 MiB.' },
      { name: 'huge', reason: 'It has more than 1 MiB.' },
      { name: undefined, reason: 'Its name has more than 1024 bytes.' },
      ...twins.slice(1).map(() => ({ name: 'b', reason: 'The server lists the name twice; the first one counts.' })),
    ]);
  });

  it('are cut where too many of them are left out', async () => {
    const { definitions, leftOut } = await read({ tools: [tool('a'), ...Array<number>(2_001).fill(5), tool('b')] });
    expect(definitions.map(({ name }) => name)).toEqual(['a']);
    expect(leftOut).toHaveLength(2_001);
    const reason = 'It lists more than 2000 definitions that cannot be offered: the first 1 of its tools are offered.';
    expect(leftOut[0]).toEqual({ name: undefined, reason, code: 'list_cut', kind: 'tool' });
  });

  it.each([
    ['2,001', 2_001, 2_000],
    ['12,000', 12_000, 2_000],
    ['12,000 times the same', 12_000, 1],
  ])('are cut where a page has %s', async (_, count, offered) => {
    const tools = Array.from({ length: count }, (_each, n) => tool(`a${n % (offered === 1 ? 1 : count)}`));
    const page = readJson(Buffer.from(JSON.stringify({ result: { tools } })), LIST_PAGE);
    const { result } = ('value' in page ? page.value : {}) as { result: JsonObject };
    const { definitions, leftOut } = await read(result);
    expect(definitions).toHaveLength(offered);
    expect(leftOut).toMatchObject([{ code: 'list_cut' }]);
  });

  it('are compacted only where they are not much too long', async () => {
    const item = new JsonBytes(Buffer.from(`{"name":"a",${' '.repeat(1_000_000)}"inputSchema":{}}`), 3);
    expect((await read({ tools: [item] })).definitions).toMatchObject([{ text: '{"name":"a","inputSchema":{}}' }]);
    const members = Array.from({ length: 200_000 }, (_, n) => `"${n}":1`);
    const wide = new JsonBytes(Buffer.from(`{"name":"a",${members.join(',')}}`), 200_002);
    expect((await read({ tools: [wide] })).leftOut).toEqual([{ name: undefined, reason: 'It has more than 1 MiB.' }]);
  });

  it('are refused where there is no list', async () => {
    const message = 'tools/list has answered without "tools".';
    await expect(read({ tools: {} })).rejects.toMatchObject({ code: 'upstream_error', message, mayHaveRun: false });
  });

  it('share their bounds with the other lists of the upstream', async () => {
    const use = { definitions: 0, bytes: 0, omitted: 0 };
    const of = (kind: 'tool' | 'prompt' | 'resource', items: object[]) =>
      readDefinitions(kind, () => Promise.resolve({ [`${kind}s`]: items }), use);
    await of('tool', many(1_500, 'tool'));
    const { definitions, leftOut } = await of('prompt', many(501, 'prompt'));
    expect(definitions).toHaveLength(500);
    const reason = 'It lists more than 2000 definitions: the first 500 of its prompts are offered.';
    expect(leftOut).toEqual([{ name: undefined, reason, code: 'list_cut', kind: 'prompt' }]);
    expect((await of('resource', [{ uri: 'a:b', name: 'a' }])).leftOut).toMatchObject([{ code: 'list_cut' }]);
  });

  it('are those of the pages before one that repeats a cursor', async () => {
    let page = 0;
    const endless = () => Promise.resolve({ tools: [tool('same'), tool(String(page++))], nextCursor: 'again' });
    const { definitions, leftOut } = await readDefinitions('tool', endless);
    expect(page).toBe(2);
    expect(definitions.map(({ name }) => name)).toEqual(['same', '0', '1']);
    // What comes again just so is not reported for each tool.
    expect(leftOut).toMatchObject([{ code: 'list_cut', reason: expect.stringMatching('repeats a cursor') as string }]);
  });

  it.each([[5], [true], [{}]])('are those of the pages before a cursor that is %j', async (nextCursor) => {
    const { definitions, leftOut } = await read({ tools: [tool('a')], nextCursor });
    expect(definitions).toHaveLength(1);
    const reason = 'tools/list has a "nextCursor" that is not a text: the first 1 of its tools are offered.';
    expect(leftOut).toEqual([{ name: undefined, reason, code: 'list_cut', kind: 'tool' }]);
    expect((await read({ tools: [tool('a')], nextCursor: null })).leftOut).toEqual([]);
  });

  it.each<[string, () => Promise<JsonObject>]>([
    ['fails', () => Promise.reject(new UpstreamFailure('upstream_error', 'It answered with status 500.', false, 500))],
    ['is none', () => Promise.resolve({ nextCursor: '3' })],
  ])('are those of the pages before one that %s', async (_, third) => {
    const pages = [
      { tools: [tool('a')], nextCursor: '1' },
      { tools: [tool('b')], nextCursor: '2' },
    ];
    const { definitions, leftOut, failure } = await readDefinitions('tool', (_method, cursor) => {
      const page = pages[Number(cursor ?? 0)];
      return page ? Promise.resolve(page) : third();
    });
    expect(definitions.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(leftOut).toMatchObject([
      { code: 'list_cut', reason: expect.stringMatching('Page 3 of its tools') as string },
    ]);
    expect(failure?.code).toBe('upstream_error');
  });

  it('are refused where the first page fails, and where the error is ours', async () => {
    const failure = new UpstreamFailure('upstream_error', 'It answered with status 500.', false, 500);
    await expect(readDefinitions('tool', () => Promise.reject(failure))).rejects.toBe(failure);
    const ours = new Error('Ours');
    const read = (_method: string, cursor: string | undefined) =>
      cursor === undefined ? Promise.resolve({ tools: [], nextCursor: '1' }) : Promise.reject(ours);
    await expect(readDefinitions('tool', read)).rejects.toBe(ours);
  });
});
