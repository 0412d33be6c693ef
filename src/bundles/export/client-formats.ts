import type { ClientAbilities, Launch } from '../launch/launch';
import type { Skip } from '../launch/skip';
import type { Question, Template } from '../launch/template';

export const EXPORT_CLIENTS = ['vscode', 'claude-desktop', 'cursor'] as const;
export type ExportClient = (typeof EXPORT_CLIENTS)[number];

/** A server that goes into the configuration, under its key. */
export interface ExportedServer {
  key: string;
  launch: Launch;
}

/** A question as a client has it. */
export interface AskedQuestion extends Question {
  /** The key of the server. */
  server: string;
  /** By which name it is asked. */
  id: string;
  /** What stands in the configuration in its place; null: it was left out. */
  placeholder: string | null;
}

/** The configuration, as the client reads it, and what its user has to give. */
export interface ClientConfiguration {
  configuration: Record<string, unknown>;
  questions: AskedQuestion[];
}

/** How a client keeps its MCP servers. */
interface ClientFormat {
  /** The file that it reads: of a workspace, or in the folder of the client's settings. */
  path: string;
  abilities: ClientAbilities;
  /** Whether it puts values in the place of `${…}`. */
  substitutes: boolean;
  /** By which name a question is asked, before others of the same server take it. */
  id: (question: string, server: string) => string;
  /** What stands for the answer. */
  placeholder: (id: string) => string;
  remote: (server: { type: 'http' | 'sse'; url: string }) => object;
  local: object;
  wrap: (servers: Record<string, object>, questions: AskedQuestion[]) => Record<string, unknown>;
}

/**
 * As of 2026: code.visualstudio.com/docs/agents/reference/mcp-configuration, cursor.com/docs/mcp,
 * modelcontextprotocol.io/docs/develop/connect-local-servers. Claude Desktop reads local servers from its file and remote
 * ones from its settings only, and puts nothing in the place of anything.
 */
const FORMATS: Record<ExportClient, ClientFormat> = {
  vscode: {
    path: '.vscode/mcp.json',
    abilities: { remotes: true, asks: true },
    substitutes: true,
    id: (question, server) => `${server}.${bare(question).replace(/[^A-Za-z0-9_-]/g, '_')}`,
    placeholder: (id) => `\${input:${id}}`,
    remote: ({ type, url }) => ({ type, url }),
    local: { type: 'stdio' },
    wrap: (servers, questions) => ({ inputs: vscodeInputs(questions), servers }),
  },
  cursor: {
    path: '.cursor/mcp.json',
    abilities: { remotes: true, asks: true },
    substitutes: true,
    // With the server before it: two servers may each want an API_KEY, and neither should get the other's.
    // No shell sets a variable whose name begins with a digit; no key begins with what is put there instead.
    id: (question, server) => `${/^\d/.test(server) ? '_' : ''}${shout(server)}__${shout(bare(question))}`,
    placeholder: (id) => `\${env:${id}}`,
    remote: ({ url }) => ({ url }),
    local: {},
    wrap: (mcpServers) => ({ mcpServers }),
  },
  'claude-desktop': {
    path: 'claude_desktop_config.json',
    abilities: { remotes: false, asks: false },
    substitutes: false,
    id: bare,
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

/** What a client may find in any configuration: these name places, and give nothing away. */
const HARMLESS = /\$\{(?:workspaceFolder|workspaceFolderBasename|userHome|pathSeparator|\/)\}/g;

/**
 * Whether a client would put something into a text that is not ours: `${env:AWS_SECRET_ACCESS_KEY}` in a header would
 * send it to whoever wrote the `server.json`, `${command:…}` would run something.
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
    // VS Code puts what its user picks in its place and looks through that, too.
    ...(client === 'vscode' ? templates.flat().flatMap((part) => (typeof part === 'string' ? [] : part.choices)) : []),
    ...templates.map((parts) => parts.map((part) => (typeof part === 'string' ? part : '\0')).join('')),
  ];
  if (!texts.some((text) => text.replace(HARMLESS, '').includes('${'))) return undefined;
  return {
    reason: 'client_variables',
    detail: 'One of its values contains ${…}, which the client would replace with a value of its user.',
  };
}

/** Puts servers into the words of a client. */
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
    const made =
      server.kind === 'local'
        ? { ...format.local, command: server.command, args: server.args.map(text), ...texts(server.env, 'env') }
        : { ...format.remote({ type: server.type, url: text(server.url) }), ...texts(server.headers, 'headers') };
    questions.push(...asked.all(), ...unasked.map((one) => ({ ...one, server: key, id: one.name, placeholder: null })));
    return [key, made];
  });
  return { configuration: wrap(Object.fromEntries(rendered), questions), questions };
}

/** The questions of one server. What else is in the bundle has no say in their names. */
class AskedOfServer {
  private readonly byName = new Map<string, AskedQuestion>();
  private readonly taken = new Set<string>();
  /** The last number behind an id that several questions would have. */
  private readonly numbers = new Map<string, number>();

  constructor(
    private readonly server: string,
    private readonly format: Pick<ClientFormat, 'id' | 'placeholder'>,
  ) {}

  /** @returns what stands for the answer; the same for every question of the same name */
  ask(question: Question): string {
    const known = this.byName.get(question.name);
    const id = known?.id ?? this.freeId(question.name);
    const placeholder = this.format.placeholder(id);
    this.byName.set(question.name, {
      ...(known ?? question),
      isSecret: question.isSecret || known?.isSecret === true,
      isRequired: question.isRequired || known?.isRequired === true,
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
  return questions.map(({ id, server, name, description, isSecret, choices, ...question }) => {
    const common = { id, description: `${server}: ${description ?? name}` };
    const preset = question.default === undefined || isSecret ? {} : { default: question.default };
    return choices.length > 0 && !isSecret
      ? { type: 'pickString', ...common, options: choices, ...preset }
      : { type: 'promptString', ...common, password: isSecret, ...preset };
  });
}

/** As names of environment variables are written. Keys have no two hyphens in a row, so two underscores end one. */
function shout(name: string): string {
  return name.toUpperCase().replace(/[^A-Z0-9_]/g, '_');
}

/** An argument without the dashes before its name. */
function bare(name: string): string {
  return name.replace(/^-+/, '') || name;
}
