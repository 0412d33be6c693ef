import { AsyncResource } from 'node:async_hooks';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DataSource } from 'typeorm';
import { messageOf } from '../../errors/message-of';
import { AccountLog, type FailedSignIn } from '../../users/account-log/account-log';
import { Protection } from './protection.service';

/** How long after the answer a failure is recorded, in milliseconds: by chance, between these. */
const SOONEST_MS = 50;
const LATEST_MS = 250;

/**
 * Records failed sign-ins in the audit log: only after the answer, which would otherwise take a little longer for an account
 * that exists, because not every failure of no one known is recorded. And not at once, since the work would delay whatever
 * the same client asks next.
 */
@Injectable()
export class FailedSignIns implements BeforeApplicationShutdown {
  private readonly logger = new Logger(FailedSignIns.name);
  private readonly waiting = new Map<NodeJS.Timeout, () => Promise<void>>();
  private isEnding = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly protection: Protection,
    private readonly accountLog: AccountLog,
  ) {}

  /**
   * Without what was typed: people type passwords into the wrong field, and addresses of strangers are no one's business.
   *
   * @param failure whose account was meant, if it exists, and how
   */
  note(request: Request, response: Response, failure: Omit<FailedSignIn, 'address'>): void {
    const address = this.protection.addressOf(request);
    // As part of the request, whose id the entry has.
    const record = AsyncResource.bind(() => this.record(String(request.id), { ...failure, address }));
    response.once('close', () => this.later(record));
  }

  /** What still waits is recorded now. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isEnding = true;
    const records = [...this.waiting];
    this.waiting.clear();
    await Promise.all(
      records.map(([timer, record]) => {
        clearTimeout(timer);
        return record();
      }),
    );
  }

  private later(record: () => Promise<void>): void {
    if (this.isEnding) {
      void record();
      return;
    }
    const timer = setTimeout(
      () => {
        this.waiting.delete(timer);
        void record();
      },
      SOONEST_MS + Math.random() * (LATEST_MS - SOONEST_MS),
    );
    this.waiting.set(timer, record);
  }

  private async record(requestId: string, failure: FailedSignIn): Promise<void> {
    this.logger.log(`A sign-in failed (request ${requestId}).`);
    try {
      await this.accountLog.recordFailure(this.dataSource, failure);
    } catch (error) {
      this.logger.warn(`A failed sign-in could not be recorded: ${messageOf(error)}`);
    }
  }
}
