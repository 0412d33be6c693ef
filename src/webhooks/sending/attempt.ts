import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { AnswerBody } from './answer-body';
import { type Connection, type OutgoingRequest, TooLongError } from './connection';
import { answerFailure, SendFailure } from './send-error';

/** What an attempt is waiting for; completes the message of a timeout. */
type Stage =
  'resolving the host name' | 'connecting' | 'negotiating TLS' | 'waiting for the response' | 'reading the response';

const MAX_RETRY_AFTER_LENGTH = 100;

/** Stops the parser immediately, which would otherwise continue to the end of its 64 KiB. Never reported. */
const ENOUGH = new Error('The response is longer than the part that is kept.');

/**
 * One attempt: its time and its result. A single timer covers everything from the DNS query to the last byte; it aborts
 * whatever is in progress, and nothing else has a timeout.
 */
export class Attempt implements Dispatcher.DispatchHandler {
  stage: Stage = 'resolving the host name';
  /** 0 until the response headers have arrived. */
  status = 0;
  retryAfter: string | null = null;
  readonly body = new AnswerBody();
  /** Whether the last byte of the response has arrived. */
  hasEnded = false;
  /** Why it was ended early. */
  failure?: SendFailure;

  private readonly startedAt = performance.now();
  private readonly timer: NodeJS.Timeout;
  private abortion?: AbortController;
  private resolve?: () => void;
  private reject?: (failure: SendFailure) => void;

  /** @param deadline milliseconds from now */
  constructor(private readonly deadline: number) {
    this.timer = setTimeout(expire, deadline, this);
  }

  /** Aborted if the attempt ends early. Created on demand, since most attempts never need it. */
  get signal(): AbortSignal {
    this.abortion ??= new AbortController();
    if (this.failure) this.abortion.abort();
    return this.abortion.signal;
  }

  /** Milliseconds. */
  get duration(): number {
    return performance.now() - this.startedAt;
  }

  /** Milliseconds; at least 0. */
  get timeLeft(): number {
    return Math.max(0, this.deadline - this.duration);
  }

  /**
   * Sends the request and reads the response, as far as its body is kept.
   *
   * @throws SendFailure
   */
  over(connection: Connection, request: OutgoingRequest): Promise<void> {
    return new Promise((resolve, reject) => {
      this.stage = 'waiting for the response';
      this.resolve = resolve;
      this.reject = reject;
      if (this.failure) reject(this.failure);
      else connection.send(request, this);
    });
  }

  /** Ends the attempt early: whatever is in progress fails immediately. */
  end(failure: SendFailure): void {
    this.failure ??= failure;
    this.abortion?.abort();
    this.reject?.(this.failure);
  }

  /** Stops the timer after the attempt. */
  close(): void {
    clearTimeout(this.timer);
  }

  /** @returns the failure if the time runs out now */
  timeout(): SendFailure {
    const seconds = this.deadline / 1_000;
    return new SendFailure('timeout', `Timed out after ${seconds} s while ${this.stage}.`);
  }

  onRequestStart(): void {}

  onResponseStart(_controller: unknown, status: number, headers: IncomingHttpHeaders): void {
    // Any number of informational responses may precede the final one (RFC 9110, section 15.2).
    if (status < 200) return;
    this.stage = 'reading the response';
    this.status = status;
    this.retryAfter = firstValue(headers['retry-after'])?.slice(0, MAX_RETRY_AFTER_LENGTH).toWellFormed() ?? null;
    this.body.describe(firstValue(headers['content-encoding']) ?? '', firstValue(headers['content-type']) ?? '');
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
    // If the body is truncated, the status decides, however much was sent around it.
    if (error instanceof TooLongError && this.status !== 0) this.resolve?.();
    else this.reject?.(answerFailure(error, this.status !== 0));
  }
}

function expire(attempt: Attempt): void {
  attempt.end(attempt.timeout());
}

function firstValue(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
