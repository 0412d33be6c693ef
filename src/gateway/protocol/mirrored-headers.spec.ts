import { paramHeadersOf, requireMatchingParams } from './mirrored-headers';

const region = { type: 'string', 'x-mcp-header': 'Region' };
const schema = (properties: object, rest: object = {}) => ({ type: 'object', properties, ...rest });

describe('The parameters that a tool wants in headers', () => {
  it('are found along properties only', () => {
    expect(paramHeadersOf(schema({ region, query: { type: 'string' } }))).toEqual([
      { name: 'mcp-param-region', path: ['region'] },
    ]);
    expect(paramHeadersOf(schema({ where: schema({ region }) }))).toEqual([
      { name: 'mcp-param-region', path: ['where', 'region'] },
    ]);
    expect(paramHeadersOf({})).toEqual([]);
    expect(paramHeadersOf(undefined)).toEqual([]);
  });

  it('may belong to properties that are called like keywords', () => {
    expect(paramHeadersOf(schema({ properties: region, items: { type: 'string' } }))).toEqual([
      { name: 'mcp-param-region', path: ['properties'] },
    ]);
    expect(paramHeadersOf(schema({ 'x-mcp-header': { type: 'string' } }))).toEqual([]);
  });

  it.each([
    ['an empty name', schema({ a: { type: 'string', 'x-mcp-header': '' } })],
    ['a name that is no token', schema({ a: { type: 'string', 'x-mcp-header': 'a b' } })],
    ['a line break', schema({ a: { type: 'string', 'x-mcp-header': 'a\r\nb' } })],
    ['a number', schema({ a: { type: 'number', 'x-mcp-header': 'A' } })],
    ['an object', schema({ a: { type: 'object', 'x-mcp-header': 'A' } })],
    ['the same name twice', schema({ a: region, b: { ...region, 'x-mcp-header': 'region' } })],
    ['an array on the way', schema({ a: { type: 'array', items: region } })],
    ['a choice on the way', schema({}, { anyOf: [schema({ region })] })],
    ['a definition', schema({}, { $defs: { region } })],
    ['the schema itself', { type: 'string', 'x-mcp-header': 'A' }],
  ])('make the definition invalid with %s', (_, invalid) => {
    expect(paramHeadersOf(invalid)).toBeUndefined();
  });

  const headers = paramHeadersOf(
    schema({
      region,
      count: { type: 'integer', 'x-mcp-header': 'Count' },
      dry: { type: 'boolean', 'x-mcp-header': 'Dry' },
    }),
  );
  const check = (args: Record<string, unknown>, said: Record<string, string>) => () =>
    requireMatchingParams(7, headers ?? [], args, (name) => said[name]);

  it.each([
    [{ region: 'eu' }, { 'mcp-param-region': 'eu' }],
    [{ region: '世' }, { 'mcp-param-region': '=?base64?5LiW?=' }],
    [{ count: 42 }, { 'mcp-param-count': '42.0' }],
    [{ dry: true }, { 'mcp-param-dry': 'true' }],
    [{ region: '' }, { 'mcp-param-region': '' }],
    [{ region: '' }, { 'mcp-param-region': '=?base64??=' }],
    [{ region: null }, {}],
    [{}, { 'mcp-param-other': 'x' }],
  ])('agree: %j with %j', (args, said) => {
    expect(check(args, said)).not.toThrow();
  });

  it.each([
    [{ region: 'eu' }, {}],
    [{ region: 'eu' }, { 'mcp-param-region': 'us' }],
    [{}, { 'mcp-param-region': 'eu' }],
    [{ region: null }, { 'mcp-param-region': 'eu' }],
    [{ region: 'x' }, { 'mcp-param-region': '=?base64?x?=' }],
    [{ count: 16 }, { 'mcp-param-count': '0x10' }],
    [{ count: 42 }, { 'mcp-param-count': ' 42' }],
    [{ dry: true }, { 'mcp-param-dry': 'True' }],
  ])('do not agree: %j with %j', (args, said) => {
    expect(check(args, said)).toThrow(expect.objectContaining({ status: 400, code: -32020, id: 7 }) as Error);
  });
});
