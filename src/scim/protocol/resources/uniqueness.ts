import { violatedUnique } from '../../../database/database-errors';
import { ScimError } from '../scim-error';

/** What each unique index keeps unique among the living entries of one organisation, for the person who reads it. */
const CLASHES = new Map(
  Object.entries({
    scim_users_prepared_name_key: 'Another user of this organisation has this userName, in some spelling.',
    // Of the release before, and in effect as long as that may run.
    scim_users_user_name_key: 'Another user of this organisation has this userName, in some spelling.',
    scim_users_external_id_key: 'Another user of this organisation has this externalId.',
    scim_groups_external_id_key: 'Another group of this organisation has this externalId.',
  }),
);

/**
 * Turns the violation of one of these indexes into the answer of RFC 7644, section 3.3. They decide, and not a look
 * before the write. Nothing outside of the organisation is ever part of the question (section 7 of the contract).
 *
 * @param writing a whole transaction: after such a violation nothing more can be done in it
 * @throws ScimError uniqueness; whatever else `writing` throws
 */
export async function tellingClashes<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing;
  } catch (error) {
    const clash = CLASHES.get(violatedUnique(error) ?? '');
    if (clash === undefined) throw error;
    throw new ScimError('uniqueness', clash);
  }
}
