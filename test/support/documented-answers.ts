import type { OpenAPIObject } from '@nestjs/swagger';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import { parseUrl } from '../../src/config/parse-url';
import { References } from '../../src/http/openapi/openapi-references';
import { keptByWorker } from './kept-by-worker';

/** An answer, from whichever client. */
export interface Answer {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  body: unknown;
}

interface Documented {
  content?: Record<string, { schema: object }>;
}

interface Operation {
  responses: Record<string, Documented | { $ref: string }>;
}

/** Compiling the schemas takes longer than most suites need for their requests. */
const validators = keptByWorker('validators', () => new WeakMap<OpenAPIObject, Validators>());

/**
 * Holds an answer against the OpenAPI document. A field that the document does not name is an error here, although a
 * client must put up with it: the specified operations answer exactly the fields of the specification.
 *
 * @throws Error that says what differs; a path that is in no operation (404, 405) is left to the test
 */
export function expectDocumented(document: OpenAPIObject, method: string, path: string, response: Answer): void {
  let known = validators.get(document);
  if (!known) validators.set(document, (known = new Validators(document)));
  const template = known.template(path.split('?')[0] ?? '');
  const operation = template && (document.paths[template] as Record<string, Operation> | undefined)?.[method];
  if (!template || !operation) return;
  const where = `${method.toUpperCase()} ${template} → ${response.status}`;
  const declared = operation.responses[String(response.status)];
  if (!declared) throw new Error(`${where} is not in the OpenAPI document: ${response.text}`);
  const documented = known.resolve(declared);
  if (!response.headers['x-request-id']) throw new Error(`${where} has no X-Request-Id.`);
  if (!documented.content) {
    if (response.text) throw new Error(`${where} should have no body: ${response.text}`);
    return;
  }
  const type = String(response.headers['content-type']).split(';')[0] ?? '';
  const schema = documented.content[type]?.schema;
  if (!schema) throw new Error(`${where} should not be ${type}: ${response.text}`);
  const validate = known.compile(schema);
  if (!validate(type.endsWith('json') ? response.body : response.text)) {
    throw new Error(`${where} is not as documented: ${JSON.stringify(validate.errors?.slice(0, 3))}\n${response.text}`);
  }
}

class Validators {
  private readonly ajv = new Ajv2020({
    strict: false,
    // src/document.spec.ts does.
    validateSchema: false,
    formats: {
      uuid: /^[0-9a-f-]{36}$/,
      'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
      uri: (text: string) => parseUrl(text) !== undefined,
    },
  });
  private readonly compiled = new WeakMap<object, ValidateFunction>();
  private readonly templates: [string, RegExp][];

  private readonly references: References;

  constructor(document: OpenAPIObject) {
    this.references = new References(document);
    this.ajv.addSchema(closed(document), 'openapi');
    this.templates = Object.keys(document.paths)
      .map((path): [string, RegExp] => [
        path,
        new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`),
      ])
      // A literal path before one with a parameter.
      .sort(([a], [b]) => Number(a.includes('{')) - Number(b.includes('{')));
  }

  resolve(response: Documented | { $ref: string }): Documented {
    return this.references.resolve(response);
  }

  template(path: string): string | undefined {
    return this.templates.find(([, pattern]) => pattern.test(path))?.[0];
  }

  compile(schema: object): ValidateFunction {
    let validate = this.compiled.get(schema);
    if (!validate) {
      const text = JSON.stringify(closed(schema)).replaceAll('"#/components/', '"openapi#/components/');
      validate = this.ajv.compile(JSON.parse(text) as object);
      this.compiled.set(schema, validate);
    }
    return validate;
  }
}

/** The same schemas, with every object that says nothing of further fields closed to them. */
function closed<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(closed) as T;
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed<unknown>(value)]));
  if (copy.type === 'object' && copy.additionalProperties === undefined && !copy.allOf)
    copy.additionalProperties = false;
  return copy as T;
}
