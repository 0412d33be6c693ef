/** What a spreadsheet takes for the beginning of a formula, also in its wide form, or for a cell that has one after it. */
const FORMULA = /^[=+\-@\t\r\n\uFF0B\uFF0D\uFF1D\uFF20]/;

/** So that a spreadsheet reads the file as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/**
 * A cell of a CSV file (RFC 4180), always in quotation marks, so that no separator of any country ends it.
 *
 * What would be a formula gets an apostrophe before it: spreadsheets show the text then and compute nothing (OWASP, CSV
 * injection).
 *
 * @param value an object is written as JSON, null as an empty cell
 */
export function csvCell(value: string | number | boolean | object | null): string {
  if (value === null) return '""';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return `"${FORMULA.test(text) ? "'" : ''}${text.replaceAll('"', '""')}"`;
}

/** @returns a line of a CSV file with its end */
export function csvLine(cells: readonly Parameters<typeof csvCell>[0][]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}
