import { bundlesSeenBy } from '../../bundles/bundle-view.sql';
import { CREDENTIAL_COLUMNS } from './credential-store.sql';

/** A `ListedCredentialRow`. */
export const LISTED_COLUMNS = `${CREDENTIAL_COLUMNS},
  ARRAY(SELECT name FROM credential_values WHERE credential_id = credentials.id ORDER BY name) AS value_names,
  ARRAY(SELECT updated_at FROM credential_values WHERE credential_id = credentials.id ORDER BY name) AS value_times`;

/** $2 person: whether they may read, change and delete `credentials`. */
const IS_MANAGED = `CASE credentials.owner
    WHEN 'PERSON' THEN credentials.person_id = $2::uuid
    WHEN 'ORGANISATION' THEN EXISTS (
      SELECT FROM memberships WHERE memberships.org_id = credentials.organisation_id AND memberships.user_id = $2::uuid
        AND memberships.role IN ('ADMIN', 'OWNER'))
    ELSE EXISTS (${bundlesSeenBy('$2')} WHERE bundles.id = credentials.bundle_id AND access.may_modify)
  END`;

/** $1 credential, $2 person. */
export const FIND_MANAGED = `SELECT ${LISTED_COLUMNS} FROM credentials WHERE credentials.id = $1 AND ${IS_MANAGED}`;

/** The same, locked until the end of the transaction. */
export const LOCK_MANAGED = `${FIND_MANAGED} FOR NO KEY UPDATE OF credentials`;

/** $1 person, $2 the last id of the page before, $3 rows. */
const page = (from: string, where: string) => `
  SELECT ${LISTED_COLUMNS} FROM ${from}
  WHERE ${where} AND ($2::uuid IS NULL OR credentials.id > $2) ORDER BY credentials.id LIMIT $3`;

/** $1 person, $2 and $3 as above: all that they manage, each branch from its index, so that it reads no more than pages. */
export const PAGE_OF_PERSON = `
  SELECT * FROM (
    (${page('credentials', `credentials.person_id = $1 AND credentials.owner = 'PERSON'`)})
    UNION ALL
    SELECT theirs.* FROM memberships CROSS JOIN LATERAL (
      ${page('credentials', `credentials.organisation_id = memberships.org_id AND credentials.owner = 'ORGANISATION'`)}
    ) AS theirs WHERE memberships.user_id = $1 AND memberships.role IN ('ADMIN', 'OWNER')
    UNION ALL
    SELECT shared.* FROM (
      SELECT id FROM bundles WHERE owner_id = $1
      UNION SELECT bundle_id FROM bundle_editors WHERE user_id = $1
      UNION SELECT bundles.id FROM memberships JOIN bundles ON bundles.org_id = memberships.org_id
        WHERE memberships.user_id = $1 AND memberships.role IN ('ADMIN', 'OWNER')
    ) AS near JOIN LATERAL (
      SELECT seen.id FROM (${bundlesSeenBy('$1')} WHERE bundles.id = near.id AND access.may_modify) AS seen
    ) AS own ON true CROSS JOIN LATERAL (
      ${page('credentials', `credentials.bundle_id = own.id AND credentials.owner = 'BUNDLE'`)}
    ) AS shared
  ) AS managed ORDER BY id LIMIT $3`;

/** $1 person, $4 bundle, $5 whether they may change it: their own for its entries, and those of the bundle. */
export const PAGE_OF_BUNDLE = page(
  'credentials',
  `credentials.bundle_id = $4 AND (credentials.person_id = $1 OR $5::boolean AND credentials.owner = 'BUNDLE')`,
);

/** $1 anyone, $4 organisation. */
export const PAGE_OF_ORGANISATION = page(
  'credentials',
  `credentials.organisation_id = $4 AND credentials.owner = 'ORGANISATION' AND $1::uuid IS NOT NULL`,
);
