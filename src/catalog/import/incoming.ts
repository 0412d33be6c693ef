import { createHash } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020';
import { parseUrl } from '../../config/parse-url';
import type { Fault } from '../../errors/errors';
import { parseInstant } from '../../http/requests/instant';
import { toFaults } from '../../http/requests/schema-faults';
import { findTextFaults } from '../../http/requests/text-faults';
import { jsonPointer } from '../../http/requests/json-pointer';
import { withoutBadAddresses } from '../listings/document-addresses';
import type { ServerDocument } from '../listings/server-document';
import { SERVER_SCHEMA, serverBytes, serverFaults } from '../listings/server-schema';
import { isObject } from '../../http/requests/json-object';

/** What the registry itself says of a server, in `_meta`. */
export const OFFICIAL = 'io.modelcontextprotocol.registry/official';

/** A version's state at its source. */
export interface VersionState {
  status: 'active' | 'deprecated' | 'deleted';
  statusMessage: string | null;
  statusChangedAt: Date | null;
  publishedAt: Date | null;
}

/** An entry of a registry's list that can be imported. */
export interface Incoming {
  /** As received, but for what was dropped. */
  server: ServerDocument;
  /** Without empty fields, as release 0.1 stored it: see `cleaned`. */
  cleaned: ServerDocument;
  /** What was left out because of its address: paths in the document. */
  dropped: readonly string[];
  /** Size of the document. */
  bytes: number;
  state: VersionState;
  /** The time of the last change, according to the source. */
  updatedAt: Date | null;
  /** The whole entry, as received. */
  received: unknown;
  /** SHA-256 of the document. */
  digest: Buffer;
}

/**
 * Why an entry is in quarantine. `INVALID`: it is not a `server.json`. `NAME_TAKEN`, `VERSION_TAKEN`: something else has its
 * name, or its name and version. `TOO_LARGE`: of bytes. `UNREADABLE`: PostgreSQL cannot store it, so only its errors are kept.
 */
export const QUARANTINE_KINDS = ['INVALID', 'NAME_TAKEN', 'VERSION_TAKEN', 'TOO_LARGE', 'UNREADABLE'] as const;

export type QuarantineKind = (typeof QUARANTINE_KINDS)[number];

/** An entry that cannot be imported, with the reasons; it is kept in quarantine. */
export interface Unusable {
  name: string | null;
  version: string | null;
  kind: QuarantineKind;
  reasons: Reason[];
  /** As received. */
  document: unknown;
  /** SHA-256 of the document. */
  digest: Buffer;
}

/** An error and its place in the document. */
export interface Reason {
  path: string;
  message: string;
}

/** Only the first reasons are listed: they are the helpful ones. */
const MAX_REASONS = 20;

const isServer = new Ajv2020({
  strict: false,
  allErrors: true,
  formats: { uri: (text: string) => parseUrl(text) !== undefined },
}).compile<ServerDocument>({ ...SERVER_SCHEMA });

/**
 * Parses an entry of a list of the generic registry API. An empty `repository` and an empty `$schema`, which well-known
 * publishers send by mistake, are accepted; what has an address that may not be opened is dropped (contract, section
 * 13.7); everything else must conform to the schema.
 *
 * @param entry as received from the source
 */
export function readEntry(entry: unknown): Incoming | Unusable {
  const { server, _meta } = isObject(entry) ? entry : { server: undefined, _meta: undefined };
  const faults: Fault[] = [];
  if (!findTextFaults(entry, [], faults) || faults.length > 0) {
    // The entry cannot be stored, so only its errors are.
    return unusable(null, server, faults.map(toReason), 'UNREADABLE');
  }
  if (!isObject(server)) return unusable(entry, server, [{ path: '/server', message: 'Must be an object.' }]);
  const { document: safe, dropped } = withoutBadAddresses(server);
  const document = cleaned(safe);
  if (!isServer(document)) {
    const errors = (isServer.errors ?? []).filter(({ keyword }) => keyword !== 'if');
    return unusable(entry, document, toFaults(errors, [], document).map(toReason));
  }
  const documentFaults = serverFaults(document);
  if (documentFaults.length > 0) return unusable(entry, document, documentFaults.map(toReason));
  const official = isObject(_meta) && isObject(_meta[OFFICIAL]) ? _meta[OFFICIAL] : {};
  const status = official.status;
  return {
    server: safe as ServerDocument,
    cleaned: document,
    dropped,
    bytes: serverBytes(safe),
    state: {
      status: status === 'deprecated' || status === 'deleted' ? status : 'active',
      statusMessage: typeof official.statusMessage === 'string' ? official.statusMessage : null,
      statusChangedAt: instant(official.statusChangedAt),
      publishedAt: instant(official.publishedAt),
    },
    updatedAt: instant(official.updatedAt),
    received: entry,
    digest: digestOf(safe),
  };
}

/** Also for entries that are valid but conflict with existing listings. */
export function unusable(
  entry: unknown,
  server: unknown,
  reasons: Reason[],
  kind: QuarantineKind = 'INVALID',
): Unusable {
  const { name, version } = isObject(server) ? server : { name: undefined, version: undefined };
  return {
    name: shortText(name),
    version: shortText(version),
    kind,
    reasons: bounded(reasons),
    document: entry,
    digest: digestOf(server),
  };
}

/** @returns the same as something that stays in quarantine */
export function refused({ server, received }: Incoming, reason: Reason, kind: QuarantineKind): Unusable {
  return unusable(received, server, [reason], kind);
}

/** A document without an empty `repository` and an empty `$schema`. */
function cleaned(server: Record<string, unknown>): unknown {
  const { repository, $schema, ...fields } = server;
  const isEmpty = isObject(repository) && Object.keys(repository).length === 0;
  return {
    ...($schema !== undefined && $schema !== '' && { $schema }),
    ...fields,
    ...(repository !== undefined && !isEmpty && { repository }),
  };
}

/** Replaces the reasons beyond the maximum by their number. */
function bounded(reasons: Reason[]): Reason[] {
  if (reasons.length <= MAX_REASONS) return reasons;
  const message = `has ${reasons.length - MAX_REASONS} more errors`;
  return [...reasons.slice(0, MAX_REASONS), { path: '', message }];
}

/** A document that is nested too deeply for JSON.stringify is identified by its name and version. */
function digestOf(server: unknown): Buffer {
  const hash = createHash('sha256');
  try {
    return hash.update(JSON.stringify(server ?? null)).digest();
  } catch {
    const { name, version } = isObject(server) ? server : { name: undefined, version: undefined };
    return hash.update(`${String(name)} ${String(version)}`).digest();
  }
}

/** Never splits a surrogate pair. */
function cut(text: string, length: number): string {
  const short = text.slice(0, length);
  return short.isWellFormed() ? short : short.slice(0, -1);
}

function toReason({ loc, msg }: Fault): Reason {
  return { path: jsonPointer(loc), message: msg };
}

function shortText(value: unknown): string | null {
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0') ? cut(value, 300) : null;
}

function instant(value: unknown): Date | null {
  return typeof value === 'string' ? (parseInstant(value) ?? null) : null;
}
