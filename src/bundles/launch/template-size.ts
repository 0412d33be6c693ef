import type { Template } from './template';

/**
 * The configuration of one server has at most so many bytes: a variable that a `server.json` of 128 KiB repeats can
 * have a value of any length.
 */
export const MAX_SERVER_BYTES = 262_144;
/** About what a configuration has around a text, and in place of a question. */
const BYTES_AROUND = 16;

/**
 * About how many bytes a configuration has of the templates of a server, computed without joining their texts.
 *
 * @returns undefined: more than one server may have
 */
export function templatesSize(templates: readonly Template[]): number | undefined {
  let size = 0;
  for (const template of templates) {
    for (const part of template) {
      size += partSize(part);
      if (size > MAX_SERVER_BYTES) return undefined;
    }
  }
  return size;
}

function partSize(part: Template[number]): number {
  if (typeof part === 'string') return Buffer.byteLength(part) + BYTES_AROUND;
  const { name, description = '', choices } = part;
  return choices.reduce(
    (sum, choice) => sum + Buffer.byteLength(choice) + BYTES_AROUND,
    Buffer.byteLength(name) + Buffer.byteLength(description),
  );
}
