import { type FormEvent, useRef } from 'react';
import type { ApiProblem } from '../../api/problem';
import { useChange } from '../../api/queries';
import type { Review } from '../../api/schema';
import { t } from '../../messages/text';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { useDraft } from '../../ui/draft';
import { TextArea } from '../../ui/field';
import { useFocusFirstInvalid } from '../../ui/focus-first';
import { Row, Stack } from '../../ui/layout';
import { Problem } from '../../ui/problem';
import { notify } from '../../ui/toasts';
import { REVIEW_CHANGES } from './review-changes';
import { words } from './words';

interface ReviewDialogProps {
  listingId: string;
  review: Review;
  onClose: () => void;
}

/** Answers a review for the listing, once. */
export function AnswerDialog({ listingId, review, onClose }: ReviewDialogProps) {
  const answer = useChange('PUT /v1/mcp/listings/{listing_id}/reviews/{review_id}/answer', REVIEW_CHANGES);
  const path = { listing_id: listingId, review_id: review.id };
  return (
    <TextDialog
      draft={`review-answer.${review.id}`}
      title={words.reviews.answerTitle}
      help={words.reviews.answerHelp}
      label={words.reviews.answerText}
      field="text"
      maxLength={4_000}
      action={words.reviews.answer}
      problem={answer.error}
      busy={answer.isPending}
      onClose={onClose}
      onSend={(text, done) =>
        answer.mutate(
          { path, body: { text } },
          {
            onSuccess: () => {
              done();
              notify(words.reviews.answered);
            },
          },
        )
      }
    />
  );
}

/** Hides a review, with a reason that its author sees. */
export function HideDialog({ listingId, review, onClose }: ReviewDialogProps) {
  const hide = useChange('POST /v1/mcp/listings/{listing_id}/reviews/{review_id}/hide', REVIEW_CHANGES);
  const path = { listing_id: listingId, review_id: review.id };
  return (
    <TextDialog
      draft={`review-hide.${review.id}`}
      title={words.reviews.hideTitle}
      help={words.reviews.hideHelp}
      label={words.reviews.reason}
      field="reason"
      maxLength={500}
      action={words.reviews.hide}
      problem={hide.error}
      busy={hide.isPending}
      onClose={onClose}
      onSend={(reason, done) =>
        hide.mutate(
          { path, body: { reason } },
          {
            onSuccess: () => {
              done();
              notify(words.reviews.isHidden);
            },
          },
        )
      }
    />
  );
}

interface TextDialogProps {
  draft: string;
  title: string;
  help: string;
  label: string;
  /** The field of the body with the text. */
  field: string;
  maxLength: number;
  action: string;
  problem: ApiProblem | null;
  busy: boolean;
  onClose: () => void;
  /** Sends the text; `done` is called when it has arrived. */
  onSend: (text: string, done: () => void) => void;
}

function TextDialog({ onSend, onClose, problem, field, ...props }: TextDialogProps) {
  const [text, keep, drop] = useDraft(props.draft, '');
  const form = useRef<HTMLFormElement>(null);
  useFocusFirstInvalid(form, problem);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (props.busy || text.trim() === '') return;
    onSend(text, () => {
      drop();
      onClose();
    });
  };
  const error = problem?.at(field);
  return (
    <Dialog open onClose={onClose} title={props.title}>
      <form ref={form} onSubmit={submit} noValidate>
        <Stack>
          <p>{props.help}</p>
          <TextArea
            label={props.label}
            error={error}
            value={text}
            required
            maxLength={props.maxLength}
            onChange={(event) => keep(event.target.value)}
          />
          {problem && error === undefined && <Problem error={problem} />}
          <Row>
            <Button type="submit" look="primary" busy={props.busy} disabled={text.trim() === ''}>
              {props.action}
            </Button>
            <Button
              onClick={() => {
                drop();
                onClose();
              }}
            >
              {t.ui.cancel}
            </Button>
          </Row>
        </Stack>
      </form>
    </Dialog>
  );
}
