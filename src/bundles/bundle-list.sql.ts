import { bundlesSeenBy } from './bundle-view.sql';
import type { BundleScope } from './bundle.dto';

/**
 * The lists of bundles, newest first. $1 person, $2 the last id of the page before, $3 rows, $4 organisation or null.
 * Each branch of a list reads an index in the order of the list and no more rows than a page has, as far as they are
 * the person's to see; UNION takes out what more than one of them gives. A branch is planned for one organisation or
 * for all, since one statement for both would be planned for neither.
 */
export function bundleList(scope: BundleScope | undefined, ofOneOrganisation: boolean): string {
  const branches = scope ? BRANCHES[scope] : ofOneOrganisation ? BRANCHES.organisations : ALL_OF_ONES_OWN;
  const ids = branches.map((branch) => `(${branch(ofOneOrganisation)} ORDER BY id DESC LIMIT $3)`).join(' UNION ');
  return `${bundlesSeenBy('$1')} WHERE bundles.id IN (${ids}) ORDER BY bundles.id DESC LIMIT $3`;
}

/** An SQL query of the ids of bundles, without its order. */
type Branch = (ofOneOrganisation: boolean) => string;

const AFTER = `($2::uuid IS NULL OR bundles.id < $2)`;

/** For the branches that need not know the organisation: the parameter must be used, or it has no type. */
const within = (ofOneOrganisation: boolean): string => (ofOneOrganisation ? `bundles.org_id = $4` : `$4::uuid IS NULL`);

/** Whether a bundle of an organisation is of one to which the person belongs. */
const MEMBER = `EXISTS (SELECT 1 FROM memberships WHERE memberships.org_id = bundles.org_id AND memberships.user_id = $1
  AND memberships.role IS NOT NULL)`;

const owned: Branch = (one) => `
  SELECT bundles.id FROM bundles
  WHERE bundles.owner_id = $1 AND ${within(one)} AND ${AFTER} AND (bundles.org_id IS NULL OR ${MEMBER})`;

const edited: Branch = (one) => `
  SELECT bundles.id FROM bundle_editors JOIN bundles ON bundles.id = bundle_editors.bundle_id
  WHERE bundle_editors.user_id = $1 AND ${within(one)} AND ${AFTER} AND (bundles.org_id IS NULL OR ${MEMBER})`;

const ofOrganisations: Branch = (one) =>
  one
    ? `SELECT bundles.id FROM bundles WHERE bundles.org_id = $4 AND ${AFTER} AND ${MEMBER}`
    : `SELECT theirs.id FROM memberships CROSS JOIN LATERAL (
         SELECT bundles.id FROM bundles WHERE bundles.org_id = memberships.org_id AND ${AFTER}
         ORDER BY bundles.id DESC LIMIT $3) AS theirs
       WHERE memberships.user_id = $1 AND memberships.role IS NOT NULL AND $4::uuid IS NULL`;

const followed: Branch = (one) => `
  SELECT bundles.id FROM bundle_follows JOIN bundles ON bundles.id = bundle_follows.bundle_id
  WHERE bundle_follows.user_id = $1 AND ${within(one)} AND ${AFTER}
    AND (bundles.visibility = 'PUBLIC' OR ${MEMBER}
         OR (bundles.org_id IS NULL AND (bundles.owner_id = $1 OR EXISTS (
               SELECT 1 FROM bundle_editors WHERE bundle_editors.bundle_id = bundles.id
                 AND bundle_editors.user_id = $1))))`;

const isPublic: Branch = (one) =>
  `SELECT bundles.id FROM bundles WHERE bundles.visibility = 'PUBLIC' AND ${within(one)} AND ${AFTER}`;

const BRANCHES: Record<BundleScope, Branch[]> = {
  mine: [owned, edited],
  organisations: [ofOrganisations],
  followed: [followed],
  public: [isPublic],
};

const ALL_OF_ONES_OWN = [...BRANCHES.mine, ...BRANCHES.organisations];
