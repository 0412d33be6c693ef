import type { Type as Class } from '@nestjs/common';
import { IsBoolean, IsIn, IsInt, IsString, Matches, Max, IsObject, Min, ValidateNested } from 'class-validator';
import { WRITTEN_ID } from '../../database/id';
import {
  HasAtMostCharacters,
  HasAtMostFields,
  HasCharacters,
  HasFormat,
  IsInstant,
  type NestedContext,
  says,
} from './constraints';

/** A JSON Schema, as opaque data. */
export type Schema = Record<string, unknown>;

/**
 * A kind of value, wherever it occurs: in a field, in a list, in a path. The schema is for the document, the checks are
 * for class-validator, in the order in which they run.
 */
export interface Kind {
  schema: Schema;
  /** @param each whether to check each item of a list */
  checks: (each: boolean) => PropertyDecorator[];
}

/** Length in characters, and a regular expression. */
export interface TextBounds {
  min?: number;
  max?: number;
  pattern?: string;
}

export interface IntegerBounds {
  min?: number;
  max?: number;
}

export const SLUG_PATTERN = '^[a-z0-9]+(?:-[a-z0-9]+)*$';

export function text({ min, max, pattern }: TextBounds = {}): Kind {
  return {
    schema: defined({ type: 'string', minLength: min, maxLength: max, pattern }),
    checks: (each) => [
      IsString(says('string_type', 'Must be a string.', each)),
      ...(min === undefined ? [] : [HasCharacters(min, says('string_too_short', tooShort(min), each))]),
      ...(max === undefined
        ? []
        : [HasAtMostCharacters(max, says('string_too_long', `Must have at most ${max} characters.`, each))]),
      ...(pattern === undefined
        ? []
        : [Matches(new RegExp(pattern, 'u'), says('value_error', `Must match ${pattern}.`, each))]),
    ],
  };
}

function tooShort(min: number): string {
  return `Must have at least ${min} character${min === 1 ? '' : 's'}.`;
}

/** @param format one that modules register (`text-checks.ts`) */
export function formatted(format: string, bounds: TextBounds = {}): Kind {
  const { schema, checks } = text(bounds);
  return { schema: { ...schema, format }, checks: (each) => [...checks(each), HasFormat(format, each)] };
}

export function id(): Kind {
  return {
    schema: { type: 'string', format: 'uuid' },
    checks: (each) => [...text().checks(each), Matches(WRITTEN_ID, says('uuid_parsing', 'Must be a UUID.', each))],
  };
}

const INSTANT = 'Must be a date and time with an offset, as in RFC 3339: 2026-11-20T08:30:00Z.';

export function instant(): Kind {
  return {
    schema: { type: 'string', format: 'date-time' },
    checks: (each) => [...text().checks(each), IsInstant(says('datetime_parsing', INSTANT, each))],
  };
}

/** A name chosen by a person. */
export function name(max = 200): Kind {
  return text({ min: 1, max, pattern: '\\S' });
}

export function slug(max = 60): Kind {
  return text({ min: 1, max, pattern: SLUG_PATTERN });
}

export function integer({ min, max }: IntegerBounds = {}): Kind {
  return {
    schema: defined({ type: 'integer', minimum: min, maximum: max }),
    checks: (each) => [
      IsInt(says('int_parsing', 'Must be an integer.', each)),
      ...(min === undefined ? [] : [Min(min, says('greater_than_equal', `Must be at least ${min}.`, each))]),
      ...(max === undefined ? [] : [Max(max, says('less_than_equal', `Must be at most ${max}.`, each))]),
    ],
  };
}

export function flag(): Kind {
  return {
    schema: { type: 'boolean' },
    checks: (each) => [IsBoolean(says('bool_type', 'Must be true or false.', each))],
  };
}

/** A value that is not even a string is reported as not being one of the values, as in pydantic. */
export function oneOf(values: readonly string[]): Kind {
  return {
    schema: { type: 'string', enum: [...values] },
    checks: (each) => [IsIn([...values], says('enum', `Must be one of ${values.join(', ')}.`, each))],
  };
}

/** What a decorator declared about a property. */
interface Recorded {
  schema: Schema;
  isRequired: boolean;
}

const RECORDED = 'toolyard:fields';

/** Remembers the schema of a property, for `closed`. */
export function recordField(schema: Schema, isRequired: boolean): PropertyDecorator {
  return (target, property) => {
    const fields = (Reflect.getOwnMetadata(RECORDED, target) as Record<string, Recorded> | undefined) ?? {};
    Reflect.defineMetadata(RECORDED, { ...fields, [String(property)]: { schema, isRequired } }, target);
  };
}

/** An object with the fields of a class and no others, inlined in the document rather than named. */
export function closed(of: Class): Kind {
  const fields = Object.entries(Reflect.getOwnMetadata(RECORDED, of.prototype as object) as Record<string, Recorded>);
  const context: NestedContext = { of: () => of, isClosed: true };
  return {
    schema: {
      type: 'object',
      additionalProperties: false,
      required: fields.filter(([, { isRequired }]) => isRequired).map(([name]) => name),
      properties: Object.fromEntries(fields.map(([name, { schema }]) => [name, schema])),
    },
    checks: (each) => [ValidateNested({ each, context })],
  };
}

/**
 * An object whose field names the caller chooses.
 *
 * @param entry a class whose fields `name` and `value` describe them
 * @param max fields
 */
export function mapOf(entry: Class, max: number): Kind {
  const { name, value } = Reflect.getOwnMetadata(RECORDED, entry.prototype as object) as Record<string, Recorded>;
  const context: NestedContext = { of: () => entry, isClosed: false, isMap: true };
  const { type: _string, ...names } = name?.schema ?? {};
  return {
    schema: { type: 'object', maxProperties: max, propertyNames: names, additionalProperties: value?.schema },
    checks: (each) => [
      IsObject(says('dict_type', 'Must be an object.', each)),
      HasAtMostFields(max, says('value_error', `Must have at most ${max} fields.`, each)),
      ValidateNested({ each, context }),
    ],
  };
}

/**
 * Objects of a class, which the document has under its name.
 *
 * @param isClosed whether unknown fields are errors; otherwise they are ignored
 */
export function named(of: Class, isClosed: boolean): Kind {
  const context: NestedContext = { of: () => of, isClosed };
  return { schema: { of }, checks: (each) => [ValidateNested({ each, context })] };
}

/** Drops undefined values, which the document would otherwise compare. */
function defined(schema: Schema): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}
