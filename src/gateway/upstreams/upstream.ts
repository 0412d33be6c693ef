import type { UpstreamCredential } from '../credentials/upstream-credential';
import type { JsonObject } from '../protocol/json-rpc';
import type { Era } from '../protocol/revisions';
import type { ServerInfo } from '../protocol/translate';
import type { AnswerShare } from './answer-budget';
import type { DefinitionKind, OmittedDefinition } from '../protocol/definition-list';
import type { CredentialPlacements } from '../protocol/credential-placements';
import type { Holder } from './shares';

/**
 * A server behind entries: everything that has the same address, the same headers and the same credential is one. So what is
 * listed with a credential is shown to no one who does not use it.
 */
export interface Upstream {
  readonly id: string;
  readonly url: string;
  /** No secrets: those belong to credentials, and so does the address, where they would be in it. */
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: none is sent. */
  readonly credential?: UpstreamCredential;
}

/** The columns of an upstream with which it can be spoken to. */
export interface AddressRow {
  readonly id: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly credential_id: string | null;
  /** Null, too, if it was deleted this moment. */
  readonly credential_version: number | null;
  readonly fills: CredentialPlacements;
}

export function upstreamOf({ id, url, headers, credential_id, credential_version, fills }: AddressRow): Upstream {
  if (credential_id === null) return { id, url, headers };
  return { id, url, headers, credential: { id: credential_id, version: credential_version ?? 0, placements: fills } };
}

/** What is known of an upstream. */
export interface UpstreamState extends Upstream {
  /** The revision of the modern era that it speaks; '': it does not speak that era; null: not known. */
  readonly modern: string | null;
  /** The same for the legacy era. */
  readonly legacy: string | null;
  /** The era in which alone it lists something, though it speaks both; null: there is none. */
  readonly onlyEra?: Era | null;
  readonly serverInfo: ServerInfo | null;
  readonly capabilities: JsonObject | null;
  readonly instructions: string | null;
  /** When it last gave its lists; null: never. */
  readonly listedAt: Date | null;
  /** Why it did not give them when it was last asked, as a sentence; null if it did. */
  readonly listError: string | null;
  readonly leftOut: readonly OmittedDefinition[];
  /** For how long its lists are fresh, as it says; null if it says nothing. */
  readonly ttlMs: number | null;
}

/** A tool, prompt, resource or template of an upstream, as it was last listed. */
export interface StoredDefinition {
  readonly upstreamId: string;
  readonly kind: DefinitionKind;
  /** Unique among those of its kind. */
  readonly name: string;
  /** JSON, as the upstream sent it. */
  readonly body: string;
  /** `definitionDigest` of the body. */
  readonly digest: Buffer;
  /** `shownDigest` of the body, in hex; null or absent: it was not read since there is one. */
  readonly shown?: string | null;
  /** Whether that changes all the time, so that no one could approve it. */
  readonly isUnsteady?: boolean;
  /** Whether its upstream has another of this name, for clients that need fewer capabilities. */
  readonly isVariant?: boolean;
  /** The entry that it is for: it is ours and of no server, so no one has to approve it. */
  readonly ofEntry?: string;
}

/**
 * Which session with an upstream of the legacy era a message came from: enough for any replica to find it again. The
 * principal is not part of it, because only the one who sends an answer says who they are.
 */
export interface UpstreamSessionRef {
  readonly upstreamId: string;
  readonly entryId: string;
  /** The digest of the capabilities with which it was begun, in base64url. */
  readonly capabilities: string;
}

/** What a client says of itself, as far as an upstream may know it. */
export interface CallClient {
  readonly era: Era;
  /** The revision belongs to the era. */
  readonly revision: string;
  readonly capabilities: JsonObject;
  readonly logLevel?: string;
}

/** A request of a client that goes to one upstream. */
export interface UpstreamCall {
  readonly upstream: Upstream;
  readonly entryId: string;
  /** The entry is in this bundle: an upstream takes so many calls of each bundle. */
  readonly bundleId: string;
  /** Who calls: sessions and limits are theirs. */
  readonly principal: string;
  /** The key of the client's session, in base64url, which says nothing about it; undefined: it has none. */
  readonly session?: string;
  readonly client: CallClient;
  readonly method: string;
  /** With the upstream's own name of the tool; `_meta` as the client sent it. */
  readonly params: JsonObject;
  /** The tool that is called has this schema. */
  readonly inputSchema?: unknown;
  /** Whether it must not be sent by any other definition. */
  readonly isPinned?: boolean;
  /** Ends the call, and cancels it at the upstream. */
  readonly signal: AbortSignal;
  /**
   * Receives notifications and requests of the upstream about this call, as they come.
   *
   * @param session where the answer to a request belongs (`UpstreamCaller.answer`); undefined in the modern era
   * @returns false for a request that no one is asked, which gives the upstream no more time
   */
  readonly onMessage: (message: JsonObject, session: UpstreamSessionRef | undefined) => unknown;
  /** Where the memory of the answer is counted, until the client has it. */
  readonly share?: AnswerShare;
}

/** What the upstream has answered, and in which era it did. An error is its own JSON-RPC error, as it came. */
export type UpstreamCallResult =
  { readonly result: JsonObject; readonly era: Era } | { readonly error: JsonObject; readonly era: Era };

/** Resources whose changes a client wants to hear of. */
export interface ResourceSubscription extends Holder {
  readonly upstream: Upstream;
  readonly entryId: string;
  readonly client: CallClient;
  readonly uris: readonly string[];
  /** Ends the subscription. */
  readonly signal: AbortSignal;
  /** Also called for each address after a connection was lost and begun again: something may have been missed. */
  readonly onUpdated: (uri: string) => void;
}

/** The principal of what this service asks for itself: lists and their changes. */
export const OWN_PRINCIPAL = 'toolyard';
