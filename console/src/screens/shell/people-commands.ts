import { useNavigate } from '@tanstack/react-router';
import { administers, useSignedIn } from '../../api/me';
import { useRead } from '../../api/queries';
import type { Command } from './commands';

const MAX_PEOPLE = 6;
/** The API finds words, and refuses a search without one. */
const WORD = /[\p{L}\p{N}]/u;

/**
 * @param words what is searched for
 * @returns commands that lead to people: for administrators of the platform those of the instance, for others those of an
 *   organisation, of one that they administer if there is one
 */
export function usePeople(words: string): Command[] {
  const navigate = useNavigate();
  const me = useSignedIn();
  const own = me.organisations.filter(({ role }) => role !== null);
  const organisation = own.find(({ org_id }) => administers(me, org_id)) ?? own[0];
  const orgId = organisation?.org_id ?? '';
  const isAsked = WORD.test(words);
  const query = { search: words, limit: MAX_PEOPLE };
  const accounts = useRead('GET /v1/users', { query }, { enabled: isAsked && me.is_platform_admin });
  const members = useRead(
    'GET /v1/organisations/{org_id}/members',
    { path: { org_id: orgId }, query },
    { enabled: isAsked && !me.is_platform_admin && organisation !== undefined },
  );
  const ofPlatform = (accounts.data ?? []).map(({ id, name, email }): Command => ({
    id: `person-${id}`,
    label: labelOf(name, email),
    icon: 'person',
    run: () => void navigate({ to: '/platform/people', search: { q: email ?? name ?? '' } }),
  }));
  const ofOrganisation = (members.data ?? []).map(({ user_id, name, email }): Command => ({
    id: `person-${user_id}`,
    label: labelOf(name, email),
    icon: 'person',
    run: () =>
      void navigate({
        to: '/organisations/$orgId/members',
        params: { orgId },
        search: { q: email ?? name ?? '', ...(administers(me, orgId) && { person: user_id }) },
      }),
  }));
  return me.is_platform_admin ? ofPlatform : ofOrganisation;
}

const labelOf = (name: string | null, email: string | null): string =>
  [name, email].filter((part) => part !== null && part !== '').join(', ');
