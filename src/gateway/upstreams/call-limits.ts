import { UpstreamFailure } from '../protocol/upstream-failure';

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

/** Who calls what. */
export interface CallParties {
  readonly principal: string;
  readonly bundleId: string;
  readonly upstreamId: string;
}

/**
 * How many calls go on at once in this process.
 *
 * Bundles of strangers share an upstream where it has the same address, so each has a limit of its own there. For all of
 * them together there is one as well, of which a bundle gets no more than is still free: a few bundles cannot use it up,
 * and one that has no call under way is refused last.
 */
export class CallLimits {
  private readonly principals = new Counts();
  private readonly bundles = new Counts();
  private readonly upstreams = new Counts();

  /** @param limits read at each call */
  constructor(
    private readonly limits: {
      readonly callsOfPrincipal: number;
      /** One bundle has at most so many calls at one upstream. */
      readonly callsOfBundle: number;
      readonly callsOfUpstream: number;
    },
  ) {}

  /**
   * Begins a call.
   *
   * @returns ends it; to be called once
   * @throws UpstreamFailure `rate_limited`
   */
  enter(parties: CallParties): () => void {
    const { callsOfPrincipal, callsOfBundle, callsOfUpstream } = this.limits;
    if (this.principals.of(parties.principal) >= callsOfPrincipal)
      throw limited(`You have ${callsOfPrincipal} calls under way; try again when one of them has ended.`);
    const ofBundle = this.bundles.of(shareOf(parties));
    if (ofBundle >= callsOfBundle)
      throw limited(`It has ${callsOfBundle} calls of this bundle under way; try again in a few seconds.`);
    // How many there are of others is not this bundle's business.
    if (ofBundle >= callsOfUpstream - this.upstreams.of(parties.upstreamId))
      throw limited('It has too many calls under way for another one of this bundle; try again in a few seconds.');
    this.count(parties, 1);
    return () => this.count(parties, -1);
  }

  private count(parties: CallParties, by: 1 | -1): void {
    this.principals.add(parties.principal, by);
    this.bundles.add(shareOf(parties), by);
    this.upstreams.add(parties.upstreamId, by);
  }
}

function shareOf({ upstreamId, bundleId }: CallParties): string {
  return `${upstreamId} ${bundleId}`;
}

function limited(message: string): UpstreamFailure {
  return new UpstreamFailure('rate_limited', message, false);
}
