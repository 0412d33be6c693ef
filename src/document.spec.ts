import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { OpenAPIObject } from '@nestjs/swagger';
import { Ajv2020 } from 'ajv/dist/2020';
import { parseUrl } from './config/parse-url';
import { DECLARED } from './app.module';
import { STORED_ID } from './database/id';
import { describeRoutes } from './document';
import { GATE_EXTENSION } from './http/requests/body-rules';
import { parseInstant } from './http/requests/instant';
import { References } from './http/openapi/openapi-references';
import {
  mapSchemas,
  type Operation,
  operationsOf,
  type ResponseObject,
  type Schema,
} from './http/openapi/openapi-walk';

interface Part {
  $ref?: string;
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { value?: unknown; $ref?: string }>;
}

interface DocumentedOperation extends Operation {
  'x-access': { rule: string };
  'x-error-codes'?: string[];
}

describe('The OpenAPI document', () => {
  let document: OpenAPIObject;
  let references: References;
  let operations: { path: string; operation: DocumentedOperation }[];

  beforeAll(async () => {
    document = await describeRoutes();
    references = new References(document);
    operations = operationsOf<DocumentedOperation>(document);
  });

  const components = (kind: string) =>
    Object.entries((document.components as Record<string, Record<string, Part>>)[kind] ?? {});
  /** Every object in the document, with its path. */
  const parts = (): [string, Record<string, unknown>][] =>
    partsOf({ paths: document.paths, components: document.components }, '#');
  /** Every schema, with its path. */
  const schemas = () => {
    const schemasWithPaths: { schema: Schema; where: readonly string[] }[] = [];
    mapSchemas(structuredClone(document), (schema, where) => {
      schemasWithPaths.push({ schema, where });
      return schema;
    });
    return schemasWithPaths;
  };

  // Applications of tests take it from there (test/support/committed-document.ts).
  it('is the committed openapi.json', () => {
    const committed = JSON.parse(readFileSync(join(__dirname, '../openapi.json'), 'utf8')) as OpenAPIObject;
    const isCommitted = isDeepStrictEqual(committed, JSON.parse(JSON.stringify(document)));
    if (!isCommitted)
      throw new Error('openapi.json is not what the routes say: run "npm run build && npm run openapi".');
  });

  it('resolves every reference, and uses every shared component', () => {
    const named = new Set(parts().flatMap(([, { $ref }]) => (typeof $ref === 'string' ? [$ref] : [])));
    for (const $ref of named) expect(references.resolve({ $ref })).toEqual(expect.any(Object));
    for (const kind of ['parameters', 'headers', 'responses', 'examples']) {
      const unused = components(kind).filter(([name]) => !named.has(`#/components/${kind}/${name}`));
      expect({ kind, unused }).toEqual({ kind, unused: [] });
    }
  });

  it('defines each error, parameter and header once', () => {
    const all = operations.flatMap(({ operation }) => [
      ...(operation.parameters ?? []),
      ...Object.entries(operation.responses)
        .filter(([status]) => Number(status) >= 400)
        .map(([, response]) => response),
      ...Object.values(operation.responses).flatMap(({ headers }) => Object.values(headers ?? {})),
    ]);
    const inline = all.filter((part) => part.$ref === undefined).map((part) => JSON.stringify(part));
    expect(inline.filter((text, index) => inline.indexOf(text) !== index)).toEqual([]);
  });

  // If you are here because of a name of yours: generators make a type of each component, and that of Go puts all of them
  // into one package. Name the schema otherwise (EnumNames, SCHEMA_NAME_EXTENSION), or the parameter.
  it('has one name space for all components', () => {
    const kinds = Object.keys(document.components ?? {});
    expect(kinds).toEqual(expect.arrayContaining(['schemas', 'parameters', 'headers', 'responses', 'examples']));
    const named = kinds.flatMap((kind) => components(kind).map(([name]) => ({ kind, name })));
    const repeated = (list: { name: string }[], nameOf: (name: string) => string) => {
      const names = list.map(({ name }) => nameOf(name));
      return names.filter((name, index) => names.indexOf(name) !== index);
    };
    expect(repeated(named, (name) => name)).toEqual([]);
    // No generator makes anything of these two, and the names of examples are the codes of errors.
    const coded = named.filter(({ kind }) => kind !== 'examples' && kind !== 'securitySchemes');
    expect(repeated(coded, (name) => name.replace(/[^A-Za-z0-9]/g, '').toLowerCase())).toEqual([]);
  });

  it('has plain schema names', () => {
    const names = components('schemas').map(([name]) => name);
    expect(names.filter((name) => !/^[A-Z][A-Za-z0-9]+$/.test(name) || name.endsWith('Out'))).toEqual([]);
  });

  it('names every enumeration', () => {
    const inline = schemas().filter(({ schema, where }) => (schema.enum?.length ?? 0) > 1 && where.length > 1);
    expect(inline).toEqual([]);
  });

  // If you are here because an enumeration is named: it has one name for several places, so give it one in
  // `enums` of its module's `declares`; otherwise the name would change with the order of the places.
  it('has enumeration names that do not depend on the order of their uses', () => {
    const byHand = new Set([...Object.keys(DECLARED.enums), 'RoleReason', 'ServerInputFormat']);
    const places = new Map<string, Set<string>>();
    for (const { schema, where } of schemas()) {
      for (const ref of [schema, ...(schema.allOf ?? []), ...(schema.anyOf ?? [])]) {
        const name = ref.$ref?.split('/').at(-1) ?? '';
        places.set(name, (places.get(name) ?? new Set()).add(where.join('.')));
      }
    }
    const enums = components('schemas')
      .filter(([, schema]) => 'enum' in schema)
      .map(([name]) => name);
    expect(enums.filter((name) => (places.get(name)?.size ?? 0) > 1 && !byHand.has(name))).toEqual([]);
    expect(Object.keys(DECLARED.enums).filter((name) => !enums.includes(name))).toEqual([]);
  });

  it('has only standard formats; our own are in x-format', () => {
    const standard = ['uuid', 'date-time', 'uri', 'uri-reference', 'email'];
    const others = schemas().filter(({ schema }) => schema.format !== undefined && !standard.includes(schema.format));
    expect(others).toEqual([]);
    expect(
      schemas().filter(({ schema }) => schema['x-format'] === 'webhook-target' && schema.format !== 'uri'),
    ).toEqual([]);
  });

  it('states the security of every operation, none for open ones', () => {
    for (const { operation } of operations) {
      const isOpen = operation['x-access'].rule === 'open';
      expect({ id: operation.operationId, open: operation.security?.length === 0 }).toEqual({
        id: operation.operationId,
        open: isOpen,
      });
    }
    const schemes = components('securitySchemes').map(([name, scheme]) => [
      name,
      (scheme as { bearerFormat?: string }).bearerFormat,
    ]);
    expect(schemes).toEqual([
      ['bearer', 'JWT'],
      ['bundleToken', 'tyb_…'],
      ['scimToken', 'tys_…'],
      // Obtains the access tokens of the first one.
      ['oauth2', undefined],
    ]);
  });

  it('has an error for what a parameter can have wrong', () => {
    // What a gate answers before the routes is not validated by them.
    const validated = operations.filter(
      ({ operation }) => !('x-body-checked-by' in operation || GATE_EXTENSION in operation),
    );
    const missing = validated.filter(({ path, operation: { parameters = [], responses } }) => {
      const named = parameters.map((parameter) => references.resolve(parameter as { in: string }));
      const isChecked = named.some(({ in: place }) => place === 'path' || place === 'query');
      return isChecked && !('422' in responses || (path.includes('/scim/v2') && '400' in responses));
    });
    expect(missing.map(({ operation: { operationId } }) => operationId)).toEqual([]);
  });

  describe('names each operation', () => {
    const ids = () => operations.map(({ operation }) => operation.operationId);

    // If you are here because an id is named: its method is not a verb, so rename the method, or give the operation a name
    // with @OperationId. A new verb is added here.
    it('by a noun and a verb', () => {
      const verbs =
        /_(accept|add|answer|approve|archive|call|cancel|change|close|compare|compile|create|decline|dismiss|export|follow|get|hide|import|invite|list|move|patch|ping|preview|publish|put|recover|redeliver|refresh|remove|reopen|reorder|replace|restore|retry|revoke|rotate|run|search|show|start|unfollow|update|verify|vouch|withdraw)(_|$)/;
      const probes = ['healthz', 'readyz'];
      expect(ids().filter((id) => !verbs.test(id) && !probes.includes(id))).toEqual([]);
    });

    it('without repeating a word, and uniquely in generated clients', () => {
      const inClients = ids().map((id) => id.replace(/_/g, '').toLowerCase());
      expect(ids().filter((id) => /(^|_)([a-z]+)s?_\2(_|$)/.test(id))).toEqual([]);
      expect(new Set(inClients).size).toBe(inClients.length);
    });
  });

  describe('has examples that', () => {
    let ajv: Ajv2020;

    beforeAll(() => {
      ajv = new Ajv2020({
        strict: false,
        formats: {
          uuid: STORED_ID,
          'date-time': (text: string) => parseInstant(text) !== undefined,
          uri: (text: string) => parseUrl(text) !== undefined,
          'uri-reference': true,
        },
      });
      ajv.addSchema(document, 'openapi');
    });

    const faultsOf = (value: unknown, schema: Schema): string | undefined => {
      const validate = ajv.compile(
        JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/')) as object,
      );
      return validate(value) ? undefined : `${JSON.stringify(value)}: ${ajv.errorsText(validate.errors)}`;
    };

    it('match their schemas', () => {
      const ofSchemas = schemas().filter(({ schema }) => 'example' in schema);
      const faults = ofSchemas.map(({ schema: { example, ...schema } }) => faultsOf(example, schema as Schema));
      expect(ofSchemas.length).toBeGreaterThan(100);
      expect(faults.filter(Boolean)).toEqual([]);
    });

    it('match the schemas of whole answers', () => {
      const responses = [
        ...components('responses').map(([, response]) => response as ResponseObject),
        ...operations.flatMap(({ operation }) => Object.values(operation.responses)),
      ];
      const bodies = responses.flatMap(({ content = {} }) => Object.values(content) as Part[]);
      const values = bodies.flatMap(({ schema = {}, example, examples = {} }) =>
        [...(example === undefined ? [] : [{ value: example }]), ...Object.values(examples)].map((one) => ({
          schema,
          value: references.resolve<{ value?: unknown }>(one as { value?: unknown }).value,
        })),
      );
      expect(values.length).toBeGreaterThan(40);
      expect(values.map(({ value, schema }) => faultsOf(value, schema)).filter(Boolean)).toEqual([]);
    });

    it('are still valid in ten years: expiry times are in 2099', () => {
      const toCome = schemas().filter(
        ({ where, schema }) => /expire|^next_/.test(where.at(-1) ?? '') && 'example' in schema,
      );
      expect(toCome.length).toBeGreaterThan(3);
      for (const { schema, where } of toCome) {
        expect({ where, example: schema.example }).toEqual({ where, example: '2099-12-31T23:59:59.000Z' });
      }
    });

    it('cover every error code', () => {
      const codes = new Set(operations.flatMap(({ operation }) => operation['x-error-codes'] ?? []));
      expect([...codes].filter((code) => !components('examples').some(([name]) => name === code))).toEqual([]);
    });
  });
});

function partsOf(value: unknown, path: string): [string, Record<string, unknown>][] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, one]) => partsOf(one, `${path}/${key}`));
  return Array.isArray(value) ? inner : [[path, value as Record<string, unknown>], ...inner];
}
