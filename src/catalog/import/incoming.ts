import { createHash } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020';
import { parseUrl } from '../../config/parse-url';
import type { Fault } from '../../errors/errors';
import { parseInstant } from '../../http/requests/instant';
import { findTextFaults } from '../../http/requests/text-faults';
import type { ServerDocument } from '../listings/server-document';
import { SERVER_SCHEMA, serverBytes, serverFaults } from '../listings/server-schema';

/** What a source says of one version. */
export interface VersionState {
  status: 'active' | 'deprecated' | 'deleted';
  statusMessage: string | null;
  statusChangedAt: Date | null;
  publishedAt: Date | null;
}

/** An entry of a registry's list that can be imported. */
export interface Incoming {
  /** As it came. */
  server: ServerDocument;
  /** What release 0.1 kept of it: see `cleaned`. */
  cleaned: ServerDocument;
  /** Of the document. */
  bytes: number;
  state: VersionState;
  /** When the source says that it last changed. */
  updatedAt: Date | null;
}

/** One that cannot, and why; kept, so that it is not lost. */
export interface Unusable {
  name: string | null;
  version: string | null;
  reasons: Reason[];
  /** As it came. */
  document: unknown;
  /** SHA-256 of the document. */
  digest: Buffer;
}

/** What is wrong, and where in the document. */
export interface Reason {
  path: string;
  message: string;
}

/** How many reasons are named; the first ones are what helps. */
const MOST_REASONS = 20;

const OFFICIAL = 'io.modelcontextprotocol.registry/official';

const isServer = new Ajv2020({
  strict: false,
  allErrors: true,
  formats: { uri: (text: string) => parseUrl(text) !== undefined },
}).compile<ServerDocument>({ ...SERVER_SCHEMA });

/**
 * Takes an entry of a list of the generic registry API apart. What well-known publishers write without meaning it, an
 * empty `repository` and an empty `$schema`, is let pass; everything else must be as the schema says.
 *
 * @param entry as the source has it
 */
export function readEntry(entry: unknown): Incoming | Unusable {
  const { server, _meta } = isObject(entry) ? entry : { server: undefined, _meta: undefined };
  const faults: Fault[] = [];
  if (!findTextFaults(entry, [], faults) || faults.length > 0) {
    // It cannot be stored as it is, so only what is wrong with it is.
    return unusable(null, server, faults.map(toReason));
  }
  if (!isObject(server)) return unusable(entry, server, [{ path: '/server', message: 'must be an object' }]);
  const document = cleaned(server);
  if (!isServer(document)) {
    const errors = (isServer.errors ?? []).filter(({ keyword }) => keyword !== 'if');
    return unusable(
      entry,
      document,
      errors.map(({ instancePath, message = 'is not valid' }) => ({ path: instancePath, message })),
    );
  }
  const wrong = serverFaults(document);
  if (wrong.length > 0) return unusable(entry, document, wrong.map(toReason));
  const official = isObject(_meta) && isObject(_meta[OFFICIAL]) ? _meta[OFFICIAL] : {};
  const status = official.status;
  return {
    server: server as ServerDocument,
    cleaned: document,
    bytes: serverBytes(server),
    state: {
      status: status === 'deprecated' || status === 'deleted' ? status : 'active',
      statusMessage: typeof official.statusMessage === 'string' ? official.statusMessage : null,
      statusChangedAt: instant(official.statusChangedAt),
      publishedAt: instant(official.publishedAt),
    },
    updatedAt: instant(official.updatedAt),
  };
}

/** The same for what turned out to be unusable beside what is there already. */
export function unusable(entry: unknown, server: unknown, reasons: Reason[]): Unusable {
  const { name, version } = isObject(server) ? server : { name: undefined, version: undefined };
  return {
    name: shortText(name),
    version: shortText(version),
    reasons: bounded(reasons),
    document: entry,
    digest: digestOf(server),
  };
}

/** @returns the same as something that stays in quarantine */
export function refused({ server }: Incoming, reason: Reason): Unusable {
  return unusable({ server }, server, [reason]);
}

/** A document without an empty `repository` and an empty `$schema`. */
function cleaned(server: Record<string, unknown>): unknown {
  const { repository, $schema, ...rest } = server;
  const isEmpty = isObject(repository) && Object.keys(repository).length === 0;
  return {
    ...($schema !== undefined && $schema !== '' && { $schema }),
    ...rest,
    ...(repository !== undefined && !isEmpty && { repository }),
  };
}

/** Says how many there are besides those that it names. */
function bounded(reasons: Reason[]): Reason[] {
  if (reasons.length <= MOST_REASONS) return reasons;
  const message = `has ${reasons.length - MOST_REASONS} more errors`;
  return [...reasons.slice(0, MOST_REASONS), { path: '', message }];
}

/** Of something that is nested too deeply to be written down, what it is called tells it from others. */
function digestOf(server: unknown): Buffer {
  const hash = createHash('sha256');
  try {
    return hash.update(JSON.stringify(server ?? null)).digest();
  } catch {
    const { name, version } = isObject(server) ? server : { name: undefined, version: undefined };
    return hash.update(`${String(name)} ${String(version)}`).digest();
  }
}

/** Never half a character. */
function cut(text: string, length: number): string {
  const short = text.slice(0, length);
  return short.isWellFormed() ? short : short.slice(0, -1);
}

function toReason({ loc, msg }: Fault): Reason {
  return { path: `/${loc.join('/')}`, message: msg };
}

function shortText(value: unknown): string | null {
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0') ? cut(value, 300) : null;
}

function instant(value: unknown): Date | null {
  return typeof value === 'string' ? (parseInstant(value) ?? null) : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
