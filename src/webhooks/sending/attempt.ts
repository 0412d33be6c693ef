import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { AnswerBody } from './answer-body';
import { type Connection, type OutgoingRequest, TooLongError } from './connection';
import { answerFailure, SendFailure } from './send-error';

/** What an attempt is waiting for; ends the sentence that says when its time ran out. */
type Stage = 'looking up the name' | 'connecting' | 'agreeing on TLS' | 'waiting for an answer' | 'reading the answer';

const MOST_RETRY_AFTER = 100;

/** Stops the parser at once, which else would go on to the end of the 64 KiB that it has. Reported to nobody. */
const ENOUGH = new Error('The answer is longer than the part that is kept.');

/**
 * One attempt: its time, and what came of it. One timer covers everything from the DNS question to the last byte; it
 * ends whatever is under way, and nothing else has a timeout.
 */
export class Attempt implements Dispatcher.DispatchHandler {
  stage: Stage = 'looking up the name';
  /** 0: the head of an answer has not come. */
  status = 0;
  retryAfter: string | null = null;
  readonly body = new AnswerBody();
  /** Whether the last byte of the answer came. */
  hasEnded = false;
  /** Why it was ended before time. */
  failure?: SendFailure;

  private readonly begunAt = performance.now();
  private readonly timer: NodeJS.Timeout;
  private abortion?: AbortController;
  private resolve?: () => void;
  private reject?: (failure: SendFailure) => void;

  /** @param deadline milliseconds from now */
  constructor(private readonly deadline: number) {
    this.timer = setTimeout(expire, deadline, this);
  }

  /** Aborted when the attempt ends before time; made when it is needed, which for most attempts is never. */
  get signal(): AbortSignal {
    this.abortion ??= new AbortController();
    if (this.failure) this.abortion.abort();
    return this.abortion.signal;
  }

  /** Milliseconds. */
  get duration(): number {
    return performance.now() - this.begunAt;
  }

  /** Milliseconds; at least 0. */
  get timeLeft(): number {
    return Math.max(0, this.deadline - this.duration);
  }

  /**
   * Sends the request and takes the answer, up to where its body is kept.
   *
   * @throws SendFailure
   */
  over(connection: Connection, request: OutgoingRequest): Promise<void> {
    return new Promise((resolve, reject) => {
      this.stage = 'waiting for an answer';
      this.resolve = resolve;
      this.reject = reject;
      if (this.failure) reject(this.failure);
      else connection.send(request, this);
    });
  }

  /** Ends it before time: what is under way fails at once. */
  end(failure: SendFailure): void {
    this.failure ??= failure;
    this.abortion?.abort();
    this.reject?.(this.failure);
  }

  /** Says that nothing is under way any more. */
  close(): void {
    clearTimeout(this.timer);
  }

  /** @returns the failure for the case that the time runs out now */
  timeout(): SendFailure {
    const seconds = this.deadline / 1_000;
    return new SendFailure('timeout', `Not finished within ${seconds} s: timed out while ${this.stage}.`);
  }

  onRequestStart(): void {}

  onResponseStart(_controller: unknown, status: number, headers: IncomingHttpHeaders): void {
    // Of the informational ones any number may come before the answer (RFC 9110, section 15.2).
    if (status < 200) return;
    this.stage = 'reading the answer';
    this.status = status;
    this.retryAfter = first(headers['retry-after'])?.slice(0, MOST_RETRY_AFTER).toWellFormed() ?? null;
    this.body.describe(first(headers['content-encoding']) ?? '', first(headers['content-type']) ?? '');
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.body.append(chunk)) return;
    this.resolve?.();
    controller.abort(ENOUGH);
  }

  onResponseEnd(): void {
    this.hasEnded = true;
    this.resolve?.();
  }

  onResponseError(_controller: unknown, error: Error): void {
    // With a body that is cut the status decides, however much was wrapped around it.
    if (error instanceof TooLongError && this.status !== 0) this.resolve?.();
    else this.reject?.(answerFailure(error, this.status !== 0));
  }
}

function expire(attempt: Attempt): void {
  attempt.end(attempt.timeout());
}

function first(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
