import { readConfig } from '../entries/entry-config';
import { type Launch, planLaunch } from '../export/launch';
import { hasQuestions, type Template } from '../export/template';

/** An entry of `allowedMcpServers`: a remote server by a pattern of its address, a local one by its exact command. */
export type AllowedServer = { serverUrl: string } | { serverCommand: string[] };

/** A server of the organisation, with what a bundle sets for it. */
export interface ApprovedServer {
  listing_id: string;
  name: string;
  /** A `server.json` of it. */
  server: object;
  /** Of an entry of a bundle; empty for the listing itself. */
  config: Readonly<Record<string, unknown>>;
}

/** A way to a server that no entry can name, and why. */
export interface Unlisted {
  listing_id: string;
  name: string;
  detail: string;
}

/**
 * What clients with managed settings may run: every way that the approved documents name, each once. A client compares a
 * command word by word, so a way whose words its user chooses cannot be named; an address may have a `*` there.
 */
export function allowListOf(approved: readonly ApprovedServer[]): { allowed: AllowedServer[]; unlisted: Unlisted[] } {
  const allowed = new Map<string, AllowedServer>();
  const unlisted = new Map<string, Unlisted>();
  for (const { listing_id, name, server, config } of approved) {
    for (const way of waysOf(server)) {
      const found = entryOf(planLaunch(way, readConfig(config), { remotes: true, asks: true }));
      if ('detail' in found) unlisted.set(`${name} ${found.detail}`, { listing_id, name, detail: found.detail });
      else allowed.set(JSON.stringify(found), found);
    }
  }
  return { allowed: [...allowed.values()], unlisted: [...unlisted.values()] };
}

/** Each way as a document of its own. */
function waysOf(server: object): object[] {
  const { packages, remotes } = server as { packages?: unknown; remotes?: unknown };
  const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
  return [...list(packages).map((one) => ({ packages: [one] })), ...list(remotes).map((one) => ({ remotes: [one] }))];
}

function entryOf(launch: ReturnType<typeof planLaunch>): AllowedServer | { detail: string } {
  if ('reason' in launch) return { detail: launch.detail };
  const { server }: Launch = launch;
  if (server.kind === 'remote') {
    const pattern = patternOf(server.url);
    // Only what stands behind the host may be anything: a pattern of hosts would allow other people's servers.
    if (!/^https?:\/\/[^/*?#]+([/?#]|$)/i.test(pattern) || server.url.some(hasStar)) {
      return { detail: 'Its address is not of one host, so allowing it would allow servers of others.' };
    }
    return { serverUrl: pattern };
  }
  if (server.args.some(hasQuestions)) {
    return { detail: 'Its command has words that each user chooses, so no exact command can be allowed.' };
  }
  return { serverCommand: [server.command, ...server.args.map(textOf)] };
}

function patternOf(url: Template): string {
  return url.map((part) => (typeof part === 'string' ? part : '*')).join('');
}

function hasStar(part: Template[number]): boolean {
  return typeof part === 'string' && part.includes('*');
}

function textOf(words: Template): string {
  return words.filter((part) => typeof part === 'string').join('');
}
