import { Buffer } from 'node:buffer';

export const MODERN = '2026-07-28';
export const LEGACY = ['2025-11-25', '2025-06-18', '2025-03-26'];
export const META = 'io.modelcontextprotocol/';

const JSON_TYPE = { 'content-type': 'application/json' };
const EVENTS = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' };
/** Which parameter `Mcp-Name` repeats. */
const NAMED_BY = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' };

/** An error of JSON-RPC, with the HTTP status that belongs to it. */
export class RpcError extends Error {
  constructor(code, message, { status = 200, data } = {}) {
    super(message);
    Object.assign(this, { code, status, data });
  }
}

/** The answer to a request: one JSON object, unless something precedes it; then a stream of events. */
export class Reply {
  constructor(response, id) {
    Object.assign(this, { response, id, isStream: false });
    response.on('error', () => undefined);
  }

  /** Begins a stream. */
  open() {
    if (this.isStream || this.response.destroyed) return;
    this.isStream = true;
    this.response.writeHead(200, EVENTS);
    this.response.flushHeaders();
  }

  /** Sends a message before the answer. */
  send(message) {
    this.open();
    this.response.write(eventOf({ jsonrpc: '2.0', ...message }));
  }

  result(result, headers = {}) {
    this.finish({ jsonrpc: '2.0', id: this.id, result }, 200, headers);
  }

  error({ code, message, status, data }) {
    this.finish({ jsonrpc: '2.0', id: this.id, error: { code, message, data } }, status);
  }

  /** Ends without an answer. */
  withdraw() {
    this.open();
    this.response.end();
  }

  finish(answer, status, headers = {}) {
    if (this.response.destroyed) return;
    if (this.isStream) this.response.end(eventOf(answer));
    else this.response.writeHead(status, { ...JSON_TYPE, ...headers }).end(JSON.stringify(answer));
  }
}

/**
 * What a modern client says of itself.
 *
 * @param tools by name: the definition may want parameters repeated in headers
 * @throws RpcError if something is missing, unknown, or differs between the headers and the body
 */
export function readModern({ headers }, { method, params = {} }, tools) {
  const meta = params._meta ?? {};
  const revision = meta[`${META}protocolVersion`];
  const capabilities = meta[`${META}clientCapabilities`];
  for (const [name, type] of [
    ['protocolVersion', 'string'],
    ['clientCapabilities', 'object'],
  ])
    if (typeof meta[META + name] !== type) throw new RpcError(-32_602, `${META}${name} is missing.`, { status: 400 });
  requireSame('MCP-Protocol-Version', headers['mcp-protocol-version'], revision);
  if (revision !== MODERN) {
    const data = { supported: [MODERN, ...LEGACY], requested: revision };
    throw new RpcError(-32_022, 'Unsupported protocol version', { status: 400, data });
  }
  requireSame('Mcp-Method', headers['mcp-method'], method);
  const name = params[NAMED_BY[method]];
  if (name !== undefined) requireSame('Mcp-Name', decoded(headers['mcp-name']), name);
  if (method === 'tools/call') requireParams(headers, tools.get(name)?.definition, params.arguments ?? {});
  return { capabilities, logLevel: meta[`${META}logLevel`] };
}

function requireParams(headers, definition, args) {
  for (const [name, property] of Object.entries(definition?.inputSchema.properties ?? {})) {
    const header = property['x-mcp-header'];
    if (header === undefined) continue;
    const value = args[name] === undefined ? undefined : String(args[name]);
    requireSame(header, decoded(headers[`mcp-param-${header.toLowerCase()}`]), value);
  }
}

function requireSame(name, said, value) {
  if (said === value) return;
  throw new RpcError(-32_020, `Header mismatch: ${name} is ${said}, the body says ${value}.`, { status: 400 });
}

/** The text that a header means (2026-07-28, Streamable HTTP, "Value Encoding"). */
function decoded(value) {
  const [, encoded] = /^=\?base64\?(.*)\?=$/.exec(value ?? '') ?? [];
  if (encoded === undefined) return value;
  const text = Buffer.from(encoded, 'base64');
  // Node decodes what is no Base64, too.
  if (text.toString('base64') !== encoded)
    throw new RpcError(-32_020, 'Header mismatch: no valid Base64.', { status: 400 });
  return text.toString('utf8');
}

function eventOf(message) {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}
