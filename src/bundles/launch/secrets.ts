import type { Fault } from '../../errors/errors';
import { type KnownConfig, readConfig } from '../entries/entry-config';
import type { EntryConfig } from '../entries/entry-list';
import { bracesIn, isCredentialHeader, readServerParts, type ServerInput } from './server-parts';

/** The names under which a configuration would contain a secret. */
interface SecretNames {
  env: Set<string>;
  /** In lower case. */
  headers: Set<string>;
  variables: Set<string>;
  /** Options of the command line. */
  options: Set<string>;
}

/** A secret in a configuration. */
interface ConfiguredSecret {
  field: keyof KnownConfig;
  /** Its name; of an argument its index. */
  key: string;
  /** For messages. */
  name: string;
}

/** Such as in the value of docker's `-e`. */
const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)=/;

/**
 * Finds the secrets in a configuration. Everyone who may read the bundle could read them, in every version, so they are
 * rejected; each user of the bundle provides them instead.
 *
 * @param server the `server.json` of the listing
 * @returns a fault for each value, below the configuration; it does not repeat the value
 */
export function secretFaults(config: EntryConfig, server: unknown): Fault[] {
  return findSecrets(readConfig(config), server).map(({ field, key }) => ({
    loc: [field, key],
    msg: 'The server.json of the listing, or HTTP itself, makes this a secret, so a bundle cannot store it; each user of the bundle provides it.',
    type: 'value_error',
  }));
}

/**
 * Removes the secrets from a configuration, which may be older than the document that marks them as secrets.
 *
 * @returns the rest of the configuration, and the names of the secrets
 */
export function withoutSecrets(config: KnownConfig, server: unknown): { config: KnownConfig; ignored: string[] } {
  const secrets = findSecrets(config, server);
  if (secrets.length === 0) return { config, ignored: [] };
  const keysOf = (field: keyof KnownConfig) =>
    new Set(secrets.filter((secret) => secret.field === field).map(({ key }) => key));
  const without = <T>(map: ReadonlyMap<string, T>, keys: Set<string>, keyOf = (name: string, _: T) => name) =>
    new Map([...map].filter(([name, value]) => !keys.has(keyOf(name, value))));
  const [env, headers, variables, args] = [keysOf('env'), keysOf('headers'), keysOf('variables'), keysOf('args')];
  return {
    config: {
      ...config,
      env: without(config.env, env),
      headers: without(config.headers, headers, (_, { name }) => name),
      variables: without(config.variables, variables),
      // The value of an option is in the same word, after `=`, or in the next one.
      args: config.args.filter(
        (_, index) =>
          !args.has(String(index)) && !(args.has(String(index - 1)) && !config.args[index - 1]?.includes('=')),
      ),
    },
    ignored: secrets.map(({ name }) => name),
  };
}

function findSecrets({ env, headers, variables, args }: KnownConfig, server: unknown): ConfiguredSecret[] {
  const secret = secretNames(server);
  const named = (field: keyof KnownConfig, names: string[]): ConfiguredSecret[] =>
    names.map((name) => ({ field, key: name, name }));
  return [
    ...named(
      'env',
      [...env.keys()].filter((name) => secret.env.has(name)),
    ),
    ...named(
      'headers',
      [...headers].flatMap(([lower, { name }]) =>
        secret.headers.has(lower) || isCredentialHeader(lower) ? [name] : [],
      ),
    ),
    ...named(
      'variables',
      [...variables.keys()].filter((name) => secret.variables.has(name)),
    ),
    ...args.flatMap((word, index): ConfiguredSecret[] => {
      const [option = ''] = word.split('=');
      return secret.options.has(option) ? [{ field: 'args', key: String(index), name: option }] : [];
    }),
  ];
}

function secretNames(server: unknown): SecretNames {
  const { packages, remotes } = readServerParts(server);
  const env = packages.flatMap(({ environment }) => environment);
  const headers = [...packages, ...remotes].flatMap((part) => part.headers);
  const args = packages.flatMap(({ runtimeArguments, packageArguments }) => [...runtimeArguments, ...packageArguments]);
  const addressed = [...packages, ...remotes].flatMap((part) => [...part.variables.values()]);
  const inputs = [...env, ...headers, ...args];
  const secretArgs = args.filter(({ holdsSecret }) => holdsSecret);
  const assigned = secretArgs.map(({ value = '' }) => ASSIGNMENT.exec(value)?.[1]);
  return {
    env: new Set([...namesOf(env), ...assigned.filter((name) => name !== undefined)]),
    headers: new Set(namesOf(headers).map((name) => name.toLowerCase())),
    variables: new Set([
      ...namesOf([...inputs.flatMap((input) => [...input.variables.values()]), ...addressed, ...args]),
      ...secretArgs.flatMap(({ valueHint }) => valueHint ?? []),
      ...inputs.filter(({ isSecret }) => isSecret).flatMap(undeclared),
    ]),
    options: new Set(
      secretArgs.filter(({ isPositional }, index) => !isPositional && !assigned[index]).map(({ name }) => name),
    ),
  };
}

function namesOf(inputs: readonly ServerInput[]): string[] {
  return inputs.filter(({ holdsSecret }) => holdsSecret).map(({ name }) => name);
}

/** The `{braces}` in a value that its document does not declare. */
function undeclared({ value = '', variables }: ServerInput): string[] {
  return bracesIn(value).filter((name) => !variables.has(name));
}
