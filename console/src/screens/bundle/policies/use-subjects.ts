import { administers, useSignedIn } from '../../../api/me';
import { useList } from '../../../api/queries';
import type { Bundle, PolicyRole, PolicySubjectKind } from '../../../api/schema';
import type { Pick } from '../../../ui/picker';
import { organisationOf } from '../bundle-roles';
import { bundleWords } from '../words';
import { useAllPages } from './use-all-pages';

const LIMIT = 100;

/** @returns the roles that people can have to the bundle */
export const rolesOf = ({ org_id }: { org_id: string | null }): readonly PolicyRole[] =>
  org_id === null
    ? ['BUNDLE_OWNER', 'BUNDLE_EDITOR', 'OUTSIDER']
    : ['ORG_MEMBER', 'ORG_ADMIN', 'ORG_OWNER', 'BUNDLE_OWNER', 'BUNDLE_EDITOR', 'OUTSIDER'];

/** Whether the person who looks may read the groups of the directory. */
export function useMayReadGroups(bundle: Bundle): boolean {
  const me = useSignedIn();
  return organisationOf(bundle, me) !== undefined && administers(me, bundle.org_id);
}

/** Members of the organisation; of a bundle without one its owner and editors. */
export function usePeople(bundle: Bundle, isWanted: boolean) {
  const me = useSignedIn();
  const org = organisationOf(bundle, me);
  const members = useList(
    'GET /v1/organisations/{org_id}/members',
    { path: { org_id: bundle.org_id ?? '' }, query: { limit: LIMIT } },
    { enabled: isWanted && org !== undefined },
  );
  const editors = useList(
    'GET /v1/bundles/{bundle_id}/editors',
    { path: { bundle_id: bundle.id }, query: { limit: LIMIT } },
    { enabled: isWanted && org === undefined },
  );
  useAllPages(members, isWanted);
  useAllPages(editors, isWanted);
  const owner = bundle.owner_id === me.id ? [{ user_id: me.id, name: me.name, email: me.email }] : [];
  const people = org === undefined ? [...owner, ...editors.items] : members.items;
  return {
    isLoading: isWanted && (org === undefined ? editors : members).isPending,
    picks: people.map(({ user_id, name, email }): Pick => ({
      id: user_id,
      name: name ?? email ?? bundleWords.people.nameless,
      detail: name === null ? undefined : (email ?? undefined),
    })),
  };
}

/** Groups of the directory whose names begin so; only administrators may read them. */
export function useGroups(bundle: Bundle, isWanted: boolean, begins = '') {
  const groups = useList(
    'GET /v1/organisations/{org_id}/scim/directory/groups',
    {
      path: { org_id: bundle.org_id ?? '' },
      query: { limit: LIMIT, ...(begins.trim() !== '' && { display_name: begins.trim() }) },
    },
    { enabled: isWanted, keepsFormer: true },
  );
  return {
    isLoading: isWanted && groups.isPending,
    picks: groups.items.map(({ id, display_name }): Pick => ({ id, name: display_name })),
  };
}

/** Access tokens of the bundle, for its editors. */
export function useTokens(bundle: Bundle, isWanted: boolean) {
  const tokens = useList(
    'GET /v1/bundles/{bundle_id}/access-tokens',
    { path: { bundle_id: bundle.id }, query: { limit: LIMIT } },
    { enabled: isWanted },
  );
  useAllPages(tokens, isWanted);
  return {
    isLoading: isWanted && tokens.isPending,
    picks: tokens.items.map(({ id, name }): Pick => ({ id, name })),
  };
}

/** Servers of the bundle by their names in clients. */
export function useEntries(bundle: Bundle, isWanted: boolean): readonly Pick[] {
  const entries = useList(
    'GET /v1/bundles/{bundle_id}/entries',
    { path: { bundle_id: bundle.id }, query: { limit: LIMIT } },
    { enabled: isWanted },
  );
  useAllPages(entries, isWanted);
  return entries.items.flatMap(({ id, key, listing_name }) => {
    const name = key ?? listing_name;
    return name === null ? [] : [{ id, name }];
  });
}

/** The kinds of subjects that are chosen from a list. */
export type PickedKind = Exclude<PolicySubjectKind, 'everyone' | 'role'>;
