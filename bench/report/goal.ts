import type { Figure } from '../measure';

/** One condition of a goal: `≤ 50 ms`, `≥ 0.5`, `0.98 to 1.02`, `0`. */
interface Condition {
  sign: '≤' | '<' | '≥' | '>';
  bound: number;
  /** Undefined: of the ratio, if the figure has one. */
  unit?: string;
}

const NUMBER = '\\d[\\d,]*(?:\\.\\d+)?';
const BOUND = new RegExp(`^(?<sign>[≤<≥>]) (?<bound>${NUMBER})(?: ?(?<unit>(?:/s|[a-zA-Z]+)))?$`);
const RANGE = new RegExp(`^(?<from>${NUMBER}) to (?<to>${NUMBER})$`);

/**
 * @returns how much of its goal a figure uses up: at most 1 if the goal is met, 0.5 if it could be twice as bad. Undefined if
 *   it has no goal, or one that cannot be read
 */
export function useOfGoal(figure: Figure): number | undefined {
  const conditions = figure.goal === undefined ? [] : conditionsOf(figure.goal);
  const uses = conditions.map((condition) => useOf(condition, figure));
  const known = uses.filter((use) => use !== undefined);
  return known.length === uses.length && known.length > 0 ? Math.max(...known) : undefined;
}

/** @returns whether the goal is met; undefined as above */
export function isMet(figure: Figure): boolean | undefined {
  const use = useOfGoal(figure);
  return use === undefined ? undefined : use <= 1;
}

/** @returns none if it cannot be read */
export function conditionsOf(goal: string): Condition[] {
  const conditions = goal.split(', ').map(conditionsIn);
  return conditions.some(({ length }) => length === 0) ? [] : conditions.flat();
}

function conditionsIn(text: string): Condition[] {
  if (text === '0') return [{ sign: '≤', bound: 0 }];
  const range = RANGE.exec(text)?.groups;
  if (range)
    return [
      { sign: '≥', bound: numberOf(range.from) },
      { sign: '≤', bound: numberOf(range.to) },
    ];
  const { sign, bound, unit } = BOUND.exec(text)?.groups ?? {};
  return sign === undefined ? [] : [{ sign: sign as Condition['sign'], bound: numberOf(bound), unit }];
}

function useOf({ sign, bound, unit }: Condition, { median, ratio, unit: own }: Figure): number | undefined {
  const isOfRatio = unit === undefined && ratio !== undefined;
  if (unit !== undefined && !own.split(' ').some((part) => part === unit || (unit === '/s' && part.endsWith('/s'))))
    return undefined;
  const value = isOfRatio ? ratio.value : median;
  if (!Number.isFinite(value)) return undefined;
  const isLower = sign === '≤' || sign === '<';
  const [share, whole] = isLower ? [value, bound] : [bound, value];
  if (share === 0 && whole === 0) return sign === '≤' || sign === '≥' ? 0 : Infinity;
  const use = share / whole;
  // At the bound itself, `<` is not met.
  return use === 1 && (sign === '<' || sign === '>') ? 1 + Number.EPSILON : use;
}

function numberOf(text = ''): number {
  return Number(text.replaceAll(',', ''));
}
