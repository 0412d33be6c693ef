import { isInsider, isMemberOf } from './bundle-insider.sql';
import { bundlesSeenBy } from './bundle-view.sql';
import type { BundleScope } from './bundle.dto';

/**
 * The lists of bundles, newest first. $1 person, $2 the last id of the page before, $3 rows, $4 organisation or null.
 *
 * Each branch of a list reads an index in the order of the list and stops after one page of bundles that the person may
 * see; UNION removes those that several branches find. There is one statement for the bundles of one organisation and
 * one for all bundles, because a single statement for both would get a plan that suits neither.
 */
export function bundleList(scope: BundleScope | undefined, ofOneOrganisation: boolean): string {
  const branches = scope ? BRANCHES[scope] : ofOneOrganisation ? BRANCHES.organisations : DEFAULT_BRANCHES;
  const ids = branches.map((branch) => `(${branch(ofOneOrganisation)} ORDER BY id DESC LIMIT $3)`).join(' UNION ');
  return `${bundlesSeenBy('$1')} WHERE bundles.id IN (${ids}) ORDER BY bundles.id DESC LIMIT $3`;
}

/** An SQL query of the ids of bundles, without its order. */
type Branch = (ofOneOrganisation: boolean) => string;

const AFTER = `($2::uuid IS NULL OR bundles.id < $2)`;

/**
 * A statement for all organisations has to use $4 as well, since PostgreSQL cannot infer the type of an unused
 * parameter.
 */
const inScope = (ofOneOrganisation: boolean): string =>
  ofOneOrganisation ? `bundles.org_id = $4` : `$4::uuid IS NULL`;

const IS_MEMBER = isMemberOf('$1');

const owned: Branch = (ofOneOrganisation) => `
  SELECT bundles.id FROM bundles
  WHERE bundles.owner_id = $1 AND ${inScope(ofOneOrganisation)} AND ${AFTER}
    AND (bundles.org_id IS NULL OR ${IS_MEMBER})`;

const edited: Branch = (ofOneOrganisation) => `
  SELECT bundles.id FROM bundle_editors JOIN bundles ON bundles.id = bundle_editors.bundle_id
  WHERE bundle_editors.user_id = $1 AND ${inScope(ofOneOrganisation)} AND ${AFTER}
    AND (bundles.org_id IS NULL OR ${IS_MEMBER})`;

const ofOrganisations: Branch = (ofOneOrganisation) =>
  ofOneOrganisation
    ? `SELECT bundles.id FROM bundles WHERE bundles.org_id = $4 AND ${AFTER} AND ${IS_MEMBER}`
    : `SELECT theirs.id FROM memberships CROSS JOIN LATERAL (
         SELECT bundles.id FROM bundles WHERE bundles.org_id = memberships.org_id AND ${AFTER}
         ORDER BY bundles.id DESC LIMIT $3) AS theirs
       WHERE memberships.user_id = $1 AND memberships.role IS NOT NULL AND $4::uuid IS NULL`;

const followed: Branch = (ofOneOrganisation) => `
  SELECT bundles.id FROM bundle_follows JOIN bundles ON bundles.id = bundle_follows.bundle_id
  WHERE bundle_follows.user_id = $1 AND ${inScope(ofOneOrganisation)} AND ${AFTER}
    AND (bundles.visibility = 'PUBLIC' OR ${isInsider('$1')})`;

const publicBundles: Branch = (ofOneOrganisation) =>
  `SELECT bundles.id FROM bundles WHERE bundles.visibility = 'PUBLIC' AND ${inScope(ofOneOrganisation)} AND ${AFTER}`;

const BRANCHES: Record<BundleScope, Branch[]> = {
  mine: [owned, edited],
  organisations: [ofOrganisations],
  followed: [followed],
  public: [publicBundles],
};

const DEFAULT_BRANCHES = [...BRANCHES.mine, ...BRANCHES.organisations];
