import type { ScimLogEntry } from '../../../api/schema';

/** What a call was for. */
export type CallKind =
  | 'test'
  | 'look_up_user'
  | 'look_up_group'
  | 'list_users'
  | 'list_groups'
  | 'read_user'
  | 'read_group'
  | 'create_user'
  | 'create_group'
  | 'change_user'
  | 'change_group'
  | 'delete_user'
  | 'delete_group'
  | 'bulk'
  | 'discovery'
  | 'other';

const DISCOVERY = /^\/(ServiceProviderConfig|ResourceTypes|Schemas)\b/i;
/** Of people that cannot exist: a test of the connection asks for them. */
const RANDOM_ID = /eq "[0-9a-f]{8}-[0-9a-f-]{27}"/i;

/** @returns what a call was for, as far as its method and path say */
export function callKind({ method, path }: Pick<ScimLogEntry, 'method' | 'path'>): CallKind {
  const verb = method.toUpperCase();
  const [place = '', query = ''] = path.split('?', 2);
  if (DISCOVERY.test(place)) return 'discovery';
  if (/^\/Bulk$/i.test(place)) return 'bulk';
  const [, type, id] = /^\/(Users|Groups)(?:\/(.+))?$/i.exec(place) ?? [];
  if (type === undefined) return 'other';
  const what = type.toLowerCase() === 'users' ? 'user' : 'group';
  if (verb === 'GET' && id === undefined) return ofQuery(what, decoded(query));
  if (verb === 'POST' && id === '.search') return `look_up_${what}`;
  if (verb === 'GET') return `read_${what}`;
  if (verb === 'POST') return `create_${what}`;
  if (verb === 'PUT' || verb === 'PATCH') return `change_${what}`;
  return verb === 'DELETE' ? `delete_${what}` : 'other';
}

function ofQuery(what: 'user' | 'group', query: string): CallKind {
  if (what === 'user' && (RANDOM_ID.test(query) || /^startIndex=1&count=[12]$/.test(query))) return 'test';
  return /filter=/.test(query) ? `look_up_${what}` : `list_${what}s`;
}

/** @returns the name that is looked up; undefined if none is */
export function namedIn(path: string): string | undefined {
  return /filter=\w+ eq "([^"]*)"/.exec(decoded(path))?.[1];
}

/** @returns the name of the person or group that a body is about; undefined if it does not say */
export function nameOfBody(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const found = ['userName', 'displayName'].map((key) => (body as Record<string, unknown>)[key]);
  return found.find((value) => typeof value === 'string');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
