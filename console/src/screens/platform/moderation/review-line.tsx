import { Link } from '@tanstack/react-router';
import type { ModeratedReview } from '../../../api/schema';
import { Button } from '../../../ui/button';
import { Quiet, Stack } from '../../../ui/layout';
import { OtherText } from '../../../ui/other-text';
import { authorName, ReviewText } from '../../server/review-text';
import styles from '../platform.module.css';
import { words } from './words';

const text = words.reviews;

interface Props {
  review: ModeratedReview;
  onModerate: () => void;
}

/** A review with the server that it is about, and the button that hides it or shows it again. */
export function ReviewLine({ review, onModerate }: Props) {
  const name = authorName(review);
  return (
    <div className={styles.row}>
      <Stack gap="tight">
        <ReviewText review={review} />
        <Quiet>
          {text.of}{' '}
          <Link to="/servers/$listingId" params={{ listingId: review.listing.id }} search={{ tab: 'reviews' }}>
            <OtherText>{review.listing.title}</OtherText>
          </Link>
        </Quiet>
      </Stack>
      <Button aria-label={review.is_hidden ? text.showOf(name) : text.hideOf(name)} onClick={onModerate}>
        {review.is_hidden ? text.show : text.hide}
      </Button>
    </div>
  );
}
