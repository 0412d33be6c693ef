import type { Visibility } from '../catalog/listings/visibility';
import type { PreparedStatement } from '../database/prepared';
import { recordRows } from '../events/outbox.sql';
import { COUNTED_OF_ORGANISATION, COUNTED_OF_PERSON } from './bundle-caps';
import { bundleColumns } from './bundle-view.sql';
import { firstVersion } from './versions/first-version.sql';

/** Only members may create bundles of an organisation; others do not get as far as its lock. */
const isMember = (org: string, user: string) => `
  EXISTS (SELECT FROM memberships WHERE org_id = ${org}::uuid AND user_id = ${user}::uuid AND role IS NOT NULL)`;

/** Takes the lock of the cap, `lockKey()` $1, for a member $3 of the organisation $2. */
export const LOCK_FOR_MEMBER: PreparedStatement = {
  name: 'bundle_lock_for_member',
  sql: `SELECT pg_advisory_xact_lock(hashtextextended($1, 0)) WHERE ${isMember('$2', '$3')}`,
};

/** A bundle to create, in the list of `creation`. */
export interface NewBundleRow {
  /** From 1: as many of the list, in this order, are created as the cap leaves room for. */
  place: number;
  id: string;
  name: string;
  slug: string;
  description: string;
  visibility: Visibility;
  event_id: string;
  /** `causingTrace()` of the request. */
  traceparent: string | null;
}

/**
 * Creates bundles of one owner with their first versions and their events, as many as the cap leaves room for. The lock of
 * the cap must be held. $1 owner of the bundles that count, $2 how many there may be, $3 organisation or null, $4 the
 * caller, $5 a list of `NewBundleRow`, $6 changes of the versions. Returns the new ones, in any order.
 *
 * @param counted the bundles that count, as in a `Cap`
 * @param isAllowed whether the caller may create one at all; if not, there is no row either
 * @param onConflict with a bundle of the same slug: an error, or no row
 */
const creation = (counted: string, isAllowed: string, onConflict: '' | 'ON CONFLICT DO NOTHING') => `
  WITH room AS (SELECT count(*) AS taken FROM (SELECT FROM ${counted} LIMIT $2) AS counted),
  given AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($5::jsonb) AS rows (
      place int, id uuid, name text, slug text, description text, visibility visibility, event_id uuid, traceparent text)
  ),
  created AS (
    INSERT INTO bundles (id, name, slug, description, visibility, org_id, owner_id)
    SELECT id, name, slug, description, visibility, $3::uuid, $4::uuid FROM given CROSS JOIN room
    WHERE taken + place <= $2::bigint AND ${isAllowed} ORDER BY place
    ${onConflict} RETURNING ${bundleColumns('bundles')}
  ),
  versioned AS (${firstVersion('created', '$6')}),
  recorded AS (
    ${recordRows({
      id: 'event_id',
      type: `'bundle.created'`,
      orgId: 'org_id',
      ownerId: 'CASE WHEN org_id IS NULL THEN owner_id END',
      data: `jsonb_build_object('bundle_id', id, 'name', name, 'slug', slug, 'visibility', visibility, 'org_id', org_id)`,
      trace: 'traceparent',
      from: '(SELECT created.*, event_id, traceparent, place FROM created JOIN given USING (id)) AS made ORDER BY place',
    })}
  )
  SELECT ${bundleColumns('created')}, true AS is_insider, true AS may_modify, false AS is_followed FROM created`;

const OF_ORGANISATION = isMember('$3', '$4');
const SKIPPED = 'ON CONFLICT DO NOTHING';

export const CREATE_PERSONAL: PreparedStatement = {
  name: 'bundle_create_personal',
  sql: creation(COUNTED_OF_PERSON, 'true', ''),
};

export const CREATE_SEVERAL_PERSONAL: PreparedStatement = {
  name: 'bundle_create_several_personal',
  sql: creation(COUNTED_OF_PERSON, 'true', SKIPPED),
};

export const CREATE_OF_ORGANISATION: PreparedStatement = {
  name: 'bundle_create_of_organisation',
  sql: creation(COUNTED_OF_ORGANISATION, OF_ORGANISATION, ''),
};

export const CREATE_SEVERAL_OF_ORGANISATION: PreparedStatement = {
  name: 'bundle_create_several_of_organisation',
  sql: creation(COUNTED_OF_ORGANISATION, OF_ORGANISATION, SKIPPED),
};
