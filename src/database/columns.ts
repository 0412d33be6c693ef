/**
 * The columns of a table as SQL gives them: the properties of its entity, in snake_case. A row type is a `Pick` of them, so
 * that a column has one type, the entity's. `test/database/statements.e2e-spec.ts` checks that every column is named so.
 */
export type Columns<Entity> = { [Property in keyof Entity & string as SnakeCase<Property>]: Entity[Property] };

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;
