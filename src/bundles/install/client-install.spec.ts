import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { cases } from '../../../test/support/random-cases';
import { readConfig } from '../entries/entry-config';
import { EDITORS, type Editor } from '../export/export-client';
import { planForClient } from '../export/client-formats';
import type { Launch } from '../launch/launch';
import type { Question, Template } from '../launch/template';
import { type ClientInstall, clientInstall, encodedLink, MAX_LINK_LENGTH } from './client-install';

const KEY = 'weather';
const SERVERS_OF: Record<Editor, string> = {
  vscode: 'servers',
  cursor: 'mcpServers',
  'claude-code': 'mcpServers',
  'claude-desktop': 'mcpServers',
};

/** As the documentation of the fields says. */
function filled(text: string, inputs: ClientInstall['inputs'], answers: Map<string, string>): string {
  const written = new Map(
    inputs.flatMap(({ name, placeholder }) => {
      const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
      const answer = JSON.stringify(answers.get(name) ?? '').slice(1, -1);
      return placeholder === null ? [] : [[placeholder, answer.replace(/[^ -~]|[%'!?~<>&`]/g, escape)]];
    }),
  );
  if (written.size === 0) return text;
  const any = [...written.keys()].map((placeholder) => placeholder.replace(/[$(){}[\].*+?^|\\]/g, '\\$&')).join('|');
  return text.replace(new RegExp(any, 'g'), (placeholder) => written.get(placeholder) ?? '');
}

/** What a program with this name gets as its arguments when a shell runs the line. */
function argumentsBy(program: string, line: string): string[] {
  const stub = `${program}() { printf '%s\\0' "$@"; }\n`;
  return execFileSync('/bin/sh', ['-c', stub + line], { encoding: 'utf8', env: {} })
    .split('\0')
    .slice(0, -1);
}

/** What VS Code gets of a link: its parser decodes the query, and so does what reads it. */
function readByVsCode(link: string): Record<string, unknown> {
  const [, query = ''] = /^vscode:mcp\/install\?([^#]*)$/.exec(link) ?? [];
  return JSON.parse(decodeURIComponent(decodeURIComponent(query))) as Record<string, unknown>;
}

/** The same of Cursor, whether it decodes the parameters once or twice. */
function readByCursor(link: string, isTwice: boolean): unknown {
  const [, query = ''] = /^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?([^#]*)$/.exec(link) ?? [];
  const parameters = [...new URLSearchParams(isTwice ? decodeURIComponent(query) : query)];
  expect(parameters.map(([name]) => name)).toEqual(['name', 'config']);
  expect(parameters[0]?.[1]).toBe(KEY);
  return JSON.parse(atob(parameters[1]?.[1] ?? ''));
}

/** All ways as the client reads them: the server, and for VS Code the inputs. */
function readAll(client: Editor, { link, command, file }: Pick<ClientInstall, 'link' | 'command' | 'file'>): unknown[] {
  const read: unknown[] = [];
  const configuration = JSON.parse(file.content) as Record<string, Record<string, object>>;
  const { [SERVERS_OF[client]]: servers = {}, inputs, ...others } = configuration;
  expect(others).toEqual({});
  expect(Object.keys(servers)).toEqual([KEY]);
  const isAsked = Array.isArray(inputs) && inputs.length > 0;
  read.push({ server: servers[KEY], inputs: isAsked ? inputs : undefined });
  if (link && client === 'vscode') {
    const { name, inputs: asked, ...server } = readByVsCode(encodedLink(link));
    expect(name).toBe(KEY);
    read.push({ server, inputs: asked });
  }
  if (link && client === 'cursor') {
    for (const isTwice of [false, true]) {
      read.push({ server: readByCursor(encodedLink(link), isTwice), inputs: undefined });
    }
  }
  if (command !== null && client === 'claude-code') {
    const words = argumentsBy('claude', command);
    expect(words.slice(0, -1)).toEqual(['mcp', 'add-json', '--scope', 'user', KEY]);
    read.push({ server: JSON.parse(words.at(-1) ?? '') as unknown, inputs: undefined });
  }
  if (command !== null && client === 'vscode') {
    const [option, json = '', ...more] = argumentsBy('code', command);
    expect([option, more]).toEqual(['--add-mcp', []]);
    const { name, inputs: asked, ...server } = JSON.parse(json) as Record<string, unknown>;
    expect(name).toBe(KEY);
    read.push({ server, inputs: asked });
  }
  return read;
}

const nasty = fc.constantFrom(
  ...(
    `' '' " $ $HOME $(id) \`id\` \\ \\u0027 \n \n# ; & && | > ~ ! # % %22 %2522 %27 + / ? = , -- -H --scope=local "} {" ` +
    `\u202e \u2066 \u200b \r \t \u001b[201~ \u0003 \u0085 \u2028 \ufeff é 漢 😀 </script> &config=e30=`
  ).split(' '),
);
const text = fc
  .array(fc.oneof(fc.string({ unit: 'binary', maxLength: 8 }), nasty), { maxLength: 4 })
  .map((parts) => parts.join('').toWellFormed().replaceAll('\0', '').replaceAll('$', 'S').replaceAll('<', 'L'));
const rawText = fc
  .array(fc.oneof(text, nasty, fc.constantFrom('${HOME}', '<KEY>', '$')), { maxLength: 3 })
  .map((parts) => parts.join(''));
const question: fc.Arbitrary<Question> = fc.record({
  name: fc.oneof(fc.constantFrom('KEY', 'X-Key', '--key', 'x key'), text).filter((name) => name !== ''),
  description: fc.option(text, { nil: undefined }),
  isSecret: fc.boolean(),
  isRequired: fc.boolean(),
  choices: fc.array(text, { maxLength: 2 }),
});
const launchOf = (word: fc.Arbitrary<string>): fc.Arbitrary<Launch> => {
  const template: fc.Arbitrary<Template> = fc.array(fc.oneof({ weight: 3, arbitrary: word }, question), {
    maxLength: 3,
  });
  const map = fc.array(fc.tuple(text, template), { maxLength: 3 }).map((pairs) => new Map(pairs));
  const local = fc
    .record({ command: fc.constantFrom('npx', 'docker'), args: fc.array(template, { maxLength: 4 }), env: map })
    .map((parts) => ({ kind: 'local' as const, ...parts, package: undefined as never }));
  const remote = fc
    .record({ type: fc.constantFrom('http' as const, 'sse' as const), url: template, headers: map })
    .map((parts) => ({ kind: 'remote' as const, ...parts }));
  return fc.oneof(local, remote).map((server) => ({ server, unasked: [], ignored: [] }));
};

describe.each(EDITORS)('A server for %s', (client) => {
  it('is the same by every way, and nothing in it is anything else, whatever it contains', () => {
    fc.assert(
      fc.property(launchOf(rawText), (launch) => {
        const install = clientInstall(client, KEY, launch);
        const [inFile, ...others] = readAll(client, install);
        for (const other of others) expect(other).toEqual(inFile);
        const printable = /^[ -~]*$/;
        expect(install.command ?? '').toMatch(printable);
        expect(install.link?.content ?? '').toMatch(printable);
        expect(install.file.content.replaceAll('\n', '')).toMatch(/^(?:(?! )[^\p{C}\p{Z}]| )*$/u);
      }),
      { numRuns: cases(150) },
    );
  });

  it('gets exactly what was typed, wherever it is asked for', () => {
    const filledLaunch = fc.tuple(launchOf(text), fc.array(rawText, { minLength: 1, maxLength: 4 }));
    fc.assert(
      fc.property(filledLaunch, ([launch, typed]) => {
        const install = clientInstall(client, KEY, launch);
        const answers = new Map(install.inputs.map(({ name }, index) => [name, typed[index % typed.length] ?? '']));
        const fill = (content: string) => filled(content, install.inputs, answers);
        const ways = readAll(client, {
          link: install.link && { ...install.link, content: fill(install.link.content) },
          command: install.command === null ? null : fill(install.command),
          file: { ...install.file, content: fill(install.file.content) },
        }) as { server: Record<string, unknown> }[];
        const write = (template: Template) =>
          template.map((part) => (typeof part === 'string' ? part : answers.get(part.name))).join('');
        const { server } = launch;
        const settings = server.kind === 'local' ? server.env : server.headers;
        const expected = {
          ...(server.kind === 'local'
            ? { command: server.command, args: server.args.map(write) }
            : { url: write(server.url) }),
          settings: new Map([...settings].map(([field, template]) => [field, write(template)])),
        };
        for (const way of ways) {
          const { type: _, env = {}, headers = env, ...others } = way.server;
          expect({ ...others, settings: new Map(Object.entries(headers as object)) }).toEqual(expected);
        }
      }),
      { numRuns: cases(150) },
    );
  });
});

describe('The ways to put a server into a client', () => {
  const document = {
    packages: [
      {
        registryType: 'npm',
        identifier: '@acme/weather',
        version: '1.0.0',
        transport: { type: 'stdio' },
        environmentVariables: [
          { name: 'API_KEY', isSecret: true, isRequired: true, description: 'From the portal.' },
          { name: 'TRACE', isSecret: true },
          { name: 'REGION', default: 'eu' },
        ],
      },
    ],
  };
  const installed = (client: Editor, server: object = document) => {
    const launch = planForClient(client, server, readConfig({}));
    if ('reason' in launch) throw new Error(launch.reason);
    return clientInstall(client, KEY, launch);
  };

  it('are a link, a command and a file for VS Code, which asks by itself', () => {
    const { link, command, file, runs, inputs } = installed('vscode');
    const server =
      '"type":"stdio","command":"npx","args":["-y","@acme/weather@1.0.0"],"env":{"API_KEY":"${input:weather.API_KEY}","TRACE":"${input:weather.TRACE}","REGION":"eu"}';
    const asked =
      '[{"type":"promptString","id":"weather.API_KEY","description":"weather: From the portal.","password":true},{"type":"promptString","id":"weather.TRACE","description":"weather: TRACE","password":true}]';
    const content = `{"name":"weather",${server},"inputs":${asked}}`;
    expect(link).toEqual({ prefix: 'vscode:mcp/install?', encoding: 'percent', content });
    expect(command).toBe(`code --add-mcp '${content}'`);
    expect(file.path).toBe('.vscode/mcp.json');
    expect(runs).toBe('npx -y @acme/weather@1.0.0');
    expect(inputs.map(({ name, placeholder }) => [name, placeholder])).toEqual([
      ['API_KEY', '${input:weather.API_KEY}'],
      ['TRACE', '${input:weather.TRACE}'],
    ]);
  });

  it('are a command and a file for Claude Code, which gives servers nothing for what is not set', () => {
    const { link, command, file } = installed('claude-code');
    expect(link).toBeNull();
    expect(command).toBe(
      `claude mcp add-json --scope user weather '{"type":"stdio","command":"npx","args":["-y","@acme/weather@1.0.0"],"env":{"API_KEY":"\${WEATHER__API_KEY}","TRACE":"\${WEATHER__TRACE:-}","REGION":"eu"}}'`,
    );
    expect(file.path).toBe('.mcp.json');
  });

  it('are a link and a file for Cursor, and a file for Claude Desktop', () => {
    expect(installed('cursor')).toMatchObject({
      link: { prefix: 'cursor://anysphere.cursor-deeplink/mcp/install?name=weather&config=', encoding: 'base64' },
      command: null,
      file: { path: '.cursor/mcp.json' },
    });
    expect(installed('claude-desktop')).toMatchObject({
      link: null,
      command: null,
      file: { path: 'claude_desktop_config.json' },
    });
  });

  it('have a link only as long as every system takes it, and a command that can be pasted', () => {
    const packageWith = (length: number) => ({
      packages: [{ ...document.packages[0], packageArguments: [{ type: 'positional', value: 'x'.repeat(length) }] }],
    });
    const short = installed('cursor', packageWith(900));
    expect(short.link && encodedLink(short.link).length).toBeLessThanOrEqual(MAX_LINK_LENGTH);
    const long = installed('vscode', packageWith(2_000));
    expect(long.link).toBeNull();
    expect(long.command).toContain('code --add-mcp');
    expect(long.notes.join()).toContain(String(MAX_LINK_LENGTH));
    const longest = installed('vscode', packageWith(40_000));
    expect(longest).toMatchObject({ link: null, command: null });
    expect(longest.file.content).toContain('x'.repeat(40_000));
    expect(longest.notes.filter((note) => /32000/.test(note))).toHaveLength(1);
  });
});
