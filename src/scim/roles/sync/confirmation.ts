import { ConflictError } from '../../../errors/errors';
import { ErrorCode } from '../../scim.errors';
import { BooleanField } from '../../../http/requests/fields';

/** How many members lose something by a change, out of how many. */
export interface Loss {
  demoted: number;
  removed: number;
  /** Members who had a role before the change. */
  membersBefore: number;
}

/** Fewer members than this never need confirmation: in a small organisation each is a large share. */
export const CONFIRM_FROM = 5;

/** One in this many. */
const PART = 5;

/** The query of a change that may demote or remove many members. */
export class ConfirmQuery {
  @BooleanField({
    required: false,
    default: false,
    description:
      'Confirms that the change may demote or remove more than 20 % of the members, and at least five. Without it, such a change is not made, and the response is 409 `confirmation_required` with the counts.',
  })
  confirm: boolean;
}

/** @returns whether so many members are demoted or removed that the caller has to confirm it */
export function needsConfirmation({ demoted, removed, membersBefore }: Loss): boolean {
  const lost = demoted + removed;
  return lost >= CONFIRM_FROM && lost * PART > membersBefore;
}

/**
 * Keeps a slip in the mapping table from locking an organisation out. Call it at the end of a transaction, which it
 * rolls back.
 *
 * @throws ConflictError `confirmation_required` with the counts
 */
export function requireConfirmed(loss: Loss, { confirm }: ConfirmQuery): void {
  if (confirm || !needsConfirmation(loss)) return;
  const { demoted, removed, membersBefore } = loss;
  throw new ConflictError(
    ErrorCode.ConfirmationRequired,
    `This would demote ${demoted} and remove ${removed} of ${membersBefore} members. Nothing was changed. Send it again with confirm=true to confirm.`,
  );
}
