import { UpstreamFailure } from './upstream-failure';

/** Counts what goes on at once under a name, and forgets names under which nothing does. */
class Counts {
  private readonly counts = new Map<string, number>();

  of(name: string): number {
    return this.counts.get(name) ?? 0;
  }

  add(name: string, by: 1 | -1): void {
    const count = this.of(name) + by;
    if (count === 0) this.counts.delete(name);
    else this.counts.set(name, count);
  }
}

/** How many calls go on at once in this process, by principal and by upstream. */
export class CallLimits {
  private readonly principals = new Counts();
  private readonly upstreams = new Counts();

  /** @param limits read at each call */
  constructor(private readonly limits: { readonly callsOfPrincipal: number; readonly callsOfUpstream: number }) {}

  /**
   * Begins a call.
   *
   * @returns ends it; to be called once
   * @throws UpstreamFailure `rate_limited`
   */
  enter(principal: string, upstreamId: string): () => void {
    const { callsOfPrincipal, callsOfUpstream } = this.limits;
    if (this.principals.of(principal) >= callsOfPrincipal)
      throw limited(`You have ${callsOfPrincipal} calls under way; try again when one of them has ended.`);
    if (this.upstreams.of(upstreamId) >= callsOfUpstream)
      throw limited(`It has ${callsOfUpstream} calls under way; try again in a few seconds.`);
    this.count(principal, upstreamId, 1);
    return () => this.count(principal, upstreamId, -1);
  }

  private count(principal: string, upstreamId: string, by: 1 | -1): void {
    this.principals.add(principal, by);
    this.upstreams.add(upstreamId, by);
  }
}

function limited(message: string): UpstreamFailure {
  return new UpstreamFailure('rate_limited', message, false);
}
