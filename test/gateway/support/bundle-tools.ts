import { Upstreams } from '../../../src/gateway/upstreams/upstreams.service';
import type { Endpoint, Stage } from './endpoint-stage';
import { heardByAll } from './heard';
import type { TestUpstream } from './test-upstream';

/** An event about the tools of a bundle. */
export interface ToolEvent {
  type: string;
  org_id: string | null;
  owner_id: string | null;
  data: Record<string, unknown> & { tool_names: string[] };
}

/** Reads the lists of a server again, as a worker does when they are due. All processes know of it then. */
export async function relist(stage: Stage, { url }: TestUpstream): Promise<void> {
  const rows = await stage.test.dataSource.query<{ id: string }[]>('SELECT id FROM upstreams WHERE url = $1', [url]);
  await stage.test.app.get(Upstreams).refresh(
    rows.map(({ id }) => id),
    new AbortController().signal,
  );
  await heardByAll(
    stage.test.dataSource,
    [stage.test, ...stage.others].map(({ app }) => app.get(Upstreams)),
  );
}

/** The events about the tools of a bundle, in their order. */
export function toolEvents(stage: Stage, { bundleId }: Endpoint): Promise<ToolEvent[]> {
  return stage.test.dataSource.query<ToolEvent[]>(
    `SELECT type, org_id, owner_id, data FROM events
     WHERE type IN ('tool.added', 'tool.removed', 'tool.definition_changed', 'tool.approved') AND data->>'bundle_id' = $1
     ORDER BY id`,
    [bundleId],
  );
}

/** Each event as one word and the names it is about: `changed read`. */
export async function newsOf(stage: Stage, endpoint: Endpoint): Promise<string[]> {
  const events = await toolEvents(stage, endpoint);
  return events.map(({ type, data }) => `${type.replace(/^tool\.(definition_)?/, '')} ${data.tool_names.join(' ')}`);
}
