import { isObject, type JsonObject } from '../protocol/json-rpc';
import { withoutArguments } from './fixed-arguments';
import type { ToolKind } from './tool-kinds';

/** The only values that an override can give these hints: each is the stricter one. */
export const STRICTER_HINTS = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
} as const;
export type StricterHints = { readonly [Hint in keyof typeof STRICTER_HINTS]?: boolean };

/** What a bundle shows of a tool otherwise than its server has it; null: as the server. */
export interface ToolOverride {
  readonly isEnabled: boolean;
  /** The name that clients see. */
  readonly exposedName: string | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly annotations: StricterHints | null;
  /** Arguments that clients neither see nor send. */
  readonly fixedArguments: JsonObject | null;
}

/** A tool that no one has changed has this override. */
export const NO_OVERRIDE: ToolOverride = {
  isEnabled: true,
  exposedName: null,
  title: null,
  description: null,
  annotations: null,
  fixedArguments: null,
};

/** @returns the definition as the bundle shows it, but for its name */
export function overridden(kind: ToolKind, definition: JsonObject, override: ToolOverride): JsonObject {
  if (override === NO_OVERRIDE) return definition;
  const { title, description, annotations, fixedArguments } = override;
  const shown: Record<string, unknown> = { ...definition };
  if (title !== null) shown.title = title;
  if (description !== null) shown.description = description;
  if (kind !== 'tool') return shown;
  const hints = { ...(annotations ?? {}), ...titleHint(definition.annotations, title) };
  if (Object.keys(hints).length > 0)
    shown.annotations = { ...(isObject(definition.annotations) ? definition.annotations : {}), ...hints };
  if (fixedArguments && isObject(definition.inputSchema))
    shown.inputSchema = withoutArguments(definition.inputSchema, Object.keys(fixedArguments));
  return shown;
}

/** Revisions before 2025-06-18 have the title there, and clients still show it. */
function titleHint(annotations: unknown, title: string | null): { title?: string } {
  return title !== null && isObject(annotations) && 'title' in annotations ? { title } : {};
}
