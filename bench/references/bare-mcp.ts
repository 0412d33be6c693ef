import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/**
 * MCP servers of 2026-07-28 in one process, on the bare protocol: `SERVERS` of them, each at a port of its own from `PORT` on,
 * with `TOOLS` tools that give their arguments back, and `OBJECTS` empty objects where that is set: the second tool in one event
 * of a stream, the others as JSON; `DESCRIPTION` is about how many bytes each tool is described with. Every path is a server of its own to those who do not know that.
 */
const TOOLS = Number(process.env.TOOLS ?? 20);

const OBJECTS = Number(process.env.OBJECTS ?? 0);
const OBJECTS_TEXT = `"resultType":"complete","content":[],"structuredContent":{"all":[${'{},'.repeat(Math.max(0, OBJECTS - 1))}{}]}`;

/** As long as those of real servers, if nothing else is set. */
const DESCRIPTION =
  'Searches the records of a project by words, state and owner. Returns at most 100 of them, newest first, each with its ' +
  'number, title, state and address.';
const REPEATED = Math.ceil(Number(process.env.DESCRIPTION ?? DESCRIPTION.length) / DESCRIPTION.length);

const KEPT = { resultType: 'complete', ttlMs: 3_600_000, cacheScope: 'public' };
const ABOUT = { ...KEPT, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } };
const LIST = {
  ...KEPT,
  tools: Array.from({ length: TOOLS }, (_, n) => ({
    name: `search_records_${n + 1}`,
    title: `Search records ${n + 1}`,
    description: DESCRIPTION.repeat(REPEATED),
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'Words that the record contains.' },
        state: { type: 'string', enum: ['open', 'closed', 'all'], default: 'open' },
        limit: { type: 'integer', minimum: 1, maximum: 100 },
      },
      required: ['query'],
    },
    annotations: { readOnlyHint: true },
  })),
};

interface Message {
  id?: string | number;
  method: string;
  params?: { name?: unknown; arguments?: unknown };
}

function resultOf({ method, params }: Message): object | undefined {
  if (method === 'server/discover') return ABOUT;
  if (method === 'tools/list') return LIST;
  if (method !== 'tools/call') return undefined;
  return { resultType: 'complete', content: [{ type: 'text', text: JSON.stringify(params?.arguments ?? {}) }] };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const message = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Message;
  if (message.id === undefined) return void response.writeHead(202).end();
  if (OBJECTS > 0 && message.method === 'tools/call') return sendObjects(message, response);
  const result = resultOf(message);
  const outcome = result ? { result } : { error: { code: -32_601, message: 'Method not found' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: message.id, ...outcome });
  response
    .writeHead(result ? 200 : 404, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    .end(body);
}

function sendObjects({ id, params }: Message, response: ServerResponse): void {
  const body = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{${OBJECTS_TEXT}}}`;
  const isEvent = params?.name === 'search_records_2';
  response
    .writeHead(200, { 'content-type': isEvent ? 'text/event-stream' : 'application/json' })
    .end(isEvent ? `data: ${body}\n\n` : body);
}

// The first one last: who asks it finds all of them.
for (let n = Number(process.env.SERVERS ?? 1) - 1; n >= 0; n--)
  createServer((request, response) => void answer(request, response)).listen(Number(process.env.PORT) + n, '127.0.0.1');
