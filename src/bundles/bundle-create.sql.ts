import { capStatement } from '../database/cap';
import type { PreparedStatement } from '../database/prepared';
import { recordRows } from '../events/outbox.sql';
import { COUNTED_OF_ORGANISATION, COUNTED_OF_PERSON } from './bundle-caps';
import { bundleColumns } from './bundle-view.sql';
import { firstVersion } from './versions/first-version.sql';

/** Only members may create bundles of an organisation; others do not get as far as its lock. */
const isMember = (org: string, user: string) => `
  EXISTS (SELECT FROM memberships WHERE org_id = ${org}::uuid AND user_id = ${user}::uuid AND role IS NOT NULL)`;

/**
 * Holds the account $2 until the end of the transaction (`open-account.ts`), and then takes the lock of the cap, `lockKey()` $1;
 * neither for a caller who may not create a bundle at all.
 */
const lock = (isAllowed: string) => `
  WITH account AS MATERIALIZED (SELECT FROM users WHERE id = $2::uuid AND closed_at IS NULL FOR KEY SHARE)
  SELECT pg_advisory_xact_lock(hashtextextended($1, 0)) FROM account WHERE ${isAllowed}`;

export const LOCK_PERSONAL: PreparedStatement = { name: 'bundle_lock_personal', sql: lock('true') };

/** $3 the organisation. */
export const LOCK_OF_ORGANISATION: PreparedStatement = {
  name: 'bundle_lock_of_organisation',
  sql: lock(isMember('$3', '$2')),
};

/**
 * Creates a bundle with its first version and its event, unless the account is closed, or there are as many bundles as
 * allowed: then it returns no row. The lock of the cap must be held. $1 owner of the bundles that count, $2 how many there
 * may be, $3 id, $4 name, $5 slug, $6 description, $7 visibility, $8 organisation or null, $9 owner, $10 id of the event,
 * $11 changes of the version, $12 `causingTrace()`.
 *
 * @param counted the bundles that count, as in a `Cap`
 * @param isAllowed whether the caller may create one at all; if not, there is no row either
 */
const creation = (counted: string, isAllowed: string) => `
  WITH room AS (${capStatement(counted)}),
  -- Held by a statement before, unless it was closed then; if it was opened again meanwhile, this holds it.
  account AS MATERIALIZED (SELECT FROM users WHERE id = $9::uuid AND closed_at IS NULL FOR KEY SHARE),
  created AS (
    INSERT INTO bundles (id, name, slug, description, visibility, org_id, owner_id)
    SELECT $3::uuid, $4::text, $5::text, $6::text, $7::visibility, $8::uuid, $9::uuid FROM room CROSS JOIN account
    WHERE NOT is_full AND ${isAllowed}
    RETURNING ${bundleColumns('bundles')}
  ),
  versioned AS (${firstVersion('created', '$11')}),
  recorded AS (
    ${recordRows({
      id: '$10::uuid',
      type: `'bundle.created'`,
      orgId: 'org_id',
      ownerId: 'CASE WHEN org_id IS NULL THEN owner_id END',
      data: `jsonb_build_object('bundle_id', id, 'name', name, 'slug', slug, 'visibility', visibility, 'org_id', org_id)`,
      trace: '$12',
      from: 'created',
    })}
  )
  SELECT ${bundleColumns('created')}, true AS is_insider, true AS may_modify, false AS is_followed FROM created`;

export const CREATE_PERSONAL: PreparedStatement = {
  name: 'bundle_create_personal',
  sql: creation(COUNTED_OF_PERSON, 'true'),
};

export const CREATE_OF_ORGANISATION: PreparedStatement = {
  name: 'bundle_create_of_organisation',
  sql: creation(COUNTED_OF_ORGANISATION, isMember('$8', '$9')),
};
