import { LIST_LIMITS, readDefinitions } from './definition-list';
import type { JsonObject } from '../edge/json-rpc';

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
        { name: 'b', body: tool('b') },
        { name: 'a', body: tool('a') },
      ],
      leftOut: [],
      ttlMs: 2_000,
    });
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

  it.each([
    [
      'too many',
      [{ tools: many(LIST_LIMITS.definitions + 1, 'a') }],
      'too_large',
      'It lists more than 2000 definitions, so its tools were not read.',
    ],
    [
      'too much',
      [{ tools: many(50, 'a', { description: 'x'.repeat(100_000) }) }],
      'too_large',
      'It lists more than 4 MiB, so its tools were not read.',
    ],
    [
      'too many pages',
      many(101, '').map(({ name }) => ({ tools: [tool(name)] })),
      'too_large',
      'It lists more than 100 pages, so its tools were not read.',
    ],
    ['no list', [{ tools: {} }], 'upstream_error', 'tools/list has answered without "tools".'],
  ])('are refused as a whole: %s', async (_, pages, code, message) => {
    await expect(read(...pages)).rejects.toMatchObject({ code, message, mayHaveRun: false });
  });

  it('share their bounds with the other lists of the upstream; one that is refused takes nothing', async () => {
    const use = { definitions: 0, bytes: 0 };
    const of = (kind: 'tool' | 'prompt', count: number) =>
      readDefinitions(kind, () => Promise.resolve({ [`${kind}s`]: many(count, kind) }), use);
    await of('tool', 1_500);
    await expect(of('prompt', 501)).rejects.toMatchObject({
      code: 'too_large',
      message: 'It lists more than 2000 definitions, so its prompts were not read.',
    });
    await of('prompt', 500);
    expect(use.definitions).toBe(LIST_LIMITS.definitions);
    const big = { tools: many(20, 'a', { description: 'x'.repeat(150_000) }) };
    const bytes = { definitions: 0, bytes: 0 };
    await readDefinitions('tool', () => Promise.resolve(big), bytes);
    await expect(readDefinitions('tool', () => Promise.resolve(big), bytes)).rejects.toMatchObject({
      code: 'too_large',
    });
  });

  it('are refused if the list has no end', async () => {
    let page = 0;
    const endless = () => Promise.resolve({ tools: [tool(String(page++))], nextCursor: 'again' });
    await expect(readDefinitions('tool', endless)).rejects.toMatchObject({ code: 'upstream_error' });
    expect(page).toBe(2);
  });
});
