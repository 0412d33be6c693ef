import { violatedUnique } from '../../database/database-errors';
import { ScimError } from './scim-error';

/** The error for each unique index on the non-deleted entries of one organisation. */
const CLASHES = new Map(
  Object.entries({
    scim_users_prepared_name_key: 'Another user of this organisation has this userName, in some spelling.',
    // From the previous release, and in effect while that may still run.
    scim_users_user_name_key: 'Another user of this organisation has this userName, in some spelling.',
    scim_users_external_id_key: 'Another user of this organisation has this externalId.',
    scim_groups_external_id_key: 'Another group of this organisation has this externalId.',
  }),
);

/**
 * Translates a violation of one of these indexes into the error of RFC 7644, section 3.3. The indexes decide, rather
 * than a look-up before the write. Nothing outside the organisation ever affects the result (section 7 of the
 * contract).
 *
 * @param writing a whole transaction: after such a violation it cannot continue
 * @throws ScimError uniqueness; whatever else `writing` throws
 */
export async function translatingConflicts<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing;
  } catch (error) {
    const clash = CLASHES.get(violatedUnique(error) ?? '');
    if (clash === undefined) throw error;
    throw new ScimError('uniqueness', clash);
  }
}
