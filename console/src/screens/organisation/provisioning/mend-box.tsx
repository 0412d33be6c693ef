import type { ScimLogEntry } from '../../../api/schema';
import { Icon } from '../../../ui/icon';
import { OtherText, shown } from '../../../ui/other-text';
import type { Provider } from './provider';
import styles from './provisioning.module.css';
import { quotedIn, type Remedy, remedyOf } from './remedy';
import { remedyWords, words } from './words';

const text = words.calls;

/** What is wrong with a call that failed, and what to do about it in the identity provider. */
export function MendBox({ call, provider }: { call: ScimLogEntry; provider: Provider }) {
  const remedy = remedyOf(call);
  if (remedy === undefined) return null;
  const named = remedy === 'unknown_attribute' ? quotedIn(call.error) : undefined;
  return (
    <div className={styles.mend}>
      <div className={styles.fault}>
        <Icon name="alert" />
        <strong>{remedyWords[remedy].what}</strong>
      </div>
      {named !== undefined && <p>{text.attribute(shown(named))}</p>}
      <p>
        {text.mend}: {mendOf(remedy, provider)}
      </p>
      {call.error !== null && (
        <p className={styles.error}>
          {text.error}: <OtherText>{call.error}</OtherText>
        </p>
      )}
    </div>
  );
}

function mendOf(remedy: Remedy, provider: Provider): string {
  const { mend } = remedyWords[remedy];
  return mend[provider] ?? mend.other;
}
