/** The action that created a version of a bundle. A closed set. */
export const VERSION_ACTIONS = [
  'CREATED',
  'ENTRY_ADDED',
  'ENTRY_CHANGED',
  'ENTRY_REMOVED',
  'ENTRIES_CHANGED',
  'RESTORED',
  'LISTINGS_UPDATED',
  'RULES_CHANGED',
] as const;
export type VersionAction = (typeof VERSION_ACTIONS)[number];
