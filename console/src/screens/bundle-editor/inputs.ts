import { packagesOf, remotesOf, type ServerInput } from '../server/server-document';

export type InputGroup = 'env' | 'headers' | 'variables';

/** A value that a server takes, and where the configuration of an entry has it. */
export interface EntryInput extends ServerInput {
  group: InputGroup;
  name: string;
}

/**
 * @param runWith `run_with` of the configuration: the only way that counts, if the server has it
 * @returns what a server takes, from its `server.json`; what is fixed there, or has no name, is left out
 */
export function inputsOf(server: unknown, runWith: unknown): EntryInput[] {
  const all = { packages: packagesOf(server), remotes: remotesOf(server) };
  const chosen = all.packages.filter(({ registryType }) => registryType === runWith);
  const packages = runWith === 'remote' && all.remotes.length > 0 ? [] : chosen.length > 0 ? chosen : all.packages;
  const remotes = chosen.length > 0 ? [] : all.remotes;
  const found = [
    ...packages.flatMap((one) => [
      ...of('env', one.environment),
      ...of('variables', [...one.runtimeArguments, ...one.packageArguments, ...(one.transport?.variables ?? [])]),
      ...of('headers', one.transport?.headers ?? []),
    ]),
    ...remotes.flatMap((one) => [...of('headers', one.headers), ...of('variables', one.variables)]),
  ];
  return [...new Map(found.map((input) => [`${input.group} ${input.name}`, input])).values()];
}

/** @returns the ways to run or reach a server, if there is a choice */
export function waysOf(server: unknown): string[] {
  const ways = [
    ...packagesOf(server).map(({ registryType }) => registryType),
    ...(remotesOf(server).length > 0 ? ['remote'] : []),
  ].filter((way) => WAYS.includes(way));
  const distinct = [...new Set(ways)];
  return distinct.length > 1 ? distinct : [];
}

/** `run_with` of the API. */
const WAYS: readonly string[] = ['npm', 'pypi', 'oci', 'nuget', 'remote'];

function of(group: InputGroup, inputs: readonly ServerInput[]): EntryInput[] {
  return inputs.flatMap(({ name, ...rest }) =>
    name === undefined || rest.value !== undefined ? [] : [{ ...rest, name, group }],
  );
}
