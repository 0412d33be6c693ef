import { ConflictError } from '../../errors/errors';
import { ErrorCode } from '../bundle.errors';
import { nextTurn } from '../../http/requests/next-turn';
import { readConfig } from '../entries/entry-config';
import { type Launch, planEachWay } from '../launch/launch';
import type { Skip } from '../launch/skip';
import { hasQuestions, type Template } from '../launch/template';

/** An entry of `allowedMcpServers`: a remote server by a pattern of its address, a local one by its exact command. */
export type AllowedServer = { serverUrl: string } | { serverCommand: string[] };

/** A server that the organisation approved, with one configuration of it. */
export interface ApprovedServer {
  listing_id: string;
  name: string;
  /** Its `server.json`. */
  server: object;
  /** An entry of a bundle has this configuration; it is empty for the listing itself. */
  config: Readonly<Record<string, unknown>>;
}

/** A way to run or reach a server that no entry of the allow list can name, and why. */
export interface Unlisted {
  listing_id: string;
  name: string;
  detail: string;
}

const MAX_WAYS = 50_000;
/** So many bytes are planned at most: a document counts once per configuration, since each is planned separately. */
const MAX_PLANNED_BYTES = 67_108_864;
/** The allow list and the report together have at most so many bytes. */
const MAX_LIST_BYTES = 4_194_304;

/** After so many ways other requests get a turn. */
const WAYS_PER_TURN = 20;

/**
 * What clients with managed settings may run: every way that the approved documents and their configurations leave,
 * each once. A client compares a command word by word, so a command with a word that its user chooses cannot be listed;
 * an address can contain a `*` in that place.
 */
export class AllowList {
  private readonly allowedByKey = new Map<string, AllowedServer>();
  private readonly unlistedByKey = new Map<string, Unlisted>();
  private ways = 0;
  private plannedBytes = 0;
  private listBytes = 0;

  get allowed(): AllowedServer[] {
    return [...this.allowedByKey.values()];
  }

  get unlisted(): Unlisted[] {
    return [...this.unlistedByKey.values()];
  }

  /**
   * Adds the ways to a server; other requests get turns in between.
   *
   * @param documentBytes the size of its document
   * @throws ConflictError if the list becomes too long
   */
  async add({ listing_id, name, server, config }: ApprovedServer, documentBytes = 0): Promise<void> {
    this.plannedBytes += documentBytes;
    this.requireRoom();
    for (const way of planEachWay(server, readConfig(config), { remotes: true, asks: true })) {
      const entry = entryOf(way);
      if ('detail' in entry) {
        const unlisted = { listing_id, name, detail: entry.detail };
        this.keep(this.unlistedByKey, `${name} ${entry.detail}`, unlisted);
      } else {
        this.keep(this.allowedByKey, JSON.stringify(entry), entry);
      }
      this.ways++;
      this.requireRoom();
      if (this.ways % WAYS_PER_TURN === 0) await nextTurn();
    }
  }

  private keep<T>(map: Map<string, T>, key: string, value: T): void {
    if (map.has(key)) return;
    this.listBytes += Buffer.byteLength(key);
    map.set(key, value);
  }

  private requireRoom(): void {
    const isFull = this.ways > MAX_WAYS || this.plannedBytes > MAX_PLANNED_BYTES || this.listBytes > MAX_LIST_BYTES;
    if (!isFull) return;
    const ways = `${MAX_WAYS.toLocaleString('en')} ways to run a server`;
    const planned = `${MAX_PLANNED_BYTES / 1_048_576} MiB of documents, each counted once per configuration`;
    throw new ConflictError(
      ErrorCode.OrganisationConflict,
      `The allow list would exceed ${ways}, ${planned}, or its own size of ${MAX_LIST_BYTES / 1_048_576} MiB. Disable entries, or stop deployments of old versions.`,
    );
  }
}

/** @returns the entry for one way, or why there is none */
function entryOf(way: Launch | Skip): AllowedServer | { detail: string } {
  if ('reason' in way) return { detail: way.detail };
  const { server } = way;
  if (server.kind === 'remote') {
    const pattern = patternOf(server.url);
    // Only the part after the host may be variable: a pattern of hosts would allow other people's servers.
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
