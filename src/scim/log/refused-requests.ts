import { Injectable } from '@nestjs/common';
import { Clock } from '../../config/clock';

const MINUTE_MS = 60_000;

/** Entries that requests with a token that opens nothing any more may make in a minute, of one organisation. */
const MOST_A_MINUTE = 20;

/**
 * Bounds what a token that was revoked or has expired can write into the provisioning log: enough to see that somebody
 * still tries, too little to fill it. In each process by itself.
 */
@Injectable()
export class RefusedRequests {
  private minute = 0;
  private readonly counts = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  /** @returns whether one more is kept */
  keeps(orgId: string): boolean {
    const minute = Math.floor(this.clock.now().getTime() / MINUTE_MS);
    if (minute !== this.minute) this.counts.clear();
    this.minute = minute;
    const count = (this.counts.get(orgId) ?? 0) + 1;
    this.counts.set(orgId, count);
    return count <= MOST_A_MINUTE;
  }
}
