import { ScimError } from '../scim-error';
import type { ScimQuery } from '../scim-resource';
import { isObject } from '../../../http/requests/json-object';
import { readFields } from '../values/json-object';
import { requireMessageSchema } from '../values/schemas-check';
import { SEARCH_REQUEST_URN } from '../urns';

const WHOLE_NUMBER = /^[+-]?\d+$/;

/** The parameters of both a query string and a `SearchRequest`. */
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
 * Like all SCIM attributes, parameters are case-insensitive, as in a search: if "Filter" were ignored, the list would
 * contain every user.
 *
 * @param query as Express parses it: a repeated parameter is a list
 * @returns the same, with the names of known parameters in the case of the RFCs
 */
export function withKnownNames(query: Record<string, unknown>): Record<string, unknown> {
  const renamed = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of Object.entries(query)) {
    const field = FIELDS.find((candidate) => candidate.toLowerCase() === name.toLowerCase()) ?? name;
    renamed[field] = field in renamed ? [renamed[field], value].flat() : value;
  }
  return renamed;
}

/**
 * Parses the parameters of a query string (RFC 7644, sections 3.4.2 and 3.9; RFC 9865, section 2). Unknown parameters
 * are ignored, as everywhere else.
 *
 * @param query as returned by `withKnownNames`
 * @throws ScimError invalidValue for a repeated parameter, a `startIndex` that is not an integer, another `sortOrder`,
 *   a `cursor` with a `startIndex`, or `attributes` with `excludedAttributes`; invalidCount
 */
export function readQuery(query: Record<string, unknown>): ScimQuery {
  const fields = new Map<Field, unknown>();
  for (const field of FIELDS) {
    const value = Object.hasOwn(query, field) ? query[field] : undefined;
    if (value === undefined) continue;
    if (typeof value !== 'string') throw new ScimError('invalidValue', `"${field}" must be given once, as a string.`);
    fields.set(field, value);
  }
  return read(fields);
}

/**
 * Parses the body of a search (RFC 7644, section 3.4.3). Like all SCIM attributes, its names are case-insensitive.
 *
 * @param ignored collects unknown names
 * @throws ScimError invalidSyntax for anything but a `SearchRequest`; otherwise as `readQuery`
 */
export function readSearch(body: unknown, ignored: Set<string> = new Set()): ScimQuery {
  if (!isObject(body)) throw new ScimError('invalidSyntax', 'The body of a search must be a JSON object.');
  const { schemas, ...values } = readFields(body, ['schemas', ...FIELDS], '', ignored);
  requireMessageSchema(schemas, SEARCH_REQUEST_URN, 'a search');
  const fields = new Map<Field, unknown>();
  for (const field of FIELDS) {
    const value = values[field];
    if (value !== undefined && value !== null) fields.set(field, value);
  }
  return read(fields);
}

function read(fields: Map<Field, unknown>): ScimQuery {
  const query: ScimQuery = {
    filter: text(fields, 'filter'),
    sortBy: text(fields, 'sortBy'),
    sortOrder: sortOrder(fields),
    startIndex: wholeNumber(fields, 'startIndex', 'invalidValue'),
    count: wholeNumber(fields, 'count', 'invalidCount'),
    cursor: text(fields, 'cursor'),
    attributes: names(fields, 'attributes'),
    excludedAttributes: names(fields, 'excludedAttributes'),
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

function text(fields: Map<Field, unknown>, field: Field): string | undefined {
  const value = fields.get(field);
  if (value === undefined || typeof value === 'string') return value;
  throw new ScimError('invalidValue', `"${field}" must be a string.`);
}

function sortOrder(fields: Map<Field, unknown>): ScimQuery['sortOrder'] {
  const value = text(fields, 'sortOrder');
  if (value === undefined) return undefined;
  const order = (['ascending', 'descending'] as const).find((candidate) => candidate === value.toLowerCase());
  if (!order) throw new ScimError('invalidValue', '"sortOrder" must be "ascending" or "descending".');
  return order;
}

/** Limited to integers that a number represents exactly, which is beyond the end of every list. */
function wholeNumber(
  fields: Map<Field, unknown>,
  field: Field,
  failure: 'invalidValue' | 'invalidCount',
): number | undefined {
  const value = fields.get(field);
  if (value === undefined) return undefined;
  const number =
    typeof value === 'number' ? value : typeof value === 'string' && WHOLE_NUMBER.test(value) ? Number(value) : NaN;
  if (Number.isNaN(number) || (Number.isFinite(number) && !Number.isInteger(number))) {
    throw new ScimError(failure, `"${field}" must be an integer.`);
  }
  return Math.max(Math.min(number, Number.MAX_SAFE_INTEGER), Number.MIN_SAFE_INTEGER);
}

/** @returns undefined if no name is listed: an empty parameter has no effect */
function names(fields: Map<Field, unknown>, field: Field): string[] | undefined {
  const value = fields.get(field);
  if (value === undefined) return undefined;
  const list: unknown[] = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [undefined];
  const attributeNames = new Set<string>();
  for (const name of list) {
    if (typeof name !== 'string') throw new ScimError('invalidValue', `"${field}" must be a list of attribute names.`);
    if (name.trim() !== '') attributeNames.add(name.trim());
  }
  return attributeNames.size > 0 ? [...attributeNames] : undefined;
}
