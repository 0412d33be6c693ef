import { parseUrl } from '../../config/parse-url';
import type { KnownConfig, RunWith } from '../entries/entry-config';
import { packageCommand } from './package-command';
import { withoutSecrets } from './secrets';
import { readServerParts, type ServerInput, type ServerPackage, type ServerRemote } from './server-parts';
import type { Skip } from './skip';
import { MOST_SERVER_CHARACTERS, templatesSize } from './template-size';
import { hasQuestions, type Question, resolveInput, type Template } from './template';

/** A process that speaks MCP on its standard input and output. */
export interface LocalServer {
  kind: 'local';
  command: string;
  args: Template[];
  env: Map<string, Template>;
}

export interface RemoteServer {
  kind: 'remote';
  type: 'http' | 'sse';
  url: Template;
  headers: Map<string, Template>;
}

/** How a client gets at a server, before it is put in the client's words. */
export interface Launch {
  server: LocalServer | RemoteServer;
  /** Questions that a client without a way to ask leaves out, since the server can do without. */
  unasked: Question[];
  /** Secrets for which the configuration has a value that is not used. */
  ignored: string[];
}

/** What a client can do. */
export interface ClientAbilities {
  /** Whether it reaches remote servers by its configuration. */
  remotes: boolean;
  /** Whether it asks for values, or takes them from where its user keeps them. */
  asks: boolean;
}

/**
 * Decides how a client gets at a server: by the first package of the document that it can run, else by a remote server,
 * streamable HTTP before SSE; only by what the configuration names, if it names something.
 *
 * @param document a `server.json`
 * @returns or why it cannot: the reason of the first way that was tried
 */
export function planLaunch(document: unknown, given: KnownConfig, client: ClientAbilities): Launch | Skip {
  const { config, ignored } = withoutSecrets(given, document);
  const { packages, remotes } = readServerParts(document);
  const ways = [
    ...packages.map((found) => ({ way: found.registryType, plan: () => planLocal(found, config, client) })),
    ...remotes
      .toSorted((one, other) => Number(one.type === 'sse') - Number(other.type === 'sse'))
      .map((found) => ({ way: 'remote', plan: () => planRemote(found, config, client) })),
  ];
  if (ways.length === 0) {
    return { reason: 'no_server', detail: 'Its server.json names neither a package nor a remote server.' };
  }
  const wanted = ways.filter(({ way }) => config.runWith === undefined || way === (config.runWith satisfies RunWith));
  const skips: Skip[] = [];
  for (const { plan } of wanted) {
    const planned = plan();
    if (!('reason' in planned)) return { ...planned, ignored: [...ignored, ...planned.ignored] };
    skips.push(planned);
  }
  return (
    skips[0] ?? { reason: 'run_with', detail: `Its server.json has nothing that runs with ${config.runWith ?? ''}.` }
  );
}

const TOO_LARGE: Skip = {
  reason: 'too_large',
  detail: `Its part of the configuration would exceed ${MOST_SERVER_CHARACTERS / 1_024} KiB.`,
};

/** @returns about how many characters a configuration has of it; undefined: more than one server may have */
export function launchSize({ server, unasked }: Launch): number | undefined {
  const [templates, settings] =
    server.kind === 'local' ? [[[server.command], ...server.args], server.env] : [[server.url], server.headers];
  return templatesSize([...templates, [...settings.keys()], ...settings.values(), unasked]);
}

function planLocal(found: ServerPackage, config: KnownConfig, client: ClientAbilities): Launch | Skip {
  if (found.registryType === 'mcpb') {
    return { reason: 'mcpb', detail: `An MCPB bundle is installed from its file: ${found.identifier}` };
  }
  if (found.transport !== 'stdio') {
    return {
      reason: 'not_stdio',
      detail: `Its package speaks ${found.transport}, so a person has to start it; a configuration cannot.`,
    };
  }
  const collected = new Settings(config, client);
  const env = new Map<string, Template>();
  for (const input of found.environment) {
    const template = collected.resolve(input, config.env.get(input.name), 'asked');
    if (template) env.set(input.name, template);
  }
  const declared = new Set(found.environment.map(({ name }) => name));
  for (const [name, value] of config.env) if (!declared.has(name)) env.set(name, [value]);
  const command = packageCommand(
    found,
    {
      runtime: runtimeArguments(found).map((input) => ({
        isPositional: input.isPositional,
        words: argument(input, config, collected),
      })),
      own: [
        ...found.packageArguments.flatMap((input) => argument(input, config, collected)),
        ...config.args.map((arg): Template => [arg]),
      ],
    },
    [...env.keys()],
  );
  if ('reason' in command) return command;
  return bounded({
    server: { kind: 'local', ...command, env },
    unasked: collected.unasked,
    ignored: collected.ignored,
  });
}

function planRemote(found: ServerRemote, config: KnownConfig, client: ClientAbilities): Launch | Skip {
  if (!client.remotes) {
    return {
      reason: 'not_local',
      detail: `This client does not read remote servers from its configuration; add it in its settings: ${found.url}`,
    };
  }
  const collected = new Settings(config, client);
  const url = collected.resolve(
    { ...NO_INPUT, name: 'url', value: found.url, variables: found.variables },
    undefined,
    'asked',
  );
  const remote = { kind: 'remote', type: found.type === 'sse' ? 'sse' : 'http' } as const;
  // Before anything puts its parts together.
  if (url && templatesSize([url]) === undefined) return TOO_LARGE;
  if (!url || !isAddress(url)) {
    return { reason: 'invalid_address', detail: 'The address of its remote server is not an http or https address.' };
  }
  const headers = new Map<string, Template>();
  for (const input of found.headers) {
    const template = collected.resolve(input, config.headers.get(input.name.toLowerCase())?.value, 'asked');
    if (template && input.name !== '') headers.set(input.name, template);
  }
  const declared = new Set(found.headers.map(({ name }) => name.toLowerCase()));
  for (const [lower, { name, value }] of config.headers) if (!declared.has(lower)) headers.set(name, [value]);
  return bounded({ server: { ...remote, url, headers }, unasked: collected.unasked, ignored: collected.ignored });
}

function bounded(launch: Launch): Launch | Skip {
  return launchSize(launch) === undefined ? TOO_LARGE : launch;
}

const NO_INPUT: ServerInput = {
  name: '',
  isPositional: false,
  valueHint: undefined,
  description: undefined,
  isRequired: true,
  isSecret: false,
  holdsSecret: false,
  isBoolean: false,
  isFlag: false,
  value: undefined,
  default: undefined,
  choices: [],
  variables: new Map(),
};

/** Resolves the inputs of one server and collects what has to be told of them. */
class Settings {
  readonly unasked: Question[] = [];
  readonly ignored: string[] = [];

  constructor(
    private readonly config: KnownConfig,
    private readonly client: ClientAbilities,
  ) {}

  resolve(input: ServerInput, configured: string | undefined, undeclared: 'kept' | 'asked'): Template | undefined {
    const template = resolveInput(input, this.config, configured, undeclared, (name) => this.ignored.push(name));
    if (!template || this.client.asks || input.isRequired || !hasQuestions(template)) return template;
    // A text that stands for a value would be taken for the value.
    this.unasked.push(...template.filter((part) => typeof part !== 'string'));
    return undefined;
  }
}

/**
 * Some documents spell out the whole command of a container, from `run` on. Then an option without a value is meant as it
 * is written: its value is the next argument.
 */
function runtimeArguments({ registryType, runtimeArguments: all }: ServerPackage): ServerInput[] {
  const [first, ...others] = all;
  if (registryType !== 'oci' || !first?.isPositional || first.value !== 'run') return all;
  return others.map((input) => {
    const isWritten = !input.isPositional && !input.isRequired && !input.isSecret;
    return isWritten && input.value === undefined && input.default === undefined ? { ...input, isFlag: true } : input;
  });
}

/** One argument of a command line, as one or two words or none. */
function argument(input: ServerInput, config: KnownConfig, collected: Settings): Template[] {
  const configured =
    config.variables.get(input.name) ??
    (input.valueHint === undefined ? undefined : config.variables.get(input.valueHint));
  const isSwitched = configured === undefined || configured === 'true' || configured === 'false';
  if (!input.isPositional && (input.isBoolean || (input.isFlag && isSwitched))) {
    const isOn = configured ?? input.value ?? input.default ?? String(input.isRequired || input.isFlag);
    return isOn === 'true' ? [[input.name]] : [];
  }
  const value = collected.resolve(input, configured, 'kept');
  if (!value) return [];
  return input.isPositional ? [value] : [[input.name], value];
}

function isAddress(url: Template): boolean {
  // What is not known yet may stand anywhere but in the scheme.
  const text = url.map((part) => (typeof part === 'string' ? part : 'x')).join('');
  return typeof url[0] === 'string' && /^https?:\/\//i.test(url[0]) && parseUrl(text) !== undefined;
}
