import { useChange } from '../../../api/queries';
import type { ModeratedReview } from '../../../api/schema';
import { t } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { Row } from '../../../ui/layout';
import { OtherText } from '../../../ui/other-text';
import { Problem } from '../../../ui/problem';
import { notify } from '../../../ui/toasts';
import { REVIEW_CHANGES } from '../../server/review-changes';
import { Consequences } from '../consequences';
import styles from '../platform.module.css';
import { words } from './words';

const text = words.reviews;

interface Props {
  review: ModeratedReview;
  onClose: () => void;
}

/** Shows a hidden review again; what follows is said first. */
export function ShowDialog({ review, onClose }: Props) {
  const show = useChange('POST /v1/mcp/listings/{listing_id}/reviews/{review_id}/show', REVIEW_CHANGES);
  const confirm = () =>
    show.mutate(
      { path: { listing_id: review.listing.id, review_id: review.id } },
      {
        onSuccess: () => {
          notify(text.shown);
          onClose();
        },
      },
    );
  return (
    <Dialog open onClose={onClose} title={text.showTitle}>
      <p className={styles.quote}>
        {text.hiddenFor} <OtherText>{review.hidden_reason}</OtherText>
      </p>
      <Consequences label={words.listings.follows} items={text.showFollows} />
      {show.error && <Problem error={show.error} />}
      <Row>
        <Button look="primary" busy={show.isPending} onClick={confirm}>
          {text.show}
        </Button>
        <Button onClick={onClose}>{t.ui.cancel}</Button>
      </Row>
    </Dialog>
  );
}
