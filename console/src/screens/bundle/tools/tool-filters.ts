import type { BundleTool, BundleToolFindingCode, BundleToolKind, BundleToolState } from '../../../api/schema';

export const STATES = ['LISTED', 'CHANGED', 'NEW', 'HIDDEN', 'GONE'] as const satisfies BundleToolState[];
export const KINDS = ['tool', 'prompt', 'template'] as const satisfies BundleToolKind[];
export const FINDINGS = [
  'invisible_characters',
  'oversized_description',
  'names_other_tools',
] as const satisfies BundleToolFindingCode[];

/** Which tools are shown; undefined: all of them. */
export interface ToolFilters {
  q: string | undefined;
  state: BundleToolState | undefined;
  entry: string | undefined;
  kind: BundleToolKind | undefined;
  finding: BundleToolFindingCode | undefined;
}

type Address = Partial<Record<keyof ToolFilters, string>>;

/** @returns the filters of an address, without what does not exist */
export function filtersOf({ q, state, entry, kind, finding }: Address): ToolFilters {
  return {
    q,
    entry,
    state: STATES.find((one) => one === state),
    kind: KINDS.find((one) => one === kind),
    finding: FINDINGS.find((one) => one === finding),
  };
}

export const isFiltered = (filters: ToolFilters): boolean =>
  Object.values(filters).some((value) => value !== undefined);

/** @returns whether a tool is one of those; by the rules of the API, whose search is one of names and titles */
export function isWanted(tool: BundleTool, { q, state, entry, kind, finding }: ToolFilters): boolean {
  const names = [tool.upstream_name, tool.name, tool.title ?? ''];
  return (
    (q === undefined || names.some((name) => name.toLowerCase().includes(q.toLowerCase()))) &&
    (state === undefined || tool.state === state) &&
    (entry === undefined || tool.entry_id === entry) &&
    (kind === undefined || tool.kind === kind) &&
    (finding === undefined || tool.findings.some(({ code }) => code === finding))
  );
}

/** @returns how many tools each value of a filter would show, with the other filters as they are */
export function countsFor<Name extends keyof ToolFilters>(
  tools: readonly BundleTool[],
  filters: ToolFilters,
  name: Name,
  values: readonly NonNullable<ToolFilters[Name]>[],
): Map<string, number> {
  return new Map(
    values.map((value) => [value, tools.filter((tool) => isWanted(tool, { ...filters, [name]: value })).length]),
  );
}

/** @returns whether it waits for an approval */
export const isHeld = ({ state, pinning }: Pick<BundleTool, 'state' | 'pinning'>): boolean =>
  pinning === 'APPROVE' && (state === 'CHANGED' || state === 'NEW');
