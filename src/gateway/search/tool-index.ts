import { inTurns } from '../rules/allowed';

/** What is searched of a tool. */
export interface SearchedTool {
  /** As clients call it. */
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
}

/** How much a word counts, by where it is; each time that it is repeated again, but less and less. */
const IN_NAME = 4;
const IN_TITLE = 3;
const IN_DESCRIPTION = 1;
/** The index has so many characters of a description; what follows helps few to find a tool. */
const SEARCHED_CHARACTERS = 2_000;
/** How much a word of a tool counts that is a word of the query, that only begins with one, and that only contains one. */
const IS_WORD = 1;
const BEGINS = 0.5;
const CONTAINS = 0.25;
/** Words of a query, and words of tools that one of them can stand for. */
const MAX_QUERY_WORDS = 16;
const MAX_MATCHES = 32;
/** Words of a query for which all words of tools are looked through, because none begins with them. */
const MAX_SUBSTRING_SEARCHES = 4;
const MAX_WORD_LENGTH = 64;
/** Words of a name and a title, and of all descriptions together: servers decide what these are. */
const WORDS_IN_NAMES = 24;
const WORDS_IN_DESCRIPTIONS = 200_000;
const MAX_IN_DESCRIPTION = 200;
/** Shorter words would be the beginning of anything. */
const MIN_PREFIX_LENGTH = 2;
/** A place and a weight, and what a word itself takes; bytes, roughly. */
const POSTING_BYTES = 12;
const WORD_BYTES = 96;

/** Where a word is: places of tools, and how much it counts at each. */
interface Postings {
  readonly places: number[];
  readonly weights: number[];
}

/** A word of tools that a word of the query stands for. */
interface Match {
  readonly word: string;
  /** How much of it counts, from 0 to 1. */
  readonly share: number;
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
  private readonly sortedWords: readonly string[];

  private constructor(
    private readonly postings: ReadonlyMap<string, Postings>,
    private readonly toolCount: number,
  ) {
    this.sortedWords = [...postings.keys()].sort();
    this.bytes = bytesOf(postings);
  }

  /** Other requests get turns between the tools. */
  static async of(tools: readonly SearchedTool[]): Promise<ToolIndex> {
    const postings = new Map<string, Postings>();
    const maxInDescription = Math.min(MAX_IN_DESCRIPTION, Math.floor(WORDS_IN_DESCRIPTIONS / tools.length));
    for await (const [place, tool] of inTurns(tools.entries()))
      for (const [word, weight] of weightsOf(tool, maxInDescription)) addPosting(postings, word, place, weight);
    return new ToolIndex(postings, tools.length);
  }

  /** @returns the tools that have at least one word of the query, the best first; equal ones in their order */
  find(query: string): SearchHit[] {
    const words = [...new Set(tokenize(query).slice(0, MAX_QUERY_WORDS))];
    const scores = new Map<number, number>();
    for (const matches of this.matchesOf(words))
      for (const [place, score] of this.bestScores(matches)) scores.set(place, (scores.get(place) ?? 0) + score);
    return [...scores]
      .map(([place, score]) => ({ place, score }))
      .sort((one, other) => other.score - one.score || one.place - other.place);
  }

  /** @returns for each word of a query the words of tools that it stands for */
  private matchesOf(queryWords: readonly string[]): Match[][] {
    let substringSearches = 0;
    return queryWords.map((queryWord) => {
      const matches = this.beginningWith(queryWord);
      if (matches.length > 0 || substringSearches === MAX_SUBSTRING_SEARCHES) return matches;
      substringSearches++;
      return this.containing(queryWord);
    });
  }

  /** The word itself first. */
  private beginningWith(queryWord: string): Match[] {
    const matches: Match[] = this.postings.has(queryWord) ? [{ word: queryWord, share: IS_WORD }] : [];
    if (queryWord.length < MIN_PREFIX_LENGTH) return matches;
    for (let index = this.firstAtOrAfter(queryWord); matches.length < MAX_MATCHES; index++) {
      const word = this.sortedWords[index];
      if (!word?.startsWith(queryWord)) break;
      if (word !== queryWord) matches.push({ word, share: BEGINS });
    }
    return matches;
  }

  /** Also how languages are searched that put no spaces between words. */
  private containing(queryWord: string): Match[] {
    const matches: Match[] = [];
    for (const word of this.sortedWords) {
      if (matches.length === MAX_MATCHES) break;
      if (word.includes(queryWord)) matches.push({ word, share: CONTAINS });
    }
    return matches;
  }

  /** @returns by the place of each tool, the score of the match that counts most there */
  private bestScores(matches: readonly Match[]): Map<number, number> {
    const best = new Map<number, number>();
    for (const { word, share } of matches) {
      const { places, weights } = this.postings.get(word) ?? { places: [], weights: [] };
      const rarity = Math.log(1 + this.toolCount / places.length);
      for (const [index, place] of places.entries()) {
        const score = share * rarity * saturated(weights[index] ?? 0);
        if (score > (best.get(place) ?? 0)) best.set(place, score);
      }
    }
    return best;
  }

  /** @returns the index of the first word that does not precede another, by binary search */
  private firstAtOrAfter(word: string): number {
    let [low, high] = [0, this.sortedWords.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.sortedWords[middle] ?? '') < word) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** @param maxInDescription how many different words of the description count */
function weightsOf(
  { name, title = '', description = '' }: SearchedTool,
  maxInDescription: number,
): Map<string, number> {
  const weights = new Map<string, number>();
  addWeights(weights, name, IN_NAME, WORDS_IN_NAMES);
  addWeights(weights, title, IN_TITLE, WORDS_IN_NAMES);
  const inDescription = description.slice(0, SEARCHED_CHARACTERS);
  addWeights(weights, inDescription, IN_DESCRIPTION, weights.size + maxInDescription);
  return weights;
}

/** @param maxWords after so many different words, only those count that are known already */
function addWeights(weights: Map<string, number>, text: string, weight: number, maxWords: number): void {
  for (const word of tokenize(text)) {
    const before = weights.get(word);
    if (before !== undefined || weights.size < maxWords) weights.set(word, (before ?? 0) + weight);
  }
}

function addPosting(postings: Map<string, Postings>, word: string, place: number, weight: number): void {
  const ofWord = postings.get(word) ?? { places: [], weights: [] };
  postings.set(word, ofWord);
  ofWord.places.push(place);
  ofWord.weights.push(weight);
}

/** A word that is repeated counts more, but no text can make itself important by repeating it (as BM25 has it). */
function saturated(weight: number): number {
  return (weight * 2.2) / (weight + 1.2);
}

function bytesOf(postings: ReadonlyMap<string, Postings>): number {
  let bytes = 0;
  for (const [word, { places }] of postings) bytes += WORD_BYTES + word.length + places.length * POSTING_BYTES;
  return bytes;
}

/**
 * The words of a text, in lower case and without accents: `getUserById` and `get_user_by_id` have the same. A plural `s` is
 * left out, so that one finds the other.
 */
export function tokenize(text: string): string[] {
  const spaced = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1 ');
  return (spaced.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => singular(word.slice(0, MAX_WORD_LENGTH)));
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}
