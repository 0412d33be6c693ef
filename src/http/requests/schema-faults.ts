import type { ErrorObject } from 'ajv';
import { type Fault, type FaultType, MAX_FAULTS } from '../../errors/errors';
import { pointerSteps } from './json-pointer';

const TYPE_FAULTS: Record<string, [FaultType, string]> = {
  string: ['string_type', 'Must be a string.'],
  boolean: ['bool_type', 'Must be true or false.'],
  integer: ['int_parsing', 'Must be an integer.'],
  number: ['int_parsing', 'Must be a number.'],
  array: ['list_type', 'Must be a list.'],
  object: ['dict_type', 'Must be an object.'],
};

const FORMAT_FAULTS: Record<string, [FaultType, string]> = {
  uuid: ['uuid_parsing', 'Must be a UUID.'],
  uri: ['url_parsing', 'Must be an absolute address.'],
  'date-time': ['datetime_parsing', 'Must be a date and time with an offset, as in RFC 3339: 2026-11-20T08:30:00Z.'],
};

/** These only report that something below them is wrong, which has an error of its own. */
const SUMMARIES = new Set(['anyOf', 'oneOf', 'if', 'propertyNames']);

/**
 * Translates Ajv's errors into those of pydantic 2.
 *
 * @param loc where the value is
 * @param explain describes the errors of keywords that are not part of JSON Schema; `loc` begins below the error
 */
export function toFaults(
  errors: readonly ErrorObject[],
  loc: string[],
  value: unknown,
  explain: (error: ErrorObject, at: unknown) => Fault[] | undefined = () => undefined,
): Fault[] {
  const faults: Fault[] = [];
  for (const [index, error] of errors.entries()) {
    if (faults.length >= MAX_FAULTS) break;
    const next = errors[index + 1];
    // A value that is not even of the type of an enumeration is reported as not being one of its values, as in
    // pydantic.
    const isOutdone = error.keyword === 'type' && next?.keyword === 'enum' && next.instancePath === error.instancePath;
    if (SUMMARIES.has(error.keyword) || isOutdone) continue;
    const path = pointerSteps(error.instancePath);
    // An error in the name of a field is reported at the field.
    const where = error.propertyName === undefined ? [...loc, ...path] : [...loc, ...path, error.propertyName];
    const explained = explain(error, error.propertyName ?? at(value, path));
    if (explained)
      faults.push(...explained.slice(0, MAX_FAULTS).map((one) => ({ ...one, loc: [...where, ...one.loc] })));
    else faults.push(toFault(error, where));
  }
  return faults;
}

/** Translates one JSON Schema error. */
function toFault({ keyword, params, message }: ErrorObject, loc: string[]): Fault {
  const { missingProperty, additionalProperty, limit, format, pattern } = params as Record<string, string>;
  const types = (params as { type?: string | string[] }).type;
  switch (keyword) {
    case 'type': {
      const expected = ([] as (string | undefined)[]).concat(types).find((name) => name !== 'null') ?? '';
      const [type, msg] = TYPE_FAULTS[expected] ?? ['value_error', `Must be ${expected}.`];
      return { loc, msg, type };
    }
    case 'required':
      return { loc: [...loc, missingProperty ?? ''], msg: 'This field is required.', type: 'missing' };
    case 'additionalProperties':
      return { loc: [...loc, additionalProperty ?? ''], msg: 'This field is not allowed.', type: 'extra_forbidden' };
    case 'minLength':
      return {
        loc,
        msg: `Must have at least ${limit} character${Number(limit) === 1 ? '' : 's'}.`,
        type: 'string_too_short',
      };
    case 'maxLength':
      return { loc, msg: `Must have at most ${limit} characters.`, type: 'string_too_long' };
    case 'maxItems':
      return { loc, msg: `Must have at most ${limit} items.`, type: 'value_error' };
    case 'maxProperties':
      return { loc, msg: `Must have at most ${limit} fields.`, type: 'value_error' };
    case 'minimum':
      return { loc, msg: `Must be at least ${limit}.`, type: 'greater_than_equal' };
    case 'maximum':
      return { loc, msg: `Must be at most ${limit}.`, type: 'less_than_equal' };
    case 'enum': {
      const { allowedValues } = params as { allowedValues: (string | null)[] };
      const values = allowedValues.filter((value) => value !== null);
      return { loc, msg: `Must be one of ${values.join(', ')}.`, type: 'enum' };
    }
    case 'format': {
      const [type, msg] = FORMAT_FAULTS[format ?? ''] ?? ['value_error', `Must be a ${format}.`];
      return { loc, msg, type };
    }
    case 'pattern':
      return { loc, msg: `Must match ${pattern}.`, type: 'value_error' };
    default:
      return { loc, msg: `Must be valid: ${message ?? keyword}.`, type: 'value_error' };
  }
}

/** @returns the last segment of the path */
function at(value: unknown, path: string[]): unknown {
  return path.reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], value);
}
