import { isObject } from '../../../../src/http/requests/json-object';

/** What a person reads of an argument, a header, a variable of the environment or of an address. */
export interface ServerInput {
  name: string | undefined;
  description: string | undefined;
  /** What it is, or by default is. */
  value: string | undefined;
  default: string | undefined;
  /** `number`, `boolean`, `filepath` or any text. */
  format: string | undefined;
  isRequired: boolean;
  isSecret: boolean;
  isRepeated: boolean;
  choices: string[];
}

export interface ServerTransport {
  type: string;
  url: string | undefined;
  headers: ServerInput[];
  variables: ServerInput[];
}

export interface ServerPackage {
  registryType: string;
  registryBaseUrl: string | undefined;
  identifier: string;
  version: string | undefined;
  fileSha256: string | undefined;
  runtimeHint: string | undefined;
  transport: ServerTransport | undefined;
  runtimeArguments: ServerInput[];
  packageArguments: ServerInput[];
  environment: ServerInput[];
}

/** @returns the packages of a `server.json`; what has another form is left out */
export function packagesOf(server: unknown): ServerPackage[] {
  return recordsIn(server, 'packages').map((entry) => ({
    registryType: text(entry, 'registryType') ?? '',
    registryBaseUrl: text(entry, 'registryBaseUrl'),
    identifier: text(entry, 'identifier') ?? '',
    version: text(entry, 'version'),
    fileSha256: text(entry, 'fileSha256'),
    runtimeHint: text(entry, 'runtimeHint'),
    transport: isObject(entry['transport']) ? transport(entry['transport']) : undefined,
    runtimeArguments: recordsIn(entry, 'runtimeArguments').map((argument) => input(argument)),
    packageArguments: recordsIn(entry, 'packageArguments').map((argument) => input(argument)),
    environment: recordsIn(entry, 'environmentVariables').map((variable) => input(variable)),
  }));
}

/** @returns the addresses at which the server runs */
export function remotesOf(server: unknown): ServerTransport[] {
  return recordsIn(server, 'remotes').map(transport);
}

/** @returns the address of the repository, and of the folder in it */
export function repositoryOf(repository: unknown): { url: string | undefined; subfolder: string | undefined } {
  const record = isObject(repository) ? repository : {};
  return { url: text(record, 'url'), subfolder: text(record, 'subfolder') };
}

const WEB = /^https?:\/\//i;

const PAGES: Record<
  string,
  { bases: readonly string[]; page: (identifier: string, version: string | undefined) => string }
> = {
  npm: {
    bases: ['https://registry.npmjs.org', 'https://registry.npmjs.com'],
    page: (identifier, version) =>
      `https://www.npmjs.com/package/${path(identifier)}${version ? `/v/${path(version)}` : ''}`,
  },
  pypi: {
    bases: ['https://pypi.org', 'https://files.pythonhosted.org'],
    page: (identifier, version) => `https://pypi.org/project/${path(identifier)}/${version ? `${path(version)}/` : ''}`,
  },
  nuget: {
    bases: ['https://api.nuget.org', 'https://api.nuget.org/v3/index.json'],
    page: (identifier, version) =>
      `https://www.nuget.org/packages/${path(identifier)}${version ? `/${path(version)}` : ''}`,
  },
};

/** @returns the address at which a person reads about a package: that of its registry, if it is a known one */
export function packagePage({ registryType, registryBaseUrl, identifier, version }: ServerPackage): string | undefined {
  if (WEB.test(identifier)) return identifier;
  const known = Object.hasOwn(PAGES, registryType) ? PAGES[registryType] : undefined;
  const base = registryBaseUrl?.replace(/\/+$/, '');
  if (known && (base === undefined || known.bases.includes(base))) return known.page(identifier, version);
  return base !== undefined && WEB.test(base) ? registryBaseUrl : undefined;
}

/** @returns the namespace of a name, which is its publisher: `io.github.acme` of `io.github.acme/weather` */
export function publisherOf(name: string): string {
  const slash = name.indexOf('/');
  return slash < 0 ? name : name.slice(0, slash);
}

/** An `@` and slashes are part of names of packages. */
function path(name: string): string {
  return encodeURIComponent(name.toWellFormed())
    .replaceAll('%40', '@')
    .replaceAll('%2F', '/')
    .replaceAll('..', '%2E%2E');
}

function transport(record: Record<string, unknown>): ServerTransport {
  const { variables } = record;
  return {
    type: text(record, 'type') ?? '',
    url: text(record, 'url'),
    headers: recordsIn(record, 'headers').map((header) => input(header)),
    variables: isObject(variables)
      ? Object.entries(variables).flatMap(([name, variable]) => (isObject(variable) ? [input(variable, name)] : []))
      : [],
  };
}

function input(record: Record<string, unknown>, name = text(record, 'name')): ServerInput {
  const { choices } = record;
  return {
    name: name ?? text(record, 'valueHint'),
    description: text(record, 'description'),
    value: text(record, 'value'),
    default: text(record, 'default'),
    format: text(record, 'format'),
    isRequired: record['isRequired'] === true,
    isSecret: record['isSecret'] === true,
    isRepeated: record['isRepeated'] === true,
    choices: Array.isArray(choices) ? choices.filter((choice) => typeof choice === 'string') : [],
  };
}

function text(record: Record<string, unknown>, field: string): string | undefined {
  const value = record[field];
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function recordsIn(value: unknown, field: string): Record<string, unknown>[] {
  const list = isObject(value) ? value[field] : undefined;
  return Array.isArray(list) ? list.filter(isObject) : [];
}
