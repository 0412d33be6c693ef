import { UUID_PATTERN } from '../../../database/id';
import { ENTERPRISE_URN } from '../urns';
import type { StoredAttribute } from './stored-attribute';

/*
 * The manager of a user, as in responses: see `users/user-managers.ts`. If the manager is a user of the organisation,
 * everything but the id comes from that user, and a deleted one is no longer a manager.
 */

const STORED = `scim_users.attributes -> '${ENTERPRISE_URN}' -> 'manager'`;

/** A column of the entry with the stored id; null if there is none. */
const ofManager = (expression: string): string => `(
  SELECT ${expression} FROM scim_users AS managers
  WHERE managers.id = (CASE WHEN ${STORED} ->> 'value' ~* '^${UUID_PATTERN}$' THEN (${STORED} ->> 'value')::uuid END)
    AND managers.org_id = scim_users.org_id)`;

const IS_NOT_DELETED = `${ofManager('managers.deleted_at')} IS NULL`;

/** Over the alias `scim_users`. */
export const STORED_MANAGER: StoredAttribute = {
  kind: 'complex',
  present: `(${STORED}) ?| ARRAY['value', '$ref'] AND ${IS_NOT_DELETED}`,
  sub: (name) => {
    if (name === 'displayName') {
      return {
        sql: ofManager('CASE WHEN managers.deleted_at IS NULL THEN managers.display_name END'),
        type: 'text',
      };
    }
    if (name === '$ref') {
      const present = `((${STORED} ->> '$ref') <> '' OR ${ofManager('managers.id')} IS NOT NULL) AND ${IS_NOT_DELETED}`;
      return { sql: 'NULL', type: 'computed', present };
    }
    if (name === 'value') {
      // As it is shown: the id of a user is written in lower case, however the client wrote it.
      const id = `COALESCE(${ofManager('managers.id::text')}, ${STORED} ->> 'value')`;
      return { sql: `(CASE WHEN ${IS_NOT_DELETED} THEN ${id} END)`, type: 'text' };
    }
    return { sql: `(CASE WHEN ${IS_NOT_DELETED} THEN ${STORED} ->> '${name}' END)`, type: 'text' };
  },
};
