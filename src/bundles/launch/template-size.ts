import type { Template } from './template';

/** A `server.json` of 128 KiB can say many times as much: a variable that it repeats stands for a text of any length. */
export const MOST_SERVER_CHARACTERS = 262_144;
/** About what a configuration has around a text, and in the place of a question. */
const AROUND = 16;

/**
 * About how many characters a configuration has of the templates of a server, found without putting their texts together.
 *
 * @returns undefined: more than one server may have
 */
export function templatesSize(templates: readonly Template[]): number | undefined {
  let size = 0;
  for (const template of templates) {
    for (const part of template) {
      size += partSize(part);
      if (size > MOST_SERVER_CHARACTERS) return undefined;
    }
  }
  return size;
}

function partSize(part: Template[number]): number {
  if (typeof part === 'string') return part.length + AROUND;
  const { name, description = '', default: preset = '', choices } = part;
  return choices.reduce(
    (sum, choice) => sum + choice.length + AROUND,
    name.length + description.length + preset.length,
  );
}
