import type { ImportOverview, ImportRun } from '../../../api/schema';
import { number } from '../../../messages/text';
import { Badge } from '../../../ui/badge';
import { Card, Quiet, Row, Section, Stack, Unseen } from '../../../ui/layout';
import { When } from '../../../ui/when';
import styles from './imports.module.css';
import { expectedOf, rateOf, stateOf } from './runs';
import { sourceName } from './source-name';
import { importWords } from './words';

const words = importWords.runs;
const COUNTS = ['created', 'updated', 'unchanged', 'quarantined'] as const;

interface Props {
  runs: readonly ImportRun[];
  overview: ImportOverview;
  isRunning: boolean;
}

/** The imports that run now, with what they have read. */
export function RunningRuns({ runs, overview, isRunning }: Props) {
  const { sources, scheduled_source } = overview;
  const running = runs.filter((run) => stateOf(run, sources) === 'running');
  const next = sources.find(({ address }) => address === scheduled_source)?.next_run_at;
  return (
    <Section title={words.title}>
      <Unseen>
        <span role="status">{running.map(({ source }) => words.began(sourceName(source))).join(' ')}</span>
      </Unseen>
      {running.map((run) => (
        <RunCard key={run.id} run={run} overview={overview} />
      ))}
      {running.length === 0 && !isRunning && (
        <Card>
          <Stack gap="tight">
            <p>
              {words.none}{' '}
              {next && (
                <>
                  {words.next} <When at={next} />.
                </>
              )}
            </p>
            {scheduled_source === null && (
              <Quiet>
                {importWords.noSchedule} {importWords.noScheduleHelp}
              </Quiet>
            )}
          </Stack>
        </Card>
      )}
    </Section>
  );
}

function RunCard({ run, overview: { sources } }: { run: ImportRun; overview: ImportOverview }) {
  const name = sourceName(run.source);
  const expected = expectedOf(run, sources);
  const rate = rateOf(run);
  return (
    <Card>
      <Stack>
        <Row between>
          <strong>
            <bdi>{name}</bdi>
          </strong>
          <Row>
            <Badge tone="accent" icon="refresh">
              {words.statuses.running}
            </Badge>
            <Badge>{words.modes[run.mode]}</Badge>
          </Row>
        </Row>
        {expected === undefined ? (
          <progress className={styles.progress} aria-label={words.progress(name)} />
        ) : (
          <progress
            className={styles.progress}
            aria-label={words.progress(name)}
            value={run.seen}
            max={Math.max(expected, 1)}
          />
        )}
        <Row between>
          <span>
            {expected === undefined
              ? words.seen(number(run.seen), run.seen === 1)
              : words.of(number(run.seen), number(expected))}
            {rate !== undefined && `, ${words.rate(number(Math.round(rate * 10) / 10))}`}
          </span>
          <Quiet>
            {words.startedAt} <When at={run.started_at} />. {words.lastPage} <When at={run.updated_at} />.
          </Quiet>
        </Row>
        <dl className={styles.counts}>
          {COUNTS.map((count) => (
            <div key={count}>
              <dt>{words.counts[count]}</dt>
              <dd>{number(run[count])}</dd>
            </div>
          ))}
        </dl>
        {expected === undefined && <Quiet>{words.unknown}</Quiet>}
      </Stack>
    </Card>
  );
}
