import type { ListedMember } from '../../../api/schema';
import { shown } from '../../../ui/other-text';
import { membersWords as words } from './words';

/** @returns why a member has the role, in one sentence */
export function reasonOf(member: Pick<ListedMember, 'reason' | 'group_name'>): string {
  const { reason, group_name } = member;
  if (reason !== 'mapping') return words.reasons[reason];
  return group_name === null ? words.reasons.mappingOfSome : words.reasons.mapping(shown(group_name));
}

/** @returns what a person is called where there is room for one name */
export const nameOf = ({ name, email }: { name: string | null; email: string | null }): string =>
  name === null && email === null ? words.nameless : shown(name ?? email);

/** @returns a role in a word; null is no access */
export const roleName = (role: ListedMember['role']): string => (role === null ? words.noRole : words.roles[role]);
