/**
 * The mean of ratings in tenths, as listings show it and are ordered by it; 0 without ratings.
 *
 * @param sum the SQL expression of their sum
 * @param count the SQL expression of their number
 */
function meanOf(sum: string, count: string): string {
  return `CASE WHEN ${count} = 0 THEN 0 ELSE round((${sum}) * 10.0 / (${count})) END`;
}

/**
 * `$1`: a listing that the transaction has locked; `$2` and `$3`: by how much the number and the sum of the ratings that
 * count change.
 */
export const ADJUST_RATING = `
  UPDATE listings
  SET rating_count = rating_count + $2::int, rating_sum = rating_sum + $3::int,
      rating_mean = ${meanOf('rating_sum + $3::int', 'rating_count + $2::int')}
  WHERE id = $1`;

/** `$1`: a listing that the transaction has locked. Counts all its reviews again. */
export const COUNT_RATINGS = `
  UPDATE listings SET rating_count = counted.count, rating_sum = counted.sum, rating_mean = ${meanOf('counted.sum', 'counted.count')}
  FROM (SELECT count(*)::int AS count, coalesce(sum(rating), 0)::int AS sum
        FROM listing_reviews WHERE listing_id = $1 AND hidden_at IS NULL) AS counted
  WHERE id = $1`;

/** `$1`: a person. Locks the listings that they reviewed, always in the order of ids. */
export const LOCK_REVIEWED_LISTINGS = `
  SELECT FROM listings WHERE id IN (SELECT listing_id FROM listing_reviews WHERE user_id = $1) ORDER BY id FOR NO KEY UPDATE`;

/** `$1`: a person. Takes their ratings from the listings; nothing is deleted yet. */
export const WITHDRAW_RATINGS = `
  UPDATE listings
  SET rating_count = rating_count - 1, rating_sum = rating_sum - own.rating,
      rating_mean = ${meanOf('rating_sum - own.rating', '(rating_count - 1)')}
  FROM listing_reviews AS own
  WHERE own.user_id = $1 AND own.hidden_at IS NULL AND listings.id = own.listing_id`;
