import { Injectable } from '@nestjs/common';

export const QUEUES = ['WEBHOOK_EVENTS', 'WEBHOOK_DELIVERIES', 'MAILS'] as const;
export type QueueName = (typeof QUEUES)[number];

export const KEY_PURPOSES = ['SIGNING', 'ENCRYPTION'] as const;
export type KeyPurpose = (typeof KEY_PURPOSES)[number];

export const KEY_USES = ['CURRENT', 'NEXT', 'FORMER', 'UNKNOWN'] as const;
export type KeyUse = (typeof KEY_USES)[number];

/** What waits for a worker. */
export interface QueueFacts {
  name: QueueName;
  /** Counted up to `countedUpTo`, which then means as many or more. */
  depth: number;
  countedUpTo: number;
  /** Since when the first of them could have been done; null: none waits. */
  oldestAt: Date | null;
}

/** A key that is in use, or that something may still need; never the key itself. */
export interface KeyFacts {
  purpose: KeyPurpose;
  id: string;
  use: KeyUse;
  /** When its use began, or will begin. */
  since: Date;
}

/** The last import, and what waits in quarantine. */
export interface ImportFacts {
  /** The registry that is imported by itself; null: none. */
  from: string | null;
  intervalMinutes: number;
  last: {
    source: string;
    status: 'running' | 'finished' | 'failed';
    error: string | null;
    startedAt: Date;
    updatedAt: Date;
    finishedAt: Date | null;
  } | null;
  /** When the last import finished; null: never. */
  finishedAt: Date | null;
  /** Documents that could not be imported and wait for a decision, counted up to `countedUpTo`. */
  quarantined: number;
  /** So many of them are from the last 24 hours. */
  quarantinedToday: number;
  countedUpTo: number;
}

/** What rooms know about the state of the instance. Each statement reads a bounded number of rows. */
export interface HealthReaders {
  queues: () => Promise<readonly QueueFacts[]>;
  keys: () => Promise<readonly KeyFacts[]>;
  /** When the counts of the categories were refreshed; null: never. */
  categoryCounts: () => Promise<Date | null>;
  imports: () => Promise<ImportFacts>;
}

/**
 * Where rooms register how they read what the page of the instance's health shows, since `operations/`, which judges it,
 * knows none of them.
 */
@Injectable()
export class HealthSources {
  private readonly registered: Partial<HealthReaders>[] = [];

  /** Called at startup. */
  register(readers: Partial<HealthReaders>): void {
    this.registered.push(readers);
  }

  /** @returns what all rooms say to one question, in the order of their registration */
  async read<Question extends keyof HealthReaders>(
    question: Question,
  ): Promise<Awaited<ReturnType<HealthReaders[Question]>>[]> {
    const answers: Awaited<ReturnType<HealthReaders[Question]>>[] = [];
    for (const readers of this.registered) {
      const read = readers[question];
      if (read) answers.push((await read()) as Awaited<ReturnType<HealthReaders[Question]>>);
    }
    return answers;
  }
}
