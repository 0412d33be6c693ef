import type { ClientAbilities, Launch } from '../launch/launch';
import type { Skip } from '../launch/skip';
import type { Question, Template } from '../launch/template';

export const EXPORT_CLIENTS = ['vscode', 'claude-desktop', 'cursor'] as const;
export type ExportClient = (typeof EXPORT_CLIENTS)[number];

/** A server in the configuration, and its key there. */
export interface ExportedServer {
  key: string;
  launch: Launch;
}

/** A question in the configuration of a client. */
export interface AskedQuestion extends Question {
  /** The key of the server. */
  server: string;
  /** Its name in the configuration. */
  id: string;
  /** Its placeholder in the configuration; null: it was left out. */
  placeholder: string | null;
}

/** The configuration, as the client reads it, and the values that its user has to provide. */
export interface ClientConfiguration {
  configuration: Record<string, unknown>;
  questions: AskedQuestion[];
}

/** The format of a client's configuration of MCP servers. */
interface ClientFormat {
  /** The file that it reads, relative to a workspace or to the folder of the client's settings. */
  path: string;
  abilities: ClientAbilities;
  /** Whether it replaces `${…}` with values. */
  substitutes: boolean;
  /** The name of a question, unless another question of the same server has it. */
  id: (question: string, server: string) => string;
  /** The placeholder for the answer. */
  placeholder: (id: string) => string;
  remote: (server: { type: 'http' | 'sse'; url: string }) => object;
  local: object;
  wrap: (servers: Record<string, object>, questions: AskedQuestion[]) => Record<string, unknown>;
}

/**
 * As of 2026: code.visualstudio.com/docs/agents/reference/mcp-configuration, cursor.com/docs/mcp,
 * modelcontextprotocol.io/docs/develop/connect-local-servers. Claude Desktop reads local servers from its file and
 * remote servers from its settings only, and replaces nothing.
 */
const FORMATS: Record<ExportClient, ClientFormat> = {
  vscode: {
    path: '.vscode/mcp.json',
    abilities: { remotes: true, asks: true },
    substitutes: true,
    id: (question, server) => `${server}.${withoutDashes(question).replace(/[^A-Za-z0-9_-]/g, '_')}`,
    placeholder: (id) => `\${input:${id}}`,
    remote: ({ type, url }) => ({ type, url }),
    local: { type: 'stdio' },
    wrap: (servers, questions) => ({ inputs: vscodeInputs(questions), servers }),
  },
  cursor: {
    path: '.cursor/mcp.json',
    abilities: { remotes: true, asks: true },
    substitutes: true,
    // With the key of the server: two servers may each need an API_KEY, and neither should get the other's. The name of
    // a variable must not begin with a digit; no key begins with an underscore.
    id: (question, server) =>
      `${/^\d/.test(server) ? '_' : ''}${toVariableName(server)}__${toVariableName(withoutDashes(question))}`,
    placeholder: (id) => `\${env:${id}}`,
    remote: ({ url }) => ({ url }),
    local: {},
    wrap: (mcpServers) => ({ mcpServers }),
  },
  'claude-desktop': {
    path: 'claude_desktop_config.json',
    abilities: { remotes: false, asks: false },
    substitutes: false,
    id: withoutDashes,
    placeholder: (id) => `<${id}>`,
    remote: ({ url }) => ({ url }),
    local: {},
    wrap: (mcpServers) => ({ mcpServers }),
  },
};

export function pathOf(client: ExportClient): string {
  return FORMATS[client].path;
}

export function abilitiesOf(client: ExportClient): ClientAbilities {
  return FORMATS[client].abilities;
}

/** Variables that are allowed in a configuration: they name folders, and reveal no secrets. */
const HARMLESS = /\$\{(?:workspaceFolder|workspaceFolderBasename|userHome|pathSeparator|\/)\}/g;

/**
 * Finds variables of the client in the texts of a server: `${env:AWS_SECRET_ACCESS_KEY}` in a header would send the
 * secret to the author of the `server.json`, and `${command:…}` would run a command.
 *
 * @returns why the server is left out, or undefined
 */
export function foreignVariable(client: ExportClient, { server }: Launch): Skip | undefined {
  if (!FORMATS[client].substitutes) return undefined;
  const templates =
    server.kind === 'local' ? [...server.args, ...server.env.values()] : [server.url, ...server.headers.values()];
  const names = server.kind === 'local' ? server.env.keys() : server.headers.keys();
  const texts = [
    ...names,
    // VS Code replaces variables in the value that its user picks, too.
    ...(client === 'vscode' ? templates.flat().flatMap((part) => (typeof part === 'string' ? [] : part.choices)) : []),
    ...templates.map((parts) => parts.map((part) => (typeof part === 'string' ? part : '\0')).join('')),
  ];
  if (!texts.some((text) => text.replace(HARMLESS, '').includes('${'))) return undefined;
  return {
    reason: 'client_variables',
    detail: 'One of its values contains ${…}, which the client would replace with a value of its user.',
  };
}

/** Writes servers in the format of a client. */
export function renderConfiguration(client: ExportClient, servers: readonly ExportedServer[]): ClientConfiguration {
  const { wrap, ...format } = FORMATS[client];
  const questions: AskedQuestion[] = [];
  const rendered = servers.map(({ key, launch: { server, unasked } }): [string, object] => {
    const asked = new AskedOfServer(key, format);
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
    questions.push(
      ...asked.all(),
      ...unasked.map((question) => ({ ...question, server: key, id: question.name, placeholder: null })),
    );
    return [key, renderedServer];
  });
  return { configuration: wrap(Object.fromEntries(rendered), questions), questions };
}

/** The questions of one server. Their names do not depend on the other servers of the bundle. */
class AskedOfServer {
  private readonly byName = new Map<string, AskedQuestion>();
  private readonly taken = new Set<string>();
  /** The last number that was appended to an id that several questions would have. */
  private readonly numbers = new Map<string, number>();

  constructor(
    private readonly server: string,
    private readonly format: Pick<ClientFormat, 'id' | 'placeholder'>,
  ) {}

  /** @returns the placeholder for the answer, which is the same for all questions with the same name */
  ask(question: Question): string {
    const earlier = this.byName.get(question.name);
    const id = earlier?.id ?? this.freeId(question.name);
    const placeholder = this.format.placeholder(id);
    this.byName.set(question.name, {
      ...(earlier ?? question),
      isSecret: question.isSecret || earlier?.isSecret === true,
      isRequired: question.isRequired || earlier?.isRequired === true,
      server: this.server,
      id,
      placeholder,
    });
    return placeholder;
  }

  all(): AskedQuestion[] {
    return [...this.byName.values()];
  }

  private freeId(name: string): string {
    const wanted = this.format.id(name, this.server);
    let id = wanted;
    let number = this.numbers.get(wanted) ?? 1;
    while (this.taken.has(id)) id = `${wanted}_${++number}`;
    this.numbers.set(wanted, number);
    this.taken.add(id);
    return id;
  }
}

function vscodeInputs(questions: readonly AskedQuestion[]): object[] {
  return questions.map(({ id, server, name, description, isSecret, choices }) => {
    const common = { id, description: `${server}: ${description ?? name}` };
    return choices.length > 0 && !isSecret
      ? { type: 'pickString', ...common, options: choices }
      : { type: 'promptString', ...common, password: isSecret };
  });
}

/** In the form of an environment variable. Keys have no two successive hyphens, so two underscores end one. */
function toVariableName(name: string): string {
  return name.toUpperCase().replace(/[^A-Z0-9_]/g, '_');
}

/** The name of an argument without its leading dashes. */
function withoutDashes(name: string): string {
  return name.replace(/^-+/, '') || name;
}
