import { Link } from '@tanstack/react-router';
import type { Listing } from '../../../api/schema';
import { Badge } from '../../../ui/badge';
import { Button } from '../../../ui/button';
import { Quiet, Row, Stack } from '../../../ui/layout';
import { OtherText, ServerName, shown } from '../../../ui/other-text';
import { When } from '../../../ui/when';
import styles from '../platform.module.css';
import { words } from './words';

const text = words.listings;

interface Props {
  listing: Listing;
  onArchive: () => void;
  onRestore: () => void;
}

/** A server in the list, with who owns it, why it is archived, and what a platform administrator does with it. */
export function ModeratedListing({ listing, onArchive, onRestore }: Props) {
  const { archive_reason: reason, archived_by: by } = listing;
  const name = shown(listing.title);
  return (
    <div className={styles.row}>
      <Stack gap="tight">
        <Row>
          <strong>
            <Link to="/servers/$listingId" params={{ listingId: listing.id }}>
              <OtherText>{listing.title}</OtherText>
            </Link>
          </strong>
          {listing.status !== 'PUBLISHED' && (
            <Badge tone="warn" icon="info">
              {text.shown[listing.status]}
            </Badge>
          )}
        </Row>
        <Quiet>
          <code>
            <ServerName>{listing.name}</ServerName>
          </code>{' '}
          {ownerOf(listing)}
          {by !== null && `, ${text.archivedBy[by]}`}
          {listing.archived_at !== null && (
            <>
              {' '}
              <When at={listing.archived_at} />
            </>
          )}
          {listing.status === 'PUBLISHED' && listing.published_at !== null && (
            <>
              , {text.published} <When at={listing.published_at} />
            </>
          )}
        </Quiet>
        {reason !== null && (
          <p className={styles.quote}>
            {text.reason} <OtherText>{reason}</OtherText>
          </p>
        )}
      </Stack>
      <Row>
        {listing.status === 'PUBLISHED' && (
          <Button aria-label={text.archiveOf(name)} onClick={onArchive}>
            {text.archive}
          </Button>
        )}
        {listing.status === 'ARCHIVED' && (
          <>
            {by === 'PLATFORM' && reason !== null ? (
              <Button look="plain" aria-label={text.changeReasonOf(name)} onClick={onArchive}>
                {text.changeReason}
              </Button>
            ) : (
              !isOfPlatform(listing) && (
                <Button look="plain" aria-label={text.keepOf(name)} onClick={onArchive}>
                  {text.keep}
                </Button>
              )
            )}
            <Button aria-label={text.restoreOf(name)} onClick={onRestore}>
              {text.restore}
            </Button>
          </>
        )}
      </Row>
    </div>
  );
}

const isOfPlatform = ({ org_id: orgId, owner_id: ownerId }: Listing): boolean => orgId === null && ownerId === null;

function ownerOf(listing: Listing): string {
  if (listing.org_id !== null) return text.owners.organisation;
  return listing.owner_id === null ? text.owners.platform : text.owners.person;
}
