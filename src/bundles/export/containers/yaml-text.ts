import { stringify } from 'yaml';

/** What some readers take for the end of a line, or reject, and a YAML text may contain all the same. */
const UNSAFE = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;

/**
 * Writes a value as YAML that readers of version 1.1 and of 1.2 understand alike: every text is in double quotes and in
 * one line, and there are no anchors.
 */
export function yamlText(value: unknown): string {
  const text = stringify(value, {
    aliasDuplicateObjects: false,
    // A key that is no text to a reader of YAML 1.1, such as `on`, is quoted, too.
    compat: 'yaml-1.1',
    defaultKeyType: 'PLAIN',
    defaultStringType: 'QUOTE_DOUBLE',
    // From 40 characters on, a line of the text would be a line of the file.
    doubleQuotedMinMultiLineLength: Infinity,
    lineWidth: 0,
  });
  // They can only be within quotes, where escapes are known.
  return text.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A comment of paragraphs, before everything else. */
export function yamlComment(paragraphs: readonly string[]): string {
  return paragraphs
    .flatMap((paragraph) => wrapped(paragraph.replace(/[^\x20-\x7e]/g, '?')))
    .map((line) => `# ${line}`.trimEnd() + '\n')
    .join('');
}

const WIDTH = 110;

function wrapped(paragraph: string): string[] {
  const lines = [''];
  for (const word of paragraph.split(' ')) {
    const last = lines.length - 1;
    const line = lines[last] ?? '';
    if (line !== '' && line.length + word.length >= WIDTH) lines.push(word);
    else lines[last] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
