import type { Change } from './comparison';
import type { Result, Results } from './results';

const BEGIN = '<!-- bench: written by npm run bench, from here -->';
const END = '<!-- bench: to here -->';

/**
 * Writes the figures into a page, between two comments.
 *
 * @throws Error if the page does not have them
 */
export function withFigures(page: string, results: Results): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`The page needs the lines ${BEGIN} and ${END}.`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${figuresOf(results)}\n\n${page.slice(end)}`;
}

function figuresOf({ conditions, results, failed, again = {} }: Results): string {
  const { date, commit, cpu, cores, memoryGiB, system, node, postgres, load, rounds, seconds } = conditions;
  const judged = results.filter(({ isMet }) => isMet !== undefined);
  const met = judged.filter(({ isMet }) => isMet).length;
  const cases = [...new Set(results.map((result) => result.case))];
  return [
    `${date}${commit ? `, commit ${commit}` : ''}: ${cores} cores of ${cpu}, ${memoryGiB} GiB, ${system}, Node ${node}, PostgreSQL ${postgres}; ` +
      `${rounds} rounds of ${seconds} s, load at the start ${load}. ${met} of ${judged.length} goals are met.`,
    ...Object.entries(again).map(
      ([name, { date: day, commit: of, load: busy }]) =>
        `\`${name}\` was measured again by itself on ${day}${of ? `, commit ${of}` : ''}, load at the start ${busy}.`,
    ),
    ...(failed.length > 0 ? [`**These cases ended with an error:** ${failed.join(', ')}.`] : []),
    '![How much of its goal each figure uses up](performance.svg)',
    ...cases.map((name) => `### ${name}\n\n${tableOf(results.filter((result) => result.case === name))}`),
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

function markdown([head = [], ...rows]: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function shown(value: number): string {
  return Number.isFinite(value) ? Number(value.toPrecision(3)).toLocaleString('en') : '–';
}
