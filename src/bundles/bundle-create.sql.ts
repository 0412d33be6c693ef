import { capStatement } from '../database/cap';
import type { PreparedStatement } from '../database/prepared';
import { recordRows } from '../events/outbox.sql';
import { COUNTED_OF_ORGANISATION, COUNTED_OF_PERSON } from './bundle-caps';
import { bundleColumns } from './bundle-view.sql';
import { firstVersion } from './versions/first-version.sql';

/** Read with the insertion: a membership may end while the creation waits for the lock of the cap. */
const isMember = (org: string, user: string) => `
  EXISTS (SELECT FROM memberships WHERE org_id = ${org}::uuid AND user_id = ${user}::uuid AND role IS NOT NULL)`;

/**
 * Creates a bundle with its first version and its event, unless there are as many bundles as allowed: then it returns no
 * row. The account must be held (`open-account.ts`), and the lock of the cap. $1 owner of the bundles that count, $2 how many there
 * may be, $3 id, $4 name, $5 slug, $6 description, $7 visibility, $8 organisation or null, $9 owner, $10 id of the event,
 * $11 changes of the version, $12 `causingTrace()`.
 *
 * @param counted the bundles that count, as in a `Cap`
 * @param isAllowed whether the caller may create one at all; if not, there is no row either
 */
const creation = (counted: string, isAllowed: string) => `
  WITH room AS (${capStatement(counted)}),
  created AS (
    INSERT INTO bundles (id, name, slug, description, visibility, org_id, owner_id)
    SELECT $3::uuid, $4::text, $5::text, $6::text, $7::visibility, $8::uuid, $9::uuid FROM room
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
