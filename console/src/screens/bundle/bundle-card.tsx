import { Link } from '@tanstack/react-router';
import type { Bundle } from '../../api/schema';
import { Badge } from '../../ui/badge';
import { Row } from '../../ui/layout';
import { OtherText } from '../../ui/other-text';
import { When } from '../../ui/when';
import styles from './bundle.module.css';
import { OwnerName } from './owner-name';
import { visibilityOf } from './visibility-of';
import { bundleWords } from './words';

/** A bundle among others. */
export const BundleCard = ({ bundle }: { bundle: Bundle }) => (
  <Link to="/bundles/$bundleId" params={{ bundleId: bundle.id }} className={styles.cardLink}>
    <span className={styles.title}>
      <OtherText>{bundle.name}</OtherText>
    </span>
    {bundle.description !== '' && (
      <span className={styles.cut}>
        <OtherText>{bundle.description}</OtherText>
      </span>
    )}
    <span className={styles.push}>
      <Row>
        <Badge icon={bundle.visibility === 'PRIVATE' ? 'lock' : 'people'}>{visibilityOf(bundle)}</Badge>
        {bundle.is_followed && <Badge icon="bell">{bundleWords.list.following}</Badge>}
      </Row>
    </span>
    <span className={styles.facts}>
      <span>
        <OwnerName bundle={bundle} />
      </span>
      <span>{bundleWords.entries(bundle.entry_count)}</span>
      <span>{bundleWords.followers(bundle.follower_count)}</span>
      <span>
        {bundleWords.updated} <When at={bundle.updated_at} />
      </span>
    </span>
  </Link>
);
