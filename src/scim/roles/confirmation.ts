import { ConflictError } from '../../errors/errors';
import { ErrorCode } from '../scim.errors';
import { BooleanField } from '../../http/requests/fields';
import type { RoleChanges } from './role-sync';

/** Who loses something by a change, among how many. */
export type Loss = Pick<RoleChanges, 'demoted' | 'removed' | 'membersBefore'>;

/** Fewer people than this are never too many: in a small organisation each of them is a large part of it. */
const FEW = 5;

/** One in this many. */
const PART = 5;

/** The query of a change that may take roles away from many. */
export class ConfirmQuery {
  @BooleanField({
    required: false,
    default: false,
    description:
      'Confirms that the change may demote or remove more than 20 % of the members, and at least five. Without it, such a change is not made, and the answer is 409 `confirmation_required` with the counts.',
  })
  confirm: boolean;
}

/** @returns whether so many are demoted or removed that somebody should say twice that it is meant */
export function needsConfirmation({ demoted, removed, membersBefore }: Loss): boolean {
  const lost = demoted + removed;
  return lost >= FEW && lost * PART > membersBefore;
}

/**
 * Keeps a slip in the mapping table from locking an organisation out. For the end of a transaction, which it undoes.
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
