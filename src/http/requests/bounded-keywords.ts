import type { Ajv2020 } from 'ajv/dist/2020';
import { _, type AnySchemaObject, type ErrorObject, type SchemaObjCxt, type ValidateFunction } from 'ajv';
import { MAX_FAULTS } from '../../errors/errors';
import { jsonPointer } from './json-pointer';

/**
 * Replacements for those of Ajv's keywords that loop over everything a caller puts into a list, object or string. With
 * `allErrors`, Ajv's own go through all of it: the 10,000 values that a body may have took 30 to 70 ms, and 0.4 s before
 * V8 had compiled the loops. These check lengths first, stop at the error limit, and take about 1 ms.
 */
export class BoundedKeywords {
  private remaining = MAX_FAULTS;

  /** @param ajv to add them to, before it compiles anything */
  constructor(ajv: Ajv2020) {
    for (const [keyword, type, schemaType, compile] of [
      ['items', 'array', ['object', 'boolean'], this.items],
      ['additionalProperties', 'object', ['object', 'boolean'], this.additionalProperties],
      ['propertyNames', 'object', ['object', 'boolean'], this.propertyNames],
    ] as const) {
      ajv.removeKeyword(keyword);
      ajv.addKeyword({ keyword, type, schemaType: [...schemaType], errors: 'full', compile });
    }
    for (const [keyword, schemaType, param, compile] of [
      ['maxLength', 'number', 'limit', isShortEnough],
      ['pattern', 'string', 'pattern', matchesPattern],
      ['format', 'string', 'format', matchesFormat],
    ] as const) {
      ajv.removeKeyword(keyword);
      ajv.addKeyword({
        keyword,
        type: 'string',
        schemaType,
        errors: false,
        compile: compile as (schema: unknown, parent: AnySchemaObject, context: SchemaObjCxt) => TextRule,
        error: { message: `must match ${keyword}`, params: ({ schemaCode }) => _`{ ${param}: ${schemaCode} }` },
      });
    }
  }

  /** Must be called before each validation. */
  begin(): void {
    this.remaining = MAX_FAULTS;
  }

  private readonly items = (schema: Schema, { maxItems = Infinity }: AnySchemaObject, { self }: SchemaObjCxt) => {
    const item = self.compile(schema);
    return this.checking<unknown[]>(function* (list) {
      if (list.length > maxItems) return;
      for (let index = 0; index < list.length; index++) yield [item, list[index], String(index)];
    });
  };

  private readonly additionalProperties = (schema: Schema, parent: AnySchemaObject, { self }: SchemaObjCxt) => {
    const declared = new Set(Object.keys((parent.properties as object | undefined) ?? {}));
    const value = schema === false ? FORBIDDEN : self.compile(schema);
    const most = (parent.maxProperties as number | undefined) ?? Infinity;
    return this.checking<Fields>(function* (fields) {
      const names = Object.keys(fields);
      if (names.length > most) return;
      for (const name of names) if (!declared.has(name)) yield [value, fields[name], name];
    });
  };

  private readonly propertyNames = (
    schema: Schema,
    { maxProperties = Infinity }: AnySchemaObject,
    { self }: SchemaObjCxt,
  ) => {
    const name = self.compile(schema);
    return this.checking<Fields>(function* (fields) {
      const names = Object.keys(fields);
      if (names.length > maxProperties) return;
      for (const field of names) yield [name, field, field, true];
    });
  };

  /** @param parts of a value with their rules, one after the other */
  private checking<T>(parts: (value: T) => Iterable<Part>): Check<T> {
    const check: Check<T> = (value, place) => {
      const errors: ErrorObject[] = [];
      for (const [validate, part, name, isName = false] of parts(value)) {
        if (this.remaining <= 0) break;
        const before = this.remaining;
        if (validate === FORBIDDEN) errors.push(forbidden(name, place));
        else if (!validate(part)) {
          for (const error of validate.errors ?? []) errors.push(placed(error, name, isName, place));
        } else continue;
        // The nested validation has counted its own errors, which are among these.
        this.remaining = before - (validate === FORBIDDEN ? 1 : (validate.errors?.length ?? 0));
      }
      check.errors = errors;
      return errors.length === 0;
    };
    return check;
  }
}

type TextRule = (text: string) => boolean;

/** A character has one or two UTF-16 code units, so most strings need not be counted (RFC 8259, section 7). */
function isShortEnough(limit: number): TextRule {
  return (text) => text.length <= limit || (text.length <= 2 * limit && [...text].length <= limit);
}

/** Being too long is error enough: a megabyte is not checked further. */
function unlessTooLong({ maxLength = Infinity }: AnySchemaObject, rule: TextRule): TextRule {
  return (text) => text.length > 2 * maxLength || rule(text);
}

function matchesPattern(pattern: string, parent: AnySchemaObject): TextRule {
  const expression = new RegExp(pattern, 'u');
  return unlessTooLong(parent, (text) => expression.test(text));
}

/** @throws Error for an unregistered format: the document must not promise what is not checked */
function matchesFormat(name: string, parent: AnySchemaObject, { self }: SchemaObjCxt): TextRule {
  const format = self.formats[name];
  if (format === true) return () => true;
  if (format instanceof RegExp) return unlessTooLong(parent, (text) => format.test(text));
  if (typeof format === 'function') return unlessTooLong(parent, format);
  throw new Error(`The format ${name} is not known.`);
}

type Schema = AnySchemaObject | boolean;
type Fields = Record<string, unknown>;

const FORBIDDEN = Symbol('forbidden');

/** A rule, the value it applies to, that value's name or index, and whether it applies to the name itself. */
type Part = [validate: ValidateFunction | typeof FORBIDDEN, value: unknown, name: string, isName?: boolean];

/** The location of a value, in Ajv's terms. */
interface Place {
  instancePath: string;
}

/** As Ajv calls it; the errors are left on the function. */
interface Check<T> {
  (value: T, place?: Place): boolean;
  errors?: ErrorObject[];
}

function forbidden(name: string, place: Place | undefined): ErrorObject {
  return {
    keyword: 'additionalProperties',
    instancePath: place?.instancePath ?? '',
    schemaPath: '',
    params: { additionalProperty: name },
  };
}

/** The error of a part, located from the whole value. */
function placed(error: ErrorObject, name: string, isName: boolean, place: Place | undefined): ErrorObject {
  const whole = place?.instancePath ?? '';
  if (isName) return { ...error, instancePath: whole, propertyName: name };
  return { ...error, instancePath: `${whole}${jsonPointer([name])}${error.instancePath}` };
}
