/**
 * How many random cases a property is tried with: a fifth of them on every run, all in `.ci/run --all`.
 *
 * @param all how many at night
 */
export function cases(all: number): number {
  return process.env.RANDOM_CASES === 'all' ? all : Math.ceil(all / 5);
}
