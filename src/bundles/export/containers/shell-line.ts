import type { Question, Template } from '../../launch/template';

/** What a POSIX shell takes as it is. */
const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;

/**
 * Writes a command as a line for a POSIX shell (POSIX.1-2024, XCU section 2.2), which does nothing but start it: every
 * character is quoted, and a value that is asked for comes from a variable, whose value the shell does not read again.
 *
 * @param words the program and its arguments
 * @param variableOf the name of the environment variable with the answer to a question: `[A-Z_][A-Z0-9_]*`
 */
export function shellLine(words: readonly Template[], variableOf: (question: Question) => string): string {
  return words
    .map((template) => {
      const parts = template.map((part) => (typeof part === 'string' ? quoted(part) : `"$${variableOf(part)}"`));
      return parts.length === 0 ? "''" : parts.join('');
    })
    .join(' ');
}

function quoted(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
