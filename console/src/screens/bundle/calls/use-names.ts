import { useMemo } from 'react';
import { useSignedIn } from '../../../api/me';
import { useRead } from '../../../api/queries';
import type { Bundle, CallPrincipal } from '../../../api/schema';
import { shown } from '../../../ui/other-text';
import { organisationOf } from '../bundle-roles';
import { callsWords } from './words';

const words = callsWords.record;

const LIMIT = { limit: 100 };

/** Names of who called and of what was called, and those that the record can be narrowed to. */
export interface Names {
  ofPrincipal: (principal: CallPrincipal) => string;
  /** @param key null: the bundle has the entry no more */
  ofEntry: (key: string | null) => string;
  ofChosenPrincipal: (id: string) => string;
  ofChosenEntry: (id: string) => string;
  /** Id and name of those that can be chosen. */
  principals: readonly (readonly [string, string])[];
  entries: readonly (readonly [string, string])[];
}

/** @param isChoosing whether the person is about to choose: what there is to choose is read then */
export function useNames(bundle: Bundle, isChoosing: boolean): Names {
  const me = useSignedIn();
  const myId = me.id;
  const path = { bundle_id: bundle.id };
  const isOfOrganisation = organisationOf(bundle, me) !== undefined;
  const members = useRead(
    'GET /v1/organisations/{org_id}/members',
    { path: { org_id: bundle.org_id ?? '' }, query: LIMIT },
    { enabled: isChoosing && isOfOrganisation },
  );
  const editors = useRead(
    'GET /v1/bundles/{bundle_id}/editors',
    { path, query: LIMIT },
    { enabled: isChoosing && !isOfOrganisation },
  );
  const tokens = useRead('GET /v1/bundles/{bundle_id}/access-tokens', { path, query: LIMIT }, { enabled: isChoosing });
  const entries = useRead('GET /v1/bundles/{bundle_id}/entries', { path, query: LIMIT }, { enabled: isChoosing });
  return useMemo(() => {
    const principals = new Map<string, string>([[myId, words.you]]);
    for (const { user_id: id, name, email } of [...(members.data ?? []), ...(editors.data ?? [])]) {
      if (id !== myId) principals.set(id, shown(name ?? email ?? words.otherPerson));
    }
    for (const { id, name } of tokens.data ?? []) principals.set(id, words.tokenOf(shown(name)));
    const servers = new Map((entries.data ?? []).map(({ id, key, listing_name: name }) => [id, shown(key ?? name)]));
    return {
      ofPrincipal: ({ id, type, name }) => {
        if (id === myId) return words.you;
        if (type === 'token') return name === null ? words.token : words.tokenOf(shown(name));
        return name === null ? words.otherPerson : shown(name);
      },
      ofEntry: (key) => (key === null ? words.otherServer : shown(key)),
      ofChosenPrincipal: (id) => principals.get(id) ?? words.chosenPerson,
      ofChosenEntry: (id) => servers.get(id) ?? words.chosenServer,
      principals: [...principals],
      entries: [...servers],
    };
  }, [myId, members.data, editors.data, tokens.data, entries.data]);
}
