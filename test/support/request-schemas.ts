import type { OpenAPIObject } from '@nestjs/swagger';
import { _, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020';
import { parseUrl } from '../../src/config/parse-url';
import { WRITTEN_ID } from '../../src/database/id';
import { BoundedKeywords } from '../../src/http/requests/bounded-keywords';
import type { Fault } from '../../src/errors/errors';
import { parseInstant } from '../../src/http/requests/instant';
import { References } from '../../src/http/openapi/openapi-references';
import { FORMAT_EXTENSION } from '../../src/http/openapi/openapi-schemas';
import { operationsOf, type ResponseObject, type Schema } from '../../src/http/openapi/openapi-walk';
import { BODY_CHECK_EXTENSION } from '../../src/http/requests/body-rules';
import { toFaults } from '../../src/http/requests/schema-faults';
import type { TextChecks } from '../../src/http/requests/text-checks';
import { findTextFaults } from '../../src/http/requests/text-faults';

/** What the document says of one operation's request. Each function appends to `faults`. */
export interface OperationRules {
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
  [BODY_CHECK_EXTENSION]?: string;
}

/** All that is asked of a body which somebody else checks. */
const AN_OBJECT = { type: 'object' };

const BOOLEANS = new Map(
  Object.entries({ true: true, 1: true, yes: true, on: true, false: false, 0: false, no: false, off: false }),
);

/**
 * The request part of an OpenAPI document (3.1, so its schemas are JSON Schema 2020-12), compiled by Ajv: what the
 * validators of the DTO classes are compared with.
 */
export class RequestSchemas {
  private readonly ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    // The document is ours and of one dialect; its meta-schemas would need keywords that are replaced below.
    meta: false,
    validateSchema: false,
    formats: {
      uuid: WRITTEN_ID,
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
      if (!validate(value)) faults.push(...toFaults(validate.errors ?? [], loc, value, this.explain));
    };
  }

  /** What the registered rules say of a value that fails them. */
  private readonly explain = ({ keyword, params }: ErrorObject, at: unknown): Fault[] | undefined => {
    if (keyword === OBJECT_CHECK) return this.checks.ofObject(String(params.name))(at as Record<string, unknown>);
    if (keyword !== FORMAT_EXTENSION) return undefined;
    const fault = this.checks.get(String(params.format))(String(at));
    return fault && [{ loc: [], ...fault }];
  };
}

const REFUSED = Symbol('refused');

/** Query and path values arrive as text; this gives them the type that the document says. */
function convert(given: unknown, types: string[], loc: string[], faults: Fault[]): unknown {
  if (types.includes('array')) return Array.isArray(given) ? given : [given];
  if (Array.isArray(given)) {
    faults.push({
      loc,
      msg: 'Must be given only once.',
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
      faults.push({ loc, msg: 'Must be one of true, false, 1, 0, yes, no, on, off.', type: 'bool_parsing' });
      return REFUSED;
    }
    return value;
  }
  if (types.includes('integer')) {
    if (!/^-?\d{1,15}$/.test(text)) {
      faults.push({ loc, msg: 'Must be an integer.', type: 'int_parsing' });
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

/** The extension by which a schema names a check of an object. */
const OBJECT_CHECK = 'x-check';
