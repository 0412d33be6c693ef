import { applyDecorators, type Type as Class } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsObject, IsOptional } from 'class-validator';
import { FitsSchema, MayBeAbsent, MayBeNull, PassesCheck, says } from './constraints';
import {
  closed,
  flag,
  formatted,
  id,
  instant,
  integer,
  type IntegerBounds,
  type Kind,
  mapOf,
  name,
  named,
  oneOf,
  recordField,
  type Schema,
  slug,
  text,
  type TextBounds,
} from './kinds';
import { PathParam } from './parameters';

/**
 * The fields of requests and responses. Each decorator declares once what a field is, for both the OpenAPI document and
 * class-validator. Only the document matters for responses.
 */

/** Options of every field. */
export interface FieldOptions {
  /** False: the field is optional. */
  required?: boolean;
  /** It may be null. */
  nullable?: boolean;
  description?: string;
  example?: unknown;
  /** The default; for parameters. */
  default?: unknown;
}

export function TextField({ min, max, pattern, ...options }: TextBounds & FieldOptions = {}): PropertyDecorator {
  return Field(text({ min, max, pattern }), options);
}

/** A string with one of the formats that modules register (`text-checks.ts`). */
export function FormatField(
  format: string,
  { min, max, pattern, ...options }: TextBounds & FieldOptions = {},
): PropertyDecorator {
  return Field(formatted(format, { min, max, pattern }), options);
}

export function IntegerField({ min, max, ...options }: IntegerBounds & FieldOptions = {}): PropertyDecorator {
  return Field(integer({ min, max }), options);
}

export function BooleanField(options: FieldOptions = {}): PropertyDecorator {
  return Field(flag(), options);
}

/** @param values the allowed ones */
export function EnumField(values: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  const { schema, checks } = oneOf(values);
  // In JSON Schema a nullable enumeration lists null among its values, too.
  const all = options.nullable ? [...values, null] : [...values];
  return Field({ schema: { ...schema, enum: all }, checks }, options);
}

/** An id in a body or response. */
export function IdField(options: FieldOptions = {}): PropertyDecorator {
  return Field(id(), { example: '019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10', ...options });
}

/** An instant: RFC 3339; in a response UTC with milliseconds. */
export function InstantField(options: FieldOptions = {}): PropertyDecorator {
  return (target, property) =>
    Field(instant(), { example: exampleInstant(String(property)), ...options })(target, property);
}

/** A name chosen by a person, not only white space: 1–200 characters, unless the maximum is lower. */
export function NameField({ max, ...options }: Pick<TextBounds, 'max'> & FieldOptions = {}): PropertyDecorator {
  return Field(name(max), options);
}

/** A slug chosen by the caller. */
export function SlugField({ max, ...options }: Pick<TextBounds, 'max'> & FieldOptions = {}): PropertyDecorator {
  return Field(slug(max), { example: 'acme-tools', ...options });
}

/**
 * A list whose items are all of one kind, or objects of one class. Its length is checked before its items are.
 *
 * @param options `max` items; `isClosed`: the class is also the body of an operation that rejects unknown fields
 */
export function ListField(
  of: Kind | Class,
  { max, isClosed = false, ...options }: { max: number; isClosed?: boolean } & FieldOptions,
): PropertyDecorator {
  const isClass = typeof of === 'function';
  const items = isClass ? named(of, isClosed) : of;
  const kind: Kind = {
    schema: isClass ? { type: [of], maxItems: max } : { type: 'array', items: of.schema, maxItems: max },
    checks: () => [
      IsArray(says('list_type', 'Must be a list.')),
      ArrayMaxSize(max, says('value_error', `Must have at most ${max} items.`)),
      ...items.checks(true),
    ],
  };
  return Field(kind, options);
}

/** An object with the fields of a class and no others, inlined in the document. */
export function ObjectField(of: Class, options: FieldOptions = {}): PropertyDecorator {
  return Field(closed(of), options);
}

/**
 * An object whose field names the caller chooses, kept as it was sent.
 *
 * @param entry a class whose fields `name` and `value` describe them
 * @param options `max` fields; `check` applies to all of them together (`text-checks.ts`)
 */
export function MapField(
  entry: Class,
  { max, check, ...options }: { max: number; check: string } & FieldOptions,
): PropertyDecorator {
  const { schema, checks } = mapOf(entry, max);
  const kind: Kind = {
    schema: { ...schema, 'x-check': check },
    checks: (each) => [...checks(each), PassesCheck(check)],
  };
  return Field(kind, options);
}

/**
 * Free-form JSON: any object, kept as it was sent.
 *
 * @param options `check` is an object check (`text-checks.ts`); `schema` describes it further for readers
 */
export function JsonField({
  check,
  schema,
  ...options
}: { check: string; schema?: Schema } & FieldOptions): PropertyDecorator {
  const kind: Kind = {
    schema: { type: 'object', ...schema, 'x-check': check },
    checks: () => [IsObject(says('dict_type', 'Must be an object.')), PassesCheck(check)],
  };
  return Field(kind, options);
}

/**
 * A document of an external specification, kept as it was sent.
 *
 * @param schema its JSON Schema
 * @param check the rules a schema cannot express (`text-checks.ts`)
 */
export function DocumentField(schema: Schema, check: string): PropertyDecorator {
  const kind: Kind = {
    schema: { ...schema, 'x-check': check },
    checks: () => [FitsSchema(schema), PassesCheck(check)],
  };
  return Field(kind, { required: true });
}

/** A UUID in the path. */
export function IdParam(name: string, description: string): MethodDecorator {
  return PathParam(name, id(), description);
}

/** A field of a kind without a decorator of its own. */
export function Field({ schema, checks }: Kind, { required, ...options }: FieldOptions): PropertyDecorator {
  const isObject = schema.type === 'object';
  return applyDecorators(
    // In an object's schema `required` names its required fields.
    ApiProperty({
      ...schema,
      ...(isObject ? { selfRequired: required } : { required }),
      ...options,
    }),
    recordField(nullable(schema, options.nullable), required ?? true),
    ...presence({ required, ...options }),
    ...checks(false),
  );
}

/** An inline schema, where nothing else marks it as nullable. */
function nullable(schema: Schema, isNullable = false): Schema {
  return isNullable ? { ...schema, type: [schema.type, 'null'] } : schema;
}

/** Whether a field is optional, or nullable. */
function presence({ required = true, nullable = false, default: fallback }: FieldOptions): PropertyDecorator[] {
  if (nullable) return [required ? MayBeNull() : IsOptional()];
  return required ? [] : [MayBeAbsent(fallback)];
}

/**
 * An example that will still be valid in ten years: future times lie far ahead, a range begins before it ends.
 *
 * @param name of the property
 */
function exampleInstant(name: string): string {
  if (/(^|_)(expires?|next)(_|$)/.test(name)) return '2099-12-31T23:59:59.000Z';
  return /^(from|since)$/.test(name) ? '2026-11-19T08:30:00.000Z' : '2026-11-20T08:30:00.000Z';
}
