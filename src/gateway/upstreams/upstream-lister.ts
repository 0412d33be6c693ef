import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RESERVED_META } from '../protocol/incoming';
import { isObject, type JsonObject, RpcCode } from '../protocol/json-rpc';
import { LIST_PAGE } from '../protocol/message-readings';
import { type Era, LEGACY_REVISIONS, MODERN_REVISIONS, type ModernRevision } from '../protocol/revisions';
import type { ServerInfo } from '../protocol/translate';
import { AnswerBudget, type AnswerShare } from './answer-budget';
import { capabilitiesIn, type CapabilitySet, NO_CAPABILITIES } from '../protocol/capability-set';
import type { DefinitionKind, OmittedDefinition, ReadPage } from '../protocol/definition-list';
import { failureOfRevision, modernVerdict, sightOf } from './era-verdict';
import { legacyHop, legacyNote, modernHop } from './hop-message';
import { beginSession } from './legacy-handshake';
import type { Upstream } from './upstream';
import { discoverHop, NotOfEraError, UpstreamEras } from './upstream-eras';
import { failureOfStatus, UpstreamFailure } from '../protocol/upstream-failure';
import {
  type UpstreamInfo,
  type Listing,
  nothingListed,
  type RequestedCapabilitySet,
  withImplied,
  withSet,
} from './upstream-listing';
import { ListQuestions } from './list-questions';
import { readLists } from './read-lists';
import { OWN_INFO, resultIn, UpstreamWire } from './upstream-wire';

const MAX_NAME_LENGTH = 256;
const MAX_INSTRUCTIONS_LENGTH = 16_384;
const MAX_CAPABILITIES_LENGTH = 65_536;
/** The report shows so many of the definitions that are left out. */
const MAX_LEFT_OUT = 100;

/** A conversation with an upstream, in the era that it speaks. */
interface Conversation {
  readonly era: Era;
  readonly about: UpstreamInfo;
  /** @throws UpstreamFailure; the reason of the signal */
  readonly page: (method: string, cursor: string | undefined, share: AnswerShare) => ReturnType<ReadPage>;
  readonly end: () => void;
}

/** The capabilities of the clients whose lists are read, and what is known already. */
interface ReadingOptions {
  readonly set: CapabilitySet;
  /** What the upstream says of itself, if that was asked just now. */
  readonly about?: UpstreamInfo;
  /** Kinds whose lists it did not answer just now. */
  readonly skipped?: ReadonlySet<DefinitionKind>;
}

/** Reads the lists of upstreams, for all who use them, in sessions of its own. */
@Injectable()
export class UpstreamLister {
  constructor(
    private readonly wire: UpstreamWire,
    private readonly eras: UpstreamEras,
    private readonly budget: AnswerBudget,
  ) {}

  /**
   * Reads without the capabilities of any client, and then once more with those of each set, as a server may list other things
   * for them.
   *
   * @param ending ends it
   * @param late ends it, too, but what was read by then counts
   * @returns also if the upstream fails
   * @throws the reason of `ending`; of `late`, if nothing was read by then
   */
  async read(
    upstream: Upstream,
    sets: readonly RequestedCapabilitySet[],
    ending: AbortSignal,
    late: AbortSignal,
  ): Promise<Listing> {
    const first = await this.readFor(upstream, { set: NO_CAPABILITIES }, ending, late);
    // One that fails is not asked the same again.
    if (first.about === undefined || first.isDown) return { ...first, leftOut: shortened(first.leftOut) };
    return this.withSets(first, upstream, sets, first.about, ending, late);
  }

  /**
   * Reads with the capabilities of sets only, of an upstream whose lists were read just now.
   *
   * @param about what it says of itself
   * @returns nothing but the lists of these sets
   * @throws the reason of `ending`
   */
  readSets(
    upstream: Upstream,
    sets: readonly RequestedCapabilitySet[],
    about: UpstreamInfo,
    ending: AbortSignal,
    late: AbortSignal,
  ): Promise<Listing> {
    return this.withSets({ ...nothingListed('', undefined), error: null }, upstream, sets, about, ending, late);
  }

  private async withSets(
    listing: Listing,
    upstream: Upstream,
    sets: readonly RequestedCapabilitySet[],
    about: UpstreamInfo,
    ending: AbortSignal,
    late: AbortSignal,
  ): Promise<Listing> {
    let all = listing;
    const { unanswered: skipped } = listing;
    for (const requested of sets) {
      const { set, isListed } = requested;
      // A list that is read in part only would hide what is missing from clients with these capabilities.
      if (skipped.size > 0 && !isListed) continue;
      const other = await this.readFor(upstream, { set, about, skipped }, ending, late).catch((error: unknown) => {
        if (!late.aborted || ending.aborted) throw error;
        return nothingListed('Its lists could not be read in time.', undefined);
      });
      all = withSet(all, requested, other);
    }
    return { ...all, leftOut: shortened(all.leftOut) };
  }

  private async readFor(
    upstream: Upstream,
    { set, about, skipped }: ReadingOptions,
    ending: AbortSignal,
    late: AbortSignal,
  ): Promise<Listing> {
    const signal = AbortSignal.any([ending, late]);
    let conversation: Conversation;
    try {
      conversation = await this.begin(upstream, set, about, signal);
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error;
      return nothingListed(error.message, !hasRefused(error));
    }
    const listing = await this.listAll(conversation, late, skipped);
    const isWhole = !skipped?.size;
    const other = isWhole && (await this.otherEra(upstream, set, conversation.era, listing, signal, late));
    if (set === NO_CAPABILITIES) {
      const isOnlyModern =
        conversation.era === 'modern' && (await this.hidesFromLegacy(upstream, listing, ending, late));
      await this.eras.noteOnly(upstream.id, other ? 'legacy' : isOnlyModern ? 'modern' : null);
    }
    return other || listing;
  }

  /**
   * Some servers speak the modern era and list nothing in it, such as a proxy of one of the legacy era.
   *
   * @returns what it lists in the legacy era; undefined: nothing, or it need not be asked
   * @throws the reason of the signal
   */
  private async otherEra(
    upstream: Upstream,
    set: CapabilitySet,
    era: Era,
    { definitions, leftOut, error }: Listing,
    signal: AbortSignal,
    late: AbortSignal,
  ): Promise<Listing | undefined> {
    if (era === 'legacy' || error !== null || definitions.length + leftOut.length > 0) return undefined;
    if ((await this.eras.of(upstream.id)).legacy === null) return undefined;
    try {
      const listing = await this.listAll(await this.beginLegacy(upstream, set, signal), late);
      return listing.definitions.length > 0 ? listing : undefined;
    } catch (failure) {
      if (failure instanceof UpstreamFailure || failure instanceof NotOfEraError) return undefined;
      throw failure;
    }
  }

  /**
   * Others list tools in the modern era only, and are asked in the legacy era by clients of that. Looked at once such a client has
   * come.
   *
   * @param late ends it, too: the lists that were read count all the same
   * @returns what was known before where that cannot be seen now
   * @throws the reason of `ending`
   */
  private async hidesFromLegacy(
    upstream: Upstream,
    { definitions }: Listing,
    ending: AbortSignal,
    late: AbortSignal,
  ): Promise<boolean> {
    const { legacy, only } = await this.eras.of(upstream.id);
    if (typeof legacy !== 'string' || !definitions.some(({ kind }) => kind === 'tool')) return false;
    const share = this.budget.openOwn();
    try {
      const { page, end } = await this.beginLegacy(upstream, NO_CAPABILITIES, AbortSignal.any([ending, late]));
      try {
        const tools = (await page('tools/list', undefined, share))?.tools;
        return !Array.isArray(tools) || tools.length === 0;
      } finally {
        end();
      }
    } catch (failure) {
      const isLate = late.aborted && !ending.aborted;
      if (isLate || failure instanceof UpstreamFailure || failure instanceof NotOfEraError) return only === 'modern';
      throw failure;
    } finally {
      share.release();
    }
  }

  private async begin(
    upstream: Upstream,
    set: CapabilitySet,
    about: UpstreamInfo | undefined,
    signal: AbortSignal,
  ): Promise<Conversation> {
    const { modern, legacy } = await this.eras.of(upstream.id);
    if (about && modern) return this.modernConversation(upstream, modern, set, about, signal);
    // Where it speaks neither, one of the verdicts is wrong, or was right while it was being set up.
    const asksModern = modern !== null || legacy === null;
    let failure: UpstreamFailure | undefined;
    let sight: string | undefined;
    if (asksModern) {
      try {
        const conversation = await this.beginModern(upstream, set, signal);
        if (!(conversation instanceof NotOfEraError)) return conversation;
        sight = conversation.sight;
      } catch (error) {
        if (typeof modern === 'string' || !(error instanceof UpstreamFailure) || isFinal(error)) throw error;
        failure = error;
      }
    }
    try {
      return await this.beginLegacy(upstream, set, signal);
    } catch (error) {
      if (!(error instanceof NotOfEraError)) throw error;
      throw failure ?? failureOfRevision([sight, error.sight]);
    }
  }

  private async beginModern(
    upstream: Upstream,
    set: CapabilitySet,
    signal: AbortSignal,
  ): Promise<Conversation | NotOfEraError> {
    const [asked] = MODERN_REVISIONS;
    const answer = await this.wire.ask(upstream, discoverHop(asked), signal);
    const revision = modernVerdict(answer, asked);
    if (revision === undefined) throw failureOfStatus(answer.status);
    await this.eras.noteModern(upstream.id, revision);
    if (revision === null) return new NotOfEraError('modern', sightOf(answer, 'server/discover'));
    const result = isObject(answer.message?.result) ? answer.message.result : {};
    const info = isObject(result._meta) ? result._meta[`${RESERVED_META}serverInfo`] : undefined;
    return this.modernConversation(upstream, revision, set, aboutOf(result, info), signal);
  }

  private modernConversation(
    upstream: Upstream,
    revision: ModernRevision,
    set: CapabilitySet,
    about: UpstreamInfo,
    signal: AbortSignal,
  ): Conversation {
    return {
      era: 'modern',
      about,
      page: async (method, cursor, share) => {
        const client = { revision, capabilities: capabilitiesIn(set), info: undefined, logLevel: undefined };
        const posted = modernHop({ id: randomUUID(), method, params: paramsOf(cursor) }, client, OWN_INFO);
        return pageIn(await this.wire.ask(upstream, posted, signal, { reading: LIST_PAGE, share }), method, cursor);
      },
      end: () => undefined,
    };
  }

  private async beginLegacy(upstream: Upstream, set: CapabilitySet, signal: AbortSignal): Promise<Conversation> {
    const options = { wanted: LEGACY_REVISIONS[0], capabilities: capabilitiesIn(set), signal };
    const { revision, sessionId, result } = await beginSession({ wire: this.wire, eras: this.eras }, upstream, options);
    const questions = new ListQuestions(set, (answer) => {
      this.wire.note(upstream, legacyNote(answer, revision, sessionId), signal).catch(() => undefined);
    });
    return {
      era: 'legacy',
      about: withImplied(aboutOf(result, result.serverInfo), revision),
      page: async (method, cursor, share) => {
        const posted = legacyHop({ id: randomUUID(), method, params: paramsOf(cursor) }, revision, sessionId);
        const how = { reading: LIST_PAGE, share, onMessage: questions.take };
        return pageIn(await this.wire.ask(upstream, posted, signal, how), method, cursor);
      },
      // In the background.
      end: () => void (sessionId !== undefined && this.wire.end(upstream, revision, sessionId)),
    };
  }

  /** @param late what was read by then counts. Ends the conversation. */
  private async listAll(
    { about, page, end }: Conversation,
    late: AbortSignal,
    skipped?: ReadonlySet<DefinitionKind>,
  ): Promise<Listing> {
    // A page is in memory until the next one is read.
    let share: AnswerShare | undefined;
    try {
      return await readLists(
        about,
        until(late, (method, cursor) => {
          share?.release();
          share = this.budget.openOwn();
          return page(method, cursor, share);
        }),
        skipped,
      );
    } finally {
      share?.release();
      end();
    }
  }
}

function aboutOf({ capabilities, instructions }: JsonObject, info: unknown): UpstreamInfo {
  return {
    capabilities: storableObject(capabilities, MAX_CAPABILITIES_LENGTH) ?? {},
    serverInfo: serverInfoOf(info),
    instructions: storableText(instructions, MAX_INSTRUCTIONS_LENGTH) ?? null,
  };
}

function serverInfoOf(info: unknown): ServerInfo | null {
  if (!isObject(info)) return null;
  const name = storableText(info.name, MAX_NAME_LENGTH);
  const title = storableText(info.title, MAX_NAME_LENGTH);
  if (name === undefined) return null;
  return {
    name,
    ...(title === undefined ? {} : { title }),
    version: storableText(info.version, MAX_NAME_LENGTH) ?? '',
  };
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

/** @returns the same, but for what comes too late, which is a failure of the upstream like any other */
function until(late: AbortSignal, page: ReadPage): ReadPage {
  return async (method, cursor) => {
    try {
      return await page(method, cursor);
    } catch (error) {
      if (!late.aborted || error instanceof UpstreamFailure) throw error;
      throw new UpstreamFailure('upstream_timeout', 'Its lists could not be read in time.', false);
    }
  };
}

/** First where lists were cut. */
function shortened(all: readonly OmittedDefinition[]): readonly OmittedDefinition[] {
  const leftOut = [...all.filter(({ code }) => code), ...all.filter(({ code }) => !code)];
  const rest = leftOut.length - MAX_LEFT_OUT;
  if (rest <= 0) return leftOut;
  return [...leftOut.slice(0, MAX_LEFT_OUT), { name: undefined, reason: `So are ${rest} more.` }];
}

function isFinal({ code, status }: UpstreamFailure): boolean {
  return code === 'upstream_unreachable' || status === 401 || status === 403 || status === 429;
}

/** It wants credentials, or fewer requests. */
function hasRefused({ code, status }: UpstreamFailure): boolean {
  return code === 'credential_required' || code === 'rate_limited' || status === 403;
}

/**
 * What an upstream says, as PostgreSQL can store it: without NUL, and without halves of characters.
 *
 * @returns undefined if it is no text; cut at `most` characters
 */
export function storableText(value: unknown, most: number): string | undefined {
  return typeof value === 'string' ? value.slice(0, most).replaceAll('\0', '\ufffd').toWellFormed() : undefined;
}

/** @returns undefined if it is no object, or longer than `most` characters as JSON */
export function storableObject(value: unknown, most: number): JsonObject | undefined {
  if (!isObject(value)) return undefined;
  const text = JSON.stringify(value, (_key, part: unknown) => storablePart(part));
  return text.length <= most ? (JSON.parse(text) as JsonObject) : undefined;
}

function storablePart(part: unknown): unknown {
  if (typeof part === 'string') return storableText(part, part.length);
  if (!isObject(part)) return part;
  return Object.fromEntries(Object.entries(part).map(([name, inner]) => [storableText(name, name.length), inner]));
}
