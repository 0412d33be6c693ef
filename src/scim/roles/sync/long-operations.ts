import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Environment } from '../../../config/environment';
import { withinDatabaseDeadline } from '../../../database/deadline';
import { one } from '../../../database/statements';
import { RateLimitedError } from '../../../errors/errors';

export type LongOperation = 'sync' | 'preview';

const RUNNING: Record<LongOperation, string> = {
  sync: 'A sync of this organisation is running. Try again when it has finished.',
  preview: 'A preview for this organisation is running. Try again when it has finished.',
};

/** The `Retry-After` of the caller while one is running; one over 100,000 users takes 5 s. */
const RETRY_AFTER_S = 5;

/**
 * The share of the connections that long operations may use together; the others are for operations of milliseconds.
 */
const SHARE_OF_POOL = 1 / 3;

/** $1 organisation, $2 operation. Released at the end of the transaction, even if the process dies. */
const TAKE_TURN = `SELECT pg_try_advisory_xact_lock(hashtextextended('scim ' || $2 || ' of ' || $1::uuid, 0)) AS taken`;

/**
 * Limits operations over a whole organisation, which hold a connection for seconds. An organisation runs one of each
 * kind at a time, since a concurrent one would cost as much as the first. All organisations together use a third of the
 * connections of a process; further operations wait in line.
 */
@Injectable()
export class LongOperations {
  /** What runs or waits in this process. */
  private readonly busy = new Set<string>();
  private readonly most: number;
  private running = 0;
  private readonly line: (() => void)[] = [];

  constructor({ databasePoolSize }: Environment) {
    this.most = Math.max(1, Math.floor(databasePoolSize * SHARE_OF_POOL));
  }

  /** @throws RateLimitedError while one runs in this process; `takeTurn` checks the others */
  async alone<T>(operation: LongOperation, orgId: string, work: () => Promise<T>): Promise<T> {
    const name = `${operation} ${orgId}`;
    if (this.busy.has(name)) throw isRunning(operation);
    this.busy.add(name);
    try {
      return await work();
    } finally {
      this.busy.delete(name);
    }
  }

  /**
   * Runs `work`, which takes one connection, when it has its turn among those of this process.
   *
   * @throws DatabaseDeadlineError if those before it take too long
   */
  async inLine<T>(work: () => Promise<T>): Promise<T> {
    if (this.running < this.most) this.running++;
    else await this.waitInLine();
    try {
      return await work();
    } finally {
      this.callNext();
    }
  }

  private async waitInLine(): Promise<void> {
    let call = (): void => undefined;
    const called = new Promise<void>((resolve) => (call = resolve));
    this.line.push(call);
    try {
      await withinDatabaseDeadline(called);
    } catch (error) {
      const index = this.line.indexOf(call);
      if (index >= 0) this.line.splice(index, 1);
      else this.callNext();
      throw error;
    }
  }

  /** Passes a finished turn on to the first in line. */
  private callNext(): void {
    const call = this.line.shift();
    if (call) call();
    else this.running--;
  }
}

/** @throws RateLimitedError while one of the organisation runs in another process */
export async function takeTurn(manager: EntityManager, operation: LongOperation, orgId: string): Promise<void> {
  const { taken } = await one<{ taken: boolean }>(manager, TAKE_TURN, [orgId, operation]);
  if (!taken) throw isRunning(operation);
}

function isRunning(operation: LongOperation): RateLimitedError {
  return new RateLimitedError(RUNNING[operation], RETRY_AFTER_S, { name: `${operation}s`, quota: 1 });
}
