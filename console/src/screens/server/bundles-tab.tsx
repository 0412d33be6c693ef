import { Link } from '@tanstack/react-router';
import { useList } from '../../api/queries';
import type { ListingBundle, ListingDetail } from '../../api/schema';
import { Badge } from '../../ui/badge';
import { buttonClass } from '../../ui/button';
import { Quiet, Row, Section } from '../../ui/layout';
import { OtherText } from '../../ui/other-text';
import { Empty } from '../../ui/problem';
import { Rows } from '../../ui/rows';
import { AddToBundle } from './add-to-bundle';
import styles from './server.module.css';
import { words } from './words';

/** The bundles that contain the server, as far as the person may see them. */
export function BundlesTab({ listing }: { listing: ListingDetail }) {
  const list = useList('GET /v1/mcp/listings/{listing_id}/bundles', { path: { listing_id: listing.id } });
  return (
    <Section title={words.tabs.bundles}>
      <Rows
        list={list}
        label={words.bundles.label}
        keyOf={({ entry_id: entryId }) => entryId}
        row={(bundle) => <BundleRow bundle={bundle} />}
        height={76}
        empty={
          <Empty>
            <p>{words.bundles.empty}</p>
            <p>{words.bundles.emptyHelp}</p>
            <Link to="/bundles" className={buttonClass()}>
              {words.bundles.toBundles}
            </Link>
          </Empty>
        }
      />
      <AddToBundle listing={listing} />
    </Section>
  );
}

function BundleRow({ bundle }: { bundle: ListingBundle }) {
  return (
    <div className={styles.line}>
      <Row>
        <Link to="/bundles/$bundleId" params={{ bundleId: bundle.id }} className={styles.rowLink}>
          <OtherText>{bundle.name}</OtherText>
        </Link>
        {bundle.visibility === 'PRIVATE' && <Badge icon="lock">{words.bundles.private}</Badge>}
        {!bundle.is_enabled && (
          <Badge tone="warn" icon="info">
            {words.bundles.off}
          </Badge>
        )}
      </Row>
      {bundle.description !== '' && (
        <p className={styles.text}>
          <OtherText>{bundle.description}</OtherText>
        </p>
      )}
      <Row>
        <Quiet>{words.bundles.servers(bundle.entry_count)}</Quiet>
        <Quiet>{words.bundles.followers(bundle.follower_count)}</Quiet>
      </Row>
    </div>
  );
}
