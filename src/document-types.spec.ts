import type { OpenAPIObject } from '@nestjs/swagger';
import { DeclaredClass, declaredTypes, DeclaredTypes } from '../test/support/declared-types';
import { describeRoutes } from './document';
import { References } from './http/openapi/openapi-references';

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  $ref?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  default?: unknown;
}

interface Operation {
  operationId: string;
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
}

interface DeclaredObject {
  name: string;
  schema: Schema;
  properties: DeclaredClass;
}

describe('The OpenAPI document and the TypeScript types', () => {
  let document: OpenAPIObject;
  let references: References;
  let types: DeclaredTypes;

  beforeAll(async () => {
    document = await describeRoutes();
    references = new References(document);
    types = declaredTypes();
  }, 120_000);

  const classOf = (schema: string) => types.classes.get(`${schema}Out`) ?? types.classes.get(schema);
  const schemas = () => Object.entries((document.components?.schemas ?? {}) as Record<string, Schema>);
  /** Every object in the document that a class or an inline type describes, with its path. */
  const declared = () =>
    schemas().flatMap(([name, schema]) => {
      const properties = classOf(name);
      return properties ? objectsIn(name, schema, properties) : [];
    });

  it('describe the same classes', () => {
    expect(declared().length).toBeGreaterThan(100);
  });

  it('have the same properties', () => {
    const faults = declared().flatMap(({ name, schema, properties }) => [
      ...[...properties.keys()]
        .filter((key) => !(key in (schema.properties ?? {})))
        .map((key) => `${name}.${key} is undocumented`),
      ...Object.keys(schema.properties ?? {})
        // An inline type for a foreign document can name only the fields that we read.
        .filter((key) => !properties.has(key) && !name.includes('.'))
        .map((key) => `${name}.${key} is undeclared`),
    ]);
    expect(faults).toEqual([]);
  });

  // If you are here because a property is named: it is `field?: T` exactly where its decorator says `required: false`,
  // or `selfRequired` where `required` is the list of an object's own required fields.
  it('have the same optional properties', () => {
    const faults = declared().flatMap(({ name, schema, properties }) =>
      [...properties]
        .filter(([key, { isOptional }]) => isOptional === (schema.required ?? []).includes(key))
        .map(
          ([key, { isOptional }]) => `${name}.${key} is ${isOptional ? 'required' : 'optional'} in the document only`,
        ),
    );
    expect(faults).toEqual([]);
  });

  it('have the same nullable properties', () => {
    const faults = declared().flatMap(({ name, schema, properties }) =>
      [...properties]
        .filter(
          ([key, { isNullable }]) => isNullable !== undefined && isNullable !== takesNull(schema.properties?.[key]),
        )
        .map(([key, { isNullable }]) => `${name}.${key} is ${isNullable ? 'not ' : ''}nullable in the document only`),
    );
    expect(faults).toEqual([]);
  });

  it('have the same optional query parameters', () => {
    const queries = types.inputs.filter(({ query }) => query !== undefined && types.classes.has(query));
    const faults = queries.flatMap(({ operationId, query = '' }) =>
      [...(types.classes.get(query) ?? [])]
        .map(([key, { isOptional }]) => ({ key, isOptional, parameter: parameterOf(operationId, key) }))
        .filter(
          ({ isOptional, parameter }) =>
            !parameter ||
            isOptional !== (parameter.required !== true && references.resolve(parameter.schema).default === undefined),
        )
        .map(({ key }) => `${operationId}: ${key} of ${query}`),
    );
    expect(queries.length).toBeGreaterThan(20);
    expect(faults).toEqual([]);
  });

  it('have the same body classes', () => {
    const bodies = types.inputs.filter(({ body }) => body !== undefined && types.classes.has(body));
    const faults = bodies.filter(({ operationId, body }) => bodyOf(operationId) !== body);
    expect(bodies.length).toBeGreaterThan(20);
    expect(faults).toEqual([]);
  });

  function objectsIn(name: string, schema: Schema, properties: DeclaredClass): DeclaredObject[] {
    const inner = [...properties].flatMap(([key, property]) => {
      const inline = elementOf(schema.properties?.[key]);
      const isDescribed = inline?.properties !== undefined && property.properties().size > 0;
      return isDescribed ? objectsIn(`${name}.${key}`, inline, property.properties()) : [];
    });
    return [{ name, schema, properties }, ...inner];
  }

  /** The schema of the elements if it is a list. Named schemas are compared by name. */
  function elementOf(schema?: Schema): Schema | undefined {
    return schema?.items ? elementOf(schema.items) : schema;
  }

  function operation(id: string): Operation | undefined {
    const all = Object.values(document.paths).flatMap((item) => Object.values(item) as Operation[]);
    return all.find(({ operationId }) => operationId === id);
  }

  function parameterOf(id: string, key: string) {
    return operation(id)
      ?.parameters?.map((parameter) => references.resolve(parameter))
      .find((parameter) => parameter.in === 'query' && parameter.name === key);
  }

  function bodyOf(id: string): string | undefined {
    const { requestBody } = (operation(id) ?? {}) as {
      requestBody?: { content: Record<string, { schema: Schema } | undefined> };
    };
    return requestBody?.content['application/json']?.schema.$ref?.split('/').at(-1);
  }

  function takesNull(schema: Schema = {}): boolean {
    const { type, enum: values, anyOf, oneOf, allOf } = references.resolve(schema);
    if (type !== undefined) return [type].flat().includes('null');
    if (values) return values.includes(null);
    if (anyOf ?? oneOf) return (anyOf ?? oneOf ?? []).some(takesNull);
    return allOf ? allOf.every(takesNull) : true;
  }
});
