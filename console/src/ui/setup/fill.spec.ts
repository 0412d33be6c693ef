import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import {
  type AskedInput,
  base64,
  fill,
  HIDDEN,
  inDoubleQuotes,
  inJson,
  inSingleQuotes,
  linkAddress,
  MAX_LINK_LENGTH,
  proposed,
  withoutSecrets,
} from './fill';

const input = (name: string, placeholder: string | null, more: Partial<AskedInput> = {}): AskedInput => ({
  name,
  placeholder,
  is_secret: false,
  default: null,
  ...more,
});

const KEY = input('KEY', '${input:weather.KEY}', { is_secret: true });
const REGION = input('REGION', '${input:weather.REGION}');

/** What a program gets as its arguments when a shell runs the line. */
function argumentsBy(line: string): string[] {
  const stub = `client() { printf '%s\\0' "$@"; }\n`;
  return execFileSync('/bin/sh', ['-c', stub + line], { encoding: 'utf8', env: {} })
    .split('\0')
    .slice(0, -1);
}

const nasty = fc.constantFrom(
  ...'\' \'\' " $ $HOME $(id) `id` \\ \\u0027 # ; & | > ~ ! %22 %2522 + / ? = -- " } {" é 漢 😀 </script> ${input:weather.REGION}'.split(
    ' ',
  ),
);
const value = fc
  .array(fc.oneof(fc.string({ unit: 'binary', maxLength: 8 }), nasty), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join('').toWellFormed().replaceAll('\0', ''))
  .filter((text) => text !== '');

describe('Filling in what was typed', () => {
  const content = '{"name":"weather","env":{"KEY":"${input:weather.KEY}","REGION":"${input:weather.REGION}"}}';

  it('gives JSON with exactly the values, whatever they contain', () => {
    fc.assert(
      fc.property(value, value, (key, region) => {
        const filled = fill(content, [KEY, REGION], { KEY: key, REGION: region }, inJson);
        expect(JSON.parse(filled)).toEqual({ name: 'weather', env: { KEY: key, REGION: region } });
        expect(filled).toMatch(/^[ -~]*$/);
      }),
    );
  });

  it('gives a command with exactly the values to a shell', () => {
    fc.assert(
      fc.property(value, value, (key, region) => {
        const typed = { KEY: key, REGION: region };
        const words = argumentsBy(fill(`client add '${content}'`, [KEY, REGION], typed, inJson));
        expect(words).toHaveLength(2);
        expect(words[0]).toBe('add');
        expect(JSON.parse(words[1] ?? '')).toEqual({ name: 'weather', env: typed });
      }),
      { numRuns: 40 },
    );
  });

  it('gives a command with exactly the values where its placeholders are between quotes', () => {
    const TOKEN = input('TOKEN', '$TOOLYARD_TOKEN');
    fc.assert(
      fc.property(value, (token) => {
        const double = fill('client -H "Bearer $TOOLYARD_TOKEN"', [TOKEN], { TOKEN: token }, inDoubleQuotes);
        expect(argumentsBy(double)).toEqual(['-H', `Bearer ${token}`]);
        const single = fill(`client '--key=\${input:weather.KEY}'`, [KEY], { KEY: token }, inSingleQuotes);
        expect(argumentsBy(single)).toEqual([`--key=${token}`]);
      }),
      { numRuns: 40 },
    );
  });

  it('leaves what was not typed to the client', () => {
    expect(fill(content, [KEY, REGION], { REGION: 'eu' }, inJson)).toBe(
      '{"name":"weather","env":{"KEY":"${input:weather.KEY}","REGION":"eu"}}',
    );
    expect(fill(content, [KEY, REGION], {}, inJson)).toBe(content);
    expect(fill('toString', [input('toString', 'toString')], {}, inJson)).toBe('toString');
    expect(fill('all', [input('LEFT_OUT', null)], { LEFT_OUT: 'x' }, inJson)).toBe('all');
  });

  it('replaces the longest of placeholders that begin alike, and each of them everywhere', () => {
    const inputs = [input('A', '$TOKEN'), input('B', '$TOKEN_2')];
    expect(fill('$TOKEN $TOKEN_2 $TOKEN', inputs, { A: '1', B: '2' }, inJson)).toBe('1 2 1');
  });

  it('leaves a value alone that looks like a placeholder, or like a replacement of `replace`', () => {
    const typed = { KEY: '${input:weather.REGION}$&$1', REGION: 'eu' };
    expect(JSON.parse(fill(content, [KEY, REGION], typed, inJson))).toMatchObject({ env: typed });
  });
});

describe('What is shown', () => {
  it('has a sign in place of a secret, and of none that was not typed', () => {
    expect(withoutSecrets([KEY, REGION], { KEY: 'hunter2', REGION: 'eu' })).toEqual({ KEY: HIDDEN, REGION: 'eu' });
    expect(withoutSecrets([KEY], {})).toEqual({ KEY: '' });
  });

  it('begins with what the server proposes, but for secrets', () => {
    expect(
      proposed([
        { ...KEY, default: 'x' },
        { ...REGION, default: 'eu' },
      ]),
    ).toEqual({ REGION: 'eu' });
  });
});

describe('The link that opens a client', () => {
  it('has its content encoded', () => {
    expect(linkAddress({ prefix: 'vscode:mcp/install?', encoding: 'percent', content: '{"a":"é & b"}' })).toBe(
      'vscode:mcp/install?%7B%22a%22%3A%22%C3%A9%20%26%20b%22%7D',
    );
    const prefix = 'cursor://anysphere.cursor-deeplink/mcp/install?name=weather&config=';
    expect(linkAddress({ prefix, encoding: 'base64', content: '{"a":"é"}' })).toBe(`${prefix}eyJhIjoiw6kifQ%3D%3D`);
  });

  it('is the Base64 of UTF-8', () => {
    fc.assert(fc.property(value, (text) => expect(base64(text)).toBe(Buffer.from(text).toString('base64'))));
  });

  it.each([
    'javascript:',
    'https://evil.example/',
    'file:///',
    'data:text/html,',
    'ms-msdt:',
    ' vscode:',
    'VSCODE',
    '',
  ])('is none with %j before the content', (prefix) =>
    expect(linkAddress({ prefix, encoding: 'percent', content: 'x' })).toBeUndefined(),
  );

  it('is none that is longer than every system takes', () => {
    const prefix = 'vscode:mcp/install?';
    const link = (length: number) => linkAddress({ prefix, encoding: 'percent', content: 'x'.repeat(length) });
    expect(link(MAX_LINK_LENGTH - prefix.length)).toHaveLength(MAX_LINK_LENGTH);
    expect(link(MAX_LINK_LENGTH - prefix.length + 1)).toBeUndefined();
  });
});
