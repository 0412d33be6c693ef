/** Why an entry is not in an exported configuration. */
export const SKIP_REASONS = [
  'disabled',
  'unavailable',
  'no_server',
  'not_stdio',
  'not_local',
  'mcpb',
  'unknown_registry',
  'invalid_package',
  'invalid_address',
  'run_with',
  'client_variables',
  'too_large',
  'remote',
  'no_bridge',
  'unpinned',
  'needs_files',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

export interface Skip {
  reason: SkipReason;
  /** For people; its wording may change. */
  detail: string;
}
