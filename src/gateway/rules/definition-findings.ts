import { jsonPointer } from '../../http/requests/json-pointer';
import { isObject, type JsonObject } from '../protocol/json-rpc';

/**
 * What looks odd in a definition: information for the editors of a bundle, no verdict. `invisible_characters`: a model reads
 * what people do not see. `oversized_description`: more text than a tool needs. `names_other_tools`: it speaks of the tools of
 * other entries, as one does that wants to be called in their place, or to have them called.
 */
export const FINDINGS = ['invisible_characters', 'oversized_description', 'names_other_tools'] as const;
export type FindingCode = (typeof FINDINGS)[number];

export interface Finding {
  readonly code: FindingCode;
  /** For people. */
  readonly detail: string;
}

/** Characters of one description, and of all texts of a definition together; the longest of real tools have a third of it. */
export const DESCRIPTION_LIMITS = { one: 4_096, all: 32_768 } as const;
/** A detail names so many of the things that were found. */
const MAX_NAMED = 5;
/** Shorter names, and those that are plain words, are in too many texts to mean anything. */
const MIN_NAME_LENGTH = 4;

/** Emoji of several people or with a profession are joined by U+200D, and U+FE0F makes a character an emoji. */
const JOINED_EMOJI =
  /\p{Extended_Pictographic}(?:\ufe0e|\ufe0f|\p{EMod})*(?:\u200d\p{Extended_Pictographic}(?:\ufe0e|\ufe0f|\p{EMod})*)+/gu;
/**
 * Everything that is shown as nothing (Unicode, `Default_Ignorable_Code_Point`: zero width, bidirectional, tags, fillers, variation
 * selectors), control characters but for tab and line breaks, other format characters, separators of lines, unpaired surrogates.
 */
const INVISIBLE = /(?!\ufe0e|\ufe0f)\p{DI}|(?![\t\n\r])\p{Cc}|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}/gu;
const WORDS = /[\p{L}\p{N}_.-]+/gu;

/**
 * Looks at a definition. Pure: the same for every process, whenever it looks.
 *
 * @param entryOf the other entry whose tool has a name; undefined: none has
 */
export function definitionFindings(
  definition: JsonObject,
  entryOf: (name: string) => string | undefined = () => undefined,
): Finding[] {
  const texts = textsOf(definition);
  return [invisibleIn(texts), oversizedIn(texts), othersIn(texts, entryOf)].filter((found) => found !== undefined);
}

/** @returns whether a text that has this name most likely means it */
export function isTellingName(name: string): boolean {
  return name.length >= MIN_NAME_LENGTH && /[^\p{L}]|\p{Ll}\p{Lu}/u.test(name);
}

/** @returns the text with everything that cannot be seen written as its code points */
export function withVisibleCharacters(text: string): string {
  return text.replace(INVISIBLE, codePoint);
}

interface Text {
  /** Where it is: a JSON pointer. */
  readonly pointer: string;
  readonly text: string;
  readonly isProse: boolean;
}

function invisibleIn(texts: readonly Text[]): Finding | undefined {
  const found = new Map<string, string>();
  for (const { pointer, text } of texts)
    for (const [character] of text.replace(JOINED_EMOJI, '').matchAll(INVISIBLE))
      if (!found.has(character)) found.set(character, pointer);
  if (found.size === 0) return undefined;
  const named = [...found].slice(0, MAX_NAMED).map(([character, at]) => `${codePoint(character)} (${at})`);
  return {
    code: 'invisible_characters',
    detail: `It has characters that cannot be seen: ${listed(named, found.size)}.`,
  };
}

function oversizedIn(texts: readonly Text[]): Finding | undefined {
  const longest = texts
    .filter(({ isProse }) => isProse)
    .reduce((most, text) => (text.text.length > most.text.length ? text : most), { pointer: '', text: '' });
  if (longest.text.length > DESCRIPTION_LIMITS.one)
    return {
      code: 'oversized_description',
      detail: `${longest.pointer} has ${longest.text.length} characters; more than ${DESCRIPTION_LIMITS.one} are unusual.`,
    };
  const all = texts.reduce((sum, { text }) => sum + text.length, 0);
  if (all <= DESCRIPTION_LIMITS.all) return undefined;
  const detail = `All its texts together have ${all} characters; more than ${DESCRIPTION_LIMITS.all} are unusual.`;
  return { code: 'oversized_description', detail };
}

function othersIn(texts: readonly Text[], entryOf: (name: string) => string | undefined): Finding | undefined {
  const found = new Map<string, string>();
  for (const { text, isProse } of texts) {
    if (!isProse) continue;
    for (const [word] of text.matchAll(WORDS)) {
      const name = word.replace(/^[.-]+|[.-]+$/g, '');
      const entry = isTellingName(name) ? entryOf(name) : undefined;
      if (entry !== undefined) found.set(name, entry);
    }
  }
  if (found.size === 0) return undefined;
  const named = [...found].slice(0, MAX_NAMED).map(([name, entry]) => `${name} (${entry})`);
  return { code: 'names_other_tools', detail: `It names tools of other entries: ${listed(named, found.size)}.` };
}

/** All texts of a definition, names of members included: a model gets them, too. */
function textsOf(definition: JsonObject): Text[] {
  const texts: Text[] = [];
  const collect = (value: unknown, pointer: string, isProse: boolean): void => {
    if (typeof value === 'string') texts.push({ pointer, text: value, isProse });
    else if (Array.isArray(value)) value.forEach((item, index) => collect(item, `${pointer}/${index}`, isProse));
    else if (isObject(value))
      for (const [name, member] of Object.entries(value)) {
        const at = `${pointer}${jsonPointer([name])}`;
        texts.push({ pointer: at, text: name, isProse: false });
        collect(member, at, name === 'description' || name === 'title');
      }
  };
  collect(definition, '', false);
  return texts;
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function listed(named: readonly string[], count: number): string {
  return count > named.length ? `${named.join(', ')} and ${count - named.length} more` : named.join(', ');
}
