import { type CapabilitySet, NO_CAPABILITIES } from '../protocol/capability-set';
import type { JsonObject } from '../protocol/json-rpc';
import type { ParamHeader } from '../protocol/mirrored-headers';
import type { Era } from '../protocol/revisions';
import type { ServerInfo } from '../protocol/translate';
import type { EndpointNaming, EndpointPresentation } from '../settings/endpoint-enums';
import type { UnreachableCode } from '../entries/entry-upstream';
import type { EntryCredential } from '../credentials/entry-credential';
import type { Policy } from '../rules/policy';
import type { Hints } from '../rules/tool-hints';
import type { ToolSearch } from '../search/tool-search';
import type { FindingCode } from '../rules/definition-findings';
import type { UpstreamState } from '../upstreams/upstream';

/** What of a client decides what servers list for it. */
export interface ListClient {
  readonly era: Era;
  readonly capabilities: CapabilitySet;
}

/** One that can be asked nothing. */
export const BARE_CLIENT: ListClient = { era: 'modern', capabilities: NO_CAPABILITIES };

/** A target says which bundle is compiled, in whose view, and by which settings. */
export interface CompileTarget {
  readonly bundleId: string;
  /** The name and the slug of the bundle. */
  readonly name: string;
  readonly slug: string;
  /** The version that a deployment is bound to; null: the bundle as it is now, with the newest versions of listings. */
  readonly boundVersion: number | null;
  /** The number of the version that is served. */
  readonly version: number;
  /** The listings that they may see are compiled. */
  readonly personId: string;
  /** Whether their own credentials are used: they call themselves. */
  readonly usesPersonal?: boolean;
  /** The access token by which they come; null: as themselves. */
  readonly tokenId: string | null;
  /** Absent: one that can be asked nothing. */
  readonly client?: ListClient;
  readonly presentation: EndpointPresentation;
  readonly naming: EndpointNaming;
  readonly nameBudget: number;
}

/** A target, and what of its bundle the compiled one depends on. */
export interface KeyedTarget extends CompileTarget {
  /** Changes with everything that changes the compiled bundle, except what servers say of themselves. */
  readonly key: string;
  /** This is the digest of the entries that the person may use; part of the key. */
  readonly entriesDigest: string;
  /** This is the digest of the rules that are about the person; part of the key. */
  readonly policyDigest: string;
}

/** Why something of a bundle cannot be used, or not in every way. */
export type ProblemCode =
  | UnreachableCode
  /** Its listing is gone or archived, or the person may not see it. */
  | 'unavailable'
  /** The server needs a credential, and there is none that could be used, or it lacks values. */
  | 'credential_missing'
  /** Its credential is refused: it has to be connected again. */
  | 'credential_reconnect'
  /** Its credential was given for another origin, so nothing is sent. */
  | 'credential_origin_changed'
  /** Its listing has got a remote server since: its `endpoint_url` is used all the same. */
  | 'endpoint_url_kept'
  /** Its lists have not been read yet. */
  | 'not_listed'
  /** Its lists could not be read the last time; those of the time before count. */
  | 'list_failed'
  /** A definition that cannot be offered. */
  | 'left_out'
  /** A list that could not be read to its end: what precedes that is offered. */
  | 'list_cut'
  /** The server offers nothing that the bundle could. */
  | 'nothing_listed'
  /** The server lists nothing in the one era that it speaks, and something in the other. */
  | 'other_era_only'
  /** A definition that clients of some revision cannot read: what is wrong was dropped or completed. */
  | 'definition_mended'
  /** Two tools, or two prompts, have the same name at their servers: both are offered by their longer names. */
  | 'name_clash'
  /** A tool has a name that this service has itself, so it is offered by its longer one. */
  | 'name_reserved'
  /** A resource or template that an earlier entry has, too: the earlier one is offered. */
  | 'uri_taken'
  /** The bundle has more tools than an endpoint offers. */
  | 'too_many_tools'
  /** The server speaks the earlier revisions only, so it cannot ask anything of clients of the modern era. */
  | 'legacy_only'
  /** Its definition has changed and is not approved: the approved one is listed, and it is not called. */
  | 'definition_changed'
  /** It is new and not approved, so it is hidden. */
  | 'not_approved'
  /** An override, or with `PLAIN` its server, gives it a name that the bundle cannot give it now. */
  | 'name_not_possible'
  /** An override fixes an argument that its definition does not have. */
  | 'fixed_argument_gone'
  | FindingCode;

/** Something that a report says about an entry. */
export interface Problem {
  readonly code: ProblemCode;
  readonly entryId: string;
  /** The other entry of a clash. */
  readonly otherEntryId?: string;
  /** The name, address or template that it is about. */
  readonly subject?: string;
  /** For people; its wording may change. */
  readonly detail: string;
}

/** An enabled entry that the person may see. */
export interface CompiledEntry {
  readonly id: string;
  readonly key: string;
  /** What precedes the names of its tools. */
  readonly alias: string;
  readonly listingName: string;
  readonly listingVersion: string;
  /** Null if it cannot be reached from here: a problem says why. */
  readonly upstream: UpstreamState | null;
  /** Absent: it uses none. */
  readonly credential?: EntryCredential;
}

/** An entry with a server that can be asked. */
export interface ReachableEntry extends CompiledEntry {
  readonly upstream: UpstreamState;
}

/** A prompt, resource or template that clients of the endpoint see. */
export interface ExposedDefinition {
  readonly entry: ReachableEntry;
  /** What the upstream calls it: a name, an address or a template. */
  readonly name: string;
  /** Whether the upstream has changed it and no editor has approved that: it is listed as it was, and not called. */
  readonly isHeld: boolean;
  readonly hints: Hints;
  /** `definitionDigest` of what the upstream says of it. */
  readonly digest: Buffer;
}

/** A tool that clients of the endpoint see. */
export interface ExposedTool extends ExposedDefinition {
  /** Whether only what was approved of its server may be called. */
  readonly isPinned: boolean;
  /** The parameters that its definition wants repeated in headers. */
  readonly paramHeaders: readonly ParamHeader[];
  /** As the upstream has it. Only where it wants parameters repeated; everything else of it is in the list. */
  readonly inputSchema: unknown;
  /** Its annotations as clients get them. */
  readonly annotations: unknown;
  /** Arguments that the bundle gives it: clients neither see nor send them. */
  readonly fixedArguments: JsonObject | null;
  /** Whether clients of the legacy era get its `structuredContent` as `{"result": …}`, as their list says. */
  readonly wrapsOutput: boolean;
}

/** The methods that list. */
export const LIST_METHODS = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'] as const;
export type ListMethod = (typeof LIST_METHODS)[number];

/** A part of a list, ready to be sent. */
export interface ListPage {
  /** The place of its first item in the list. */
  readonly start: number;
  readonly count: number;
  /** UTF-8: a member of a result, such as `"tools":[…]`. */
  readonly items: Buffer;
  /** Where the next page begins; undefined: this is the last one. */
  readonly next: number | undefined;
}

/** The lists whose changes clients are told of. */
export const CHANGE_KINDS = ['tools', 'prompts', 'resources'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** A bundle as an MCP endpoint: what it offers, where that goes, and its lists as bytes. Immutable. */
export interface CompiledBundle {
  readonly bundleId: string;
  readonly client: ListClient;
  readonly serverInfo: ServerInfo;
  /** In the order of the bundle. */
  readonly entries: readonly CompiledEntry[];
  /** The policy says whose view it is, as far as rules decide that: everything below is what it allows. */
  readonly policy: Policy;
  /** Where clients search for tools: `tools` are not in the list then, but can be called. */
  readonly search: ToolSearch | undefined;
  /** By the name that clients see. */
  readonly tools: ReadonlyMap<string, ExposedTool>;
  readonly prompts: ReadonlyMap<string, ExposedDefinition>;
  /** By address. */
  readonly resources: ReadonlyMap<string, ExposedDefinition>;
  /** By template. */
  readonly templates: ReadonlyMap<string, ExposedDefinition>;
  /** These problems are shown. */
  readonly problems: readonly Problem[];
  /** How many there are. */
  readonly problemCount: number;
  readonly pages: Readonly<Record<ListMethod, readonly ListPage[]>>;
  /** The same for clients of the legacy era; the same objects where nothing differs. */
  readonly legacyPages: Readonly<Record<ListMethod, readonly ListPage[]>>;
  /** The digest of each list, with that of templates in `resources`: it changes exactly when the list does. */
  readonly digests: Readonly<Record<ChangeKind, string>>;
  /** What the servers say about how they are used, for models; undefined: nothing. */
  readonly instructions: string | undefined;
  /** The settings of the extensions that servers declare and that pass through this service. */
  readonly extensions: Readonly<Record<string, unknown>>;
  /** About how many bytes it has in memory. */
  readonly bytes: number;
}

/** @returns whether the server of an entry can be asked */
export function isReachable(entry: CompiledEntry): entry is ReachableEntry {
  return entry.upstream !== null;
}

/** @returns the target as a client sees it that can be asked something: servers may list other things for it */
export function seenBy(target: KeyedTarget, client: ListClient): KeyedTarget {
  const { era, capabilities } = client;
  if (capabilities === NO_CAPABILITIES) return target;
  return { ...target, client, key: `${target.key} ${era} ${capabilities}` };
}
