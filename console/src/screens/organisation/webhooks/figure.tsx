import { lazy, Suspense, useState } from 'react';
import { date } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { Row, Stack } from '../../../ui/layout';
import { Skeleton } from '../../../ui/problem';
import type { Line } from '../../bundle/calls/chart';
import type { Series } from './hour-series';
import { endpointWords } from './words';
import styles from './webhooks.module.css';

const words = endpointWords.overview;

/** The library that draws is loaded with the first chart. */
const Chart = lazy(() => import('../../bundle/calls/chart'));

export type FigureLine = Line;

interface FigureProps {
  title: string;
  lines: readonly FigureLine[];
  series: Series;
  valueText: (value: number) => string;
}

/** Lines over the hours, as a chart or as a table. */
export function Figure({ title, lines, series, valueText }: FigureProps) {
  const [isTable, setTable] = useState(false);
  return (
    <section aria-label={title}>
      <Stack gap="tight">
        <Row between>
          <h3>{title}</h3>
          <Button
            icon={isTable ? 'chart' : 'rows'}
            aria-label={isTable ? words.asChartOf(title) : words.asTableOf(title)}
            onClick={() => setTable(!isTable)}
          >
            {isTable ? words.asChart : words.asTable}
          </Button>
        </Row>
        {isTable ? (
          <FigureTable title={title} lines={lines} series={series} valueText={valueText} />
        ) : (
          <Suspense fallback={<Skeleton lines={6} />}>
            <Chart label={words.picture(title)} lines={lines} series={series} valueText={valueText} />
          </Suspense>
        )}
      </Stack>
    </section>
  );
}

function FigureTable({ title, lines, series, valueText }: FigureProps) {
  const [seconds, ...values] = series;
  // Newest first, and without hours in which nothing was.
  const places = seconds
    .map((_, place) => place)
    .filter((place) => values.some((line) => (line[place] ?? 0) !== 0))
    .toReversed();
  return (
    <div className={styles.tall} tabIndex={0} role="group" aria-label={title}>
      <table className={styles.table}>
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
          {places.map((place) => {
            const instant = new Date((seconds[place] ?? 0) * 1_000).toISOString();
            return (
              <tr key={place}>
                <th scope="row">
                  <time dateTime={instant}>{date(instant)}</time>
                </th>
                {lines.map(({ label }, line) => {
                  const value = values[line]?.[place];
                  return (
                    <td key={label} className={styles.number}>
                      {value === null || value === undefined ? words.none : valueText(value)}
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
