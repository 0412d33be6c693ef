/** A note has at most so many characters. */
const MAX_NOTE_LENGTH = 500;

/** What a request may say of the version that it makes, as a field. */
export const VERSION_NOTE = {
  required: false,
  nullable: true,
  max: MAX_NOTE_LENGTH,
  example: 'The old weather server is gone.',
  description: 'Why, for those who read the versions. It is kept with the version that this makes, if it makes one.',
} as const;

/** @returns the note as it is kept; undefined: none was given */
export function noteIn({ note }: { note?: string | null }): string | undefined {
  return note == null || note.trim() === '' ? undefined : note.trim();
}
