import { parseUrl } from '../../config/parse-url';
import type { KnownConfig } from '../entries/entry-config';
import { InputResolver } from './input-resolver';
import { packageCommand } from './package-command';
import { withoutSecrets } from './secrets';
import { readServerParts, type ServerInput, type ServerPackage, type ServerRemote } from './server-parts';
import type { Skip } from './skip';
import { MAX_SERVER_BYTES, templatesSize } from './template-size';
import type { Question, Template } from './template';

/** A process that speaks MCP on its standard input and output. */
export interface LocalServer {
  kind: 'local';
  command: string;
  args: Template[];
  env: Map<string, Template>;
  /** What it runs. */
  package: ServerPackage;
}

export interface RemoteServer {
  kind: 'remote';
  type: 'http' | 'sse';
  url: Template;
  headers: Map<string, Template>;
}

/** How a client runs or reaches a server, independent of the client's format. */
export interface Launch {
  server: LocalServer | RemoteServer;
  /** Questions that were left out, because the client cannot ask and the server needs no value. */
  unasked: Question[];
  /** The names of the secrets whose values in the configuration are not used. */
  ignored: string[];
}

/** What a client can do. */
export interface ClientAbilities {
  /** Whether its configuration can contain remote servers. */
  remotes: boolean;
  /** Whether it asks its user for values, or reads them from the environment. */
  asks: boolean;
}

/**
 * Decides how a client runs or reaches a server: by the first package of the document that it can run, else by a remote
 * server, streamable HTTP before SSE; if the configuration names a way, only by that.
 *
 * @param document a `server.json`
 * @returns or why it cannot: the reason of the first way that was tried
 */
export function planLaunch(document: unknown, config: KnownConfig, client: ClientAbilities): Launch | Skip {
  const skips: Skip[] = [];
  for (const planned of planEachWay(document, config, client)) {
    if (!('reason' in planned)) return planned;
    skips.push(planned);
  }
  return skips[0] ?? { reason: 'no_server', detail: 'Its server.json names neither a package nor a remote server.' };
}

/**
 * Plans each way of the document that the configuration leaves, in the order of preference. The whole document decides
 * what in the configuration is a secret. Each way is planned when it is asked for.
 *
 * @param document a `server.json`
 * @returns for each way how a client takes it, or why it cannot; a single reason if no way is left, none if the
 *   document has no way at all
 */
export function* planEachWay(
  document: unknown,
  storedConfig: KnownConfig,
  client: ClientAbilities,
): Generator<Launch | Skip, void> {
  const { config, ignored } = withoutSecrets(storedConfig, document);
  const { packages, remotes } = readServerParts(document);
  const ways = [
    ...packages.map((part) => ({ runWith: part.registryType, plan: () => planLocal(part, config, client) })),
    ...remotes
      .toSorted((a, b) => Number(a.type === 'sse') - Number(b.type === 'sse'))
      .map((part) => ({ runWith: 'remote', plan: () => planRemote(part, config, client) })),
  ];
  const selectedWays = ways.filter(({ runWith }) => config.runWith === undefined || runWith === config.runWith);
  if (ways.length > 0 && selectedWays.length === 0) {
    yield { reason: 'run_with', detail: `Its server.json has nothing that runs with ${config.runWith ?? ''}.` };
  }
  for (const { plan } of selectedWays) {
    const planned = plan();
    yield 'reason' in planned ? planned : { ...planned, ignored: [...ignored, ...planned.ignored] };
  }
}

const TOO_LARGE: Skip = {
  reason: 'too_large',
  detail: `Its part of the configuration would exceed ${MAX_SERVER_BYTES / 1_024} KiB.`,
};

/** @returns about how many bytes a configuration has of it; undefined: more than one server may have */
export function launchSize({ server, unasked }: Launch): number | undefined {
  const [templates, settings] =
    server.kind === 'local' ? [[[server.command], ...server.args], server.env] : [[server.url], server.headers];
  return templatesSize([...templates, [...settings.keys()], ...settings.values(), unasked]);
}

function planLocal(serverPackage: ServerPackage, config: KnownConfig, client: ClientAbilities): Launch | Skip {
  if (serverPackage.registryType === 'mcpb') {
    return { reason: 'mcpb', detail: `An MCPB bundle is installed from its file: ${serverPackage.identifier}` };
  }
  if (serverPackage.transport !== 'stdio') {
    return {
      reason: 'not_stdio',
      detail: `Its package speaks ${serverPackage.transport}, so a person has to start it; a configuration cannot.`,
    };
  }
  const inputs = new InputResolver(config, client.asks);
  const env = new Map<string, Template>();
  for (const input of serverPackage.environment) {
    const template = inputs.resolve(input, config.env.get(input.name), 'asked');
    if (template) env.set(input.name, template);
  }
  const declared = new Set(serverPackage.environment.map(({ name }) => name));
  for (const [name, value] of config.env) if (!declared.has(name)) env.set(name, [value]);
  const command = packageCommand(
    serverPackage,
    {
      runtime: runtimeArguments(serverPackage).map((input) => ({
        isPositional: input.isPositional,
        words: argument(input, config, inputs),
      })),
      own: [
        ...serverPackage.packageArguments.flatMap((input) => argument(input, config, inputs)),
        ...config.args.map((arg): Template => [arg]),
      ],
    },
    [...env.keys()],
  );
  if ('reason' in command) return command;
  return bounded({
    server: { kind: 'local', ...command, env, package: serverPackage },
    unasked: inputs.unasked,
    ignored: inputs.ignored,
  });
}

function planRemote(remote: ServerRemote, config: KnownConfig, client: ClientAbilities): Launch | Skip {
  if (!client.remotes) {
    return {
      reason: 'not_local',
      detail: `This client does not read remote servers from its configuration; add it in its settings: ${remote.url}`,
    };
  }
  const inputs = new InputResolver(config, client.asks);
  const url = inputs.resolveAddress(remote.url, remote.variables);
  // Before its parts are joined.
  if (url && templatesSize([url]) === undefined) return TOO_LARGE;
  if (!url || !isAddress(url)) {
    return { reason: 'invalid_address', detail: 'The address of its remote server is not an http or https address.' };
  }
  const headers = new Map<string, Template>();
  for (const input of remote.headers) {
    const template = inputs.resolve(input, config.headers.get(input.name.toLowerCase())?.value, 'asked');
    if (template && input.name !== '') headers.set(input.name, template);
  }
  const declared = new Set(remote.headers.map(({ name }) => name.toLowerCase()));
  for (const [lower, { name, value }] of config.headers) if (!declared.has(lower)) headers.set(name, [value]);
  const type = remote.type === 'sse' ? 'sse' : 'http';
  return bounded({
    server: { kind: 'remote', type, url, headers },
    unasked: inputs.unasked,
    ignored: inputs.ignored,
  });
}

function bounded(launch: Launch): Launch | Skip {
  return launchSize(launch) === undefined ? TOO_LARGE : launch;
}

/**
 * Some documents write out the whole command of a container, from `run` on. Then an option without a value is a flag,
 * or its value is the next argument.
 */
function runtimeArguments({ registryType, runtimeArguments: all }: ServerPackage): ServerInput[] {
  const [first, ...others] = all;
  if (registryType !== 'oci' || !first?.isPositional || first.value !== 'run') return all;
  return others.map((input) => {
    const isWritten = !input.isPositional && !input.isRequired && !input.isSecret;
    return isWritten && input.value === undefined && input.default === undefined ? { ...input, isFlag: true } : input;
  });
}

/** @returns the words of one argument of a command line: one, two or none */
function argument(input: ServerInput, config: KnownConfig, inputs: InputResolver): Template[] {
  const configured =
    config.variables.get(input.name) ??
    (input.valueHint === undefined ? undefined : config.variables.get(input.valueHint));
  const isSwitched = configured === undefined || configured === 'true' || configured === 'false';
  if (!input.isPositional && (input.isBoolean || (input.isFlag && isSwitched))) {
    const isOn = configured ?? input.value ?? input.default ?? String(input.isRequired || input.isFlag);
    return isOn === 'true' ? [[input.name]] : [];
  }
  const value = inputs.resolve(input, configured, 'kept');
  if (!value) return [];
  return input.isPositional ? [value] : [[input.name], value];
}

function isAddress(url: Template): boolean {
  // A question may be anywhere but in the scheme.
  const text = url.map((part) => (typeof part === 'string' ? part : 'x')).join('');
  return typeof url[0] === 'string' && /^https?:\/\//i.test(url[0]) && parseUrl(text) !== undefined;
}
