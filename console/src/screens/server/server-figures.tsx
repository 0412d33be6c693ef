import { Link } from '@tanstack/react-router';
import type { ListingDetail } from '../../api/schema';
import { Badge } from '../../ui/badge';
import { Quiet, Row, Stack, Unseen } from '../../ui/layout';
import { OtherText, shown } from '../../ui/other-text';
import { Stars } from '../../ui/stars';
import { publisherOf } from './server-document';
import styles from './server.module.css';
import { words } from './words';

/** What a person compares servers by: the name, the publisher, the category, the version and the rating. */
export function ServerFigures({ listing }: { listing: ListingDetail }) {
  return (
    <Stack gap="tight">
      <code className={styles.name}>{shown(listing.name)}</code>
      <Row>
        <span>
          {words.by} <OtherText>{publisherOf(listing.name)}</OtherText>
        </span>
        <Link to="/catalogue" search={{ category: listing.category }} className={styles.plainLink}>
          <Unseen>{words.category}: </Unseen>
          {shown(listing.category_name)}
        </Link>
        <Quiet>
          {words.version} <OtherText>{listing.version}</OtherText>
        </Quiet>
        <Link
          to="/servers/$listingId"
          params={{ listingId: listing.id }}
          search={{ tab: 'reviews' }}
          replace
          className={styles.plainLink}
        >
          <Stars rating={listing.rating} />
        </Link>
        {listing.status !== 'PUBLISHED' && (
          <Badge tone="warn" icon="info">
            {words.statuses[listing.status]}
          </Badge>
        )}
        {listing.visibility === 'PRIVATE' && <Badge icon="lock">{words.private}</Badge>}
      </Row>
    </Stack>
  );
}
