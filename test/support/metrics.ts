import { Metrics } from '../../src/metrics/metrics';
import type { TestApp } from './app';

/** @returns every series of a process by its name with labels, as Prometheus would scrape it */
export async function scrape({ app }: Pick<TestApp, 'app'>): Promise<Map<string, number>> {
  const lines = (await app.get(Metrics).text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

/** @returns by how much each series whose name begins with one of the names grew while the work was done */
export async function growth(
  test: Pick<TestApp, 'app'>,
  names: readonly string[],
  work: () => Promise<unknown>,
): Promise<Record<string, number>> {
  const before = await scrape(test);
  await work();
  const after = await scrape(test);
  const grown = [...after]
    .map(([series, value]): [string, number] => [series, value - (before.get(series) ?? 0)])
    .filter(([series, by]) => by !== 0 && names.some((name) => series.startsWith(name)));
  return Object.fromEntries(grown);
}
