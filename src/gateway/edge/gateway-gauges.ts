import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { one } from '../../database/statements';
import { Metrics } from '../../metrics/metrics';
import { BundleCompiler } from '../compile/bundle-compiler';
import { ChangeStreams } from './change-streams';
import type { Listing } from '../upstreams/upstream-listing';
import { UpstreamListeners } from '../upstreams/upstream-listeners';
import { UpstreamRefresher } from '../upstreams/upstream-refresher';
import { UpstreamSubscriptions } from '../upstreams/upstream-subscriptions';

const REFRESHES = { result: ['read', 'partly', 'refused', 'down', 'failed'] } as const;

const MAX_COUNTED = 10_000;

/**
 * Servers in use that have not answered for a minute, and for how long the first list has been due that no process reads. Both
 * by an index; a server that is being read, or put aside, is due in the future.
 */
const STATE = `
  SELECT (SELECT count(*)::int FROM (SELECT FROM upstreams
                                     WHERE down_since <= now() - interval '1 minute' AND used_at > now() - interval '1 day'
                                     LIMIT ${MAX_COUNTED}) AS silent) AS down,
         coalesce((SELECT extract(epoch FROM now() - due_at)::float8 FROM upstreams WHERE due_at <= now()
                   ORDER BY due_at LIMIT 1), 0) AS overdue`;

interface UpstreamsState {
  down: number;
  overdue: number;
}

/** What a process holds for endpoints, and how the servers of all bundles are. */
@Injectable()
export class GatewayGauges {
  constructor(
    metrics: Metrics,
    dataSource: DataSource,
    streams: ChangeStreams,
    compiler: BundleCompiler,
    listeners: UpstreamListeners,
    subscriptions: UpstreamSubscriptions,
    refresher: UpstreamRefresher,
  ) {
    metrics.gauge(
      'toolyard_gateway_streams_open',
      'Streams on which clients of this process wait for changes.',
      () => streams.count,
    );
    metrics.gauge(
      'toolyard_gateway_upstreams_listening',
      'Servers that this process listens to, to hear when their lists change.',
      () => listeners.count,
    );
    metrics.gauge(
      'toolyard_gateway_subscriptions_open',
      'Streams on which this process hears of resources that its clients follow.',
      () => subscriptions.count,
    );
    metrics.gauge(
      'toolyard_gateway_compiled_bytes',
      'What compiled bundles take in the memory of this process.',
      () => compiler.keptBytes,
    );
    metrics.databaseGauges(
      {
        toolyard_gateway_upstreams_down: `Servers used within a day that have not answered for a minute, counted up to ${MAX_COUNTED}.`,
        toolyard_gateway_lists_overdue_seconds: 'For how long the first list of a server has been due; 0: none is.',
      },
      async () => {
        const { down, overdue } = await one<UpstreamsState>(dataSource, STATE);
        return { toolyard_gateway_upstreams_down: down, toolyard_gateway_lists_overdue_seconds: overdue };
      },
    );
    const refreshes = metrics.counter(
      'toolyard_gateway_refreshes_total',
      'Runs in which this process has read the lists of a server.',
      REFRESHES,
    );
    refresher.onRead = (listing) => refreshes.add({ result: resultOf(listing) });
  }
}

function resultOf({ error, readFor, isDown }: Listing): (typeof REFRESHES.result)[number] {
  if (error === null) return 'read';
  if (readFor.size > 0) return 'partly';
  if (isDown === undefined) return 'failed';
  return isDown ? 'down' : 'refused';
}
