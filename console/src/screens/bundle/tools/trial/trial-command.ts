import { addressOf } from '../../../../api/client';
import { curlOf } from '../../../../ui/shell-words';

/** @returns the call as a command */
export function curlOfTrial(bundleId: string, toolId: string, values: unknown): string {
  const path = { bundle_id: bundleId, tool_id: toolId };
  const body = { arguments: {} };
  const { method, url } = addressOf('POST /v1/bundles/{bundle_id}/tools/{tool_id}/call', { path, body });
  return curlOf(method, url, { arguments: values });
}
