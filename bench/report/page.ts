import type { Change } from './comparison';
import { highlightsOf } from './highlights';
import type { Result, Results } from './results';

const BEGIN = '<!-- bench: written by npm run bench, from here -->';
const END = '<!-- bench: to here -->';

/**
 * Writes the figures that users feel, and the goals that are missed, into a page, between two comments.
 *
 * @throws Error if the page does not have them
 */
export function withFigures(page: string, results: Results): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`The page needs the lines ${BEGIN} and ${END}.`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${highlightsIn(results)}\n\n${page.slice(end)}`;
}

/** @returns all figures, a table for each case; `npm run bench -- --report` prints them */
export function reportOf(results: Results): string {
  const cases = [...new Set(results.results.map((result) => result.case))];
  return [
    introductionOf(results),
    ...cases.map((name) => `### ${name}\n\n${tableOf(results.results.filter((result) => result.case === name))}`),
  ].join('\n\n');
}

function highlightsIn(results: Results): string {
  const rows = highlightsOf(results.results).found.map(({ says, against = '', result: { median, unit, ratio } }) => [
    says,
    `${shown(median)} ${unit}`.trim(),
    ratio ? shown(ratio.value) : '',
    against,
  ]);
  const missed = results.results.filter(({ isMet }) => isMet === false);
  return [
    introductionOf(results),
    markdown([['', 'median', 'ratio', 'to'], ...rows]),
    ...(missed.length > 0 ? ['These goals are missed:', missed.map(missedGoal).join('\n')] : []),
    '![How much of its goal each of these figures uses up](performance.svg)',
  ].join('\n\n');
}

function missedGoal({ case: name, name: figure, median, unit, ratio, goal }: Result): string {
  return `- \`${name}\`, ${figure}: ${shown(median)} ${unit}${ratio ? `, ratio ${shown(ratio.value)}` : ''} (${goal})`;
}

function introductionOf({ conditions, results, failed, again = {} }: Results): string {
  const { date, commit, cpu, cores, memoryGiB, system, node, postgres, load, rounds, seconds } = conditions;
  const judged = results.filter(({ isMet }) => isMet !== undefined);
  const met = judged.filter(({ isMet }) => isMet).length;
  const repeated = new Map<string, string[]>();
  for (const [name, { date: day, commit: of, load: busy }] of Object.entries(again)) {
    const run = `${day}${of ? `, commit ${of}` : ''}, load ${busy}`;
    repeated.set(run, [...(repeated.get(run) ?? []), `\`${name}\``]);
  }
  return [
    `${date}${commit ? `, commit ${commit}` : ''}: ${cores} cores of ${cpu}, ${memoryGiB} GiB, ${system}, Node ${node}, PostgreSQL ${postgres}; ` +
      `${rounds} rounds of ${seconds} s, load at the start ${load}. ${met} of ${judged.length} goals are met.`,
    ...[...repeated].map(([run, names]) => `Again on ${run}: ${names.join(', ')}.`),
    ...(failed.length > 0 ? [`**These cases ended with an error:** ${failed.join(', ')}.`] : []),
  ].join('\n\n');
}

function tableOf(results: readonly Result[]): string {
  const rows = results.map(({ name, median, unit, spread, ratio, goal, isMet }) => [
    name,
    `${shown(median)} ${unit}`.trim(),
    shown(spread),
    ratio ? `${shown(ratio.value)} of ${ratio.to}` : '',
    goal ?? '',
    isMet === undefined ? '' : isMet ? 'yes' : '**no**',
  ]);
  return markdown([['figure', 'median', 'spread', 'ratio', 'goal', 'met'], ...rows]);
}

/** @returns what moved, as a table; a sentence if nothing did */
export function changesOf(changes: readonly Change[], since: string): string {
  const moved = changes.filter(({ verdict }) => verdict !== 'same' && verdict !== 'other machine');
  const same = changes.length - moved.length;
  if (moved.length === 0) return `Nothing moved since ${since} by more than the rounds differ (${same} figures).`;
  const rows = moved.map(({ case: name, name: figure, verdict, before, after, change }) => [
    verdict,
    name,
    figure,
    before === undefined ? '' : shown(before),
    after === undefined ? '' : shown(after),
    change === undefined ? '' : `${change > 0 ? '+' : ''}${Math.round(change * 100)} %`,
  ]);
  const table = markdown([['', 'case', 'figure', 'before', 'now', 'change'], ...rows]);
  return `Since ${since}, ${same} figures are the same or cannot be compared:\n\n${table}`;
}

/** Aligned, as prettier writes tables. */
function markdown(rows: readonly string[][]): string {
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = cells[0]?.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: readonly string[]) => `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = cells;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}

function shown(value: number): string {
  return Number.isFinite(value) ? Number(value.toPrecision(3)).toLocaleString('en') : '–';
}
