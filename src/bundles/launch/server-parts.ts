import { isObject } from '../../http/requests/json-object';
/**
 * The part of a `server.json` (schema of 2025-12-11) that says how a server is run or reached. Documents come from many
 * sources and may be older than today's checks: what does not conform to the schema is ignored.
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
  /** `stdio`, or how the server is reached once a person has started it. */
  transport: string;
  runtimeArguments: ServerInput[];
  packageArguments: ServerInput[];
  environment: ServerInput[];
  /** A transport other than `stdio` has these headers, and these variables for the `{braces}` in its address. */
  headers: ServerInput[];
  variables: Map<string, ServerInput>;
}

export interface ServerRemote {
  type: 'streamable-http' | 'sse';
  url: string;
  headers: ServerInput[];
  variables: Map<string, ServerInput>;
}

/** A value that a server takes: a header, an environment variable, an argument, or a variable in one of them. */
export interface ServerInput {
  /** Empty for a positional argument. */
  name: string;
  isPositional: boolean;
  valueHint: string | undefined;
  description: string | undefined;
  isRequired: boolean;
  isSecret: boolean;
  /** Whether its whole value reveals a secret: it is one, has one among its variables, or contains credentials. */
  holdsSecret: boolean;
  isBoolean: boolean;
  /** Whether its value is the path of a file. */
  isPath: boolean;
  /** An option of which a document has only the name: it takes no value. */
  isFlag: boolean;
  value: string | undefined;
  default: string | undefined;
  choices: string[];
  /** The `{braces}` in the value. */
  variables: Map<string, ServerInput>;
}

/**
 * Headers that contain credentials (RFC 9110, section 11; RFC 6265), even if a document does not mark them as secret.
 */
const CREDENTIAL_HEADERS = new Set(['authorization', 'proxy-authorization', 'cookie']);

/** @param name of a header */
export function isCredentialHeader(name: string): boolean {
  return CREDENTIAL_HEADERS.has(name.toLowerCase());
}

/** @param document a `server.json` */
export function readServerParts(document: unknown): ServerParts {
  const server = isObject(document) ? document : {};
  return {
    packages: objectsIn(server.packages).map(readPackage),
    remotes: objectsIn(server.remotes).flatMap((remote): ServerRemote[] => {
      const { type } = remote;
      const url = text(remote.url);
      if ((type !== 'streamable-http' && type !== 'sse') || url === undefined) return [];
      return [{ type, url, headers: headersOf(remote), variables: variablesOf(remote) }];
    }),
  };
}

function readPackage(source: Record<string, unknown>): ServerPackage {
  const transport = isObject(source.transport) ? source.transport : {};
  return {
    registryType: text(source.registryType) ?? '',
    identifier: text(source.identifier) ?? '',
    version: text(source.version),
    registryBaseUrl: text(source.registryBaseUrl),
    runtimeHint: text(source.runtimeHint),
    transport: text(transport.type) ?? 'stdio',
    runtimeArguments: inputs(source.runtimeArguments),
    packageArguments: inputs(source.packageArguments),
    environment: inputs(source.environmentVariables).filter(({ name }) => name !== ''),
    headers: headersOf(transport),
    variables: variablesOf(transport),
  };
}

/**
 * A credential header with variables, or without a value, is a secret; one that is written out completely is public.
 */
function headersOf({ headers }: Record<string, unknown>): ServerInput[] {
  return inputs(headers).map((input) => {
    if (!isCredentialHeader(input.name)) return input;
    const isOpen = input.value === undefined || bracesIn(input.value).length > 0;
    return { ...input, holdsSecret: true, ...(isOpen && secret(input)) };
  });
}

function inputs(list: unknown): ServerInput[] {
  return objectsIn(list).map((source) => readInput(text(source.name) ?? '', source));
}

function readInput(name: string, source: Record<string, unknown>): ServerInput {
  const variables = variablesOf(source);
  const input: ServerInput = {
    name,
    // Some documents leave the type of an argument empty.
    isPositional: source.type === 'positional' || name === '',
    valueHint: text(source.valueHint),
    description: text(source.description),
    isRequired: source.isRequired === true,
    isSecret: false,
    holdsSecret: hasSecret(variables),
    isBoolean: source.format === 'boolean',
    isPath: source.format === 'filepath',
    isFlag: source.type === 'named' && Object.entries(source).every(isEmptyField),
    value: text(source.value),
    default: text(source.default),
    choices: Array.isArray(source.choices)
      ? (source.choices as unknown[]).filter((choice) => typeof choice === 'string')
      : [],
    variables,
  };
  return source.isSecret === true ? { ...input, ...secret(input) } : input;
}

function isEmptyField([field, value]: [string, unknown]): boolean {
  return field === 'type' || field === 'name' || value === false || value === '' || value === null;
}

/** The fields of a secret input. If none of its variables is marked as secret, all of them are secret. */
function secret({ variables }: ServerInput): Pick<ServerInput, 'isSecret' | 'holdsSecret' | 'variables'> {
  const marked = { isSecret: true, holdsSecret: true };
  if (hasSecret(variables)) return { ...marked, variables };
  return {
    ...marked,
    variables: new Map([...variables].map(([name, variable]) => [name, { ...variable, ...marked }])),
  };
}

function hasSecret(variables: ReadonlyMap<string, ServerInput>): boolean {
  return [...variables.values()].some((variable) => variable.isSecret);
}

function variablesOf({ variables }: Record<string, unknown>): Map<string, ServerInput> {
  if (!isObject(variables)) return new Map();
  return new Map(
    Object.entries(variables).flatMap(([name, source]) => (isObject(source) ? [[name, readInput(name, source)]] : [])),
  );
}

/** `${…}` is a variable of a client, for which see `foreignVariable`. */
export const BRACES = /(?<!\$)\{([^{}\s]+)\}/g;

/** @returns the names in the `{braces}` of a text */
export function bracesIn(text: string): string[] {
  return [...text.matchAll(BRACES)].map(([, name = '']) => name);
}

/** @returns the objects of a list; of anything else, none */
export function objectsIn(list: unknown): Record<string, unknown>[] {
  return Array.isArray(list) ? (list as unknown[]).filter(isObject) : [];
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
