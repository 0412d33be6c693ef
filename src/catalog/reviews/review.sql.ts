import { isAcquaintedWith } from '../../organisations/members/acquaintance.sql';
import { IS_NAME_PUBLIC } from '../listings/listing-visibility.sql';

export const REVIEW_STATES = ['SHOWN', 'HIDDEN'] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

/** `$2`: the caller; `$3`: whether they are a platform administrator. */
const COLUMNS = `
  listing_reviews.id, listing_reviews.user_id, listing_reviews.rating, listing_reviews.text, listing_reviews.answer,
  listing_reviews.answered_at, listing_reviews.hidden_at, listing_reviews.hidden_reason, listing_reviews.created_at,
  listing_reviews.updated_at, listing_reviews.user_id = $2 AS is_own,
  CASE WHEN ${isAcquaintedWith('$2', 'listing_reviews.user_id')} THEN users.name END AS author_name`;

const FROM = `FROM listing_reviews JOIN users ON users.id = listing_reviews.user_id`;

const IS_SEEN = `(listing_reviews.hidden_at IS NULL OR listing_reviews.user_id = $2 OR $3::boolean)`;

/** `$1`: the listing; `$4`: the id of the last row of the previous page; `$5`: rows. */
export const NEWEST_REVIEWS = `
  SELECT ${COLUMNS} ${FROM}
  WHERE listing_reviews.listing_id = $1 AND ${IS_SEEN} AND ($4::uuid IS NULL OR listing_reviews.id < $4)
  ORDER BY listing_reviews.id DESC LIMIT $5`;

/** The same of one author, the caller: at most one row. */
export const OWN_REVIEW = `
  SELECT ${COLUMNS} ${FROM}
  WHERE listing_reviews.listing_id = $1 AND listing_reviews.user_id = $2 AND ${IS_SEEN}
    AND ($4::uuid IS NULL OR listing_reviews.id < $4)
  LIMIT $5`;

/** For platform administrators, who see every name. `$1`: the last one of the previous page, or null; `$2`: rows. */
function moderated(condition: string): string {
  return `
  SELECT listing_reviews.id, listing_reviews.user_id, rating, text, answer, answered_at, hidden_at, hidden_reason,
         listing_reviews.created_at, listing_reviews.updated_at, false AS is_own, users.name AS author_name,
         listings.id AS listing_id, listings.name AS listing_name, listings.title AS listing_title
  FROM listing_reviews
  JOIN users ON users.id = listing_reviews.user_id
  JOIN listings ON listings.id = listing_reviews.listing_id
  WHERE ${condition} AND ${IS_NAME_PUBLIC} AND ($1::uuid IS NULL OR listing_reviews.id < $1)
  ORDER BY listing_reviews.id DESC LIMIT $2`;
}

export const ALL_REVIEWS = moderated('true');
export const SHOWN_REVIEWS = moderated('listing_reviews.hidden_at IS NULL');
/** By the partial index of hidden ones. */
export const HIDDEN_REVIEWS = moderated('listing_reviews.hidden_at IS NOT NULL');

/** `$1`: the listing; `$4`: the review. */
export const FIND_REVIEW = `
  SELECT ${COLUMNS} ${FROM}
  WHERE listing_reviews.id = $4 AND listing_reviews.listing_id = $1 AND ${IS_SEEN}`;

/** `$1` to `$5`: id, listing, author, rating, text. */
export const INSERT_REVIEW = `
  INSERT INTO listing_reviews (id, listing_id, user_id, rating, text) VALUES ($1, $2, $3, $4, $5)`;

/** `$1`: the review; `$2` and `$3`: its rating and text. */
export const UPDATE_REVIEW = `UPDATE listing_reviews SET rating = $2, text = $3, updated_at = now() WHERE id = $1`;

/** `$1`: the review; `$2`: the answer. */
export const ANSWER_REVIEW = `UPDATE listing_reviews SET answer = $2, answered_at = now() WHERE id = $1`;

/** `$1`: the review; `$2`: the reason. */
export const HIDE_REVIEW = `
  UPDATE listing_reviews SET hidden_at = coalesce(hidden_at, now()), hidden_reason = $2 WHERE id = $1`;

/** `$1`: the review. */
export const SHOW_REVIEW = `UPDATE listing_reviews SET hidden_at = NULL, hidden_reason = NULL WHERE id = $1`;

/** `$1`: the listing; `$2`: the caller; `$3`: whether they are a platform administrator. A row if they speak for it. */
export const SPEAKS_FOR_LISTING = `
  SELECT FROM listings
  LEFT JOIN memberships AS member ON member.org_id = listings.org_id AND member.user_id = $2
  WHERE listings.id = $1 AND CASE
    WHEN listings.org_id IS NOT NULL THEN member.role IN ('ADMIN', 'OWNER')
    WHEN listings.owner_id IS NOT NULL THEN listings.owner_id = $2
    ELSE $3::boolean END`;
