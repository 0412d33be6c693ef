import type { PlatformHealth } from '../../../api/schema';
import { listOf } from '../../../messages/text';
import { Quiet } from '../../../ui/layout';
import { OtherText } from '../../../ui/other-text';
import { When } from '../../../ui/when';
import styles from './health.module.css';
import { words } from './words';

const PARTS: Record<string, string> = words.parts;
const columns = words.replicaColumns;

/** The processes that serve the database, and those that ended without a word. */
export function ReplicaTable({ replicas }: { replicas: PlatformHealth['replicas']['replicas'] }) {
  if (replicas.length === 0) return <Quiet>{words.noReplicas}</Quiet>;
  return (
    // It scrolls on narrow windows, so the keyboard must reach it.
    <div className={styles.scroll} tabIndex={0} role="region" aria-label={words.replicaTable}>
      <table>
        <caption>{words.replicaTable}</caption>
        <thead>
          <tr>
            <th scope="col">{columns.runs}</th>
            <th scope="col">{columns.version}</th>
            <th scope="col">{columns.started}</th>
            <th scope="col">{columns.seen}</th>
            <th scope="col">{columns.state}</th>
          </tr>
        </thead>
        <tbody>
          {replicas.map((replica) => (
            <tr key={replica.id}>
              <td>{listOf(replica.parts.map((part) => PARTS[part] ?? part))}</td>
              <td>{replica.version === null ? words.none : <OtherText>{replica.version}</OtherText>}</td>
              <td>
                <When at={replica.started_at} />
              </td>
              <td>
                <When at={replica.seen_at} />
              </td>
              <td>{replica.is_alive ? words.alive : words.gone}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
