import type { User } from '../../../api/schema';

/** The words of the reasons, as `messages/en/platform-people.ts` has them. */
export interface ReasonWords {
  why: {
    administrator: string;
    member: (role: string, organisation: string) => string;
    more: (count: string) => string;
    alone: string;
    waiting: string;
    closed: string;
  };
  roles: Record<User['organisations'][number]['role'], string>;
}

/**
 * @param nameOf how the name of an organisation is shown
 * @returns why an account is there: what it administers, where it belongs, and what it waits for
 */
export function reasonsOf(user: User, { why, roles }: ReasonWords, nameOf: (name: string) => string): string[] {
  const reasons: string[] = [];
  if (user.state === 'CLOSED') reasons.push(why.closed);
  if (user.is_platform_admin) reasons.push(why.administrator);
  const memberships = user.organisations.map(({ name, role }) => why.member(roles[role], nameOf(name)));
  const more = user.organisation_count - user.organisations.length;
  if (more > 0) memberships.push(why.more(String(more)));
  if (memberships.length > 0) reasons.push(`${memberships.join(', ')}.`);
  if (user.state === 'WAITING') reasons.push(why.waiting);
  else if (reasons.length === 0) reasons.push(why.alone);
  return reasons;
}
