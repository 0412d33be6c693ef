import { pastedLine } from '../../bundles/install/pasted-line';
import { MODERN_REVISIONS, RESERVED_META } from '../protocol/revisions';

/** What stands for the token, between double quotes: the shell takes it from its environment if nothing is filled in. */
export const TOKEN_VARIABLE = '$TOOLYARD_TOKEN';

/** @returns a line for a POSIX shell that lists the tools of an endpoint, in one request of the newest revision */
export function curlCommand(url: string): string {
  const [revision] = MODERN_REVISIONS;
  const method = 'tools/list';
  const meta = { [`${RESERVED_META}protocolVersion`]: revision, [`${RESERVED_META}clientCapabilities`]: {} };
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': revision,
    'Mcp-Method': method,
  };
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { _meta: meta } });
  const words = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  return `curl -sS -H "Authorization: Bearer ${TOKEN_VARIABLE}" ${pastedLine([...words, '-d', message, url])}`;
}
