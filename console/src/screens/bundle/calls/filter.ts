import { TYPED_ID } from '../../../api/id';
import type { CallOutcome } from '../../../api/schema';

/** Hours of the periods that a person can choose; the API counts at most 31 days. */
export const PERIODS = ['24', '1', '6', '168', '744'] as const;
export type Period = (typeof PERIODS)[number];

/** In the order of the choice. */
export const ORDERED_PERIODS = ['1', '6', '24', '168', '744'] as const satisfies Period[];

export const OUTCOMES = [
  'OK',
  'TOOL_ERROR',
  'UPSTREAM_ERROR',
  'TIMEOUT',
  'CANCELLED',
  'DENIED',
  'CREDENTIAL_REQUIRED',
  'DEFINITION_CHANGED',
  'RATE_LIMITED',
  'STARTED',
] as const satisfies CallOutcome[];

/** What of the calls is shown: each of them, their course, or what they are broken down by. */
export const VIEWS = ['record', 'time', 'tool', 'principal', 'entry', 'outcome'] as const;
export type View = (typeof VIEWS)[number];

/** Which calls are shown, as the address says it. */
export interface CallFilter {
  hours: Period;
  tool: string | undefined;
  entry: string | undefined;
  outcome: CallOutcome | undefined;
  person: string | undefined;
}

const MAX_TOOL_LENGTH = 256;
const HOUR_MS = 3_600_000;

/** @returns the filter of an address; what the API would refuse is left out */
export function filterOf(
  search: Partial<Record<'hours' | 'tool' | 'entry' | 'outcome' | 'person', string>>,
): CallFilter {
  return {
    hours: PERIODS.find((hours) => hours === search.hours) ?? PERIODS[0],
    tool: search.tool?.slice(0, MAX_TOOL_LENGTH),
    entry: idOf(search.entry),
    outcome: OUTCOMES.find((outcome) => outcome === search.outcome),
    person: idOf(search.person),
  };
}

const idOf = (text: string | undefined): string | undefined =>
  text !== undefined && TYPED_ID.test(text) ? text.toLowerCase() : undefined;

/** @returns whether anything but the period is chosen */
export const isNarrowed = ({ tool, entry, outcome, person }: CallFilter): boolean =>
  [tool, entry, outcome, person].some((value) => value !== undefined);

/** @returns the parameters of the API that narrow it down, without the period */
export const narrowing = ({ tool, entry, outcome, person }: CallFilter) => ({
  tool,
  entry_id: entry,
  outcome,
  principal_id: person,
});

/** @returns when the period begins that ends at this time, in milliseconds; to the second */
export function beginOf(hours: Period, now: number): string {
  return new Date(Math.floor((now - Number(hours) * HOUR_MS) / 1_000) * 1_000).toISOString();
}
