import { inTurns } from '../rules/allowed';
import { tokenize } from './tokenize';

/** What is searched of a tool. */
export interface SearchedTool {
  /** As clients call it. */
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
}

/** How much a word counts, by where it is; of a description, each time again, but less and less. */
const IN_NAME = 4;
const IN_TITLE = 3;
const IN_DESCRIPTION = 1;
/** Of a description; what follows helps few to find a tool. */
const SEARCHED_CHARACTERS = 2_000;
/** What a word counts that only begins as one that was asked for, and one that only contains it. */
const BEGINS = 0.5;
const CONTAINS = 0.25;
/** Words of a query, and words of tools that one of them can stand for. */
const MAX_WORDS = 16;
const MAX_MEANT = 32;
/** Words of a query of which no word begins so, for each of which all words of tools are looked through. */
const MAX_CONTAINED = 4;
/** Words of a name and a title, and of all descriptions together: servers decide what these are. */
const WORDS_IN_NAMES = 24;
const WORDS_IN_DESCRIPTIONS = 200_000;
const MAX_IN_DESCRIPTION = 200;
/** Shorter ones would be the beginning of anything. */
const MIN_BEGINNING = 2;
/** A place and a weight, and what a word itself takes; bytes, roughly. */
const POSTING_BYTES = 12;
const WORD_BYTES = 96;

/** Where a word is: places of tools, and how much it counts at each. */
interface Postings {
  readonly places: number[];
  readonly weights: number[];
}

/** A tool that was found. */
export interface SearchHit {
  /** In the order of the tools. */
  readonly place: number;
  readonly score: number;
}

/**
 * Finds tools by words of their names, titles and descriptions. Words that few tools have count more; a query word also stands
 * for those that begin as it does, and where there are none, for those that contain it. Immutable, and in memory with the
 * compiled bundle: at most 5,000 tools.
 */
export class ToolIndex {
  /** About how many bytes it has in memory. */
  readonly bytes: number;
  private readonly sorted: readonly string[];

  private constructor(
    private readonly words: ReadonlyMap<string, Postings>,
    private readonly toolCount: number,
  ) {
    this.sorted = [...words.keys()].sort();
    let bytes = 0;
    for (const [word, { places }] of words) bytes += WORD_BYTES + word.length + places.length * POSTING_BYTES;
    this.bytes = bytes;
  }

  /** Other requests get turns between the tools. */
  static async of(tools: readonly SearchedTool[]): Promise<ToolIndex> {
    const words = new Map<string, Postings>();
    const most = Math.min(MAX_IN_DESCRIPTION, Math.floor(WORDS_IN_DESCRIPTIONS / tools.length));
    for await (const [place, tool] of inTurns(tools.entries())) {
      for (const [word, weight] of weightsOf(tool, most)) {
        const known = words.get(word);
        if (known) {
          known.places.push(place);
          known.weights.push(weight);
        } else words.set(word, { places: [place], weights: [weight] });
      }
    }
    return new ToolIndex(words, tools.length);
  }

  /** @returns the tools that have at least one word of the query, the best first; equal ones in their order */
  find(query: string): SearchHit[] {
    const scores = new Map<number, number>();
    let contained = MAX_CONTAINED;
    for (const asked of new Set(tokenize(query).slice(0, MAX_WORDS))) {
      const best = new Map<number, number>();
      let meant = this.meantBy(asked);
      if (meant.length === 0 && contained-- > 0) meant = this.containing(asked);
      for (const [word, share] of meant) {
        const { places, weights } = this.words.get(word) ?? { places: [], weights: [] };
        const rarity = Math.log(1 + this.toolCount / places.length);
        places.forEach((place, index) => {
          const score = share * rarity * saturated(weights[index] ?? 0);
          if (score > (best.get(place) ?? 0)) best.set(place, score);
        });
      }
      for (const [place, score] of best) scores.set(place, (scores.get(place) ?? 0) + score);
    }
    return [...scores]
      .map(([place, score]) => ({ place, score }))
      .sort((one, other) => other.score - one.score || one.place - other.place);
  }

  /** The words of tools that a word of a query stands for, each with how well. */
  private meantBy(asked: string): [string, number][] {
    const meant: [string, number][] = this.words.has(asked) ? [[asked, 1]] : [];
    if (asked.length >= MIN_BEGINNING) {
      for (let at = this.firstFrom(asked); meant.length < MAX_MEANT; at++) {
        const word = this.sorted[at];
        if (!word?.startsWith(asked)) break;
        if (word !== asked) meant.push([word, BEGINS]);
      }
    }
    return meant;
  }

  /** Also how languages are searched that put no spaces between words. */
  private containing(asked: string): [string, number][] {
    const found: [string, number][] = [];
    for (const word of this.sorted) {
      if (found.length === MAX_MEANT) break;
      if (word.includes(asked)) found.push([word, CONTAINS]);
    }
    return found;
  }

  private firstFrom(word: string): number {
    let [low, high] = [0, this.sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.sorted[middle] ?? '') < word) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** @param most how many words of the description count */
function weightsOf({ name, title = '', description = '' }: SearchedTool, most: number): Map<string, number> {
  const weights = new Map<string, number>();
  const add = (text: string, weight: number, room: number): void => {
    for (const word of tokenize(text)) {
      const known = weights.get(word);
      if (known !== undefined || weights.size < room) weights.set(word, (known ?? 0) + weight);
    }
  };
  add(name, IN_NAME, WORDS_IN_NAMES);
  add(title, IN_TITLE, WORDS_IN_NAMES);
  add(description.slice(0, SEARCHED_CHARACTERS), IN_DESCRIPTION, weights.size + most);
  return weights;
}

/** A word that is repeated counts more, but no text can make itself important by repeating it (as BM25 has it). */
function saturated(weight: number): number {
  return (weight * 2.2) / (weight + 1.2);
}
