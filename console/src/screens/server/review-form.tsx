import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { ApiProblem } from '../../api/problem';
import { useChange } from '../../api/queries';
import type { Review } from '../../api/schema';
import { t } from '../../messages/text';
import { Button } from '../../ui/button';
import { useDraft } from '../../ui/draft';
import { TextArea } from '../../ui/field';
import { focusFirstInvalid, useFocusFirstInvalid } from '../../ui/focus-first';
import { Row, Stack } from '../../ui/layout';
import { Problem } from '../../ui/problem';
import { StarChoice } from '../../ui/stars';
import { notify } from '../../ui/toasts';
import { REVIEW_CHANGES } from './review-changes';
import { words } from './words';

const MAX_LENGTH = 4_000;

/** @returns the name of the draft of a review */
export const reviewDraft = (listingId: string, own: Review | undefined): string => `review.${own?.id ?? listingId}`;

interface ReviewFormProps {
  listingId: string;
  /** Undefined: it is a new one. */
  own: Review | undefined;
  onDone: () => void;
}

/** Stars and a text. What is typed is kept until it is sent. */
export function ReviewForm({ listingId, own, onDone }: ReviewFormProps) {
  const [initial] = useState({ rating: own?.rating ?? 0, text: own?.text ?? '' });
  const [draft, keep, drop] = useDraft(reviewDraft(listingId, own), initial);
  const [isStarless, setStarless] = useState(false);
  const create = useChange('POST /v1/mcp/listings/{listing_id}/reviews', REVIEW_CHANGES);
  const update = useChange('PATCH /v1/mcp/listings/{listing_id}/reviews/{review_id}', REVIEW_CHANGES);
  const problem: ApiProblem | null = own ? update.error : create.error;
  const form = useRef<HTMLFormElement>(null);
  useFocusFirstInvalid(form, problem);
  useEffect(() => {
    if (isStarless) focusFirstInvalid(form.current);
  }, [isStarless]);

  const done = () => {
    drop();
    notify(words.reviews.saved);
    onDone();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setStarless(draft.rating === 0);
    if (draft.rating === 0 || create.isPending || update.isPending) return;
    const options = { onSuccess: done };
    if (own) update.mutate({ path: { listing_id: listingId, review_id: own.id }, body: draft }, options);
    else create.mutate({ path: { listing_id: listingId }, body: draft }, options);
  };
  const starError = isStarless ? words.reviews.chooseStars : problem?.at('rating');
  const textError = problem?.at('text');
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack>
        <StarChoice
          legend={words.reviews.stars}
          value={draft.rating}
          error={starError}
          onChange={(rating) => {
            setStarless(false);
            keep({ ...draft, rating });
          }}
        />
        <TextArea
          label={words.reviews.text}
          hint={words.reviews.textHelp}
          error={textError}
          value={draft.text}
          maxLength={MAX_LENGTH}
          rows={6}
          onChange={(event) => keep({ ...draft, text: event.target.value })}
        />
        {problem && textError === undefined && problem.at('rating') === undefined && <Problem error={problem} />}
        <Row>
          <Button type="submit" look="primary" busy={create.isPending || update.isPending}>
            {own ? words.reviews.save : words.reviews.send}
          </Button>
          <Button
            onClick={() => {
              drop();
              onDone();
            }}
          >
            {t.ui.cancel}
          </Button>
        </Row>
      </Stack>
    </form>
  );
}
