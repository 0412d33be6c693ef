import type { KnownConfig } from '../entries/entry-config';
import { type ClientAbilities, type Launch, type LocalServer, planLaunch, type RemoteServer } from '../launch/launch';
import type { Skip } from '../launch/skip';
import type { Template } from '../launch/template';
import {
  AskedOfServer,
  type AskedQuestion,
  leftOut,
  type QuestionNames,
  variableOf,
  withoutDashes,
} from './asked-of-server';
import type { Editor } from './export-client';

/** A server in the configuration, and its key there. */
export interface ExportedServer {
  key: string;
  launch: Launch;
}

/** A server as the configuration of a client has it. */
export interface RenderedServer {
  command?: string;
  args?: readonly string[];
  url?: string;
}

/** The configuration, as the client reads it, and the values that its user has to provide. */
export interface ClientConfiguration {
  configuration: Record<string, unknown>;
  /** By key, without what is around them. */
  servers: Readonly<Record<string, RenderedServer>>;
  questions: AskedQuestion[];
}

/** The format of a client's configuration of MCP servers. */
interface ClientFormat extends QuestionNames {
  /** The file that it reads, relative to a workspace or to the folder of the client's settings. */
  path: string;
  abilities: ClientAbilities;
  /** What of `${…}` it replaces without revealing a secret, such as the names of folders; undefined: it replaces nothing. */
  harmless: RegExp | undefined;
  /** Keys of servers that it ignores, because it uses them itself. */
  reserved: readonly string[];
  remote: (server: { type: 'http' | 'sse'; url: string }) => object;
  local: object;
  wrap: (servers: Record<string, object>, questions: AskedQuestion[]) => Record<string, unknown>;
}

/** Variables that name folders, and reveal no secrets. */
const FOLDERS = /\$\{(?:workspaceFolder|workspaceFolderBasename|userHome|pathSeparator|\/)\}/g;
/** Every name is that of an environment variable. */
const NOTHING = /(?!)/g;

/**
 * As of 2026: code.visualstudio.com/docs/agents/reference/mcp-configuration, cursor.com/docs/mcp,
 * code.claude.com/docs/en/mcp, modelcontextprotocol.io/docs/develop/connect-local-servers. Claude Desktop reads local servers
 * from its file and remote servers from its settings only, and replaces nothing. Claude Code passes `${NAME}` on as it is if
 * the environment has no such variable, which a server would take for its value; with `${NAME:-}` it gets an empty one.
 */
const FORMATS: Record<Editor, ClientFormat> = {
  vscode: {
    path: '.vscode/mcp.json',
    abilities: { remotes: true, asks: true },
    harmless: FOLDERS,
    reserved: [],
    id: (question, server) => `${server}.${withoutDashes(question).replace(/[^A-Za-z0-9_-]/g, '_')}`,
    placeholder: (id) => `\${input:${id}}`,
    remote: ({ type, url }) => ({ type, url }),
    local: { type: 'stdio' },
    wrap: (servers, questions) => ({ inputs: vscodeInputs(questions), servers }),
  },
  cursor: {
    path: '.cursor/mcp.json',
    abilities: { remotes: true, asks: true },
    harmless: FOLDERS,
    reserved: [],
    id: variableOf,
    placeholder: (id) => `\${env:${id}}`,
    remote: ({ url }) => ({ url }),
    local: {},
    wrap: (mcpServers) => ({ mcpServers }),
  },
  'claude-code': {
    path: '.mcp.json',
    abilities: { remotes: true, asks: true },
    harmless: NOTHING,
    reserved: ['workspace', 'claude-in-chrome', 'computer-use'],
    id: variableOf,
    placeholder: (id, isRequired) => (isRequired ? `\${${id}}` : `\${${id}:-}`),
    remote: ({ type, url }) => ({ type, url }),
    local: { type: 'stdio' },
    wrap: (mcpServers) => ({ mcpServers }),
  },
  'claude-desktop': {
    path: 'claude_desktop_config.json',
    abilities: { remotes: false, asks: false },
    harmless: undefined,
    reserved: [],
    // In the file, which is JSON, it is written as it is.
    id: (question) => withoutDashes(question).replace(/[^A-Za-z0-9_.-]/g, '_'),
    placeholder: (id) => `<${id}>`,
    remote: ({ url }) => ({ url }),
    local: {},
    wrap: (mcpServers) => ({ mcpServers }),
  },
};

export function pathOf(client: Editor): string {
  return FORMATS[client].path;
}

export function abilitiesOf(client: Editor): ClientAbilities {
  return FORMATS[client].abilities;
}

/** @returns keys of servers that the client ignores, because it uses them itself */
export function reservedKeys(client: Editor): readonly string[] {
  return FORMATS[client].reserved;
}

/**
 * Decides how the client runs or reaches a server.
 *
 * @param document a `server.json`
 * @returns or why its configuration cannot have it
 */
export function planForClient(client: Editor, document: unknown, config: KnownConfig): Launch | Skip {
  const launch = planLaunch(document, config, FORMATS[client].abilities);
  return 'reason' in launch ? launch : (foreignVariable(client, launch) ?? launch);
}

/**
 * Finds variables of the client in the texts of a server: `${env:AWS_SECRET_ACCESS_KEY}` in a header would send the
 * secret to the author of the `server.json`, and `${command:…}` would run a command.
 *
 * @returns why the server is left out, or undefined
 */
export function foreignVariable(client: Editor, { server }: Launch): Skip | undefined {
  const { harmless } = FORMATS[client];
  if (!harmless) return undefined;
  const templates = templatesOf(server);
  const names = server.kind === 'local' ? server.env.keys() : server.headers.keys();
  const texts = [
    ...names,
    // VS Code replaces variables in the value that its user picks, too.
    ...(client === 'vscode' ? templates.flat().flatMap((part) => (typeof part === 'string' ? [] : part.choices)) : []),
    ...templates.map((parts) => parts.map((part) => (typeof part === 'string' ? part : '\0')).join('')),
  ];
  if (!texts.some((text) => text.replace(harmless, '').includes('${'))) return undefined;
  return {
    reason: 'client_variables',
    detail: 'One of its values contains ${…}, which the client would replace with a value of its user.',
  };
}

/** Writes servers in the format of a client. */
export function renderConfiguration(client: Editor, servers: readonly ExportedServer[]): ClientConfiguration {
  const { wrap, ...format } = FORMATS[client];
  const questions: AskedQuestion[] = [];
  const rendered = servers.map(({ key, launch: { server, unasked } }): [string, RenderedServer] => {
    const asked = new AskedOfServer(key, format);
    // Before anything is written: one of them may say later that the answer is required.
    for (const part of templatesOf(server).flat()) if (typeof part !== 'string') asked.idOf(part);
    const text = (template: Template): string =>
      template.map((part) => (typeof part === 'string' ? part : asked.ask(part))).join('');
    const texts = (map: Map<string, Template>, name: string): object =>
      map.size === 0
        ? {}
        : { [name]: Object.fromEntries([...map].map(([field, template]) => [field, text(template)])) };
    const renderedServer =
      server.kind === 'local'
        ? { ...format.local, command: server.command, args: server.args.map(text), ...texts(server.env, 'env') }
        : { ...format.remote({ type: server.type, url: text(server.url) }), ...texts(server.headers, 'headers') };
    questions.push(...asked.all(), ...leftOut(key, unasked));
    return [key, renderedServer];
  });
  const byKey = Object.fromEntries(rendered);
  return { configuration: wrap(byKey, questions), servers: byKey, questions };
}

/** In the order in which they are written. */
function templatesOf(server: LocalServer | RemoteServer): Template[] {
  return server.kind === 'local' ? [...server.args, ...server.env.values()] : [server.url, ...server.headers.values()];
}

function vscodeInputs(questions: readonly AskedQuestion[]): object[] {
  return questions.map(({ id, server, name, description, isSecret, choices }) => {
    const common = { id, description: `${server}: ${description ?? name}` };
    return choices.length > 0 && !isSecret
      ? { type: 'pickString', ...common, options: choices }
      : { type: 'promptString', ...common, password: isSecret };
  });
}
