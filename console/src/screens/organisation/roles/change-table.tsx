import type { SyncChange } from '../../../api/schema';
import { Badge, type Tone } from '../../../ui/badge';
import { Quiet } from '../../../ui/layout';
import { OtherText, shown } from '../../../ui/other-text';
import { membersWords } from '../members/words';
import styles from './roles.module.css';
import { rolesWords } from './words';

const words = rolesWords.changes;
const TONES: Record<SyncChange['change'], Tone> = {
  joined: 'accent',
  promoted: 'good',
  demoted: 'warn',
  removed: 'bad',
  retained: 'warn',
};

/** People with the role before and after, and why. */
export const ChangeTable = ({ label, changes }: { label: string; changes: readonly SyncChange[] }) => (
  <div className={styles.table} role="region" aria-label={label} tabIndex={0}>
    <table>
      <thead>
        <tr>
          {[words.person, words.change, words.roles, words.reason].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={change.user_id}>
            <th scope="row">
              <Person change={change} />
            </th>
            <td>
              <Badge tone={TONES[change.change]}>{words.kinds[change.change]}</Badge>
            </td>
            <td>{words.fromTo(roleOf(change.role_before), roleOf(change.role_after))}</td>
            <td>
              <bdi>{reasonOf(change)}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const Person = ({ change: { name, email } }: { change: SyncChange }) => (
  <>
    {name === null && email === null ? words.nameless : <OtherText>{name ?? email}</OtherText>}
    {name !== null && email !== null && (
      <>
        <br />
        <Quiet>
          <OtherText>{email}</OtherText>
        </Quiet>
      </>
    )}
  </>
);

const roleOf = (role: SyncChange['role_before']): string => (role === null ? words.none : membersWords.roles[role]);

function reasonOf({ reason, group_name }: SyncChange): string {
  if (reason !== 'mapping') return words.reasons[reason];
  return group_name === null ? words.reasons.mappingOfSome : words.reasons.mapping(shown(group_name));
}
