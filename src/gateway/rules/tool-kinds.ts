/** What a bundle has rules about. Resources are content, not definitions. */
export const TOOL_KINDS = ['tool', 'prompt', 'template'] as const;
export type ToolKind = (typeof TOOL_KINDS)[number];

/** The same in SQL. */
export const TOOL_KINDS_SQL = `'{tool,prompt,template}'::text[]`;

const KINDS: ReadonlySet<string> = new Set(TOOL_KINDS);

export function isToolKind(kind: string): kind is ToolKind {
  return KINDS.has(kind);
}
