import type { OpenAPIObject } from '@nestjs/swagger';
import { mapSchemas, type Schema } from './openapi-walk';
import type { TextChecks } from '../requests/text-checks';

/** The extension by which an inline schema says under which name the document should have it. */
export const SCHEMA_NAME_EXTENSION = 'x-schema-name';

/** The extension that names a rule for texts of our own; see `TextChecks`. */
export const FORMAT_EXTENSION = 'x-format';

/** The names of enumerations: those of several schemas, and those whose own place gives no good name. */
export type EnumNames = Readonly<Record<string, readonly string[]>>;

/**
 * Gives enumerations their values that are named where they cannot be known (`enum: []` with an `enumName`).
 *
 * @param names with the values
 */
export function fillEnums(document: OpenAPIObject, names: EnumNames): void {
  for (const [name, schema] of Object.entries(schemasOf(document))) {
    if (schema.enum?.length === 0) Object.assign(schema, { type: 'string', enum: [...(names[name] ?? [])] });
  }
}

/** Takes the `Out` off the names of what goes out, which only our code needs to tell it from what comes in. */
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

/** Moves every inline schema that has a name of its own into the components. */
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
 * @param names of some of them; the others are called after the schema or operation and the property that has them
 */
export function nameEnums(document: OpenAPIObject, names: EnumNames): void {
  const known = new Map(Object.entries(names).map(([name, values]) => [keyOf(values), name]));
  for (const [name, schema] of Object.entries(schemasOf(document))) {
    if (!schema.enum) continue;
    known.set(keyOf(schema.enum), name);
    // Nest leaves the description of the property that happened to come first.
    delete schema.description;
  }
  mapSchemas(document, (schema, where) => {
    const values = schema.enum?.filter((value) => typeof value === 'string') ?? [];
    if (values.length < 2 || where.length < 2) return schema;
    const name = known.get(keyOf(values)) ?? pascal(where.join('_'));
    known.set(keyOf(values), name);
    define(document, name, { type: 'string', enum: values });
    // What is said of this use of it, and not of the values.
    const { enum: all, type: _type, ...rest } = schema;
    const ref = { $ref: refTo(name) };
    if (all?.includes(null)) return { ...rest, anyOf: [ref, { type: 'null' }] };
    return Object.keys(rest).length > 0 ? { ...rest, allOf: [ref] } : ref;
  });
}

/** Puts the formats that only this service knows aside, and the one beside it that every client knows. */
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

/** @throws Error when another schema has the name */
function define(document: OpenAPIObject, name: string, schema: Schema): void {
  const schemas = schemasOf(document);
  const known = schemas[name];
  if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
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
