import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ErrorCode, UnavailableError } from '../../errors/errors';
import { LongAnswers } from './long-answers';

/** What every call has from its beginning: answers of this size never wait. */
const MIN_BYTES = 65_536;
/** What is longer takes room for the longest answer at once: answers that hold a part and wait for more would wait for each other. */
const SHORT_BYTES = 262_144;
/** The longest answer with the frame of an event, and the pieces in which it came. */
const MAX_COPIED_BYTES = 21_000_000;
/** A message of fewer is copied, in less than a millisecond, if it has the memory of a long one. */
const MOVED_BYTES = 2_097_152;
/** For `Retry-After`, in seconds. */
const RETRY_AFTER_S = 5;
/** A moment in which an answer is copied into larger memory; two never are at once. */
const COPYING_BYTES = 10_485_760;

/** What this service asks for itself counts under this name; no person is called so. */
const OWN = 'toolyard';

/** A reservation that waits for memory. */
interface QueuedReservation {
  readonly principal: string;
  readonly bytes: number;
  readonly go: () => void;
}

/**
 * Bytes of answers of servers that are in the memory of this process: from when they are read until the client has got them
 * (contract, section 13.4). What would be more waits, the first one first; one that waits for its own principal holds up no one else.
 */
@Injectable()
export class AnswerBudget {
  /** Fields, so that tests need not fill them. */
  mostBytes = 100_663_296;
  mostOfPrincipal = 33_554_432;
  patienceMs = 5_000;

  /** It needs no bound of its own: a call borrows at most as many bytes as it holds, and those are bounded. */
  readonly long = new LongAnswers();
  private total = 0;
  private readonly principals = new Map<string, number>();
  private readonly queue = new Set<QueuedReservation>();

  /** Bytes that are held now. */
  get bytes(): number {
    return this.total;
  }

  /** Begins an answer that holds nothing yet. @param principal the person behind it, where there is one: tokens cost nothing */
  open(principal: string): AnswerShare {
    return new AnswerShare(this, principal);
  }

  /** The same for a question of this service itself, such as a page of a list. Short answers need no room. */
  openOwn(): AnswerShare {
    return new AnswerShare(this, OWN, MIN_BYTES);
  }

  /** Takes bytes that are free. @returns whether they are: otherwise one has to wait */
  takeFree(principal: string, bytes: number): boolean {
    const isFree = this.isFree(principal, bytes, this.queue);
    if (isFree) this.count(principal, bytes);
    return isFree;
  }

  /**
   * Takes bytes that are not free now, as soon as they are.
   *
   * @throws UnavailableError after five seconds; the reason of the signal
   */
  async waitFor(principal: string, bytes: number, signal: AbortSignal, hasBegun: boolean): Promise<void> {
    const over = new AbortController();
    const waiting: QueuedReservation = { principal, bytes, go: () => over.abort() };
    this.queue.add(waiting);
    try {
      await sleep(this.patienceMs, undefined, { signal: AbortSignal.any([signal, over.signal]) });
    } catch {
      if (over.signal.aborted) return;
      signal.throwIfAborted();
    } finally {
      // One that was let in and has left at the same moment holds what it got, and gives it back as a whole.
      if (this.queue.delete(waiting)) this.letIn();
    }
    throw tooMuch(hasBegun);
  }

  give(principal: string, bytes: number): void {
    if (bytes === 0) return;
    this.count(principal, -bytes);
    this.letIn();
  }

  private letIn(): void {
    const before = new Set<QueuedReservation>();
    for (const waiting of this.queue) {
      if (!this.isFree(waiting.principal, waiting.bytes, before)) {
        before.add(waiting);
        continue;
      }
      this.queue.delete(waiting);
      this.count(waiting.principal, waiting.bytes);
      waiting.go();
    }
  }

  /** @param before those that come first */
  private isFree(principal: string, bytes: number, before: ReadonlySet<QueuedReservation>): boolean {
    const own = this.principals.get(principal) ?? 0;
    if (own + bytes > this.mostOfPrincipal || this.total + bytes > this.mostBytes - COPYING_BYTES) return false;
    for (const waiting of before)
      if (
        waiting.principal === principal ||
        (this.principals.get(waiting.principal) ?? 0) + waiting.bytes <= this.mostOfPrincipal
      )
        return false;
    return true;
  }

  private count(principal: string, bytes: number): void {
    this.total += bytes;
    const own = (this.principals.get(principal) ?? 0) + bytes;
    if (own === 0) this.principals.delete(principal);
    else this.principals.set(principal, own);
  }
}

/** What one answer holds. */
export class AnswerShare {
  private held = 0;
  private isOver = false;
  private lent: Buffer | undefined;

  constructor(
    private readonly budget: AnswerBudget,
    private readonly principal: string,
    /** So much is not counted. */
    private readonly freeBytes = 0,
  ) {}

  /**
   * To be called before a server is asked: where there is no room even for a short answer, nothing has been done yet.
   *
   * @throws UnavailableError; the reason of the signal
   */
  begin(signal: AbortSignal): Promise<void> {
    return this.take(MIN_BYTES, signal, false);
  }

  /** Whether so many bytes are held already, so that no one has to wait. */
  has(bytes: number): boolean {
    return bytes <= Math.max(this.held, this.freeBytes);
  }

  /**
   * Holds so many bytes in all. A server that is waited for is read no further.
   *
   * @throws UnavailableError; the reason of the signal
   */
  async hold(bytes: number, signal: AbortSignal): Promise<void> {
    if (this.has(bytes)) return;
    const wanted = bytes <= SHORT_BYTES ? bytes : Math.max(bytes, MAX_COPIED_BYTES);
    await this.take(wanted - this.held, signal, true);
  }

  /** Moves a short message out of the memory of long ones, before it is read. @returns the same bytes, of which anybody may keep a part */
  moved(message: Buffer): Buffer {
    if (message.buffer !== this.lent?.buffer || message.length >= MOVED_BYTES) return message;
    const own = Buffer.from(message);
    this.returnLent();
    return own;
  }

  /** Gives back what an answer that was read does not need. @param bytes that it has in memory, if none were lent */
  keep(bytes: number): void {
    const needed = Math.max(bytes, this.lent?.length ?? 0);
    if (this.held <= needed) return;
    this.budget.give(this.principal, this.held - needed);
    this.held = needed;
  }

  /**
   * Lends memory for one long message, until the client has its answer. What this service asks for itself gets none: lists, for
   * example, stay in memory.
   *
   * @param bytes that are held
   * @returns undefined where it has to be allocated
   */
  lend(bytes: number): Buffer | undefined {
    if (this.isOver || this.lent || this.freeBytes > 0) return undefined;
    return (this.lent = this.budget.long.lend(bytes));
  }

  /** Gives everything back, now and from now on: the client has its answer, or has gone, and nothing is read for it any more. */
  release(): void {
    this.isOver = true;
    this.budget.give(this.principal, this.held);
    this.held = 0;
    this.returnLent();
  }

  private returnLent(): void {
    if (this.lent) this.budget.long.takeBack(this.lent);
    this.lent = undefined;
  }

  private async take(bytes: number, signal: AbortSignal, hasBegun: boolean): Promise<void> {
    if (!this.budget.takeFree(this.principal, bytes))
      await this.budget.waitFor(this.principal, bytes, signal, hasBegun);
    if (this.isOver) this.budget.give(this.principal, bytes);
    else this.held += bytes;
  }
}

function tooMuch(hasBegun: boolean): UnavailableError {
  const again = hasBegun
    ? 'The server was asked, and may have done what it was asked.'
    : 'The server was not asked, so you can try again.';
  const detail = `Answers that are on their way take all the memory that they may. ${again}`;
  return new UnavailableError(ErrorCode.ServiceUnavailable, detail, RETRY_AFTER_S);
}
