import { isDeepStrictEqual } from 'node:util';
import type { EventTypes } from '../../../events/event-types';
import type { OAuthClientRow } from './oauth-client.dto';

type Described = Pick<OAuthClientRow, 'id' | 'name' | 'source'>;

/** What happens to an OAuth client, for the log and the events. */
export type OAuthClientAction = keyof EventTypes & `oauth_client.${string}`;

export function clientSubject(id: string) {
  return { type: 'oauth_client', id } as const;
}

/** @returns what is published of a client */
export function clientData({ id, name, source }: Described): EventTypes['oauth_client.created'] {
  return { org_id: null, client_id: id, name, source };
}

/** @returns the names of the fields that differ, in alphabetical order */
export function changedFields(before: OAuthClientRow, after: OAuthClientRow): string[] {
  const [former, present] = [fieldsOf(before), fieldsOf(after)];
  const names = new Set([...Object.keys(former), ...Object.keys(present)]);
  return [...names].filter((name) => !isDeepStrictEqual(former[name], present[name])).sort();
}

function fieldsOf({ name, is_trusted, metadata }: OAuthClientRow): Record<string, unknown> {
  return { ...metadata, name, is_trusted };
}
