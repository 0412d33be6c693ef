import { CALL_FILTERS, type CallFilter } from './call-list.sql';
import { recordedText } from '../settings/recording';

/** Which calls someone asks for, by the names of parameters. */
export interface CallChoice {
  readonly entry_id?: string;
  readonly tool?: string;
  readonly principal_id?: string;
  readonly outcome?: string;
}

const PARAMETERS = {
  entry_id: 'entry_id',
  exposed_name: 'tool',
  principal_id: 'principal_id',
  outcome: 'outcome',
} as const satisfies Record<CallFilter, keyof CallChoice>;

/** @returns the same in the form in which rows have it */
export function normalized({ entry_id, tool, principal_id, outcome }: CallChoice) {
  return {
    entry_id: entry_id?.toLowerCase(),
    tool: tool === undefined ? undefined : (recordedText(tool, tool.length) ?? undefined),
    principal_id: principal_id?.toLowerCase(),
    outcome,
  };
}

/** @returns the columns, in the order of `CALL_FILTERS`, and the value of each */
export function chosen(choice: CallChoice): { filters: CallFilter[]; values: string[] } {
  const filters = CALL_FILTERS.filter((column) => choice[PARAMETERS[column]] !== undefined);
  return { filters, values: filters.map((column) => choice[PARAMETERS[column]] ?? '') };
}
