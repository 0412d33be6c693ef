import { MAX_SHOWN_BY_AUTO, type EndpointPresentation } from '../settings/endpoint-enums';
import { isObject, type JsonObject } from '../protocol/json-rpc';
import type { Era } from '../protocol/revisions';
import { inTurns } from '../rules/allowed';
import { FIND_LIMITS } from './search-tools';
import { type SearchedTool, ToolIndex } from './tool-index';

/** What was found shows so many characters of a description; `describe_tools` gives the whole one. */
const SHOWN_CHARACTERS = 240;
/** Definitions in one answer, unless a single one is longer; bytes. */
const MAX_DESCRIBED_BYTES = 1_048_576;

/** A tool as `find_tools` shows it. */
interface ShownTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
}

/** A tool as a list would have it. */
export interface ListedTool {
  /** As clients call it. */
  readonly key: string;
  /** Its definition, as JSON. */
  readonly text: string;
  /** The same for clients of the legacy era; undefined: it is the same. */
  readonly legacyText?: string | undefined;
}

/** What `find_tools` answers. */
export interface FindToolsResult {
  readonly tools: readonly ShownTool[];
  /** How many fit the query. */
  readonly matches: number;
  /** How many there are. */
  readonly of: number;
}

/** What `describe_tools` answers, the definitions as JSON. */
export interface DescribeToolsResult {
  readonly definitions: readonly string[];
  /** These tools do not exist here, as far as the caller may know. */
  readonly unknown: readonly string[];
  /** These tools are left out because the answer would be too long. */
  readonly leftOut: readonly string[];
}

/** @returns whether clients get the search tools in place of a list of so many */
export function isSearched(presentation: EndpointPresentation, toolCount: number): boolean {
  return presentation === 'SEARCH' || (presentation === 'AUTO' && toolCount > MAX_SHOWN_BY_AUTO);
}

/** The tools that someone may use, to be searched instead of listed. Immutable; made with the compiled bundle. */
export class ToolSearch {
  /** About how many bytes it has in memory. */
  readonly bytes: number;

  private constructor(
    private readonly shown: readonly ShownTool[],
    private readonly definitions: ReadonlyMap<string, ListedTool>,
    private readonly index: ToolIndex,
  ) {
    let bytes = index.bytes;
    for (const [name, { text, legacyText = '' }] of definitions)
      bytes += 2 * name.length + text.length + legacyText.length + SHOWN_CHARACTERS + 128;
    this.bytes = bytes;
  }

  /** @param tools those that the caller may use, in their order; other requests get turns between them */
  static async of(tools: readonly ListedTool[]): Promise<ToolSearch> {
    const searched: SearchedTool[] = [];
    for await (const { key, text } of inTurns(tools)) searched.push(searchedTool(key, JSON.parse(text)));
    const index = await ToolIndex.of(searched);
    return new ToolSearch(
      searched.map(shownTool),
      new Map(tools.map(({ key, text, legacyText }) => [key, { key, text, legacyText }])),
      index,
    );
  }

  /** @param query empty: the first tools, in their order */
  find(query: string, limit: number = FIND_LIMITS.unasked): FindToolsResult {
    const of = this.shown.length;
    if (query.trim() === '') return { tools: this.shown.slice(0, limit), matches: of, of };
    const found = this.index.find(query);
    return { tools: found.slice(0, limit).flatMap(({ place }) => this.shown[place] ?? []), matches: found.length, of };
  }

  describe(names: readonly string[], era: Era = 'modern'): DescribeToolsResult {
    const definitions: string[] = [];
    const [unknown, leftOut]: [string[], string[]] = [[], []];
    let bytes = 0;
    for (const name of new Set(names)) {
      const tool = this.definitions.get(name);
      const definition = (era === 'legacy' ? tool?.legacyText : undefined) ?? tool?.text;
      if (definition === undefined) unknown.push(name);
      else if (definitions.length > 0 && bytes + definition.length > MAX_DESCRIBED_BYTES) leftOut.push(name);
      else {
        definitions.push(definition);
        bytes += definition.length;
      }
    }
    return { definitions, unknown, leftOut };
  }
}

function searchedTool(name: string, definition: unknown): SearchedTool {
  const { title, description, annotations } = isObject(definition) ? definition : ({} as JsonObject);
  // Where it was before 2025-06-18.
  const ofAnnotations = isObject(annotations) ? annotations.title : undefined;
  return { name, title: textOf(title) ?? textOf(ofAnnotations), description: textOf(description) };
}

function shownTool({ name, title, description }: SearchedTool): ShownTool {
  return {
    name,
    ...(title === undefined ? {} : { title: cut(title) }),
    ...(description === undefined ? {} : { description: cut(description) }),
  };
}

function cut(text: string): string {
  const whole = text.trim().replace(/\s+/g, ' ');
  return whole.length <= SHOWN_CHARACTERS ? whole : `${whole.slice(0, SHOWN_CHARACTERS - 1).toWellFormed()}…`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
