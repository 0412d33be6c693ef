import { readdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Figure } from '../measure';
import { chartOf } from './chart';
import { compareRuns } from './comparison';
import { conditionsOf, isMet } from './goal';
import { highlightsOf } from './highlights';
import { changesOf, reportOf, withFigures } from './page';
import { conditionsNow, type Results, resultsOf, withCases } from './results';

const figure = (more: Partial<Figure> = {}): Figure => ({
  name: 'One',
  median: 10,
  unit: 'ms',
  rounds: [9, 10, 11],
  ...more,
});
const run = (figures: Figure[], conditions: Partial<Results['conditions']> = {}): Results => ({
  conditions: { ...conditionsNow('18.4', { rounds: 3, seconds: 1 }), ...conditions },
  results: resultsOf('a-case', figures),
  failed: [],
});

describe('A goal', () => {
  const ratio = { to: 'another', value: 1.4 };

  it.each([
    ['≤ 10 ms', {}, true],
    ['< 10 ms', {}, false],
    ['≥ 10', {}, true],
    ['> 10', {}, false],
    ['≤ 9', {}, false],
    ['≤ 1.5', { ratio }, true],
    ['≤ 1.3', { ratio }, false],
    ['≤ 1.5, ≤ 2 ms', { ratio }, false],
    ['≤ 1.5, ≤ 20 ms', { ratio }, true],
    ['≥ 0.5, ≥ 1,000/s', { ratio, median: 1_001, unit: 'deliveries/s' }, true],
    ['≤ 2', { ratio, unit: 'ms p95' }, true],
    ['0.98 to 1.02', { ratio: { to: 'another', value: 1.01 } }, true],
    ['0.98 to 1.02', { ratio: { to: 'another', value: 0.97 } }, false],
    ['0', { median: 0 }, true],
    ['0', { median: 1 }, false],
    ['≤ 10 s', {}, undefined],
    ['quick', {}, undefined],
    ['≤ 10', { median: NaN }, undefined],
  ])('%s of %j', (goal, more, expected) => {
    expect(isMet(figure({ ...more, goal }))).toBe(expected);
  });

  it('of every case can be read', () => {
    const cases = join(__dirname, '../cases');
    const source = readdirSync(cases)
      .map((name) => readFileSync(join(cases, name), 'utf8'))
      .join('\n');
    const goals = [...source.matchAll(/goal: '([^']+)'|'([≤<≥>] [^']+)'/g)].map(([, a, b]) => a ?? b ?? '');
    expect(goals.length).toBeGreaterThan(25);
    expect(goals.filter((goal) => conditionsOf(goal).length === 0)).toEqual([]);
  });
});

describe('A case that is measured again', () => {
  const named = (name: string, median: number) => resultsOf(name, [figure({ median })]);
  const whole: Results = { ...run([]), results: [...named('a', 1), ...named('b', 2)], failed: ['c'] };

  it('replaces its figures, and the page says so', () => {
    const part: Results = {
      ...run([], { date: '2026-12-01', commit: 'abc1234', load: 0.1 }),
      results: [...named('a', 10), ...named('c', 30)],
    };
    const both = withCases(whole, part);
    expect(both.results.map(({ case: name, median }) => [name, median])).toEqual([
      ['a', 10],
      ['b', 2],
      ['c', 30],
    ]);
    expect(both.failed).toEqual([]);
    const page = withFigures('<!-- bench: written by npm run bench, from here -->\n<!-- bench: to here -->', both);
    expect(page).toContain('Again on 2026-12-01, commit abc1234, load 0.1: `a`, `c`.');
    expect(page).not.toContain('`b`');
  });

  it('is still named if it fails again', () => {
    expect(withCases(whole, { ...run([]), failed: ['c'] })).toMatchObject({ failed: ['c'] });
  });
});

describe('The comparison of two runs', () => {
  const verdicts = (before: Results, after: Results) => compareRuns(before, after).map(({ verdict }) => verdict);

  it('counts a change that is larger than the rounds differ, and says whether it is better', () => {
    const before = run([figure()]);
    expect(verdicts(before, run([figure({ median: 11.9, rounds: [11.9] })]))).toEqual(['same']);
    expect(verdicts(before, run([figure({ median: 13, rounds: [12.9, 13, 13.1] })]))).toEqual(['worse']);
    expect(verdicts(before, run([figure({ median: 7, rounds: [6.9, 7, 7.1] })]))).toEqual(['better']);
    const rate = figure({ unit: 'requests/s' });
    expect(verdicts(run([rate]), run([{ ...rate, median: 7 }]))).toEqual(['worse']);
  });

  it('never counts a change within the spread of either run', () => {
    const rounds = fc.array(fc.double({ min: 1, max: 1_000, noNaN: true }), { minLength: 2, maxLength: 10 });
    fc.assert(
      fc.property(rounds, rounds, (first, second) => {
        const middle = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
        const [before, after] = [first, second].map((values) =>
          run([figure({ median: middle(values), rounds: values })]),
        );
        const [change] = before && after ? compareRuns(before, after) : [];
        const spread = Math.max(
          ...[first, second].map((values) => (Math.max(...values) - Math.min(...values)) / middle(values)),
        );
        const difference = Math.abs(middle(second) / middle(first) - 1);
        expect(change?.verdict !== 'same' && difference < spread * 0.99).toBe(false);
        expect(change?.verdict === 'same' && difference > Math.max(0.02, spread) * 1.01).toBe(false);
      }),
    );
  });

  it('compares ratios on any machine, and plain figures on the same machine only', () => {
    const ratio = (value: number) => figure({ name: 'Ratio', ratio: { to: 'another', value } });
    const before = run([figure(), ratio(1)]);
    const after = run([figure({ median: 30 }), ratio(2)], { cpu: 'Another' });
    expect(verdicts(before, after)).toEqual(['other machine', 'worse']);
  });

  it('names figures that are new or gone, of the cases that ran', () => {
    const before: Results = {
      ...run([figure()]),
      results: [...resultsOf('a-case', [figure()]), ...resultsOf('other', [figure()])],
    };
    expect(verdicts(before, run([figure({ name: 'Two' })]))).toEqual(['new', 'gone']);
  });

  it('is printed as a table of what moved', () => {
    const text = changesOf(compareRuns(run([figure()]), run([figure({ median: 20 })])), '2026-11-01');
    expect(text.replace(/ +/g, ' ')).toContain('| worse | a-case | One | 10 | 20 | +100 % |');
    expect(changesOf(compareRuns(run([figure()]), run([figure()])), '2026-11-01')).toMatch(/^Nothing moved/);
  });
});

describe('The page and the chart', () => {
  const page =
    '# Performance\n\nWritten by hand.\n\n<!-- bench: written by npm run bench, from here -->\n\nold\n\n<!-- bench: to here -->\n\nThe end.\n';
  const results = run([
    figure({ name: 'Quick <one>', goal: '≤ 20', ratio: undefined }),
    figure({ name: 'Slow', goal: '≤ 5' }),
    figure({ name: 'Without a goal | no' }),
  ]);

  it('say the highlights, the missed goals and the conditions, and leave the rest of the page', () => {
    const highlight = figure({ name: 'listing search', ratio: { to: 'bare Express', value: 1.0321 } });
    const all = { ...results, results: [...results.results, ...resultsOf('catalogue', [highlight])] };
    const text = withFigures(page, all);
    expect(text).toContain('Written by hand.');
    expect(text).toContain('The end.');
    expect(text).not.toContain('old');
    expect(text.replace(/ +/g, ' ')).toContain(
      '| search among 31,000 listings | 10 ms | 1.03 | bare Express with the one query |',
    );
    expect(text).toContain('- `a-case`, Slow: 10 ms (≤ 5)\n');
    expect(text).not.toContain('Quick');
    expect(text).toContain('1 of 2 goals are met');
    expect(text).toContain(`Node ${process.version}`);
    expect(withFigures(text, all)).toBe(text);
    expect(() => withFigures('# Another page', all)).toThrow('needs the lines');
  });

  it('leave all figures to the report', () => {
    const text = reportOf(results).replace(/ +/g, ' ');
    expect(text).toContain('### a-case');
    expect(text).toContain('| Quick <one> | 10 ms | 2 | | ≤ 20 | yes |');
    expect(text).toContain('| Slow | 10 ms | 2 | | ≤ 5 | **no** |');
    expect(text).toContain('| Without a goal \\| no | 10 ms | 2 | | | |');
    expect(text).toContain('1 of 2 goals are met');
  });

  it('are those of the committed results, in which every highlight is measured', () => {
    const root = join(__dirname, '../..');
    const committed = JSON.parse(readFileSync(join(root, 'bench/results.json'), 'utf8')) as Results;
    expect(highlightsOf(committed.results).missing).toEqual([]);
    // If not: npm run bench -- --report
    const text = readFileSync(join(root, 'docs/performance.md'), 'utf8');
    expect(text).toBe(withFigures(text, committed));
    const measured = highlightsOf(committed.results).found.map(({ result }) => result);
    expect(readFileSync(join(root, 'docs/performance.svg'), 'utf8')).toBe(chartOf(measured));
  });

  it('draw a bar for each figure with a goal', () => {
    const svg = chartOf(results.results);
    expect(svg.match(/<rect x=/g)).toHaveLength(2);
    expect(svg).toContain('Quick &lt;one&gt; (≤ 20)');
    expect(svg).toContain('50 %');
    expect(svg).toContain('200 %');
  });

  it('name neither the machine nor a folder', () => {
    const text = withFigures(page, results) + JSON.stringify(results);
    expect(text).not.toContain(process.cwd());
    expect(text).not.toContain(hostname());
  });
});
