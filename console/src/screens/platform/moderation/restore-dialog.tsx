import { useChange } from '../../../api/queries';
import type { Listing } from '../../../api/schema';
import { t } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { Row } from '../../../ui/layout';
import { OtherText, shown } from '../../../ui/other-text';
import { Problem } from '../../../ui/problem';
import { notify } from '../../../ui/toasts';
import { Consequences } from '../consequences';
import styles from '../platform.module.css';
import { LISTING_CHANGES } from './listing-changes';
import { words } from './words';

const text = words.listings;

interface Props {
  listing: Listing;
  onClose: () => void;
}

/** Returns a server to the catalogue; what follows is said first. */
export function RestoreDialog({ listing, onClose }: Props) {
  const name = shown(listing.title);
  const restore = useChange('POST /v1/mcp/listings/{listing_id}/restore', LISTING_CHANGES);
  const confirm = () =>
    restore.mutate(
      { path: { listing_id: listing.id } },
      {
        onSuccess: () => {
          notify(text.restored(name));
          onClose();
        },
      },
    );
  return (
    <Dialog open onClose={onClose} title={text.restoreTitle(name)}>
      {listing.archive_reason !== null && (
        <p className={styles.quote}>
          {text.reason} <OtherText>{listing.archive_reason}</OtherText>
        </p>
      )}
      <Consequences label={text.follows} items={text.restoreFollows} />
      {restore.error && <Problem error={restore.error} />}
      <Row>
        <Button look="primary" busy={restore.isPending} onClick={confirm}>
          {text.restore}
        </Button>
        <Button onClick={onClose}>{t.ui.cancel}</Button>
      </Row>
    </Dialog>
  );
}
