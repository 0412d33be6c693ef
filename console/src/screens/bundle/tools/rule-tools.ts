import { type Answer, call, type CallName } from '../../../api/client';
import { asProblem } from '../../../api/problem';
import { queryClient } from '../../../api/queries';
import type { BundleTool, BundleToolUpdate } from '../../../api/schema';
import { shown } from '../../../ui/other-text';
import { notify } from '../../../ui/toasts';
import { toolsWords as words } from './words';

/** What is out of date once a tool of a bundle is ruled: each rule is a version of the bundle. */
const CHANGED = [
  'GET /v1/bundles/{bundle_id}/tools',
  'GET /v1/bundles/{bundle_id}/tools/{tool_id}',
  'GET /v1/bundles/{bundle_id}/tools/{tool_id}/changes',
  'GET /v1/bundles/{bundle_id}',
  'GET /v1/bundles/{bundle_id}/versions',
  'GET /v1/users/me/waiting',
] as const satisfies CallName[];

/** Reads again what rules have changed. */
export async function readToolsAgain(): Promise<void> {
  await Promise.all(CHANGED.map((name) => queryClient.invalidateQueries({ queryKey: [name] })));
}

export type Detail = Answer<'PATCH /v1/bundles/{bundle_id}/tools/{tool_id}'>;

/** Changes what a bundle shows of a tool. */
export async function ruleTool(bundleId: string, toolId: string, body: BundleToolUpdate): Promise<Detail> {
  const path = { bundle_id: bundleId, tool_id: toolId };
  const detail = await call('PATCH /v1/bundles/{bundle_id}/tools/{tool_id}', { path, body });
  await readToolsAgain();
  return detail;
}

/** Turns a tool on or off, and offers to take that back. */
export async function switchTool(
  bundleId: string,
  { id, name }: Pick<BundleTool, 'id' | 'name'>,
  isEnabled: boolean,
): Promise<void> {
  await ruleTool(bundleId, id, { is_enabled: isEnabled });
  notify(isEnabled ? words.turnedOn(shown(name)) : words.turnedOff(shown(name)), 'good', {
    label: words.undo,
    onPress: () => {
      ruleTool(bundleId, id, { is_enabled: !isEnabled }).then(
        () => notify(words.undone),
        (error: unknown) => notify(asProblem(error).message || words.notUndone, 'bad'),
      );
    },
  });
}

/** Approves definitions by the digests that were looked at: all of them, or none. */
export async function approveTools(
  bundleId: string,
  tools: readonly Pick<BundleTool, 'id' | 'digest' | 'shown_digest'>[],
): Promise<number> {
  const body = { tools: tools.map(({ id, digest, shown_digest }) => ({ id, digest, shown_digest })) };
  const path = { bundle_id: bundleId };
  const answer = await call('POST /v1/bundles/{bundle_id}/tools/approve', { path, body });
  await readToolsAgain();
  return answer.approved_count;
}
