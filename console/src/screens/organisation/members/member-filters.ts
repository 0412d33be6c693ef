import type { MemberReason, Role } from '../../../api/schema';
import { ROLES } from './member-changes';

/** The reasons of memberships, the most common first. */
export const REASONS = [
  'manual',
  'mapping',
  'default_role',
  'deactivated',
  'deleted',
  'last_owner',
] as const satisfies readonly MemberReason[];

/** Anything but white space and ASCII punctuation: the API refuses a search without a word. */
const WORD = /[^\s!-/:-@[-`{-~]/;

/** What a list is asked for, from an address that a person may have written. */
export function filtersOf(search: { role?: string; reason?: string; q?: string }): {
  role?: Role;
  reason?: MemberReason;
  search?: string;
} {
  const role = ROLES.find((one) => one === search.role);
  const reason = REASONS.find((one) => one === search.reason);
  const text = search.q?.slice(0, 200);
  return {
    ...(role && { role }),
    ...(reason && { reason }),
    ...(text !== undefined && WORD.test(text) && { search: text }),
  };
}
