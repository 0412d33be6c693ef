import type { Bundle } from '../../api/schema';
import { Badge } from '../../ui/badge';
import { OtherText } from '../../ui/other-text';
import { When } from '../../ui/when';
import styles from './bundle.module.css';
import { OwnerName } from './owner-name';
import { visibilityOf } from './visibility-of';
import { bundleWords } from './words';

/** Below the name of a bundle: what it is for, whose it is, and its figures. */
export const BundleFigures = ({ bundle }: { bundle: Bundle }) => (
  <div className={styles.figures}>
    {bundle.description !== '' && (
      <p className={styles.description}>
        <OtherText>{bundle.description}</OtherText>
      </p>
    )}
    <ul className={styles.facts}>
      <li>
        <Badge icon={bundle.visibility === 'PRIVATE' ? 'lock' : 'people'}>{visibilityOf(bundle)}</Badge>
      </li>
      <li>
        <OwnerName bundle={bundle} />
      </li>
      <li>{bundleWords.entries(bundle.entry_count)}</li>
      <li>{bundleWords.version(bundle.version)}</li>
      <li>{bundleWords.followers(bundle.follower_count)}</li>
      <li>
        {bundleWords.updated} <When at={bundle.updated_at} />
      </li>
    </ul>
  </div>
);
