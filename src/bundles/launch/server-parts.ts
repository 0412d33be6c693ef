/**
 * The part of a `server.json` (schema of 2025-12-11) that says how a server is run or reached. Documents come from
 * everywhere and may be older than today's checks: what is not as the schema says is read as if it were not there.
 */
export interface ServerParts {
  packages: ServerPackage[];
  remotes: ServerRemote[];
}

export interface ServerPackage {
  registryType: string;
  identifier: string;
  version: string | undefined;
  registryBaseUrl: string | undefined;
  runtimeHint: string | undefined;
  /** `stdio`, or how the server is reached once somebody has started it. */
  transport: string;
  runtimeArguments: ServerInput[];
  packageArguments: ServerInput[];
  environment: ServerInput[];
  /** Of the transport, where somebody has started the server: headers, and the `{braces}` of its address. */
  headers: ServerInput[];
  variables: Map<string, ServerInput>;
}

export interface ServerRemote {
  type: 'streamable-http' | 'sse';
  url: string;
  headers: ServerInput[];
  variables: Map<string, ServerInput>;
}

/** Something that a server wants to be told: a header, an environment variable, an argument, or a part of one. */
export interface ServerInput {
  /** Empty for a positional argument. */
  name: string;
  isPositional: boolean;
  valueHint: string | undefined;
  description: string | undefined;
  isRequired: boolean;
  isSecret: boolean;
  /** Whether the whole of it gives a secret away: it is one, or has one among its variables, or holds credentials. */
  holdsSecret: boolean;
  isBoolean: boolean;
  /** An option of which a document gives the name and nothing else: it has no value that anybody could give. */
  isFlag: boolean;
  value: string | undefined;
  default: string | undefined;
  choices: string[];
  /** Of the `{braces}` in the value. */
  variables: Map<string, ServerInput>;
}

/** In these HTTP itself has credentials (RFC 9110, section 11; RFC 6265), whatever a document says of them. */
const CREDENTIAL_HEADERS = new Set(['authorization', 'proxy-authorization', 'cookie']);

/** @param name of a header */
export function isCredentialHeader(name: string): boolean {
  return CREDENTIAL_HEADERS.has(name.toLowerCase());
}

/** @param document a `server.json` */
export function readServerParts(document: unknown): ServerParts {
  const server = isObject(document) ? document : {};
  return {
    packages: objects(server.packages).map(readPackage),
    remotes: objects(server.remotes).flatMap((remote): ServerRemote[] => {
      const { type } = remote;
      const url = text(remote.url);
      if ((type !== 'streamable-http' && type !== 'sse') || url === undefined) return [];
      return [{ type, url, headers: headersOf(remote), variables: variablesOf(remote) }];
    }),
  };
}

function readPackage(found: Record<string, unknown>): ServerPackage {
  const transport = isObject(found.transport) ? found.transport : {};
  return {
    registryType: text(found.registryType) ?? '',
    identifier: text(found.identifier) ?? '',
    version: text(found.version),
    registryBaseUrl: text(found.registryBaseUrl),
    runtimeHint: text(found.runtimeHint),
    transport: text(transport.type) ?? 'stdio',
    runtimeArguments: inputs(found.runtimeArguments),
    packageArguments: inputs(found.packageArguments),
    environment: inputs(found.environmentVariables).filter(({ name }) => name !== ''),
    headers: headersOf(transport),
    variables: variablesOf(transport),
  };
}

/** A header of credentials in which something is open is a secret; one that is written out whole is nobody's secret. */
function headersOf({ headers }: Record<string, unknown>): ServerInput[] {
  return inputs(headers).map((input) => {
    if (!isCredentialHeader(input.name)) return input;
    const isOpen = input.value === undefined || bracesIn(input.value).length > 0;
    return { ...input, holdsSecret: true, ...(isOpen && secret(input)) };
  });
}

function inputs(list: unknown): ServerInput[] {
  return objects(list).map((found) => readInput(text(found.name) ?? '', found));
}

function readInput(name: string, found: Record<string, unknown>): ServerInput {
  const variables = variablesOf(found);
  const input: ServerInput = {
    name,
    // Some documents leave the type of an argument empty.
    isPositional: found.type === 'positional' || name === '',
    valueHint: text(found.valueHint),
    description: text(found.description),
    isRequired: found.isRequired === true,
    isSecret: false,
    holdsSecret: hasSecret(variables),
    isBoolean: found.format === 'boolean',
    isFlag: found.type === 'named' && Object.entries(found).every(saysNothing),
    value: text(found.value),
    default: text(found.default),
    choices: Array.isArray(found.choices) ? (found.choices as unknown[]).filter((one) => typeof one === 'string') : [],
    variables,
  };
  return found.isSecret === true ? { ...input, ...secret(input) } : input;
}

function saysNothing([field, value]: [string, unknown]): boolean {
  return field === 'type' || field === 'name' || value === false || value === '' || value === null;
}

/** What makes an input a secret. If it does not say which of its variables are, then all of them are. */
function secret({ variables }: ServerInput): Pick<ServerInput, 'isSecret' | 'holdsSecret' | 'variables'> {
  const marked = { isSecret: true, holdsSecret: true };
  if (hasSecret(variables)) return { ...marked, variables };
  return { ...marked, variables: new Map([...variables].map(([name, one]) => [name, { ...one, ...marked }])) };
}

function hasSecret(variables: ReadonlyMap<string, ServerInput>): boolean {
  return [...variables.values()].some((one) => one.isSecret);
}

function variablesOf({ variables }: Record<string, unknown>): Map<string, ServerInput> {
  if (!isObject(variables)) return new Map();
  return new Map(
    Object.entries(variables).flatMap(([name, found]) => (isObject(found) ? [[name, readInput(name, found)]] : [])),
  );
}

/** Behind a `$` it is a variable of some client's, which is for `foreignVariable` to find. */
export const BRACES = /(?<!\$)\{([^{}\s]+)\}/g;

/** @returns the names in the `{braces}` of a text */
export function bracesIn(text: string): string[] {
  return [...text.matchAll(BRACES)].map(([, name = '']) => name);
}

function objects(list: unknown): Record<string, unknown>[] {
  return Array.isArray(list) ? (list as unknown[]).filter(isObject) : [];
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
