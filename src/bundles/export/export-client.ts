/** Programs that run or reach servers for their own user, and read a configuration in JSON. */
export const EDITORS = ['vscode', 'cursor', 'claude-code', 'claude-desktop'] as const;
export type Editor = (typeof EDITORS)[number];

/** What runs servers that are packages for others: each in a container, with a bridge to Streamable HTTP. */
export const ORCHESTRATORS = ['compose', 'kubernetes'] as const;
export type Orchestrator = (typeof ORCHESTRATORS)[number];

export const EXPORT_CLIENTS = [...EDITORS, ...ORCHESTRATORS] as const;
export type ExportClient = (typeof EXPORT_CLIENTS)[number];

/** @returns whether the export for it runs containers, rather than being read by a program of one user */
export function isOrchestrator(client: ExportClient): client is Orchestrator {
  return ORCHESTRATORS.some((orchestrator) => orchestrator === client);
}
