/**
 * The columns of a table in SQL: the properties of its entity, in snake_case. A row type is a `Pick` of them, so that a
 * column has only one type, the entity's. `test/database/statements.e2e-spec.ts` checks the names of all columns.
 */
export type Columns<Entity> = { [Property in keyof Entity & string as SnakeCase<Property>]: Entity[Property] };

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;
