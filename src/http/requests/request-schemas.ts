import type { OpenAPIObject } from '@nestjs/swagger';
import { _, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020';
import { parseUrl } from '../../config/parse-url';
import { BoundedKeywords } from './bounded-keywords';
import { Fault, FaultType, MOST_FAULTS } from '../../errors/errors';
import { parseInstant } from './instant';
import type { BodyRules } from './json-body';
import { References } from '../openapi/openapi-references';
import { FORMAT_EXTENSION } from '../openapi/openapi-schemas';
import { operationsOf, type ResponseObject, type Schema } from '../openapi/openapi-walk';
import type { TextChecks } from './text-checks';
import { findTextFaults } from './text-faults';

/** The extension of an operation whose body may have another size than 1 MiB; bytes. */
export const BODY_LIMIT_EXTENSION = 'x-body-limit';

/** The extension of an operation whose body may have another number of values than 10,000. */
export const VALUE_LIMIT_EXTENSION = 'x-value-limit';
/** The extension of an operation whose body is checked by the specification that prescribes it, with errors of its own. */
export const BODY_CHECK_EXTENSION = 'x-body-checked-by';

/** The extension of an operation whose body may be of these media types, where that is not JSON of any kind. */
export const BODY_TYPES_EXTENSION = 'x-body-types';

/** What the document says of one operation's request, ready to be applied. Each function appends to `faults`. */
export interface OperationRules {
  takesBody: boolean;
  bodyRules: BodyRules;
  path: (values: Record<string, unknown>, faults: Fault[]) => Record<string, unknown>;
  query: (values: Record<string, unknown>, faults: Fault[]) => Record<string, unknown>;
  body: (value: unknown, faults: Fault[]) => void;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Schema & { default?: unknown };
}

interface Operation {
  operationId: string;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, ResponseObject>;
  [BODY_LIMIT_EXTENSION]?: number;
  [VALUE_LIMIT_EXTENSION]?: number;
  [BODY_CHECK_EXTENSION]?: string;
  [BODY_TYPES_EXTENSION]?: string[];
}

/** All that is asked of a body which somebody else checks. */
const AN_OBJECT = { type: 'object' };

/** Of integers in path and query: 15 digits, which a number holds exactly. The document says so where nothing else is said. */
export const LARGEST_INTEGER = 999_999_999_999_999;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const BOOLEANS = new Map(
  Object.entries({ true: true, 1: true, yes: true, on: true, false: false, 0: false, no: false, off: false }),
);

/** Compiles the request part of an OpenAPI document (3.1, so its schemas are JSON Schema 2020-12). */
export class RequestSchemas {
  private readonly ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    // The document is ours and of one dialect; its meta-schemas would need keywords that are replaced below.
    meta: false,
    validateSchema: false,
    formats: {
      uuid: UUID,
      'date-time': (text: string) => parseInstant(text) !== undefined,
      uri: (text: string) => parseUrl(text) !== undefined,
      // Formats that only tell a reader something.
      password: true,
      int32: true,
    },
  });
  private readonly bounded = new BoundedKeywords(this.ajv);
  private readonly references: References;
  private readonly operations = new Map<string, Operation>();

  constructor(
    document: OpenAPIObject,
    private readonly checks: TextChecks,
  ) {
    this.ajv.addKeyword({
      keyword: FORMAT_EXTENSION,
      type: 'string',
      schemaType: 'string',
      // Of the two formats of a text, ours says more of what is wrong.
      before: 'format',
      compile: (format: string) => {
        const check = checks.get(format);
        return (text: string) => check(text) === undefined;
      },
      error: { message: 'must have the format', params: ({ schemaCode }) => _`{ format: ${schemaCode} }` },
    });
    this.ajv.addKeyword({
      keyword: OBJECT_CHECK,
      type: 'object',
      schemaType: 'string',
      compile: (name: string) => {
        const check = checks.ofObject(name);
        return (value: Record<string, unknown>) => check(value).length === 0;
      },
      error: { message: 'must pass the check', params: ({ schemaCode }) => _`{ name: ${schemaCode} }` },
    });
    this.ajv.addSchema(absolute(document), 'openapi');
    this.references = new References(document);
    for (const { operation } of operationsOf<Operation>(document)) {
      this.operations.set(operation.operationId, operation);
    }
  }

  /** @throws Error when the document does not have the operation: every route is documented */
  of(operationId: string): OperationRules {
    const operation = this.operations.get(operationId);
    if (!operation) throw new Error(`${operationId} is not in the OpenAPI document.`);
    const [body] = Object.values(operation.requestBody?.content ?? {});
    const bodySchema = body?.schema;
    return {
      takesBody: bodySchema !== undefined,
      bodyRules: {
        isOptional: operation.requestBody?.required === false,
        mediaTypes: operation[BODY_TYPES_EXTENSION],
        limit: operation[BODY_LIMIT_EXTENSION],
        valueLimit: operation[VALUE_LIMIT_EXTENSION],
      },
      path: this.parameters('path', operation),
      query: this.parameters('query', operation),
      body: bodySchema ? this.checker(operation[BODY_CHECK_EXTENSION] ? AN_OBJECT : bodySchema) : () => undefined,
    };
  }

  private parameters(place: string, operation: Operation): OperationRules['query'] {
    const rules = (operation.parameters ?? [])
      .map((parameter) => this.references.resolve(parameter))
      .filter((parameter) => parameter.in === place)
      .map(({ name, required, schema }) => {
        const { default: fallback } = this.references.resolve(schema);
        return { name, required, fallback, types: this.typesOf(schema), check: this.checker(schema) };
      });
    return (values, faults) => {
      const converted: Record<string, unknown> = {};
      for (const { name, required, fallback, types, check } of rules) {
        const loc = [place, name];
        const given = Object.hasOwn(values, name) ? values[name] : undefined;
        const value = given === undefined ? undefined : convert(given, types, loc, faults);
        if (value !== undefined && value !== REFUSED) {
          if (findTextFaults(value, loc, faults)) check(value, faults, loc);
          converted[name] = value;
        } else if (given === undefined && required) {
          faults.push({ loc, msg: 'This parameter is required.', type: 'missing' });
        } else if (fallback !== undefined) {
          converted[name] = fallback;
        }
      }
      return converted;
    };
  }

  /** @returns the types that a parameter may have, whichever way the schema says so */
  private typesOf(schema: Schema): string[] {
    const { type, anyOf, allOf } = this.references.resolve(schema);
    const inner = [...(anyOf ?? []), ...(allOf ?? [])].flatMap((one) => this.typesOf(one));
    return type === undefined ? inner : [type].flat();
  }

  private checker(schema: object): (value: unknown, faults: Fault[], loc?: string[]) => void {
    const validate: ValidateFunction = this.ajv.compile(absolute(schema));
    return (value, faults, loc = ['body']) => {
      this.bounded.begin();
      if (!validate(value)) faults.push(...toFaults(validate.errors ?? [], loc, value, this.checks));
    };
  }
}

const REFUSED = Symbol('refused');

/** Query and path values arrive as text; this gives them the type that the document says. */
function convert(given: unknown, types: string[], loc: string[], faults: Fault[]): unknown {
  if (types.includes('array')) return Array.isArray(given) ? given : [given];
  if (Array.isArray(given)) {
    faults.push({
      loc,
      msg: 'Give this parameter once.',
      type: types.includes('boolean') ? 'bool_parsing' : types.includes('integer') ? 'int_parsing' : 'string_type',
    });
    return REFUSED;
  }
  const text = given as string;
  // "org_id empty or null counts as absent" (contract, section 8); the same for every nullable parameter.
  if (types.includes('null') && (text === '' || text.toLowerCase() === 'null')) return undefined;
  if (types.includes('boolean')) {
    const value = BOOLEANS.get(text.toLowerCase());
    if (value === undefined) {
      faults.push({ loc, msg: 'Give true, false, 1, 0, yes, no, on or off.', type: 'bool_parsing' });
      return REFUSED;
    }
    return value;
  }
  if (types.includes('integer')) {
    if (!/^-?\d{1,15}$/.test(text)) {
      faults.push({ loc, msg: 'Give a whole number.', type: 'int_parsing' });
      return REFUSED;
    }
    return Number(text);
  }
  return text;
}

/** A schema compiled on its own, as the bounded keywords do it too, still points into the document. */
function absolute(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/')) as object;
}

const TYPE_FAULTS: Record<string, [FaultType, string]> = {
  string: ['string_type', 'Must be a string.'],
  boolean: ['bool_type', 'Must be true or false.'],
  integer: ['int_parsing', 'Must be a whole number.'],
  number: ['int_parsing', 'Must be a number.'],
  array: ['list_type', 'Must be a list.'],
  object: ['dict_type', 'Must be an object.'],
};

const FORMAT_FAULTS: Record<string, [FaultType, string]> = {
  uuid: ['uuid_parsing', 'Must be a UUID.'],
  uri: ['url_parsing', 'Must be an absolute address.'],
  'date-time': ['datetime_parsing', 'Must be a date and time with an offset, as in RFC 3339: 2026-11-20T08:30:00Z.'],
};

/** The extension by which a schema names a check of an object. */
const OBJECT_CHECK = 'x-check';

/** These only say that something below them is wrong, which has an error of its own. */
const SUMMARIES = new Set(['anyOf', 'oneOf', 'if', 'propertyNames']);

function toFaults(errors: ErrorObject[], loc: string[], value: unknown, checks: TextChecks): Fault[] {
  const faults: Fault[] = [];
  for (const [index, error] of errors.entries()) {
    if (faults.length >= MOST_FAULTS) break;
    const next = errors[index + 1];
    // What is not even of the type of an enumeration is above all none of its values, as in pydantic.
    const isOutdone = error.keyword === 'type' && next?.keyword === 'enum' && next.instancePath === error.instancePath;
    if (SUMMARIES.has(error.keyword) || isOutdone) continue;
    const path = pointer(error.instancePath);
    if (error.keyword === OBJECT_CHECK) {
      const found = checks.ofObject(String(error.params.name))(at(value, path) as Record<string, unknown>);
      faults.push(...found.slice(0, MOST_FAULTS).map((fault) => ({ ...fault, loc: [...loc, ...path, ...fault.loc] })));
      continue;
    }
    // What is wrong with the name of a field stands where the field does.
    const where = error.propertyName === undefined ? path : [...path, error.propertyName];
    const explained =
      error.keyword === FORMAT_EXTENSION &&
      checks.get(String(error.params.format))(error.propertyName ?? String(at(value, path)));
    faults.push(explained ? { loc: [...loc, ...where], ...explained } : toFault(error, [...loc, ...where]));
  }
  return faults;
}

/** One JSON Schema error in the words of pydantic 2. */
function toFault({ keyword, params, message }: ErrorObject, loc: string[]): Fault {
  const { missingProperty, additionalProperty, limit, format, pattern } = params as Record<string, string>;
  const types = (params as { type?: string | string[] }).type;
  switch (keyword) {
    case 'type': {
      const wanted = ([] as (string | undefined)[]).concat(types).find((name) => name !== 'null') ?? '';
      const [type, msg] = TYPE_FAULTS[wanted] ?? ['value_error', `Must be ${wanted}.`];
      return { loc, msg, type };
    }
    case 'required':
      return { loc: [...loc, missingProperty ?? ''], msg: 'This field is required.', type: 'missing' };
    case 'additionalProperties':
      return { loc: [...loc, additionalProperty ?? ''], msg: 'There is no such field here.', type: 'extra_forbidden' };
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

function pointer(path: string): string[] {
  return path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** @returns what stands at the end of the path */
function at(value: unknown, path: string[]): unknown {
  return path.reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], value);
}
