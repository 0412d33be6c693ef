/** Keywords whose value is a map from names to schemas, so that none of its names is a keyword. */
const MAPS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  // Until draft-07; lists of names have no schemas in them.
  'dependencies',
]);
/** Keywords whose value is data: what looks like a schema in it is none. */
const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', 'example']);

/** @returns whether a keyword of JSON Schema has a map from names to schemas, in any dialect */
export function isSchemaMap(keyword: string): boolean {
  return MAPS.has(keyword);
}

/** @returns whether the value of a keyword may have schemas in it; unknown ones may, because references can lead there */
export function isSchemaValue(keyword: string): boolean {
  return !DATA.has(keyword);
}
