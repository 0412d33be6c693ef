import { lazy, Suspense, useState } from 'react';
import { useChange } from '../../api/queries';
import type { Review } from '../../api/schema';
import { Button } from '../../ui/button';
import { Stack } from '../../ui/layout';
import { Problem } from '../../ui/problem';
import { notify } from '../../ui/toasts';
import { REVIEW_CHANGES } from './review-changes';
import { authorName, ReviewText } from './review-text';
import styles from './reviews.module.css';
import { words } from './words';

const HideDialog = lazy(async () => ({ default: (await import('./review-dialogs')).HideDialog }));
const AnswerDialog = lazy(async () => ({ default: (await import('./review-dialogs')).AnswerDialog }));

interface ReviewRowProps {
  listingId: string;
  review: Review;
  /** Whether the person speaks for the listing. */
  mayAnswer: boolean;
  /** Whether the person is a platform administrator. */
  mayHide: boolean;
}

/** A review in the list, with what its reader may do with it. */
export function ReviewRow({ listingId, review, mayAnswer, mayHide }: ReviewRowProps) {
  const [open, setOpen] = useState<'answer' | 'hide'>();
  const close = () => setOpen(undefined);
  const show = useChange('POST /v1/mcp/listings/{listing_id}/reviews/{review_id}/show', REVIEW_CHANGES);
  const name = authorName(review);
  const isAnswerable = mayAnswer && review.answer === null && !review.is_own && !review.is_hidden;
  const showAgain = () =>
    show.mutate(
      { path: { listing_id: listingId, review_id: review.id } },
      { onSuccess: () => notify(words.reviews.shown) },
    );
  return (
    <div className={styles.review}>
      <Stack gap="tight">
        <ReviewText review={review} />
        {(isAnswerable || mayHide) && (
          <div className={styles.actions}>
            {isAnswerable && (
              <Button look="plain" aria-label={words.reviews.answerOf(name)} onClick={() => setOpen('answer')}>
                {words.reviews.answer}
              </Button>
            )}
            {mayHide && !review.is_hidden && (
              <Button look="plain" aria-label={words.reviews.hideOf(name)} onClick={() => setOpen('hide')}>
                {words.reviews.hide}
              </Button>
            )}
            {mayHide && review.is_hidden && (
              <Button look="plain" aria-label={words.reviews.showOf(name)} busy={show.isPending} onClick={showAgain}>
                {words.reviews.show}
              </Button>
            )}
          </div>
        )}
        {show.error && <Problem error={show.error} />}
      </Stack>
      <Suspense>
        {open === 'answer' && <AnswerDialog listingId={listingId} review={review} onClose={close} />}
        {open === 'hide' && <HideDialog listingId={listingId} review={review} onClose={close} />}
      </Suspense>
    </div>
  );
}
