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
  isBoolean: boolean;
  value: string | undefined;
  default: string | undefined;
  choices: string[];
  /** Of the `{braces}` in the value. */
  variables: Map<string, ServerInput>;
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
      return [{ type, url, headers: inputs(remote.headers), variables: variablesOf(remote) }];
    }),
  };
}

function readPackage(found: Record<string, unknown>): ServerPackage {
  return {
    registryType: text(found.registryType) ?? '',
    identifier: text(found.identifier) ?? '',
    version: text(found.version),
    registryBaseUrl: text(found.registryBaseUrl),
    runtimeHint: text(found.runtimeHint),
    transport: (isObject(found.transport) && text(found.transport.type)) || 'stdio',
    runtimeArguments: inputs(found.runtimeArguments),
    packageArguments: inputs(found.packageArguments),
    environment: inputs(found.environmentVariables).filter(({ name }) => name !== ''),
  };
}

function inputs(list: unknown): ServerInput[] {
  return objects(list).map((found) => readInput(text(found.name) ?? '', found));
}

function readInput(name: string, found: Record<string, unknown>): ServerInput {
  return {
    name,
    // Some documents leave the type of an argument empty.
    isPositional: found.type === 'positional' || name === '',
    valueHint: text(found.valueHint),
    description: text(found.description),
    isRequired: found.isRequired === true,
    isSecret: found.isSecret === true,
    isBoolean: found.format === 'boolean',
    value: text(found.value),
    default: text(found.default),
    choices: Array.isArray(found.choices) ? (found.choices as unknown[]).filter((one) => typeof one === 'string') : [],
    variables: variablesOf(found),
  };
}

function variablesOf({ variables }: Record<string, unknown>): Map<string, ServerInput> {
  if (!isObject(variables)) return new Map();
  return new Map(
    Object.entries(variables).flatMap(([name, found]) => (isObject(found) ? [[name, readInput(name, found)]] : [])),
  );
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
