import type { AuditEntry } from '../../../api/schema';
import { Badge, type Tone } from '../../../ui/badge';
import { FirstOf } from '../../../ui/first-of';
import type { IconName } from '../../../ui/icon';
import { shown } from '../../../ui/other-text';
import styles from './audit-log.module.css';
import { type Change, changesOf } from './change';
import { words } from './words';

const LOOKS: Record<Change['kind'], readonly [Tone, IconName]> = {
  added: ['good', 'plus'],
  removed: ['bad', 'trash'],
  changed: ['warn', 'refresh'],
};

/** Before and after of each field that an entry changed. */
export function ChangeTable({ entry }: { entry: AuditEntry }) {
  if (entry.before === null && entry.after === null) return <p>{words.noChange}</p>;
  const changes = changesOf(entry);
  if (changes.length === 0) return <p>{words.equal}</p>;
  return (
    // It scrolls sideways where it is narrow, so the keyboard must reach it.
    <FirstOf items={changes}>
      {(some) => (
        <div className={styles.table} tabIndex={0} role="group" aria-label={words.changes}>
          <table>
            <thead>
              <tr>
                <th scope="col">{words.changes}</th>
                <th scope="col">{words.before}</th>
                <th scope="col">{words.after}</th>
              </tr>
            </thead>
            <tbody>
              {some.map((change) => (
                <ChangeLine key={`${change.kind} ${change.path}`} change={change} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </FirstOf>
  );
}

function ChangeLine({ change: { path, kind, before, after } }: { change: Change }) {
  const [tone, icon] = LOOKS[kind];
  return (
    <tr>
      <th scope="row">
        <code>{path === '' ? words.whole : shown(path)}</code>{' '}
        <Badge tone={tone} icon={icon}>
          {words.kinds[kind]}
        </Badge>
      </th>
      <td>
        {before !== undefined && (
          <del>
            <code>{before}</code>
          </del>
        )}
      </td>
      <td>
        {after !== undefined && (
          <ins>
            <code>{after}</code>
          </ins>
        )}
      </td>
    </tr>
  );
}
