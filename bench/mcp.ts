import { Agent, request } from 'node:http';
import autocannon from 'autocannon';
import { signToken } from '../src/auth/own-issuer';
import { PUBLIC_URL, type Service, signingKeyOf } from './service';

const REVISION = '2026-07-28';
const META = 'io.modelcontextprotocol/';

/** An MCP server: one by itself, or a bundle as an endpoint. */
export interface McpTarget {
  url: string;
  /** Of those who ask in turn; none: it asks for no token. */
  tokens: readonly string[];
}

/** A bundle as an endpoint. */
export interface McpEndpoint extends McpTarget {
  bundleId: string;
}

/** A request as a client of 2026-07-28 sends it. */
interface McpRequest {
  headers: Record<string, string>;
  body: string;
}

/** An answer, and when it was complete. */
export interface McpAnswer {
  text: string;
  ms: number;
}

/** @returns a request of a client of 2026-07-28 */
export function requestOf(method: string, params: Record<string, unknown>, token: string | undefined): McpRequest {
  const _meta = { [`${META}protocolVersion`]: REVISION, [`${META}clientCapabilities`]: {} };
  const { name } = params;
  return {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  };
}

/**
 * Sends one request.
 *
 * @throws Error if it is not answered with a result
 */
export function ask(
  { url, tokens: [token] }: McpTarget,
  method: string,
  params: Record<string, unknown>,
  agent: Agent,
): Promise<McpAnswer> {
  const { headers, body } = requestOf(method, params, token);
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const options = { method: 'POST', agent, headers: { ...headers, 'content-length': Buffer.byteLength(body) } };
    const sent = request(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const ms = performance.now() - began;
        const text = Buffer.concat(chunks).toString('utf8');
        if (response.statusCode === 200 && isResult(text)) resolve({ text, ms });
        else reject(new Error(`${method} at ${url}: ${response.statusCode} ${text.slice(0, 1_000)}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** A result that says that something failed is none that may be measured. */
function isResult(text: string): boolean {
  const start = text.slice(0, 64);
  return start.includes('"result":') && !text.includes('"isError":true');
}

/** Requests of one client, one after the other. @returns milliseconds of each */
export async function times(
  target: McpTarget,
  method: string,
  params: Record<string, unknown>,
  seconds: number,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const taken: number[] = [];
  try {
    for (const end = performance.now() + seconds * 1_000; performance.now() < end;)
      taken.push((await ask(target, method, params, agent)).ms);
  } finally {
    agent.destroy();
  }
  return taken;
}

/** What many clients at once got. */
export interface McpLoad {
  perSecond: number;
  requests: number;
}

/** The same request of many clients at once. @throws Error if one has another answer than all others */
export async function loadMcp(
  target: McpTarget,
  method: string,
  params: Record<string, unknown>,
  { clients, seconds }: { clients: number; seconds: number },
): Promise<McpLoad> {
  const agent = new Agent();
  const { text: expectBody } = await ask(target, method, params, agent).finally(() => agent.destroy());
  const { body } = requestOf(method, params, undefined);
  let turn = 0;
  const result = await autocannon({
    url: target.url,
    method: 'POST',
    connections: clients,
    duration: seconds,
    expectBody,
    body,
    setupClient: (client) => {
      const { tokens } = target;
      const { headers } = requestOf(method, params, tokens[turn++ % Math.max(1, tokens.length)]);
      client.setHeadersAndBody(headers, body);
    },
  });
  const { non2xx, errors, mismatches, requests } = result;
  if (non2xx > 0 || errors > 0 || mismatches > 0)
    throw new Error(`${target.url}: ${non2xx} bad answers, ${errors} errors, ${mismatches} other answers.`);
  return { perSecond: requests.average, requests: requests.total };
}

/** A bundle of these servers as an endpoint, and access tokens of some people for it. */
export async function addEndpoint(
  service: Service,
  name: string,
  urls: readonly string[],
  people = 1,
): Promise<McpEndpoint> {
  const { database } = service;
  await database.query(
    `INSERT INTO categories (name, slug, description, icon, display_order) VALUES ('Bench', 'bench', '', 'box', 1)
     ON CONFLICT DO NOTHING`,
  );
  const bundle = await service.call('POST', '/v1/bundles', { name, visibility: 'PUBLIC' });
  const { id: bundleId } = bundle.body as { id: string };
  for (const [index, url] of urls.entries()) {
    const listing = `com.bench/${name}-${index + 1}`;
    const { rows } = await database.query<{ id: string }>(
      `INSERT INTO listings (id, name, slug, title, description, category_id, status, visibility)
       SELECT gen_random_uuid(), $1, $2, $2, 'A server.', id, 'PUBLISHED', 'PUBLIC' FROM categories WHERE slug = 'bench'
       RETURNING id`,
      [listing, `${name}-${index + 1}`],
    );
    const remotes = [{ type: 'streamable-http', url }];
    const server = { name: listing, description: 'A server.', version: '1.0.0', remotes };
    await database.query(
      `INSERT INTO listing_versions (listing_id, version, server, is_latest) VALUES ($1, '1.0.0', $2, true)`,
      [rows[0]?.id, JSON.stringify(server)],
    );
    await service.call('POST', `/v1/bundles/${bundleId}/entries`, { listing_id: rows[0]?.id });
  }
  await service.call('PATCH', `/v1/bundles/${bundleId}/endpoint`, { is_enabled: true });
  const path = `/mcp/bundles/${bundleId}`;
  return { bundleId, url: service.url + path, tokens: await tokensFor(service, path, people) };
}

async function tokensFor({ databaseUrl }: Service, path: string, people: number): Promise<string[]> {
  const key = await signingKeyOf(databaseUrl);
  return Promise.all(
    Array.from({ length: people }, (_, n) =>
      signToken(key, {
        issuer: PUBLIC_URL,
        audience: PUBLIC_URL + path,
        subject: `client-${n}`,
        email: `client-${n}@example.com`,
        ttl: 86_400,
        scope: 'mcp:read mcp:call',
      }),
    ),
  );
}
