import { Injectable } from '@nestjs/common';
import { Clock } from '../../config/clock';

const MINUTE_MS = 60_000;

/** Entries per minute for one organisation's requests with a revoked or expired token. */
const MAX_A_MINUTE = 20;

/**
 * Limits what a revoked or expired token can write into the provisioning log: enough to notice that it is still in use,
 * too little to fill the log. Counted per process.
 */
@Injectable()
export class RefusedRequests {
  private minute = 0;
  private readonly counts = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  /** @returns whether to keep one more */
  keeps(orgId: string): boolean {
    const minute = Math.floor(this.clock.now().getTime() / MINUTE_MS);
    if (minute !== this.minute) this.counts.clear();
    this.minute = minute;
    const count = (this.counts.get(orgId) ?? 0) + 1;
    this.counts.set(orgId, count);
    return count <= MAX_A_MINUTE;
  }
}
