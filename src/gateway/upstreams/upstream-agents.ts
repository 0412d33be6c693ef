import type { LookupFunction } from 'node:net';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Agent } from 'undici';
import { RefusedAddressError, TargetAddresses } from '../../outbound/target-addresses';
import { UpstreamLimits } from './upstream-limits';

/** To one origin, for calls: there may be several upstreams, each with 50 calls at once (`UpstreamLimits`). */
const CONNECTIONS = 256;
/** For streams that stay open, which take nothing from the calls. */
const STREAMS = 1_024;
/** Less than the five seconds after which servers on Node.js and uvicorn close idle connections: a call that meets that fails. */
const KEEP_ALIVE_MS = 4_000;
const MAX_ORIGINS = 500;

/** What a connection is for. */
export type ConnectionUse = 'calls' | 'streams';

/**
 * Connections to upstreams, kept alive, for each origin its own. Every dial resolves the name again and goes only to
 * addresses that are allowed, so a name that resolves to a private address at the second look is refused, too. By http a name that
 * is not public goes only to allowed networks: what is in the clear must not leave them when such a name becomes a public one. Redirects
 * are never followed. The time until an answer begins is limited by who asks (`exchange.ts`, `event-channel.ts`).
 */
@Injectable()
export class UpstreamAgents implements OnApplicationShutdown {
  private readonly agents = new LRUCache<string, Agent>({
    max: MAX_ORIGINS,
    // What is under way there ends first.
    dispose: (agent) => void agent.close().catch(() => undefined),
  });

  constructor(
    private readonly addresses: TargetAddresses,
    private readonly limits: UpstreamLimits,
  ) {}

  /** @throws RefusedAddressError for a host that is refused whatever it resolves to */
  of({ origin, protocol, hostname }: URL, use: ConnectionUse = 'calls'): Agent {
    const key = `${use} ${origin}`;
    let agent = this.agents.get(key);
    if (!agent) {
      // A literal address is dialled without a look-up.
      if (!this.addresses.allowsHost(hostname)) throw new RefusedAddressError();
      const isPrivate = protocol === 'http:' && !this.addresses.isPublicHost(hostname);
      agent = new Agent({
        connect: { lookup: isPrivate ? this.lookupInNetworks : this.lookup, timeout: this.limits.connectMs },
        connections: use === 'calls' ? CONNECTIONS : STREAMS,
        pipelining: 1,
        headersTimeout: 0,
        bodyTimeout: 0,
        keepAliveTimeout: KEEP_ALIVE_MS,
      });
      this.agents.set(key, agent);
    }
    return agent;
  }

  async onApplicationShutdown(): Promise<void> {
    const all = [...this.agents.values()];
    await Promise.all(all.map((agent) => agent.destroy()));
  }

  private readonly lookup = this.lookupOf(false);
  private readonly lookupInNetworks = this.lookupOf(true);

  private lookupOf(isForAllowedNetworks: boolean): LookupFunction {
    return (hostname, { all }, callback) => {
      this.addresses.resolve(hostname, AbortSignal.timeout(this.limits.connectMs), isForAllowedNetworks).then(
        (found) => {
          if (all) callback(null, [...found]);
          else callback(null, found[0]?.address ?? '', found[0]?.family);
        },
        (error: Error) => callback(error, ''),
      );
    };
  }
}
