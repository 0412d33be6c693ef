import type { CallGroup, CallStatistics } from '../../../api/schema';
import { number } from '../../../messages/text';
import { Quiet } from '../../../ui/layout';
import { shown } from '../../../ui/other-text';
import { Empty, Loaded } from '../../../ui/problem';
import { OutcomeBadge } from './call-row';
import styles from './calls.module.css';
import type { CallSearch } from './calls-tab';
import type { Names } from './use-names';
import { callsWords, duration, share, size } from './words';

const words = callsWords.groups;

type Grouping = 'tool' | 'principal' | 'entry' | 'outcome';

interface BreakdownProps {
  read: { data: CallStatistics | undefined; error: unknown; refetch: () => unknown };
  by: Grouping;
  names: Names;
  onChoose: (next: CallSearch) => void;
}

/** The figures of each tool, person, server or outcome; each leads to its calls. */
export const Breakdown = ({ read, by, names, onChoose }: BreakdownProps) => (
  <Loaded read={read} lines={8}>
    {({ groups, group_count: count, total }) =>
      groups.length === 0 ? (
        <Empty>{callsWords.record.empty}</Empty>
      ) : (
        <section className={styles.part} aria-label={callsWords.views[by]}>
          <h2>{callsWords.views[by]}</h2>
          {count > groups.length && <Quiet>{words.more(number(groups.length), number(count))}</Quiet>}
          {/* It scrolls sideways where it is narrow, so the keyboard must reach it. */}
          <div className={styles.table} tabIndex={0} role="group" aria-label={callsWords.views[by]}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{callsWords.filters[by === 'principal' ? 'person' : by]}</th>
                  {(['calls', 'share', 'errors', 'p50', 'p95', 'p99', 'received', 'sent'] as const).map((column) => (
                    <th key={column} scope="col" className={styles.number}>
                      {words.columns[column]}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {groups.map((group) => (
                  <GroupRow
                    key={keyOf(group)}
                    group={group}
                    total={total.calls}
                    by={by}
                    names={names}
                    onChoose={onChoose}
                  />
                ))}
              </tbody>
            </table>
          </div>
        </section>
      )
    }
  </Loaded>
);

const keyOf = ({ tool, entry_id: entry, principal, outcome }: CallGroup): string =>
  [tool, entry, principal?.id, outcome].join(' ');

interface GroupRowProps extends Pick<BreakdownProps, 'by' | 'names' | 'onChoose'> {
  group: CallGroup;
  total: number;
}

function GroupRow({ group, total, by, names, onChoose }: GroupRowProps) {
  const name = nameOf(group, names);
  const only = filterOfGroup(group, by);
  return (
    <tr>
      <th scope="row">
        {only === undefined ? (
          words.nothing
        ) : (
          <button
            type="button"
            className={styles.link}
            aria-label={words.only(name)}
            onClick={() => onChoose({ ...only, by: undefined })}
          >
            {group.outcome === null ? <bdi>{name}</bdi> : <OutcomeBadge outcome={group.outcome} />}
          </button>
        )}
      </th>
      <td className={styles.number}>{number(group.calls)}</td>
      <td className={styles.number}>{share(group.calls, total)}</td>
      <td className={styles.number}>
        {number(group.errors)} <Quiet>({share(group.errors, group.calls)})</Quiet>
      </td>
      <td className={styles.number}>{group.p50_ms === null ? callsWords.charts.none : duration(group.p50_ms)}</td>
      <td className={styles.number}>{group.p95_ms === null ? callsWords.charts.none : duration(group.p95_ms)}</td>
      <td className={styles.number}>{group.p99_ms === null ? callsWords.charts.none : duration(group.p99_ms)}</td>
      <td className={styles.number}>{size(group.bytes_in)}</td>
      <td className={styles.number}>{size(group.bytes_out)}</td>
    </tr>
  );
}

function nameOf({ tool, entry_id: entry, entry_key: entryKey, principal, outcome }: CallGroup, names: Names): string {
  if (tool !== null) return shown(tool);
  if (entry !== null) return names.ofEntry(entryKey);
  if (principal !== null) return names.ofPrincipal(principal);
  return outcome === null ? words.nothing : callsWords.outcomes[outcome];
}

/** What shows the calls of a group alone; undefined: nothing does, since they were of nothing that exists. */
function filterOfGroup({ tool, entry_id, principal, outcome }: CallGroup, by: Grouping): CallSearch | undefined {
  const values = { tool, entry: entry_id, principal: principal?.id ?? null, outcome };
  const value = values[by];
  return value === null ? undefined : { [by === 'principal' ? 'person' : by]: value };
}
