import { useState } from 'react';
import { useChange } from '../../api/queries';
import type { Review } from '../../api/schema';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialog';
import { Card, Row, Section } from '../../ui/layout';
import { Problem } from '../../ui/problem';
import { notify } from '../../ui/toasts';
import { REVIEW_CHANGES } from './review-changes';
import { ReviewText } from './review-text';
import { words } from './words';

interface OwnReviewProps {
  listingId: string;
  review: Review;
  onChange: () => void;
}

/** The review of the person who looks, with what they can do with it. */
export function OwnReview({ listingId, review, onChange }: OwnReviewProps) {
  const [isDeleting, setDeleting] = useState(false);
  const remove = useChange('DELETE /v1/mcp/listings/{listing_id}/reviews/{review_id}', REVIEW_CHANGES);
  const confirm = () =>
    remove.mutate(
      { path: { listing_id: listingId, review_id: review.id } },
      {
        onSuccess: () => {
          setDeleting(false);
          notify(words.reviews.deleted);
        },
      },
    );
  return (
    <Card>
      <Section
        title={words.reviews.yours}
        aside={
          <Row>
            <Button onClick={onChange} aria-label={words.reviews.changeYours}>
              {words.reviews.change}
            </Button>
            {!review.is_hidden && (
              <Button
                look="danger"
                icon="trash"
                aria-label={words.reviews.deleteYours}
                onClick={() => setDeleting(true)}
              >
                {words.reviews.delete}
              </Button>
            )}
          </Row>
        }
      >
        <ReviewText review={review} />
        {review.is_hidden && <p>{words.reviews.hiddenKept}</p>}
      </Section>
      <ConfirmDialog
        open={isDeleting}
        onClose={() => setDeleting(false)}
        title={words.reviews.deleteYours}
        action={words.reviews.delete}
        busy={remove.isPending}
        onConfirm={confirm}
      >
        <p>{words.reviews.deleteHelp}</p>
        {remove.error && <Problem error={remove.error} />}
      </ConfirmDialog>
    </Card>
  );
}
