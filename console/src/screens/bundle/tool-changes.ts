import { isObject } from '../../../../src/http/requests/json-object';
import type { VersionComparison } from '../../api/schema';

/** What is said of a tool, in the order in which it is shown. */
export const TOOL_FIELDS = [
  'is_enabled',
  'name',
  'title',
  'description',
  'annotations',
  'fixed_arguments',
  'approved_digests',
] as const;
export type ToolField = (typeof TOOL_FIELDS)[number];

export interface ToolDifference {
  field: ToolField;
  /** As text; null: nothing is said of it. */
  before: string | null;
  after: string | null;
}

/** A tool about which two versions of a bundle say different things. */
export interface ChangedTool {
  key: string;
  /** As its server has it. */
  name: string;
  differences: ToolDifference[];
}

/** @returns the tools of which the API says how they differ, at most 500 */
export function changedTools({ tools }: Pick<VersionComparison, 'tools'>): ChangedTool[] {
  const list: unknown = tools?.['tools'];
  if (!Array.isArray(list)) return [];
  return list.filter(isObject).map((tool) => {
    const [before, after] = [saidOf(tool['before']), saidOf(tool['after'])];
    const name = textOf(tool['upstream_name']) ?? '';
    return {
      key: JSON.stringify([tool['entry_id'], tool['kind'], name]),
      name,
      differences: TOOL_FIELDS.map((field) => ({
        field,
        before: textOf(before[field]),
        after: textOf(after[field]),
      })).filter((one) => one.before !== one.after),
    };
  });
}

/** Where a version says nothing of a tool, it is on. */
const saidOf = (said: unknown): Record<string, unknown> => (isObject(said) ? said : { is_enabled: true });

function textOf(value: unknown): string | null {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
