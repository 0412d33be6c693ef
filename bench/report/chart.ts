import { useOfGoal } from './goal';
import type { Result } from './results';

const [ROW, LABEL, BAR, VALUE] = [22, 520, 360, 90] as const;
const TOP = 44;
/** The right end of the scale; what uses more is cut off there, and says how much it is. */
const MOST = 2;

/**
 * A bar for each figure with a goal: how much of it the figure uses up. The line is the goal.
 *
 * @returns an SVG that needs no fonts or scripts
 */
export function chartOf(results: readonly Result[]): string {
  const bars = results.flatMap((result) => {
    const use = useOfGoal(result);
    return use === undefined ? [] : [{ label: `${result.name} (${result.goal})`, use }];
  });
  const width = LABEL + BAR + VALUE;
  const height = TOP + bars.length * ROW + 12;
  const goalAt = LABEL + BAR / MOST;
  const rows = bars.map(({ label, use }, index) => {
    const y = TOP + index * ROW;
    const length = Math.max(1, (Math.min(use, MOST) / MOST) * BAR);
    return [
      `<text x="${LABEL - 8}" y="${y + 14}" text-anchor="end">${escaped(shortened(label))}</text>`,
      `<rect x="${LABEL}" y="${y + 3}" width="${length.toFixed(1)}" height="14" fill="${use <= 1 ? '#2e7d5b' : '#c0392b'}"/>`,
      `<text x="${(LABEL + length + 6).toFixed(1)}" y="${y + 14}">${percent(use)}</text>`,
    ].join('\n');
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="sans-serif" font-size="12" fill="#222">
<title>How much of its goal each figure uses up; less is better</title>
<rect width="${width}" height="${height}" fill="#fff"/>
<text x="${goalAt}" y="20" text-anchor="middle">the goal</text>
${rows.join('\n')}
<line x1="${goalAt}" y1="26" x2="${goalAt}" y2="${height - 8}" stroke="#222" stroke-dasharray="4 3"/>
</svg>
`;
}

function percent(use: number): string {
  return Number.isFinite(use) ? `${Math.round(use * 100)} %` : 'missed';
}

function shortened(label: string): string {
  return label.length > 82 ? `${label.slice(0, 81)}…` : label;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
