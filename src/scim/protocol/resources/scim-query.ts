import { ScimError } from '../scim-error';
import type { ScimQuery } from '../scim-resource';
import { isObject, readFields } from './json-object';
import { requireMessageSchema } from './schemas-check';

export const SEARCH_REQUEST_URN = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';

const WHOLE_NUMBER = /^[+-]?\d+$/;

/** A query string and a `SearchRequest` have the same ones. */
const FIELDS = [
  'filter',
  'sortBy',
  'sortOrder',
  'startIndex',
  'count',
  'cursor',
  'attributes',
  'excludedAttributes',
] as const;

type Field = (typeof FIELDS)[number];

/**
 * Like all SCIM attributes, parameters may be in any case, as in a search: a "Filter" that counted for nothing would list
 * everybody.
 *
 * @param query as Express parses it: a repeated parameter is a list
 * @returns the same with the names that a list or a read knows written as the RFCs write them
 */
export function withKnownNames(query: Record<string, unknown>): Record<string, unknown> {
  const known = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of Object.entries(query)) {
    const field = FIELDS.find((candidate) => candidate.toLowerCase() === name.toLowerCase()) ?? name;
    known[field] = field in known ? [known[field], value].flat() : value;
  }
  return known;
}

/**
 * Reads the parameters of a query string (RFC 7644, sections 3.4.2 and 3.9; RFC 9865, section 2). Parameters that no
 * RFC knows are left alone, as they are everywhere else.
 *
 * @param query as `withKnownNames` gives it
 * @throws ScimError invalidValue for a repeated parameter, a `startIndex` that is no whole number, another `sortOrder`,
 *   a `cursor` beside a `startIndex`, or `attributes` beside `excludedAttributes`; invalidCount
 */
export function readQuery(query: Record<string, unknown>): ScimQuery {
  const given = new Map<Field, unknown>();
  for (const field of FIELDS) {
    const value = Object.hasOwn(query, field) ? query[field] : undefined;
    if (value === undefined) continue;
    if (typeof value !== 'string') throw new ScimError('invalidValue', `"${field}" must be given once, as a string.`);
    given.set(field, value);
  }
  return read(given);
}

/**
 * Reads the body of a search (RFC 7644, section 3.4.3). Like all SCIM attributes, its names may be in any case.
 *
 * @param ignored takes the names of what a search does not have
 * @throws ScimError invalidSyntax for what is no `SearchRequest`; otherwise as `readQuery`
 */
export function readSearch(body: unknown, ignored: Set<string> = new Set()): ScimQuery {
  if (!isObject(body)) throw new ScimError('invalidSyntax', 'The body of a search must be a JSON object.');
  const { schemas, ...fields } = readFields(body, ['schemas', ...FIELDS], '', ignored);
  requireMessageSchema(schemas, SEARCH_REQUEST_URN, 'a search');
  const given = new Map<Field, unknown>();
  for (const field of FIELDS)
    if (fields[field] !== undefined && fields[field] !== null) given.set(field, fields[field]);
  return read(given);
}

function read(given: Map<Field, unknown>): ScimQuery {
  const query: ScimQuery = {
    filter: text(given, 'filter'),
    sortBy: text(given, 'sortBy'),
    sortOrder: sortOrder(given),
    startIndex: wholeNumber(given, 'startIndex', 'invalidValue'),
    count: wholeNumber(given, 'count', 'invalidCount'),
    cursor: text(given, 'cursor'),
    attributes: names(given, 'attributes'),
    excludedAttributes: names(given, 'excludedAttributes'),
  };
  if (query.cursor !== undefined && query.startIndex !== undefined) {
    throw new ScimError('invalidValue', 'Use either "cursor" or "startIndex", not both.');
  }
  if (query.attributes && query.excludedAttributes) {
    throw new ScimError(
      'invalidValue',
      'Use either "attributes" or "excludedAttributes", not both (RFC 7644, section 3.4.2.5).',
    );
  }
  return query;
}

function text(given: Map<Field, unknown>, field: Field): string | undefined {
  const value = given.get(field);
  if (value === undefined || typeof value === 'string') return value;
  throw new ScimError('invalidValue', `"${field}" must be a string.`);
}

function sortOrder(given: Map<Field, unknown>): ScimQuery['sortOrder'] {
  const value = text(given, 'sortOrder');
  if (value === undefined) return undefined;
  const order = (['ascending', 'descending'] as const).find((candidate) => candidate === value.toLowerCase());
  if (!order) throw new ScimError('invalidValue', '"sortOrder" must be "ascending" or "descending".');
  return order;
}

/** Bounded to what a number can say exactly, which is beyond the end of every list. */
function wholeNumber(
  given: Map<Field, unknown>,
  field: Field,
  failure: 'invalidValue' | 'invalidCount',
): number | undefined {
  const value = given.get(field);
  if (value === undefined) return undefined;
  const number =
    typeof value === 'number' ? value : typeof value === 'string' && WHOLE_NUMBER.test(value) ? Number(value) : NaN;
  if (Number.isNaN(number) || (Number.isFinite(number) && !Number.isInteger(number))) {
    throw new ScimError(failure, `"${field}" must be an integer.`);
  }
  return Math.max(Math.min(number, Number.MAX_SAFE_INTEGER), Number.MIN_SAFE_INTEGER);
}

/** @returns undefined where nothing is named: an empty parameter asks for nothing */
function names(given: Map<Field, unknown>, field: Field): string[] | undefined {
  const value = given.get(field);
  if (value === undefined) return undefined;
  const list: unknown[] = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [undefined];
  const found = new Set<string>();
  for (const name of list) {
    if (typeof name !== 'string') throw new ScimError('invalidValue', `"${field}" must be a list of attribute names.`);
    if (name.trim() !== '') found.add(name.trim());
  }
  return found.size > 0 ? [...found] : undefined;
}
