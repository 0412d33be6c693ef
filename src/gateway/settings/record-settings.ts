import type { RecordedArguments } from './recorded-arguments';

/**
 * When the row of a call is written. `BUFFERED`: after it, in groups. `STRICT`: before the server is asked, or the call is
 * refused.
 */
export const RECORD_MODES = ['BUFFERED', 'STRICT'] as const;
export type RecordMode = (typeof RECORD_MODES)[number];

/** How the calls of an endpoint are recorded. */
export interface RecordSettings {
  readonly mode: RecordMode;
  readonly arguments: RecordedArguments;
}
