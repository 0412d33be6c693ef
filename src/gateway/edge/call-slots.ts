import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { UpstreamFailure } from '../protocol/upstream-failure';
import { UpstreamLimits } from '../upstreams/upstream-limits';
import { whenGone } from './streamable-response';

/**
 * How many calls of a principal are under way in this process, until their answers have been read: an answer of 10 MiB that
 * no one reads costs as much as one that a server has not finished. `CallLimits` counts what goes on at servers.
 */
@Injectable()
export class CallSlots {
  private readonly counts = new Map<string, number>();

  constructor(private readonly limits: UpstreamLimits) {}

  /**
   * Begins a call.
   *
   * @param response to the client
   * @returns to be called once, when the call has ended; its place is free as soon as the response has closed, too
   * @throws UpstreamFailure `rate_limited`
   */
  enter(principal: string, response: ServerResponse): () => void {
    const most = this.limits.callsOfPrincipal;
    if (this.of(principal) >= most)
      throw new UpstreamFailure(
        'rate_limited',
        `You have ${most} calls under way, or with answers that you have not read; try again when one of them has ended.`,
        false,
      );
    this.count(principal, 1);
    return () => whenGone(response, () => this.count(principal, -1));
  }

  private of(principal: string): number {
    return this.counts.get(principal) ?? 0;
  }

  private count(principal: string, by: 1 | -1): void {
    const count = this.of(principal) + by;
    if (count === 0) this.counts.delete(principal);
    else this.counts.set(principal, count);
  }
}
