import type { CompiledEntry } from '../compile/compiled-bundle';
import { exposedName } from '../protocol/exposed-name';
import type { EndpointRow } from '../settings/endpoint-settings';
import type { ToolKind } from '../rules/tool-kinds';

/** A tool by what it is, and the name that an override gives it. */
export interface NamedTool {
  readonly entry_id: string;
  readonly kind: ToolKind;
  /** As its server has it. */
  readonly name: string;
  readonly exposed_name: string | null;
}

/** How a bundle names things. */
interface Naming {
  readonly settings: Pick<EndpointRow, 'naming' | 'name_budget'>;
  readonly entries: readonly CompiledEntry[];
}

/** @returns the name that clients see, where no other tool has the same; of a template what its server has */
export function exposedAs({ settings, entries }: Naming, { entry_id, kind, name, exposed_name }: NamedTool): string {
  if (kind === 'template') return name;
  const { naming, name_budget: budget } = settings;
  if (exposed_name !== null && exposed_name.length <= budget) return exposed_name;
  const entry = naming === 'PREFIX' ? entries.find(({ id }) => id === entry_id) : undefined;
  return entry ? exposedName(entry.id, entry.alias, name, budget) : name;
}
