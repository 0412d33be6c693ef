import { LISTING_COLUMNS, LISTING_JOINS } from './listing-finder';
import { IS_PUBLIC_LISTING } from './listing-visibility.sql';

/** `$1`: rows. */
export const NEWEST_PUBLIC = `
  SELECT ${LISTING_COLUMNS}
  FROM (SELECT id FROM listings WHERE ${IS_PUBLIC_LISTING} ORDER BY id DESC LIMIT $1) AS newest
  JOIN listings ON listings.id = newest.id ${LISTING_JOINS} ORDER BY listings.id DESC`;

/** `$1`: rows; `$2`: a person. Of each of their organisations the newest, by its index, and the newest of these. */
export const NEWEST_OF_ORGANISATIONS = `
  SELECT ${LISTING_COLUMNS}
  FROM (SELECT ours.id FROM memberships CROSS JOIN LATERAL (
          SELECT listings.id FROM listings
          WHERE listings.org_id = memberships.org_id AND listings.status = 'PUBLISHED'
          ORDER BY listings.id DESC LIMIT $1) AS ours
        WHERE memberships.user_id = $2 AND memberships.role IS NOT NULL
        ORDER BY ours.id DESC LIMIT $1) AS newest
  JOIN listings ON listings.id = newest.id ${LISTING_JOINS} ORDER BY listings.id DESC`;
