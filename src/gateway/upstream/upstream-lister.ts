import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { definitionDigest } from '../compile/definition-digest';
import { RESERVED_META } from '../edge/incoming';
import { isObject, type JsonObject, RpcCode } from '../edge/json-rpc';
import { LEGACY_REVISIONS, MODERN_REVISIONS, type ModernRevision } from '../edge/revisions';
import type { ServerInfo } from '../edge/translate';
import {
  DEFINITION_KINDS,
  type DefinitionKind,
  type LeftOut,
  type ListUse,
  readDefinitions,
  type ReadPage,
} from './definition-list';
import { modernVerdict } from './era-verdict';
import { legacyHop, modernHop } from './hop-message';
import { beginSession } from './legacy-handshake';
import { storableObject, storableText } from './storable';
import type { Upstream } from './upstream';
import { discoverHop, NotOfEraError, UpstreamEras } from './upstream-eras';
import { failureOfStatus, UpstreamFailure } from './upstream-failure';
import { OWN_INFO, resultIn, UpstreamWire } from './upstream-wire';

const KINDS = Object.keys(DEFINITION_KINDS) as DefinitionKind[];
/** The capability that says whether there are any. */
const CAPABILITY_OF: Readonly<Record<DefinitionKind, string>> = {
  tool: 'tools',
  prompt: 'prompts',
  resource: 'resources',
  template: 'resources',
};
const LONGEST_NAME = 256;
const LONGEST_INSTRUCTIONS = 16_384;
const LONGEST_CAPABILITIES = 65_536;
/** Of what is left out, the report shows so much. */
const MOST_LEFT_OUT = 100;

/** What an upstream says of itself. */
export interface AboutUpstream {
  readonly capabilities: JsonObject;
  readonly serverInfo: ServerInfo | null;
  readonly instructions: string | null;
}

/** A definition to store. */
export interface ListedDefinition {
  readonly kind: DefinitionKind;
  readonly name: string;
  readonly place: number;
  readonly digest: Buffer;
  readonly body: string;
}

/** What reading the lists of an upstream has brought. */
export interface Listing {
  /** Undefined: it could not be asked. */
  readonly about: AboutUpstream | undefined;
  /** The kinds whose lists were read: of the others, what was known before stays. */
  readonly kinds: readonly DefinitionKind[];
  readonly definitions: readonly ListedDefinition[];
  readonly leftOut: readonly LeftOut[];
  readonly ttlMs: number | undefined;
  /** Why something could not be read, as a sentence; null: everything was. */
  readonly error: string | null;
  /** Whether it did not answer, as far as that is known: one that refuses us, or lists too much, has answered. */
  readonly isDown: boolean | undefined;
}

/** A conversation with an upstream, in the era that it speaks. */
interface Conversation {
  readonly about: AboutUpstream;
  /** @throws UpstreamFailure; the reason of the signal */
  readonly page: ReadPage;
  readonly end: () => void;
}

/** Reads the lists of upstreams, for all who use them: without any client's capabilities, and in a session of its own. */
@Injectable()
export class UpstreamLister {
  constructor(
    private readonly wire: UpstreamWire,
    private readonly eras: UpstreamEras,
  ) {}

  /**
   * @param signal ends it
   * @returns also if the upstream fails
   * @throws the reason of the signal
   */
  async read(upstream: Upstream, signal: AbortSignal): Promise<Listing> {
    let conversation: Conversation;
    try {
      conversation = await this.begin(upstream, signal);
    } catch (error) {
      const nothing = { about: undefined, kinds: [], definitions: [], leftOut: [], ttlMs: undefined };
      if (!(error instanceof UpstreamFailure)) throw error;
      return { ...nothing, error: error.message, isDown: !hasRefused(error) };
    }
    try {
      return await listAll(conversation);
    } finally {
      conversation.end();
    }
  }

  private async begin(upstream: Upstream, signal: AbortSignal): Promise<Conversation> {
    const { modern, legacy } = await this.eras.of(upstream.id);
    // Where it speaks neither, one of the verdicts is wrong, or was right while it was being set up.
    const asksModern = modern !== null || legacy === null;
    let failure: UpstreamFailure | undefined;
    if (asksModern) {
      try {
        const conversation = await this.beginModern(upstream, signal);
        if (conversation) return conversation;
      } catch (error) {
        if (typeof modern === 'string' || !(error instanceof UpstreamFailure) || isFinal(error)) throw error;
        failure = error;
      }
    }
    try {
      return await this.beginLegacy(upstream, signal);
    } catch (error) {
      if (!(error instanceof NotOfEraError)) throw error;
      throw (
        failure ??
        new UpstreamFailure('upstream_error', 'It speaks no revision of the protocol that Toolyard knows.', false)
      );
    }
  }

  private async beginModern(upstream: Upstream, signal: AbortSignal): Promise<Conversation | undefined> {
    const [asked] = MODERN_REVISIONS;
    const answer = await this.wire.ask(upstream, discoverHop(asked), signal);
    const revision = modernVerdict(answer, asked);
    if (revision === undefined) throw failureOfStatus(answer.status);
    await this.eras.noteModern(upstream.id, revision);
    if (revision === null) return undefined;
    const result = isObject(answer.message?.result) ? answer.message.result : {};
    const info = isObject(result._meta) ? result._meta[`${RESERVED_META}serverInfo`] : undefined;
    return {
      about: aboutOf(result, info),
      page: (method, cursor) => this.modernPage(upstream, revision, method, cursor, signal),
      end: () => undefined,
    };
  }

  private async beginLegacy(upstream: Upstream, signal: AbortSignal): Promise<Conversation> {
    const options = { wanted: LEGACY_REVISIONS[0], capabilities: {}, signal };
    const { revision, sessionId, result } = await beginSession({ wire: this.wire, eras: this.eras }, upstream, options);
    return {
      about: aboutOf(result, result.serverInfo),
      page: async (method, cursor) => {
        const request = { id: randomUUID(), method, params: paramsOf(cursor) };
        return pageIn(await this.wire.ask(upstream, legacyHop(request, revision, sessionId), signal), method, cursor);
      },
      // In the background.
      end: () => void (sessionId !== undefined && this.wire.end(upstream, revision, sessionId)),
    };
  }

  private async modernPage(
    upstream: Upstream,
    revision: ModernRevision,
    method: string,
    cursor: string | undefined,
    signal: AbortSignal,
  ): Promise<JsonObject | undefined> {
    const client = { revision, capabilities: {}, info: undefined, logLevel: undefined };
    const posted = modernHop({ id: randomUUID(), method, params: paramsOf(cursor) }, client, OWN_INFO);
    return pageIn(await this.wire.ask(upstream, posted, signal), method, cursor);
  }
}

async function listAll({ about, page }: Conversation): Promise<Listing> {
  const kinds: DefinitionKind[] = [];
  const definitions: ListedDefinition[] = [];
  const leftOut: LeftOut[] = [];
  let ttlMs: number | undefined;
  let failure: UpstreamFailure | undefined;
  const offered = offeredBy(about);
  const use: ListUse = { definitions: 0, bytes: 0 };
  for (const kind of KINDS) {
    if (!offered(kind)) {
      kinds.push(kind);
      continue;
    }
    // Where it did not answer, it need not be asked for the rest.
    if (failure?.isOfTransport) break;
    try {
      const list = await readDefinitions(kind, page, use);
      kinds.push(kind);
      leftOut.push(...list.leftOut);
      if (list.ttlMs !== undefined) ttlMs = Math.min(ttlMs ?? Infinity, list.ttlMs);
      for (const [place, { name, body }] of list.definitions.entries())
        definitions.push({ kind, name, place, digest: definitionDigest(body), body: JSON.stringify(body) });
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error;
      failure ??= error;
    }
  }
  return {
    about,
    kinds,
    definitions,
    leftOut: shortened(leftOut),
    ttlMs,
    error: failure?.message ?? null,
    isDown: failure?.isOfTransport ?? false,
  };
}

/** Servers that declare nothing at all have tools: nothing else would be a reason to be one. */
function offeredBy({ capabilities }: AboutUpstream): (kind: DefinitionKind) => boolean {
  const declared = KINDS.filter((kind) => isObject(capabilities[CAPABILITY_OF[kind]]));
  return (kind) => (declared.length === 0 ? kind === 'tool' : declared.includes(kind));
}

function aboutOf({ capabilities, instructions }: JsonObject, info: unknown): AboutUpstream {
  return {
    capabilities: storableObject(capabilities, LONGEST_CAPABILITIES) ?? {},
    serverInfo: serverInfoOf(info),
    instructions: storableText(instructions, LONGEST_INSTRUCTIONS) ?? null,
  };
}

function serverInfoOf(info: unknown): ServerInfo | null {
  if (!isObject(info)) return null;
  const name = storableText(info.name, LONGEST_NAME);
  const title = storableText(info.title, LONGEST_NAME);
  if (name === undefined) return null;
  return { name, ...(title === undefined ? {} : { title }), version: storableText(info.version, LONGEST_NAME) ?? '' };
}

/** @returns undefined if the upstream does not know the method */
function pageIn(
  answer: Parameters<typeof resultIn>[0],
  method: string,
  cursor: string | undefined,
): JsonObject | undefined {
  const error = answer.message?.error;
  if (cursor === undefined && isObject(error) && error.code === RpcCode.MethodNotFound) return undefined;
  return resultIn(answer, method);
}

function paramsOf(cursor: string | undefined): JsonObject {
  return cursor === undefined ? {} : { cursor };
}

function shortened(leftOut: readonly LeftOut[]): readonly LeftOut[] {
  const rest = leftOut.length - MOST_LEFT_OUT;
  if (rest <= 0) return leftOut;
  return [...leftOut.slice(0, MOST_LEFT_OUT), { name: undefined, reason: `So are ${rest} more.` }];
}

function isFinal({ code, status }: UpstreamFailure): boolean {
  return code === 'upstream_unreachable' || status === 401 || status === 403 || status === 429;
}

/** It wants credentials, or fewer requests. */
function hasRefused({ code, status }: UpstreamFailure): boolean {
  return code === 'credential_required' || code === 'rate_limited' || status === 403;
}
