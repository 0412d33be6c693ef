import { isObject } from '../protocol/json-rpc';
import type { DefinitionKind } from '../protocol/definition-list';

/** What a definition says of what it does. */
export interface Hints {
  readonly isReadOnly: boolean;
  readonly isDestructive: boolean;
}

/** Prompts, resources and templates have these hints, because they only give something. */
export const READS: Hints = { isReadOnly: true, isDestructive: false };

/**
 * What a definition says of what it does, with the defaults of the specification where it says nothing: it does not only read,
 * and it may destroy something (MCP 2026-07-28, schema, `ToolAnnotations`). A tool that only reads destroys nothing,
 * whatever else it says.
 *
 * A server can say what it likes: it is the editors of a bundle who decide whether they believe it, and they can make what it
 * says stricter (overrides), which is what is read here.
 *
 * @param annotations of the definition as clients get it
 */
export function hintsOf(kind: DefinitionKind, annotations: unknown): Hints {
  if (kind !== 'tool') return READS;
  const { readOnlyHint, destructiveHint } = isObject(annotations) ? annotations : {};
  const isReadOnly = readOnlyHint === true;
  return { isReadOnly, isDestructive: !isReadOnly && destructiveHint !== false };
}
