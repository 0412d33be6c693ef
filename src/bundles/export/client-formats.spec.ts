import sample from '../../catalog/sample/sample-catalogue.json';
import { readConfig } from '../entries/entry-config';
import { entryKey } from '../entries/entry-key';
import { abilitiesOf, foreignVariable, renderConfiguration } from './client-formats';
import { EDITORS, type Editor } from './export-client';
import { planLaunch } from '../launch/launch';
import { readServerParts } from '../launch/server-parts';

function render(client: Editor, servers: Record<string, object>, config: Record<string, unknown> = {}) {
  const launches = Object.entries(servers).map(([key, document]) => {
    const launch = planLaunch(document, readConfig(config), abilitiesOf(client));
    if ('reason' in launch) throw new Error(`${key}: ${launch.reason}`);
    return { key, launch };
  });
  return renderConfiguration(client, launches);
}

const local = (environmentVariables: object[] = [], fields = {}) => ({
  packages: [
    {
      registryType: 'npm',
      identifier: 'pkg',
      version: '1.0.0',
      transport: { type: 'stdio' },
      environmentVariables,
      ...fields,
    },
  ],
});
const remote = (headers: object[] = [], fields = {}) => ({
  remotes: [{ type: 'streamable-http', url: 'https://mcp.example/mcp', headers, ...fields }],
});
const KEY = { name: 'API_KEY', description: 'From the portal.', isRequired: true, isSecret: true };

describe('The exported configuration for VS Code', () => {
  it('has servers, and inputs for what the user has to provide', () => {
    const level = { name: 'LEVEL', choices: ['a', 'b'], isRequired: true };
    const servers = {
      weather: local([KEY, { name: 'PLACE', isRequired: true }, level]),
      far: remote([{ ...KEY, name: 'Authorization', value: 'Bearer {token}' }]),
    };
    expect(render('vscode', servers).configuration).toEqual({
      inputs: [
        { type: 'promptString', id: 'weather.API_KEY', description: 'weather: From the portal.', password: true },
        { type: 'promptString', id: 'weather.PLACE', description: 'weather: PLACE', password: false },
        { type: 'pickString', id: 'weather.LEVEL', description: 'weather: LEVEL', options: ['a', 'b'] },
        { type: 'promptString', id: 'far.token', description: 'far: From the portal.', password: true },
      ],
      servers: {
        weather: {
          type: 'stdio',
          command: 'npx',
          args: ['-y', 'pkg@1.0.0'],
          env: {
            API_KEY: '${input:weather.API_KEY}',
            PLACE: '${input:weather.PLACE}',
            LEVEL: '${input:weather.LEVEL}',
          },
        },
        far: { type: 'http', url: 'https://mcp.example/mcp', headers: { Authorization: 'Bearer ${input:far.token}' } },
      },
    });
    expect(render('vscode', {}).configuration).toEqual({ inputs: [], servers: {} });
  });
});

describe('The exported configuration for Cursor', () => {
  it('reads what the user has to provide from environment variables, with separate names per server', () => {
    const servers = {
      'a-b': local([{ ...KEY, name: 'C' }]),
      a: local([{ ...KEY, name: 'B_C' }]),
      far: remote([{ ...KEY, name: 'X-Key' }]),
    };
    const { configuration } = render('cursor', servers);
    expect(configuration).toEqual({
      mcpServers: {
        'a-b': { command: 'npx', args: ['-y', 'pkg@1.0.0'], env: { C: '${env:A_B__C}' } },
        a: { command: 'npx', args: ['-y', 'pkg@1.0.0'], env: { B_C: '${env:A__B_C}' } },
        far: { url: 'https://mcp.example/mcp', headers: { 'X-Key': '${env:FAR__X_KEY}' } },
      },
    });
  });

  it('uses variable names that a shell can set', () => {
    const { questions } = render('cursor', { '3d-tool': local([KEY]) });
    expect(questions.map(({ placeholder }) => placeholder)).toEqual(['${env:_3D_TOOL__API_KEY}']);
  });

  it('asks twice for different names that look alike, and once for one name in two places', () => {
    const headers = [
      { ...KEY, name: 'X-Key' },
      { ...KEY, name: 'X_Key' },
      { name: 'Y', value: '{k}' },
      { name: 'Z', value: 'z {k}' },
    ];
    const { configuration, questions } = render('cursor', { far: remote(headers) });
    expect(configuration).toMatchObject({
      mcpServers: {
        far: {
          headers: {
            'X-Key': '${env:FAR__X_KEY}',
            X_Key: '${env:FAR__X_KEY_2}',
            Y: '${env:FAR__K}',
            Z: 'z ${env:FAR__K}',
          },
        },
      },
    });
    expect(questions.map(({ name }) => name)).toEqual(['X-Key', 'X_Key', 'k']);
  });
});

describe('The exported configuration for Claude Code', () => {
  it('reads environment variables, and gives a server nothing where one that it does not need is not set', () => {
    const servers = {
      weather: local([KEY, { name: 'MAY', isSecret: true }]),
      far: remote([
        { ...KEY, name: 'X', isRequired: false, value: '{k}' },
        { ...KEY, name: 'Y', value: 'Bearer {k}' },
      ]),
    };
    expect(render('claude-code', servers).configuration).toEqual({
      mcpServers: {
        weather: {
          type: 'stdio',
          command: 'npx',
          args: ['-y', 'pkg@1.0.0'],
          env: { API_KEY: '${WEATHER__API_KEY}', MAY: '${WEATHER__MAY:-}' },
        },
        // Required by one of the two headers, so the placeholder is the same in both.
        far: { type: 'http', url: 'https://mcp.example/mcp', headers: { X: '${FAR__K}', Y: 'Bearer ${FAR__K}' } },
      },
    });
  });
});

describe('The exported configuration for Claude Desktop', () => {
  it('has placeholders that are the same in JSON', () => {
    const odd = { name: 'THE "KEY"', isRequired: true, isSecret: true };
    expect(render('claude-desktop', { a: local([odd]) }).questions[0]?.placeholder).toBe('<THE__KEY_>');
  });

  it('has placeholders to replace by hand, and omits optional values', () => {
    const { configuration, questions } = render('claude-desktop', {
      weather: local([KEY, { name: 'MAY', isSecret: true }]),
    });
    expect(configuration).toEqual({
      mcpServers: { weather: { command: 'npx', args: ['-y', 'pkg@1.0.0'], env: { API_KEY: '<API_KEY>' } } },
    });
    expect(questions.map(({ name, placeholder }) => [name, placeholder])).toEqual([
      ['API_KEY', '<API_KEY>'],
      ['MAY', null],
    ]);
  });
});

describe('A text in which a client would insert variables of its user', () => {
  const isForeign = (client: Editor, document: object, config: Record<string, unknown> = {}) => {
    const launch = planLaunch(document, readConfig(config), abilitiesOf(client));
    return !('reason' in launch) && foreignVariable(client, launch)?.reason === 'client_variables';
  };

  it.each(['vscode', 'cursor', 'claude-code'] as const)(
    'excludes the server from the configuration for %s',
    (client) => {
      for (const text of ['${env:AWS_SECRET_ACCESS_KEY}', 'a ${command:x} b', '${input:other}', '$${env:A}', '${']) {
        expect(isForeign(client, remote([{ name: 'X', value: text }]))).toBe(true);
        expect(isForeign(client, remote([], { url: `https://evil.example/${text}` }))).toBe(true);
        expect(isForeign(client, local([{ name: 'X', default: text }]))).toBe(true);
        expect(isForeign(client, local(), { args: [text] })).toBe(true);
        expect(isForeign(client, local(), { env: { X: text } })).toBe(true);
      }
      expect(isForeign(client, remote([{ name: '${env:A}', value: 'x' }]))).toBe(true);
    },
  );

  it('excludes the server if it is among the choices for a VS Code user', () => {
    const region = {
      name: 'REGION',
      value: '{r}',
      variables: { r: { isRequired: true, choices: ['eu', '${env:A}'] } },
    };
    expect(isForeign('vscode', local([region]))).toBe(true);
    expect(isForeign('cursor', local([region]))).toBe(false);
  });

  it('is allowed where the client inserts nothing, where it is a harmless path, and where we put it', () => {
    expect(isForeign('claude-desktop', local([{ name: 'X', value: '${env:A}' }]))).toBe(false);
    expect(isForeign('vscode', local(), { args: ['${workspaceFolder}/x', '${userHome}${/}y'] })).toBe(false);
    // To Claude Code these are environment variables like all others.
    expect(isForeign('claude-code', local(), { args: ['${workspaceFolder}/x'] })).toBe(true);
    expect(isForeign('cursor', local([KEY, { name: 'X', value: '$ {a}', variables: { a: { isSecret: true } } }]))).toBe(
      false,
    );
  });
});

describe.each(EDITORS)('The sample catalogue exported for %s', (client) => {
  const documents = sample.listings.map(({ server }) => server as { name: string });

  it('is valid for the client, with a separate name for every question and no open placeholder', () => {
    const keys = new Set<string>();
    const servers = documents.flatMap((document) => {
      const key = entryKey(document.name, keys);
      keys.add(key);
      const launch = planLaunch(document, readConfig({}), abilitiesOf(client));
      return 'reason' in launch ? [] : [{ key, launch }];
    });
    expect(servers.length).toBeGreaterThan(20);
    const { configuration, questions } = renderConfiguration(client, servers);
    const { servers: made = configuration.mcpServers, inputs = [] } = configuration as {
      servers?: unknown;
      mcpServers: object;
      inputs?: { id: string }[];
    };
    expect(Object.keys(made as object)).toHaveLength(servers.length);
    expect(Object.keys(made as object).filter((key) => !/^[A-Za-z0-9_-]{1,64}$/.test(key))).toEqual([]);
    expect(JSON.parse(JSON.stringify(configuration))).toEqual(configuration);
    const placeholders = questions.flatMap(({ placeholder, server }) =>
      placeholder ? [client === 'claude-desktop' ? server + placeholder : placeholder] : [],
    );
    expect(new Set(placeholders).size).toBe(placeholders.length);
    // VS Code defines exactly what it uses.
    const used = new Set([...JSON.stringify(made).matchAll(/\$\{input:([^}]*)\}/g)].map(([, id]) => id));
    if (client === 'vscode') expect(new Set(inputs.map(({ id }) => id))).toEqual(used);
  });

  it('asks for every secret that a server needs', () => {
    for (const document of documents) {
      const launch = planLaunch(document, readConfig({}), abilitiesOf(client));
      if ('reason' in launch || launch.server.kind === 'remote') continue;
      const { questions } = renderConfiguration(client, [{ key: 'k', launch }]);
      const [first] = readServerParts(document).packages;
      const needed = (first?.environment ?? []).filter(({ isSecret, isRequired }) => isSecret && isRequired);
      const asked = questions.filter(({ isSecret, placeholder }) => isSecret && placeholder).map(({ name }) => name);
      expect(asked).toEqual(expect.arrayContaining(needed.flatMap(({ name, value }) => (value ? [] : [name]))));
    }
  });
});
