import { visibleJson } from '../../../ui/visible-json';

/** A line that is longer is cut: no one reads on. */
const MAX_LINE = 2_000;

export type DocumentRow =
  { type: 'line'; line: number; text: string; isFaulty: boolean } | { type: 'fault'; line: number; text: string };

/**
 * @param text formatted JSON
 * @param faults with the lines that they are on
 * @returns its lines as a person may see them, and after each line what is wrong with it
 */
export function documentRows(text: string, faults: readonly { line: number | null; message: string }[]): DocumentRow[] {
  // It has the same lines: what cannot be seen is only inside of texts.
  const lines = (visibleJson(JSON.parse(text)) ?? '').split('\n');
  const byLine = new Map<number, string[]>();
  for (const { line, message } of faults) {
    if (line !== null) byLine.set(line, [...(byLine.get(line) ?? []), message]);
  }
  return lines.flatMap((shown, index) => {
    const line = index + 1;
    const messages = byLine.get(line) ?? [];
    const cut = shown.length > MAX_LINE ? `${shown.slice(0, MAX_LINE)}…` : shown;
    return [
      { type: 'line' as const, line, text: cut, isFaulty: messages.length > 0 },
      ...messages.map((message) => ({ type: 'fault' as const, line, text: message })),
    ];
  });
}
