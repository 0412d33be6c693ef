import type { Launch } from './launch';
import type { Skip } from './skip';
import type { Template } from './template';

/** A `server.json` of 128 KiB can say many times as much: a variable that it repeats stands for a text of any length. */
const MOST_CHARACTERS = 262_144;
/** About what a configuration has around a text, and in the place of a question. */
const AROUND = 16;

export const TOO_LARGE: Skip = {
  reason: 'too_large',
  detail: `Its part of the configuration would have more than ${MOST_CHARACTERS / 1_024} KiB.`,
};

/**
 * About how many characters a configuration has of a server, found without putting its texts together.
 *
 * @returns undefined: more than one server may have
 */
export function launchSize({ server, unasked }: Pick<Launch, 'server' | 'unasked'>): number | undefined {
  const [templates, settings] =
    server.kind === 'local' ? [[[server.command], ...server.args], server.env] : [[server.url], server.headers];
  let size = 0;
  for (const part of partsOf([...templates, [...settings.keys()], ...settings.values(), unasked])) {
    size += partSize(part);
    if (size > MOST_CHARACTERS) return undefined;
  }
  return size;
}

function* partsOf(templates: readonly Template[]): Generator<Template[number]> {
  for (const template of templates) yield* template;
}

function partSize(part: Template[number]): number {
  if (typeof part === 'string') return part.length + AROUND;
  const { name, description = '', default: preset = '', choices } = part;
  return choices.reduce(
    (sum, choice) => sum + choice.length + AROUND,
    name.length + description.length + preset.length,
  );
}
