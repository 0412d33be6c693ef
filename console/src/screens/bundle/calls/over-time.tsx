import { lazy, Suspense, useState } from 'react';
import { useRead } from '../../../api/queries';
import { number } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { Quiet, Row, Stack } from '../../../ui/layout';
import { Empty, Loaded, Skeleton } from '../../../ui/problem';
import styles from './calls.module.css';
import type { Line } from './chart';
import { fullTime } from './clock';
import { type CallFilter, narrowing } from './filter';
import { type CountedSlice, durationSeries, hasCalls, rateSeries, type Series, slicesOf } from './slices';
import { callsWords, duration } from './words';

const words = callsWords.charts;

/** The library that draws is loaded with the first chart. */
const Chart = lazy(() => import('./chart'));

const RATE: readonly Line[] = [
  { label: words.calls, colour: '--accent', dash: [], fills: true },
  { label: words.errors, colour: '--bad', dash: [6, 4] },
];
const DURATIONS: readonly Line[] = [
  { label: words.p50, colour: '--accent', dash: [] },
  { label: words.p95, colour: '--warn', dash: [8, 4] },
  { label: words.p99, colour: '--bad', dash: [2, 4] },
];

interface OverTimeProps {
  bundleId: string;
  filter: CallFilter;
  /** When the period begins. */
  from: string;
}

/** The course of the period: how many calls and errors, and how long they took; each as a chart or as a table. */
export function OverTime({ bundleId, filter, from }: OverTimeProps) {
  const read = useRead(
    'GET /v1/bundles/{bundle_id}/calls/statistics',
    { path: { bundle_id: bundleId }, query: { ...narrowing(filter), from, by: 'time' } },
    { keepsFormer: true },
  );
  return (
    <Loaded read={read} lines={10}>
      {(statistics) => {
        const slices = slicesOf(statistics);
        const every = words.every(statistics.part_seconds ?? 0);
        return hasCalls(slices) ? (
          <Stack gap="wide">
            {!statistics.is_complete && <Quiet>{words.incomplete}</Quiet>}
            <Figure
              title={words.rate}
              every={every}
              lines={RATE}
              series={rateSeries(slices)}
              slices={slices}
              valueText={number}
            />
            <Figure
              title={words.durations}
              every={every}
              lines={DURATIONS}
              series={durationSeries(slices)}
              slices={slices}
              valueText={duration}
            />
          </Stack>
        ) : (
          <Empty>{words.empty}</Empty>
        );
      }}
    </Loaded>
  );
}

interface FigureProps {
  title: string;
  every: string;
  lines: readonly Line[];
  series: Series;
  slices: readonly CountedSlice[];
  valueText: (value: number) => string;
}

function Figure({ title, every, lines, series, slices, valueText }: FigureProps) {
  const [isTable, setTable] = useState(false);
  return (
    <section className={styles.part} aria-label={title}>
      <Row between>
        <h2>{words.perSliceTitle(title, every)}</h2>
        <Button
          icon={isTable ? 'chart' : 'rows'}
          aria-label={isTable ? words.asChartOf(title) : words.asTableOf(title)}
          onClick={() => setTable(!isTable)}
        >
          {isTable ? words.asChart : words.asTable}
        </Button>
      </Row>
      {isTable ? (
        <FigureTable title={title} lines={lines} series={series} slices={slices} valueText={valueText} />
      ) : (
        <Suspense fallback={<Skeleton lines={6} />}>
          <Chart label={words.picture(title)} lines={lines} series={series} valueText={valueText} />
        </Suspense>
      )}
    </section>
  );
}

const FigureTable = ({ title, lines, series, slices, valueText }: Omit<FigureProps, 'every'>) => (
  <div className={styles.table} tabIndex={0} role="group" aria-label={title}>
    <table>
      <thead>
        <tr>
          <th scope="col">{words.time}</th>
          {lines.map(({ label }) => (
            <th key={label} scope="col" className={styles.number}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {slices.map(({ from }, index) => (
          <tr key={from}>
            <th scope="row">
              <time dateTime={new Date(from).toISOString()}>{fullTime(new Date(from).toISOString())}</time>
            </th>
            {lines.map(({ label }, line) => {
              const value = series[line + 1]?.[index];
              return (
                <td key={label} className={styles.number}>
                  {value === null || value === undefined ? words.none : valueText(value)}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
