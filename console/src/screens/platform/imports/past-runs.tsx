import type { ImportRun, ImportSource } from '../../../api/schema';
import { number } from '../../../messages/text';
import { Badge, type Tone } from '../../../ui/badge';
import type { IconName } from '../../../ui/icon';
import { Quiet, Section } from '../../../ui/layout';
import { OtherText } from '../../../ui/other-text';
import { Empty } from '../../../ui/problem';
import { Rows } from '../../../ui/rows';
import { When } from '../../../ui/when';
import { wholeList } from '../../../ui/whole-list';
import styles from './imports.module.css';
import { type RunState, stateOf } from './runs';
import { sourceName } from './source-name';
import { importWords } from './words';

const words = importWords.runs;
const LOOKS: Record<RunState, { tone?: Tone; icon?: IconName }> = {
  running: { tone: 'accent', icon: 'refresh' },
  finished: { tone: 'good', icon: 'check' },
  failed: { tone: 'bad', icon: 'alert' },
  interrupted: { tone: 'warn', icon: 'pause' },
};
const COUNTS = ['created', 'updated', 'unchanged', 'quarantined'] as const;

interface Props {
  runs: readonly ImportRun[];
  sources: readonly ImportSource[];
}

/** What was imported before. */
export function PastRuns({ runs, sources }: Props) {
  return (
    <Section title={words.history}>
      <Rows
        list={wholeList(runs.filter((run) => stateOf(run, sources) !== 'running'))}
        label={words.historyLabel}
        keyOf={({ id }) => id}
        empty={<Empty>{words.noHistory}</Empty>}
        row={(run) => <RunLine run={run} state={stateOf(run, sources)} />}
      />
    </Section>
  );
}

function RunLine({ run, state }: { run: ImportRun; state: RunState }) {
  const end = run.finished_at ?? run.updated_at;
  const seconds = Math.max(0, Math.round((Date.parse(end) - Date.parse(run.started_at)) / 1_000));
  return (
    <div className={styles.line}>
      <span>
        <bdi>{sourceName(run.source)}</bdi> <Badge {...LOOKS[state]}>{words.statuses[state]}</Badge>{' '}
        <Badge>{words.modes[run.mode]}</Badge>
        <br />
        <Quiet>
          <When at={run.started_at} />, {words.took}{' '}
          {seconds < 1 ? words.lessThanASecond : words.seconds(number(seconds))}.{' '}
          {words.seen(number(run.seen), run.seen === 1)}
        </Quiet>
        {run.error !== null && (
          <p>
            <OtherText>{run.error}</OtherText>
          </p>
        )}
        {state === 'interrupted' && <p>{words.interruptedHelp}</p>}
      </span>
      <Quiet>{COUNTS.map((count) => `${words.counts[count]}: ${number(run[count])}`).join(' · ')}</Quiet>
    </div>
  );
}
