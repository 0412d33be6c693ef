import { useEffect, useMemo, useState } from 'react';
import { useSignedIn } from '../../../api/me';
import { useRead } from '../../../api/queries';
import type { Bundle, CallPrincipal } from '../../../api/schema';
import { shown } from '../../../ui/other-text';
import { organisationOf } from '../bundle-roles';
import { callsWords } from './words';

const words = callsWords.record;

/** The record appears first; names follow. */
const AFTER_MS = 1_000;
const LIMIT = { limit: 100 };

/** Names for the ids in the record. */
export interface Names {
  ofPrincipal: (principal: CallPrincipal) => string;
  ofEntry: (entryId: string) => string;
  /** Id and name of those that can be chosen. */
  principals: readonly (readonly [string, string])[];
  entries: readonly (readonly [string, string])[];
}

/** Reads who and what the ids of the record are: people of the organisation or editors, tokens, and entries. */
export function useNames(bundle: Bundle): Names {
  const me = useSignedIn();
  const [isTime, setTime] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setTime(true), AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const path = { bundle_id: bundle.id };
  const isOfOrganisation = organisationOf(bundle, me) !== undefined;
  const members = useRead(
    'GET /v1/organisations/{org_id}/members',
    { path: { org_id: bundle.org_id ?? '' }, query: LIMIT },
    { enabled: isTime && isOfOrganisation },
  );
  const editors = useRead(
    'GET /v1/bundles/{bundle_id}/editors',
    { path, query: LIMIT },
    { enabled: isTime && !isOfOrganisation },
  );
  const tokens = useRead('GET /v1/bundles/{bundle_id}/access-tokens', { path, query: LIMIT }, { enabled: isTime });
  const entries = useRead('GET /v1/bundles/{bundle_id}/entries', { path, query: LIMIT }, { enabled: isTime });
  return useMemo(() => {
    const people = [...(members.data ?? []), ...(editors.data ?? [])];
    const principals = new Map<string, string>([[me.id, words.you]]);
    for (const { user_id: id, name, email } of people) {
      if (id !== me.id) principals.set(id, shown(name ?? email ?? words.otherPerson));
    }
    for (const { id, name } of tokens.data ?? []) principals.set(id, words.tokenOf(shown(name)));
    const servers = new Map((entries.data ?? []).map(({ id, key, listing_name: name }) => [id, shown(key ?? name)]));
    return {
      ofPrincipal: ({ id, type }) => principals.get(id) ?? (type === 'token' ? words.token : words.otherPerson),
      ofEntry: (id) => servers.get(id) ?? (entries.data ? words.otherServer : ''),
      principals: [...principals],
      entries: [...servers],
    };
  }, [me.id, members.data, editors.data, tokens.data, entries.data]);
}
