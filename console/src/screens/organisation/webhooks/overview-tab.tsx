import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { useRead } from '../../../api/queries';
import type { WebhookStats } from '../../../api/schema';
import { number } from '../../../messages/text';
import { buttonClass } from '../../../ui/button';
import { SelectInput } from '../../../ui/field';
import { Quiet, Row, Stack } from '../../../ui/layout';
import { Empty, Loaded } from '../../../ui/problem';
import { When } from '../../../ui/when';
import { oneOf } from '../../bundle/one-of';
import { endpointRoute } from './endpoint-route';
import type { EndpointPart } from './endpoint-screen';
import { Figure, type FigureLine } from './figure';
import { Histogram } from './histogram';
import { attemptSeries, durationSeries, everyHour } from './hour-series';
import { duration, endpointWords, share } from './words';
import styles from './webhooks.module.css';

const words = endpointWords.overview;
const PERIODS = ['24', '168', '744'] as const;
const HOUR_MS = 3_600_000;
const POLL_MS = 15_000;

const RATE: readonly FigureLine[] = [
  { label: words.delivered, colour: '--good', dash: [], fills: true },
  { label: words.failed, colour: '--bad', dash: [6, 4] },
];
const DURATIONS: readonly FigureLine[] = [
  { label: words.p50, colour: '--accent', dash: [] },
  { label: words.p95, colour: '--warn', dash: [8, 4] },
  { label: words.p99, colour: '--bad', dash: [2, 4] },
];

/** The rate of an endpoint, how long its receiver takes, and what is waiting. */
export default function OverviewTab({ orgId, endpoint }: EndpointPart) {
  const { hours: chosen } = endpointRoute.useSearch();
  const navigate = endpointRoute.useNavigate();
  const hours = oneOf(PERIODS, chosen);
  // The period begins when it is chosen; it ends when it is read.
  const [opened, setOpened] = useState(() => Date.now());
  const read = useRead(
    'GET /v1/webhooks/{endpoint_id}/stats',
    { path: { endpoint_id: endpoint.id }, query: periodOf(hours, opened) },
    { keepsFormer: true, pollEvery: POLL_MS },
  );
  const choose = (next: string) => {
    setOpened(Date.now());
    void navigate({ search: { hours: next === '24' ? undefined : next }, replace: true });
  };
  return (
    <Loaded read={read} lines={10}>
      {(stats) => (
        <Stack>
          {stats.failing_since !== null && endpoint.is_active && (
            <section className={`${styles.notice} ${styles.bad}`} aria-label={endpointWords.failingTitle}>
              <h2>{endpointWords.failingTitle}</h2>
              <p>
                {endpointWords.failingSince} <When at={stats.failing_since} />.
              </p>
              <p>{endpointWords.failingSteps}</p>
              <Row>
                <Link
                  to="/organisations/$orgId/webhooks/$endpointId"
                  params={{ orgId, endpointId: endpoint.id }}
                  search={{ tab: 'deliveries', status: 'FAILED' }}
                  className={buttonClass()}
                >
                  {endpointWords.toFailed}
                </Link>
                <Link
                  to="/organisations/$orgId/webhooks/$endpointId"
                  params={{ orgId, endpointId: endpoint.id }}
                  search={{ tab: 'recover', from: stats.failing_since }}
                  className={buttonClass()}
                >
                  {endpointWords.toRecover}
                </Link>
              </Row>
            </section>
          )}
          <div className={styles.period}>
            <SelectInput
              label={words.period}
              value={hours}
              onChange={(event) => choose(event.target.value)}
              options={PERIODS.map((one) => [one, words.periods[one]] as const)}
            />
          </div>
          <Figures stats={stats} />
          <Charts stats={stats} />
        </Stack>
      )}
    </Loaded>
  );
}

/** The API gives at most 31 days, so the longest period has an end, even if it is read later. */
function periodOf(hours: (typeof PERIODS)[number], opened: number) {
  const end = (Math.floor(opened / HOUR_MS) + 1) * HOUR_MS;
  const from = new Date(end - Number(hours) * HOUR_MS).toISOString();
  return hours === '744' ? { from, to: new Date(end).toISOString() } : { from };
}

function Figures({ stats }: { stats: WebhookStats }) {
  const { totals, pending, oldest_pending_at: oldest } = stats;
  const { succeeded, failed } = totals;
  const took = (ms: number | null) => (ms === null ? words.none : duration(ms));
  return (
    <dl className={styles.tiles} aria-label={words.figures}>
      <Tile term={words.delivered}>{number(succeeded)}</Tile>
      <Tile term={words.failed} more={words.failedOf(share(failed, succeeded + failed))}>
        {number(failed)}
      </Tile>
      <Tile term={words.p50} more={words.p50Help}>
        {took(totals.p50_ms)}
      </Tile>
      <Tile term={words.p95} more={words.p95Help}>
        {took(totals.p95_ms)}
      </Tile>
      <Tile term={words.p99} more={words.p99Help}>
        {took(totals.p99_ms)}
      </Tile>
      <Tile
        term={words.pending}
        more={
          oldest === null ? (
            pending === 0 && words.pendingNone
          ) : (
            <>
              {words.pendingSince} <When at={oldest} />
            </>
          )
        }
      >
        {!stats.pending_is_exact && <Quiet>{words.pendingMore} </Quiet>}
        {number(pending)}
      </Tile>
    </dl>
  );
}

const Tile = ({ term, more, children }: { term: string; more?: ReactNode; children: ReactNode }) => (
  <div className={styles.tile}>
    <dt>{term}</dt>
    <dd>{children}</dd>
    {more && <dd className={styles.more}>{more}</dd>}
  </div>
);

function Charts({ stats }: { stats: WebhookStats }) {
  const [attempts, durations] = useMemo(() => {
    const hours = everyHour(stats);
    return [attemptSeries(hours), durationSeries(hours)] as const;
  }, [stats]);
  if (stats.hours.length === 0) {
    return (
      <Empty>
        <p>{words.empty}</p>
        <p>{words.emptyHelp}</p>
      </Empty>
    );
  }
  return (
    <Stack gap="wide">
      <Figure title={words.rate} lines={RATE} series={attempts} valueText={number} />
      <Figure title={words.durations} lines={DURATIONS} series={durations} valueText={duration} />
      <Histogram bars={stats.latencies} />
    </Stack>
  );
}
