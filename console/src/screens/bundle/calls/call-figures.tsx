import type { ReactNode } from 'react';
import type { CallStatistics } from '../../../api/schema';
import { date, number } from '../../../messages/text';
import { Quiet } from '../../../ui/layout';
import { Loaded } from '../../../ui/problem';
import styles from './calls.module.css';
import { callsWords, duration, share } from './words';

const words = callsWords.figures;

interface CallFiguresProps {
  read: { data: CallStatistics | undefined; error: unknown; refetch: () => unknown };
}

/** How many calls there were, how many failed, and how long they took. */
export const CallFigures = ({ read }: CallFiguresProps) => (
  <Loaded read={read} lines={2}>
    {({ total, from, is_complete: isComplete }) => (
      <section className={styles.part} aria-label={words.label}>
        <dl className={styles.tiles}>
          <Tile term={words.calls}>{number(total.calls)}</Tile>
          <Tile term={words.errors} more={words.errorsOf(number(total.errors))}>
            {share(total.errors, total.calls)}
          </Tile>
          <Tile term={words.p50} more={words.p50Help}>
            {total.p50_ms === null ? words.unknown : duration(total.p50_ms)}
          </Tile>
          <Tile term={words.p95} more={words.p95Help}>
            {total.p95_ms === null ? words.unknown : duration(total.p95_ms)}
          </Tile>
          <Tile term={words.p99} more={words.p99Help}>
            {total.p99_ms === null ? words.unknown : duration(total.p99_ms)}
          </Tile>
        </dl>
        {!isComplete && <Quiet>{words.since(date(from))}</Quiet>}
      </section>
    )}
  </Loaded>
);

const Tile = ({ term, more, children }: { term: string; more?: string; children: ReactNode }) => (
  <div className={styles.tile}>
    <dt>{term}</dt>
    <dd>{children}</dd>
    {more !== undefined && <dd className={styles.more}>{more}</dd>}
  </div>
);
