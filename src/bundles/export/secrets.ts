import type { Fault } from '../../http/errors';
import { readConfig } from '../entries/entry-config';
import type { EntryConfig } from '../entries/entry-list';
import { readServerParts, type ServerInput } from './server-parts';

/** The names of what a `server.json` calls secret. */
interface SecretNames {
  env: Set<string>;
  /** In lower case. */
  headers: Set<string>;
  variables: Set<string>;
}

/**
 * Finds the secrets in a configuration. They would be in every version of the bundle and in front of everybody who may
 * read it, so they are refused; whoever uses the bundle is asked for them.
 *
 * @param server the `server.json` of the listing
 * @returns a fault for each value, below the configuration; it does not repeat the value
 */
export function secretFaults(config: EntryConfig, server: unknown): Fault[] {
  const secret = secretNames(server);
  const { env, headers, variables } = readConfig(config);
  return [
    ...[...env.keys()].filter((name) => secret.env.has(name)).map((name) => refusal('env', name)),
    ...[...headers].filter(([lower]) => secret.headers.has(lower)).map(([, { name }]) => refusal('headers', name)),
    ...[...variables.keys()].filter((name) => secret.variables.has(name)).map((name) => refusal('variables', name)),
  ];
}

function refusal(field: string, name: string): Fault {
  return {
    loc: [field, name],
    msg: 'The server.json of the listing calls this a secret, so no bundle keeps it; whoever uses the bundle is asked for it.',
    type: 'value_error',
  };
}

function secretNames(server: unknown): SecretNames {
  const { packages, remotes } = readServerParts(server);
  const env = packages.flatMap(({ environment }) => environment);
  const headers = remotes.flatMap((remote) => remote.headers);
  const args = packages.flatMap(({ runtimeArguments, packageArguments }) => [...runtimeArguments, ...packageArguments]);
  const variables = [...env, ...headers, ...args].flatMap((input) => [...input.variables.values()]);
  const ofRemotes = remotes.flatMap((remote) => [...remote.variables.values()]);
  return {
    env: new Set(namesOf(env)),
    headers: new Set(namesOf(headers).map((name) => name.toLowerCase())),
    variables: new Set([
      ...namesOf([...variables, ...ofRemotes, ...args]),
      ...args.flatMap(({ isSecret, valueHint }) => (isSecret && valueHint ? [valueHint] : [])),
    ]),
  };
}

function namesOf(inputs: readonly ServerInput[]): string[] {
  return inputs.filter(({ isSecret }) => isSecret).map(({ name }) => name);
}
