import type { Result, Results } from './results';

/** Of figures with a single round, whose spread is not known; and the least that counts for any. */
const UNKNOWN_SPREAD = 0.1;
const LEAST = 0.02;

/** What became of a figure since another run. */
export interface Change {
  case: string;
  name: string;
  verdict: 'better' | 'worse' | 'moved' | 'same' | 'new' | 'gone' | 'other machine';
  /** Of the ratio if there is one, else of the median. */
  before?: number;
  after?: number;
  /** 0.1: 10 % more. */
  change?: number;
}

/**
 * Compares two runs. A ratio to a reference of the same run counts on every machine, a plain figure only if the machines are
 * the same. A change counts when it is larger than the spread of the rounds, of the run in which they differ more.
 */
export function compareRuns(before: Results, after: Results): Change[] {
  const isSameMachine = (['cpu', 'cores', 'node', 'postgres'] as const).every(
    (key) => before.conditions[key] === after.conditions[key],
  );
  const earlier = new Map(before.results.map((result) => [keyOf(result), result]));
  const cases = new Set(after.results.map((result) => result.case));
  const names = new Set(after.results.map(keyOf));
  const gone = before.results.filter((result) => cases.has(result.case) && !names.has(keyOf(result)));
  return [
    ...after.results.map((result) => changeOf(earlier.get(keyOf(result)), result, isSameMachine)),
    ...gone.map((result): Change => ({ case: result.case, name: result.name, verdict: 'gone' })),
  ];
}

function keyOf({ case: name, name: figure, ratio }: Result): string {
  // A case may compare one figure with two references.
  return `${name}\n${figure}\n${ratio?.to.replace(/[\d.,]+/g, '') ?? ''}`;
}

function changeOf(before: Result | undefined, after: Result, isSameMachine: boolean): Change {
  const named = { case: after.case, name: after.name };
  if (!before) return { ...named, verdict: 'new' };
  const isRatio = before.ratio !== undefined && after.ratio !== undefined;
  if (!isRatio && !isSameMachine) return { ...named, verdict: 'other machine' };
  const [from, to] = [before, after].map((result) => (isRatio ? result.ratio?.value : result.median) ?? 0) as [
    number,
    number,
  ];
  const change = from === to ? 0 : (to - from) / from;
  const counts = Math.abs(change) > Math.max(LEAST, relativeSpread(before), relativeSpread(after));
  return { ...named, before: from, after: to, change, verdict: counts ? directionOf(after, change) : 'same' };
}

function relativeSpread({ rounds, spread, median }: Result): number {
  return rounds.length === 1 ? UNKNOWN_SPREAD : spread / Math.abs(median || 1);
}

function directionOf({ unit, goal }: Result, change: number): Change['verdict'] {
  if (unit === '' || goal?.includes(' to ')) return 'moved';
  const isMoreBetter = unit.split(' ').some((part) => part.endsWith('/s'));
  return change > 0 === isMoreBetter ? 'better' : 'worse';
}
