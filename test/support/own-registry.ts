const OFFICIAL = 'io.modelcontextprotocol.registry/official';

/** An entry of a registry's list answer. */
export interface RegistryEntry {
  server: { name: string; version: string; description?: string };
  _meta: Record<string, { status: 'active' | 'deprecated' | 'deleted'; isLatest: boolean }>;
}

/** Enough for seven pages of an import. */
const SERVERS = 420;
/** What publishers write where a version belongs; none is a semantic one. */
const ODD_VERSIONS = [
  '{{VERSION}}',
  '1.0.1º',
  '2.1',
  '2025.10.23.1321',
  '0.5.2rc4',
  'mcp',
  'auto',
  '1.0.0.post1',
  '3.3.0.1',
];

/**
 * A registry as the official one is, made here: publishers with capitals in their names, names that begin like others, an
 * empty `repository` and an empty `$schema`, odd versions, build metadata, a server with 72 versions, a document of 50 kB,
 * descriptions of 100 characters, deprecated and deleted versions, and documents that no schema accepts. The same at each
 * call.
 */
export function ownRegistry(): RegistryEntry[] {
  return [
    ...REFUSED.map((server) => entry(server, 'active', false)),
    ...Array.from({ length: SERVERS }, (_, n) => versionsOf(n)).flat(),
  ];
}

/** How many of its documents are refused. */
export function refusedOfOwnRegistry(): number {
  return REFUSED.length;
}

/** Which category each server goes into; some into none. */
export function ownMap(entries: readonly RegistryEntry[]): object {
  const slugs = ['databases', 'weather', 'developer-tools'];
  const names = [...new Set(entries.map(({ server }) => server.name))];
  return {
    categories: slugs.map((slug) => ({ slug, name: slug })),
    assignments: Object.fromEntries(
      names.filter((_, n) => n % 5 > 0).map((name, n) => [name, slugs[n % slugs.length]]),
    ),
  };
}

function nameOf(n: number): string {
  const publisher = n % 7 === 3 ? `io.github.Maker-${n % 31}` : `io.github.maker${n % 31}`;
  return `${publisher}/${n % 11 === 5 ? `Tool_${n}.Server` : `tool-${n}`}`;
}

function versionNumbers(n: number): string[] {
  if (n === 42) return Array.from({ length: 72 }, (_, minor) => `1.${minor}.0`);
  const odd = ODD_VERSIONS[n];
  if (odd !== undefined) return [odd];
  const plain = ['0.9.0', '1.0.0', n % 9 === 0 ? '1.0.0+build.5' : '1.10.0', '1.9.0'];
  return plain.slice(0, 2 + (n % 3));
}

function versionsOf(n: number): RegistryEntry[] {
  const versions = versionNumbers(n);
  return versions.map((version, index) => {
    const isLast = index === versions.length - 1;
    const status = n % 45 === 11 && !isLast ? 'deleted' : n % 50 === 1 && !isLast ? 'deprecated' : 'active';
    return entry(documentOf(n, version), status, isLast);
  });
}

function documentOf(n: number, version: string): RegistryEntry['server'] {
  const name = nameOf(n);
  const text = `Tool number ${n} of a registry that was made for tests. `;
  const transport = { type: 'stdio' };
  const [identifier, environmentVariables] = [
    `@maker/tool-${n}`,
    n === 77
      ? Array.from({ length: 500 }, (_, index) => ({ name: `SETTING_${index}`, description: 'x'.repeat(60) }))
      : [{ name: 'API_KEY', isSecret: true }],
  ];
  const npm = { registryType: 'npm', identifier, version: '1.0.0', transport, environmentVariables };
  const remote = { type: n % 4 === 0 ? 'sse' : 'streamable-http', url: `https://tool-${n}.example.com/mcp` };
  const schema = `https://static.modelcontextprotocol.io/schemas/2025-10-17/server.schema.json`;
  return {
    ...{ $schema: n % 60 === 7 ? '' : schema },
    name,
    version,
    description: n % 20 === 0 ? text.padEnd(100, '.').slice(0, 100) : text.trim(),
    ...(n % 3 === 0 && { title: `Tool ${n}` }),
    ...{ repository: n % 10 === 0 ? {} : { url: `https://github.com/maker/tool-${n}`, source: 'github' } },
    ...(n % 2 === 0 ? { packages: [npm] } : { remotes: [remote] }),
  };
}

/** Each of a server that has good versions, too, which come later. */
const REFUSED: RegistryEntry['server'][] = [
  { name: nameOf(100), version: '0.1.0' },
  { name: nameOf(101), version: '^1.0.0', description: 'A range is not a version.' },
  { name: nameOf(102), version: 'latest', description: 'Nor is this.' },
  { name: nameOf(103), version: '0.1.0', description: 'Longer than a description may be. '.repeat(4) },
  ...[
    { registryType: 'npm', identifier: 'a', version: 'latest', transport: { type: 'stdio' } },
    { registryType: 'npm', identifier: 'a', version: '1.0.0' },
    { registryType: 'npm', identifier: 'a', transport: { type: 'stdio' }, packageArguments: [{ name: '--port' }] },
  ].map((npm, n) => ({ name: nameOf(104 + n), version: '0.1.0', description: 'A bad package.', packages: [npm] })),
];

function entry(server: RegistryEntry['server'], status: 'active' | 'deprecated' | 'deleted', isLatest: boolean) {
  const times = { publishedAt: '2025-10-09T17:05:17.793149Z', updatedAt: '2025-10-09T17:05:17Z' };
  return { server, _meta: { [OFFICIAL]: { status, isLatest, ...times } } };
}
