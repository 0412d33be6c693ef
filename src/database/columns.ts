/** `createdAt` as the database has it: `created_at`. */
type ColumnName<Property extends string> = Property extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${ColumnName<Rest>}`
  : Property;

/**
 * Columns of an entity's table as a raw row has them: `ColumnsOf<Bundle, 'id' | 'ownerId'>` is
 * `{ id: string; owner_id: string }`. So the entity alone says what a column holds, also where a statement is written by
 * hand. Every column has to be named after its property; `test/database/column-names.e2e-spec.ts` checks it.
 */
export type ColumnsOf<Entity, Property extends keyof Entity & string> = {
  [Name in Property as ColumnName<Name>]: Entity[Name];
};
