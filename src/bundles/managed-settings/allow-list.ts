import { ConflictError } from '../../errors/errors';
import { ErrorCode } from '../bundle.errors';
import { nextTurn } from '../../http/requests/next-turn';
import { readConfig } from '../entries/entry-config';
import { type Launch, planLaunch } from '../launch/launch';
import { hasQuestions, type Template } from '../launch/template';

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

/** How much a list may come to; what more there is, no client wants. */
const MOST_WAYS = 50_000;
const MOST_DOCUMENT_CHARACTERS = 67_108_864;
const MOST_LIST_CHARACTERS = 4_194_304;

const WAYS_IN_A_TURN = 20;

/**
 * What clients with managed settings may run: every way that the approved documents name, each once. A client compares a
 * command word by word, so a way whose words its user chooses cannot be named; an address may have a `*` there.
 */
export class AllowList {
  private readonly entries = new Map<string, AllowedServer>();
  private readonly others = new Map<string, Unlisted>();
  private ways = 0;
  private documentCharacters = 0;
  private listCharacters = 0;

  get allowed(): AllowedServer[] {
    return [...this.entries.values()];
  }

  get unlisted(): Unlisted[] {
    return [...this.others.values()];
  }

  /**
   * Adds the ways to a server; other requests have their turns between them.
   *
   * @param size characters of its document
   * @throws ConflictError when the list becomes too long
   */
  async add({ listing_id, name, server, config }: ApprovedServer, size = 0): Promise<void> {
    this.documentCharacters += size;
    this.requireRoom();
    const known = readConfig(config);
    for (const way of waysOf(server)) {
      const found = entryOf(planLaunch(way, known, { remotes: true, asks: true }));
      if ('detail' in found) this.keep(this.others, `${name} ${found.detail}`, { listing_id, name, ...found });
      else this.keep(this.entries, JSON.stringify(found), found);
      this.ways++;
      this.requireRoom();
      if (this.ways % WAYS_IN_A_TURN === 0) await nextTurn();
    }
  }

  private keep<T>(map: Map<string, T>, key: string, value: T): void {
    if (!map.has(key)) this.listCharacters += key.length;
    map.set(key, value);
  }

  private requireRoom(): void {
    const isFull =
      this.ways > MOST_WAYS ||
      this.documentCharacters > MOST_DOCUMENT_CHARACTERS ||
      this.listCharacters > MOST_LIST_CHARACTERS;
    if (!isFull) return;
    const most = `${MOST_WAYS.toLocaleString('en')} ways to run a server, ${MOST_DOCUMENT_CHARACTERS / 1_048_576} MiB of documents or ${MOST_LIST_CHARACTERS / 1_048_576} MiB of its own`;
    throw new ConflictError(
      ErrorCode.OrganisationConflict,
      `The allow list would exceed ${most}. Disable entries, or stop deployments of old versions.`,
    );
  }
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
      return { detail: 'Its address does not name a single host, so allowing it would allow servers of others.' };
    }
    return { serverUrl: pattern };
  }
  if (server.args.some(hasQuestions)) {
    return { detail: 'Its command contains values that each user chooses, so no exact command can be allowed.' };
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
