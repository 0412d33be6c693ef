import type { OpenAPIObject } from '@nestjs/swagger';
import { mapSchemas, type Schema } from './openapi-walk';
import type { TextChecks } from '../requests/text-checks';

/** The extension that gives an inline schema its name in the document. */
export const SCHEMA_NAME_EXTENSION = 'x-schema-name';

/** The extension that names one of our own rules for strings; see `TextChecks`. */
export const FORMAT_EXTENSION = 'x-format';

/** The names of enumerations used by several schemas, and of those whose location does not yield a good name. */
export type EnumNames = Readonly<Record<string, readonly string[]>>;

/**
 * Fills in the values of enumerations that are declared where the values cannot be known (`enum: []` with an
 * `enumName`).
 *
 * @param names with the values
 */
export function fillEnums(document: OpenAPIObject, names: EnumNames): void {
  for (const [name, schema] of Object.entries(schemasOf(document))) {
    if (schema.enum?.length === 0) Object.assign(schema, { type: 'string', enum: [...(names[name] ?? [])] });
  }
}

/** Strips the `Out` suffix of output classes, which only our code needs to tell them from input classes. */
export function dropSuffixes(document: OpenAPIObject): void {
  const schemas = schemasOf(document);
  const renamed = new Map(Object.keys(schemas).map((name) => [name, name.replace(/Out$/, '')]));
  document.components = { ...document.components, schemas: {} };
  for (const [name, schema] of Object.entries(schemas)) define(document, renamed.get(name) ?? name, schema);
  const text = JSON.stringify({ paths: document.paths, components: document.components }).replace(
    /"\$ref":"#\/components\/schemas\/(\w+)"/g,
    (_, name: string) => `"$ref":"${refTo(renamed.get(name) ?? name)}"`,
  );
  Object.assign(document, JSON.parse(text));
}

/** Moves every inline schema with a name of its own into the components. */
export function nameInlineSchemas(document: OpenAPIObject): void {
  mapSchemas(document, (schema) => {
    const { [SCHEMA_NAME_EXTENSION]: name, ...rest } = schema;
    if (typeof name !== 'string') return schema;
    define(document, name, rest);
    return { $ref: refTo(name) };
  });
}

/**
 * Moves every enumeration of two or more values into the components, so that clients have one type for it.
 *
 * @param names of some of them; the others are named after the schema or operation and the property that uses them
 */
export function nameEnums(document: OpenAPIObject, names: EnumNames): void {
  const nameByValues = new Map(Object.entries(names).map(([name, values]) => [keyOf(values), name]));
  for (const [name, schema] of Object.entries(schemasOf(document))) {
    if (!schema.enum) continue;
    nameByValues.set(keyOf(schema.enum), name);
    // Nest leaves the description of whichever property came first.
    delete schema.description;
  }
  mapSchemas(document, (schema, where) => {
    const values = schema.enum?.filter((value) => typeof value === 'string') ?? [];
    if (values.length < 2 || where.length < 2) return schema;
    const name = nameByValues.get(keyOf(values)) ?? pascal(where.join('_'));
    nameByValues.set(keyOf(values), name);
    define(document, name, { type: 'string', enum: values });
    // Describes this use of it rather than the values.
    const { enum: allValues, type: _type, ...rest } = schema;
    const ref = { $ref: refTo(name) };
    if (allValues?.includes(null)) return { ...rest, anyOf: [ref, { type: 'null' }] };
    return Object.keys(rest).length > 0 ? { ...rest, allOf: [ref] } : ref;
  });
}

/** Moves formats that only this service knows to an extension, and sets the standard format of each, if it has one. */
export function useStandardFormats(document: OpenAPIObject, checks: TextChecks): void {
  const own = new Set(checks.formats());
  mapSchemas(document, (schema) => {
    const { format, ...rest } = schema;
    if (format === undefined || !own.has(format)) return schema;
    const standard = checks.standardOf(format);
    return { ...rest, ...(standard === undefined ? {} : { format: standard }), [FORMAT_EXTENSION]: format };
  });
}

function schemasOf(document: OpenAPIObject): Record<string, Schema> {
  return (document.components?.schemas ?? {}) as Record<string, Schema>;
}

/** @throws Error if another schema has the name */
function define(document: OpenAPIObject, name: string, schema: Schema): void {
  const schemas = schemasOf(document);
  const existing = schemas[name];
  if (existing && JSON.stringify(existing) !== JSON.stringify(schema)) {
    throw new Error(`Two schemas of the OpenAPI document would be called ${name}.`);
  }
  schemas[name] = schema;
}

function refTo(name: string): string {
  return `#/components/schemas/${name}`;
}

function keyOf(values: readonly unknown[]): string {
  return JSON.stringify(values.filter((value) => value !== null));
}

/** `members_list_role` → `MembersListRole` */
export function pascal(name: string): string {
  return name.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
