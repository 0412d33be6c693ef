import type { Fault } from '../../errors/errors';
import { type KnownConfig, readConfig } from '../entries/entry-config';
import type { EntryConfig } from '../entries/entry-list';
import { bracesIn, isCredentialHeader, readServerParts, type ServerInput } from './server-parts';

/** The names under which a configuration would have a secret. */
interface SecretNames {
  env: Set<string>;
  /** In lower case. */
  headers: Set<string>;
  variables: Set<string>;
  /** Of the command line. */
  options: Set<string>;
}

/** A secret in a configuration. */
interface FoundSecret {
  field: keyof KnownConfig;
  /** Its name; of an argument its index. */
  key: string;
  /** What a person calls it. */
  name: string;
}

/** Such as the value of docker's `-e`. */
const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)=/;

/**
 * Finds the secrets in a configuration. They would be in every version of the bundle and in front of everybody who may
 * read it, so they are refused; whoever uses the bundle is asked for them.
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
 * A configuration may be older than the document that calls something in it a secret.
 *
 * @returns what is left of it, and the names of what is not
 */
export function withoutSecrets(config: KnownConfig, server: unknown): { config: KnownConfig; ignored: string[] } {
  const found = findSecrets(config, server);
  if (found.length === 0) return { config, ignored: [] };
  const gone = (field: keyof KnownConfig) => new Set(found.filter((one) => one.field === field).map(({ key }) => key));
  const without = <T>(map: ReadonlyMap<string, T>, keys: Set<string>, keyOf = (name: string, _: T) => name) =>
    new Map([...map].filter(([name, value]) => !keys.has(keyOf(name, value))));
  const [env, headers, variables, args] = [gone('env'), gone('headers'), gone('variables'), gone('args')];
  return {
    config: {
      ...config,
      env: without(config.env, env),
      headers: without(config.headers, headers, (_, { name }) => name),
      variables: without(config.variables, variables),
      // An option without its value in the same word has it in the next one.
      args: config.args.filter(
        (_, index) =>
          !args.has(String(index)) && !(args.has(String(index - 1)) && !config.args[index - 1]?.includes('=')),
      ),
    },
    ignored: found.map(({ name }) => name),
  };
}

function findSecrets({ env, headers, variables, args }: KnownConfig, server: unknown): FoundSecret[] {
  const secret = secretNames(server);
  const named = (field: keyof KnownConfig, names: string[]): FoundSecret[] =>
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
    ...args.flatMap((word, index): FoundSecret[] => {
      const [option = ''] = word.split('=');
      return secret.options.has(option) ? [{ field: 'args', key: String(index), name: option }] : [];
    }),
  ];
}

function secretNames(server: unknown): SecretNames {
  const { packages, remotes } = readServerParts(server);
  const env = packages.flatMap(({ environment }) => environment);
  const headers = [...packages, ...remotes].flatMap((one) => one.headers);
  const args = packages.flatMap(({ runtimeArguments, packageArguments }) => [...runtimeArguments, ...packageArguments]);
  const addressed = [...packages, ...remotes].flatMap((one) => [...one.variables.values()]);
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

/** The `{braces}` in a value of which its document says nothing. */
function undeclared({ value = '', variables }: ServerInput): string[] {
  return bracesIn(value).filter((name) => !variables.has(name));
}
