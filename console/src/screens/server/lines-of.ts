import { visibleText } from '../../../../src/pages/visible-text';

/** @returns the lines of a text of others that have something to be seen, each as it may be shown */
export function linesOf(text: string): string[] {
  return text.split(/\r\n|[\n\r\u2028\u2029]/).flatMap((line) => {
    const visible = visibleText(line);
    return visible === undefined ? [] : [visible];
  });
}
