import type { Bundle, CredentialNeed } from '../../api/schema';
import { listOf } from '../../messages/text';
import { Badge } from '../../ui/badge';
import { Quiet } from '../../ui/layout';
import { OtherText, shown } from '../../ui/other-text';
import { ServerIcon } from '../../ui/server-icon';
import styles from './bundle.module.css';
import { NeededAccount } from './needed-account';
import { ownersOf } from './need-actions';
import { bundleWords } from './words';

const words = bundleWords.need;

/** An entry of the bundle, and the accounts that its server can use. */
export function NeedRow({ bundle, need }: { bundle: Bundle; need: CredentialNeed }) {
  const owners = ownersOf(need);
  return (
    <div className={styles.detail}>
      <div className={styles.line}>
        <ServerIcon listing={{ id: need.entry_id, title: need.key, has_icon: false }} />
        <div className={styles.grow}>
          <span className={styles.title}>
            <OtherText>{need.key}</OtherText>
          </span>
          <ul className={styles.facts}>
            <li>
              <OtherText>{need.listing_name}</OtherText>
            </li>
            {need.origin !== null && owners.length > 0 && <li>{words.sentTo(shown(need.origin))}</li>}
          </ul>
        </div>
        {need.reason !== null ? (
          <Badge tone="warn" icon="alert">
            {words.notServed}
          </Badge>
        ) : (
          owners.length === 0 && <Badge icon="check">{words.none}</Badge>
        )}
      </div>
      {need.reason !== null && <Quiet>{bundle.may_modify ? shown(need.reason) : words.notServedHelp}</Quiet>}
      {need.set_elsewhere.length > 0 && <Quiet>{words.elsewhere(listOf(need.set_elsewhere.map(shown)))}</Quiet>}
      {owners.map((owner) => (
        <NeededAccount key={owner} bundle={bundle} need={need} owner={owner} />
      ))}
    </div>
  );
}
