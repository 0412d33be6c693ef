import type { Review } from '../../api/schema';
import { number } from '../../messages/text';
import { Badge } from '../../ui/badge';
import { Icon } from '../../ui/icon';
import { Quiet, Row, Stack, Unseen } from '../../ui/layout';
import { shown } from '../../ui/other-text';
import { When } from '../../ui/when';
import { linesOf } from './lines-of';
import styles from './reviews.module.css';
import { words } from './words';

const MARKS = [1, 2, 3, 4, 5];

/** What a review says, by whom and when, and what was answered. */
export function ReviewText({ review }: { review: Review }) {
  const { rating, text, answer } = review;
  return (
    <Stack gap="tight">
      <Row>
        <span className={styles.marks}>
          {MARKS.map((mark) => (
            <Icon key={mark} name="star" filled={mark <= rating} />
          ))}
          <Unseen>{words.reviews.of(rating)}</Unseen>
          <span aria-hidden="true">{number(rating)}</span>
        </span>
        <strong>
          <bdi>{authorName(review)}</bdi>
        </strong>
        <Quiet>
          <When at={review.created_at} />
          {review.updated_at !== review.created_at && (
            <>
              {' · '}
              {words.reviews.edited} <When at={review.updated_at} />
            </>
          )}
        </Quiet>
        {review.is_hidden && (
          <Badge tone="warn" icon="lock">
            {words.reviews.hidden}
          </Badge>
        )}
      </Row>
      {text === '' ? <Quiet>{words.reviews.noText}</Quiet> : <Paragraphs text={text} />}
      {review.hidden_reason !== null && <Quiet>{words.reviews.hiddenHelp(shown(review.hidden_reason))}</Quiet>}
      {answer && (
        <div className={styles.answer}>
          <Row>
            <strong>{words.reviews.publisher}</strong>
            <Quiet>
              <When at={answer.answered_at} />
            </Quiet>
          </Row>
          <Paragraphs text={answer.text} />
        </div>
      )}
    </Stack>
  );
}

export function authorName({ author, is_own: isOwn }: Review): string {
  if (author.name !== null) return shown(author.name);
  return isOwn ? words.reviews.you : words.reviews.anonymous;
}

/** A text of others with its lines. */
const Paragraphs = ({ text }: { text: string }) => (
  <div className={styles.text}>
    {linesOf(text).map((line, index) => (
      <p key={index}>
        <bdi>{line}</bdi>
      </p>
    ))}
  </div>
);
