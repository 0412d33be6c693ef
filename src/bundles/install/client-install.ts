import type { Launch } from '../launch/launch';
import type { AskedQuestion } from '../export/asked-of-server';
import { pathOf, renderConfiguration } from '../export/client-formats';
import type { Editor } from '../export/export-client';
import { fileJson, portableJson } from './portable-json';
import { pastedLine } from './pasted-line';

/** How the content of a link gets behind its prefix. */
export const LINK_ENCODINGS = ['percent', 'base64'] as const;
export type LinkEncoding = (typeof LINK_ENCODINGS)[number];

/** The address that opens a client, before its content is encoded. */
export interface InstallLink {
  prefix: string;
  encoding: LinkEncoding;
  content: string;
}

/** The ways to put one server into a client, each with placeholders for what its user has to provide. */
export interface ClientInstall {
  link: InstallLink | null;
  command: string | null;
  file: { path: string; content: string };
  /** The command line that the client will run; null for a remote server. */
  runs: string | null;
  inputs: AskedQuestion[];
  notes: string[];
}

/** In characters. Windows hands a link of at most 2,083 to a program; other systems and browsers take longer ones. */
export const MAX_LINK_LENGTH = 2_000;
/** In characters: Windows starts no longer command line; Linux takes 131,072 bytes for one argument. */
const MAX_COMMAND_LENGTH = 32_000;

const QUOTING =
  'The command is quoted for POSIX shells such as bash and zsh. In PowerShell or cmd, change the file instead.';

const NOTES: Record<Editor, readonly string[]> = {
  vscode: ['The link and the command add the server for you, the file for everyone who opens the folder.', QUOTING],
  cursor: ['The link adds the server for you, the file for everyone who opens the folder.'],
  'claude-code': [
    'The command adds the server for you, in all projects; the file for everyone who opens the project.',
    QUOTING,
  ],
  'claude-desktop': [
    'The file is in ~/Library/Application Support/Claude (macOS) or %APPDATA%\\Claude (Windows), and opens from Settings > Developer > Edit Config. Add the server to the ones that it has already, then start Claude Desktop again.',
  ],
};

/** What becomes of values, where there are any. */
const NOTES_OF_VALUES: Partial<Record<Editor, string>> = {
  vscode:
    'VS Code asks for the values itself when it starts the server, and keeps secrets encrypted: nothing has to be filled in before.',
  cursor: 'What is not filled in is read from environment variables of Cursor.',
  'claude-code':
    'What is not filled in is read from environment variables of Claude Code. What is filled in is stored by the command as plain text, in ~/.claude.json.',
};

/**
 * Writes how one server gets into a client: what the export of a bundle writes for it, as a link, a command and a file.
 * Nothing of the server can become a command, an option or a parameter of its own: links and commands have one argument
 * with all of it, in JSON (`portableJson`), and the key.
 *
 * @param key of the server in the configuration: `[a-z0-9-]`, not beginning with a hyphen
 */
export function clientInstall(client: Editor, key: string, launch: Launch): ClientInstall {
  const { configuration, servers, questions } = renderConfiguration(client, [{ key, launch }]);
  const server = servers[key] ?? {};
  const ofValues = questions.length > 0 ? NOTES_OF_VALUES[client] : undefined;
  const notes = [...(ofValues ? [ofValues] : []), ...NOTES[client]];
  const { inputs = [] } = configuration as { inputs?: object[] };
  const named = portableJson({ name: key, ...server, ...(inputs.length > 0 && { inputs }) });
  const link = shortEnough(LINKS[client]?.(key, named, portableJson(server)), notes);
  const command = COMMANDS[client]?.(key, named, portableJson(server)) ?? null;
  const isPastable = command !== null && command.length <= MAX_COMMAND_LENGTH;
  if (command !== null && !isPastable) {
    notes.push(
      `The command would have ${command.length} characters; at most ${MAX_COMMAND_LENGTH} can be pasted everywhere. Use the file.`,
    );
  }
  return {
    link,
    command: isPastable ? command : null,
    file: { path: pathOf(client), content: fileJson(configuration) },
    runs: server.command === undefined ? null : pastedLine([server.command, ...(server.args ?? [])]),
    inputs: questions,
    notes,
  };
}

/** @returns what the content becomes behind the prefix of its link */
export function encodedLink({ prefix, encoding, content }: InstallLink): string {
  return prefix + encodeURIComponent(encoding === 'base64' ? Buffer.from(content).toString('base64') : content);
}

type Written<T> = (key: string, named: string, server: string) => T;

/** As of 2026: code.visualstudio.com/api/extension-guides/ai/mcp, cursor.com/docs/context/mcp/install-links. */
const LINKS: Partial<Record<Editor, Written<InstallLink>>> = {
  vscode: (_key, named) => ({ prefix: 'vscode:mcp/install?', encoding: 'percent', content: named }),
  cursor: (key, _named, server) => ({
    prefix: `cursor://anysphere.cursor-deeplink/mcp/install?name=${key}&config=`,
    encoding: 'base64',
    content: server,
  }),
};

const COMMANDS: Partial<Record<Editor, Written<string>>> = {
  vscode: (_key, named) => `code --add-mcp '${named}'`,
  'claude-code': (key, _named, server) => `claude mcp add-json --scope user ${key} '${server}'`,
};

function shortEnough(link: InstallLink | undefined, notes: string[]): InstallLink | null {
  if (!link) return null;
  const { length } = encodedLink(link);
  if (length <= MAX_LINK_LENGTH) return link;
  notes.push(
    `There is no link: it would have ${length} characters, and not every system hands more than ${MAX_LINK_LENGTH} to a program.`,
  );
  return null;
}
