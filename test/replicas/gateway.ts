import { LegacyClient, ModernClient } from '../gateway/support/mcp-client';
import { type Json, TestUpstream, type UpstreamEra } from '../gateway/support/test-upstream';
import { HttpClient } from './client';
import { until } from './program';
import type { Outcome, Scene } from './scenarios';

const CALLS = 10_000;
const AT_ONCE = 16;
/** So that nobody reaches 600 calls a minute, of which a process admits its share, and no bundle 6,000. */
const BUNDLES = 4;
const TOKENS = 10;
const ERAS: readonly UpstreamEra[][] = [['modern'], ['legacy'], ['modern', 'legacy']];
/** A call is in flight for this long before the balancer and its kernel know that the process is gone. */
const KILL_SLACK_MS = 250;

const LISTED_MS = 30_000;

/** A client of a bundle, with a token of its own. */
interface Caller {
  client: ModernClient | LegacyClient;
  /** Names of the tools that give their arguments back, one of each server. */
  tools: string[];
  prompts: string[];
}

/** A call that failed. */
interface Failure {
  from: number;
  to: number;
  detail: string;
}

/**
 * 10,000 calls of clients of both eras through the balancer, to servers of both eras, and one replica killed in the middle:
 * only calls fail that were under way then, and each call reaches its server once at most.
 */
export async function callingEndpoints(scene: Scene): Promise<Outcome> {
  const upstreams = await Promise.all(ERAS.map((eras) => TestUpstream.start({ eras: new Set(eras) })));
  try {
    const callers = await createCallers(scene, upstreams);
    const acknowledged = new Set<number>();
    const failures: Failure[] = [];
    let killedAt = Infinity;
    const restarts: Promise<void>[] = [];
    let sent = 0;
    const work = async (): Promise<void> => {
      while (sent < CALLS) {
        const number = sent++;
        if (number === CALLS / 2) {
          scene.say('api-1 killed');
          killedAt = performance.now();
          restarts.push(scene.stack.restart('api-1', 'SIGKILL'));
        }
        const from = performance.now();
        try {
          await call(callers[number % callers.length] as Caller, number);
          acknowledged.add(number);
        } catch (error) {
          failures.push({ from, to: performance.now(), detail: detailOf(error) });
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    await Promise.all(restarts);
    const explains = ({ from, to }: Pick<Failure, 'from' | 'to'>) => from < killedAt + KILL_SLACK_MS && to >= killedAt;
    scene.say(`${acknowledged.size} calls answered, ${failures.length} failed: ${detailsOf(failures)}`);
    return {
      explains,
      problems: problemsOf(
        upstreams,
        acknowledged,
        failures.filter((failure) => !explains(failure)),
      ),
    };
  } finally {
    for (const upstream of upstreams) await upstream.close();
  }
}

function problemsOf(
  upstreams: readonly TestUpstream[],
  acknowledged: ReadonlySet<number>,
  unexplained: readonly Failure[],
): string[] {
  const made = new Map<number, number>();
  for (const upstream of upstreams)
    for (const { params } of upstream.of('tools/call')) {
      const { number } = params.arguments as { number: number };
      made.set(number, (made.get(number) ?? 0) + 1);
    }
  const twice = [...made].filter(([, count]) => count > 1).map(([number]) => number);
  const lost = [...acknowledged].filter((number) => isOfTool(number) && !made.has(number));
  const problems: string[] = [];
  if (unexplained.length > 0) problems.push(`${unexplained.length} calls failed: ${detailsOf(unexplained)}`);
  if (twice.length > 0) problems.push(`${twice.length} calls were made twice: ${twice.slice(0, 5).join(', ')}`);
  if (lost.length > 0) problems.push(`${lost.length} calls were answered and not made: ${lost.slice(0, 5).join(', ')}`);
  if (made.size < CALLS / 2) problems.push(`only ${made.size} calls reached a server`);
  return problems;
}

/** Six of ten calls are of tools. */
function isOfTool(number: number): boolean {
  return placeOf(number) < 6;
}

/** The same for all callers of a round, which begins with each of them once. */
function placeOf(number: number): number {
  return Math.floor(number / (BUNDLES * TOKENS)) % 10;
}

/** @throws Error if it is not answered as it should be */
async function call({ client, tools, prompts }: Caller, number: number): Promise<void> {
  const place = placeOf(number);
  if (isOfTool(number)) {
    const args = { number };
    const { content, isError } = await client.result('tools/call', {
      name: tools[place % tools.length] ?? '',
      arguments: args,
    });
    const [{ text } = {}] = content as Json[];
    if (isError === true || text !== JSON.stringify(args)) throw new Error(`a call was answered ${String(text)}`);
  } else if (place < 8) {
    const { tools: listed } = await client.result('tools/list');
    if (!tools.every((name) => (listed as Json[]).some((tool) => tool.name === name)))
      throw new Error('a list lacks tools');
  } else if (place === 8) {
    const { contents } = await client.result('resources/read', { uri: 'memo://one' });
    if (!Array.isArray(contents)) throw new Error('a resource has no contents');
  } else {
    const name = prompts[number % prompts.length] ?? '';
    const { messages } = await client.result('prompts/get', { name, arguments: { name: String(number) } });
    if (!JSON.stringify(messages).includes(`Hello ${number}`)) throw new Error('a prompt is that of another');
  }
}

async function createCallers({ stack, postgres, cast, say }: Scene, upstreams: readonly TestUpstream[]) {
  const http = new HttpClient(stack.url);
  const send = async (method: string, path: string, json: Json): Promise<Record<string, string>> => {
    const answer = await http.send(path, { method, token: cast.signed, json });
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
    return JSON.parse(answer.text) as Record<string, string>;
  };
  const listings: string[] = [];
  for (const { url } of upstreams) {
    const server = { name: 'com.example/server', description: 'A server.', version: '1.0.0' };
    const document = JSON.stringify({ ...server, remotes: [{ type: 'streamable-http', url }] });
    const [row] = await postgres.query<{ id: string }>(`
      WITH listing AS (
        INSERT INTO listings (id, name, slug, title, description, category_id, status, visibility)
        SELECT gen_random_uuid(), 'com.example/server-' || gen_random_uuid(), 'server', 'Server', 'A server.', min(id),
               'PUBLISHED', 'PUBLIC'
        FROM categories RETURNING id
      ), version AS (
        INSERT INTO listing_versions (listing_id, version, server, is_latest)
        SELECT id, '1.0.0', '${document}', true FROM listing
      )
      SELECT id FROM listing`);
    listings.push(row?.id ?? '');
  }
  const callers: Caller[] = [];
  for (let bundle = 0; bundle < BUNDLES; bundle++) {
    const { id } = await send('POST', '/v1/bundles', { name: `Endpoint ${bundle} ${Date.now()}` });
    for (const listing_id of listings) await send('POST', `/v1/bundles/${id}/entries`, { listing_id });
    await send('PATCH', `/v1/bundles/${id}/endpoint`, { is_enabled: true });
    for (let number = 0; number < TOKENS; number++) {
      const body = { name: `Client ${number}`, scopes: ['read', 'call'] };
      const { token = '' } = await send('POST', `/v1/bundles/${id}/access-tokens`, body);
      callers.push(await connected(`${stack.url}/mcp/bundles/${id}`, token, number % 2 === 0));
    }
  }
  http.close();
  say(`${callers.length} clients of ${BUNDLES} endpoints`);
  return callers;
}

async function connected(url: string, token: string, isModern: boolean): Promise<Caller> {
  const client = isModern ? new ModernClient([url], token) : new LegacyClient([url], token);
  if (client instanceof LegacyClient) await client.begin();
  const caller: Caller = { client, tools: [], prompts: [] };
  const named = (items: readonly Json[], end: string) =>
    items.map(({ name }) => String(name)).filter((name) => name.endsWith(end));
  // The first one has the lists read, for which it waits two seconds at most.
  const isComplete = async () => {
    caller.tools = named(await client.all('tools/list', 'tools'), '__echo');
    caller.prompts = named(await client.all('prompts/list', 'prompts'), '__greet');
    return caller.tools.length === ERAS.length && caller.prompts.length === ERAS.length;
  };
  await until('the lists of all servers are there', isComplete, LISTED_MS);
  return caller;
}

function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

function detailsOf(failures: readonly Failure[]): string {
  return [...new Set(failures.map(({ detail }) => detail.slice(0, 300)))].slice(0, 5).join(' | ') || 'none';
}
