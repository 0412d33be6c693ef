import type { OpenAPIObject } from '@nestjs/swagger';

/** A schema of the document (JSON Schema 2020-12), with the fields that its transformations use. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  format?: string;
  maximum?: number;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  additionalProperties?: boolean | Schema;
  example?: unknown;
  [extension: `x-${string}`]: unknown;
}

/** Something with a schema: a parameter, a header, or a body in one media type. */
export interface Described {
  name?: string;
  in?: string;
  schema?: Schema;
  $ref?: string;
}

export interface ResponseObject {
  description?: string;
  headers?: Record<string, Described>;
  content?: Record<string, Described & { examples?: Record<string, object> }>;
  $ref?: string;
}

export interface Operation {
  operationId: string;
  security?: object[];
  requestBody?: { required?: boolean; content: Record<string, Described> };
  parameters?: Described[];
  responses: Record<string, ResponseObject>;
}

/** @returns every operation of the document with its path, and its method in lower case */
export function operationsOf<T extends Operation>(
  document: OpenAPIObject,
): { path: string; method: string; operation: T }[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, T>).map(([method, operation]) => ({ path, method, operation })),
  );
}

/**
 * Replaces a schema; the schemas below it have been replaced already.
 *
 * @param where the name of the schema or operation that it is in, then the names of properties
 */
export type Mapping = (schema: Schema, where: readonly string[]) => Schema;

/** Replaces every schema of the document, in the components and in the operations. */
export function mapSchemas(document: OpenAPIObject, map: Mapping): void {
  const named = (document.components?.schemas ?? {}) as Record<string, Schema>;
  for (const [name, schema] of Object.entries(named)) named[name] = mapSchema(schema, [name], map);
  const mapOwn = (described: Described, where: string[]) => {
    if (described.schema) described.schema = mapSchema(described.schema, where, map);
  };
  for (const { operation } of operationsOf(document)) {
    const { operationId, parameters = [], requestBody, responses } = operation;
    for (const parameter of parameters) mapOwn(parameter, [operationId, parameter.name ?? '']);
    for (const body of Object.values(requestBody?.content ?? {})) mapOwn(body, [operationId]);
    for (const { content = {}, headers = {} } of Object.values(responses)) {
      for (const body of Object.values(content)) mapOwn(body, [operationId]);
      for (const [name, header] of Object.entries(headers)) mapOwn(header, [operationId, name]);
    }
  }
}

/**
 * Replaces a schema and the schemas below it. Conditions (`if`, `not`) are left alone: they only choose between the
 * others. Values (`example`, `default`) contain no schemas.
 */
function mapSchema(schema: Schema, where: readonly string[], map: Mapping): Schema {
  const below = (inner: Schema) => mapSchema(inner, where, map);
  const parts = Object.entries(schema).map(([keyword, value]: [string, unknown]): [string, unknown] => {
    switch (keyword) {
      case 'properties': {
        const properties = Object.entries(value as Record<string, Schema>);
        return [
          keyword,
          Object.fromEntries(properties.map(([name, one]) => [name, mapSchema(one, [...where, name], map)])),
        ];
      }
      case 'items':
      case 'additionalProperties':
      case 'propertyNames':
      case 'then':
      case 'else':
        return [keyword, typeof value === 'object' ? below(value as Schema) : value];
      case 'allOf':
      case 'anyOf':
      case 'oneOf':
        return [keyword, (value as Schema[]).map(below)];
      default:
        return [keyword, value];
    }
  });
  return map(Object.fromEntries(parts), where);
}
