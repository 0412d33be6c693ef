import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { contentOf, PROMPTS, RESOURCES, TEMPLATES } from './content.mjs';
import { TOOLS } from './tools.mjs';
import { LEGACY, META, MODERN, readModern, Reply, RpcError } from './wire.mjs';

const LOOPBACK = /^(?:http:\/\/)?(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/;
const FRESHNESS = { ttlMs: 300_000, cacheScope: 'public' };
const LISTS = { tools: 'tools', prompts: 'prompts', resources: 'resources' };
const CAPABILITIES = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  completions: {},
  logging: {},
};

/**
 * An MCP server on the loopback that has everything the scenarios of @modelcontextprotocol/conformance ask for, in one era or
 * in both. It is strict where the specification is, so that what a gateway sends to servers is tested as well.
 */
export class EverythingServer {
  sessions = new Map();
  /** Streams of `subscriptions/listen`: what they are about. */
  listening = new Map();
  /** Requests of clients under way, to be cancelled. */
  running = new Map();
  /** Requests of ours that clients have not answered yet. */
  asked = new Map();
  /** The names of tools whose calls were cancelled. */
  cancelled = [];
  extra = { tools: 0, prompts: 0 };
  /** How often each tool is being called now. */
  calling = new Map();

  /** @param eras `modern`, `legacy` */
  static async start(name, eras = ['modern', 'legacy']) {
    const self = new EverythingServer();
    const server = createServer((request, response) => void self.receive(request, response));
    Object.assign(self, { info: { name, version: '1.0.0' }, eras, server });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    self.url = `http://127.0.0.1:${server.address().port}/mcp`;
    return self;
  }

  async close() {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  /** Adds to a list, and says so on every stream. */
  change(list) {
    this.extra[list]++;
    const method = `notifications/${LISTS[list]}/list_changed`;
    for (const [reply, filter] of this.listening)
      if (filter[`${list}ListChanged`])
        reply.send({ method, params: { _meta: { [`${META}subscriptionId`]: reply.id } } });
    for (const { stream } of this.sessions.values()) stream?.send({ method });
    return { content: [{ type: 'text', text: `The list of ${list} has changed.` }] };
  }

  async receive(request, response) {
    const { method: http, headers } = request;
    const foreign = [headers.host, headers.origin].find((each) => each !== undefined && !LOOPBACK.test(each));
    if (foreign !== undefined) return void response.writeHead(403).end();
    if (http === 'GET' || http === 'DELETE') return this.receiveForSession(http, request, response);
    if (http !== 'POST') return void response.writeHead(405).end();
    const chunks = await request.toArray().catch(() => undefined);
    if (!chunks) return;
    const message = JSON.parse(Buffer.concat(chunks));
    const reply = new Reply(response, message.id);
    try {
      if (this.isModern(request, message)) await this.answerModern(request, message, reply);
      else await this.answerLegacy(request, message, reply);
    } catch (error) {
      if (error.name === 'AbortError') return reply.withdraw();
      reply.error(error instanceof RpcError ? error : new RpcError(-32_603, String(error)));
    }
  }

  isModern({ headers }, { method, params }) {
    const meta = params?._meta ?? {};
    if (`${META}protocolVersion` in meta || `${META}clientCapabilities` in meta) return true;
    const said = headers['mcp-protocol-version'];
    return method !== 'initialize' && said !== undefined && !LEGACY.includes(said);
  }

  async answerModern(request, message, reply) {
    const { method, params = {}, id } = message;
    if (!this.eras.includes('modern')) throw new RpcError(-32_000, 'Bad Request: no valid session', { status: 400 });
    if (id === undefined) return void reply.response.writeHead(202).end();
    const client = readModern(request, message, TOOLS);
    if (method === 'subscriptions/listen') return this.listen(params, reply);
    const ended = new AbortController();
    reply.response.once('close', () => {
      if (reply.response.writableFinished) return;
      ended.abort();
      if (method === 'tools/call') this.cancelled.push(params.name);
    });
    const ask = { era: 'modern', method, params, reply, signal: ended.signal, ...client };
    const revisions = this.eras.includes('legacy') ? [MODERN, ...LEGACY] : [MODERN];
    const about = { supportedVersions: revisions, capabilities: CAPABILITIES, ...FRESHNESS };
    const result = method === 'server/discover' ? about : await this.answer(ask);
    const isRead = method.endsWith('/list') || method === 'resources/read';
    reply.result({
      resultType: 'complete',
      ...(isRead ? FRESHNESS : {}),
      ...result,
      _meta: { [`${META}serverInfo`]: this.info },
    });
  }

  listen({ notifications = {} }, reply) {
    this.listening.set(reply, notifications);
    reply.response.once('close', () => this.listening.delete(reply));
    const params = { notifications, _meta: { [`${META}subscriptionId`]: reply.id } };
    reply.send({ method: 'notifications/subscriptions/acknowledged', params });
  }

  async answerLegacy({ headers }, message, reply) {
    const { method, params = {}, id } = message;
    const { response } = reply;
    if (!this.eras.includes('legacy')) {
      const data = { supported: [MODERN], requested: params.protocolVersion ?? headers['mcp-protocol-version'] ?? '' };
      throw new RpcError(-32_022, 'Unsupported protocol version', { status: 400, data });
    }
    if (method === 'initialize') return this.initialize(params, reply);
    const session = this.sessionOf(headers);
    if (method === undefined) {
      this.asked.get(id)?.(message);
      this.asked.delete(id);
    }
    const keyOf = (requestId) => JSON.stringify([session.id, requestId]);
    if (method === 'notifications/cancelled') this.running.get(keyOf(params.requestId))?.abort();
    if (method === undefined || id === undefined) return void response.writeHead(202).end();
    if (['ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'].includes(method))
      return reply.result({});
    const ended = new AbortController();
    ended.signal.onabort = () => this.cancelled.push(params.name);
    this.running.set(keyOf(id), ended);
    try {
      const { capabilities } = session;
      reply.result(await this.answer({ era: 'legacy', method, params, reply, signal: ended.signal, capabilities }));
    } finally {
      this.running.delete(keyOf(id));
    }
  }

  initialize({ protocolVersion, capabilities = {} }, reply) {
    const session = { id: randomUUID(), capabilities };
    this.sessions.set(session.id, session);
    const revision = LEGACY.includes(protocolVersion) ? protocolVersion : LEGACY[0];
    const result = { protocolVersion: revision, capabilities: CAPABILITIES, serverInfo: this.info };
    reply.result(result, { 'mcp-session-id': session.id });
  }

  receiveForSession(http, { headers }, response) {
    const session = this.sessions.get(headers['mcp-session-id']);
    if (!this.eras.includes('legacy')) return void response.writeHead(405).end();
    if (!session) return void response.writeHead(headers['mcp-session-id'] === undefined ? 400 : 404).end();
    if (http === 'DELETE') {
      session.stream?.response.end();
      this.sessions.delete(session.id);
      return void response.writeHead(204).end();
    }
    session.stream = new Reply(response);
    session.stream.open();
  }

  sessionOf(headers) {
    const id = headers['mcp-session-id'];
    const session = this.sessions.get(id);
    if (session) return session;
    throw id === undefined
      ? new RpcError(-32_000, 'Bad Request: no valid session', { status: 400 })
      : new RpcError(-32_001, 'Session not found', { status: 404 });
  }

  /** The methods that both eras have. */
  async answer(ask) {
    const { method, params } = ask;
    switch (method) {
      case 'tools/list': {
        const tools = [...TOOLS.values()].map(({ definition }) => definition);
        return { tools: [...tools, ...this.extras('tools', (name) => ({ name, inputSchema: { type: 'object' } }))] };
      }
      case 'prompts/list': {
        const prompts = [...PROMPTS.values()].map(({ get: _get, asks: _asks, ...definition }) => definition);
        return { prompts: [...prompts, ...this.extras('prompts', (name) => ({ name }))] };
      }
      case 'resources/list':
        return { resources: RESOURCES };
      case 'resources/templates/list':
        return { resourceTemplates: TEMPLATES };
      case 'tools/call': {
        const tool = TOOLS.get(params.name);
        if (!tool) throw new RpcError(-32_602, 'Unknown tool');
        return this.counted(params.name, () => tool.run(this.callOf(ask)));
      }
      case 'prompts/get':
        return this.prompt(ask);
      case 'resources/read': {
        const content = contentOf(params.uri);
        if (content) return { contents: [content] };
        const data = { uri: params.uri };
        throw new RpcError(ask.era === 'modern' ? -32_602 : -32_002, 'Resource not found', { data });
      }
      case 'completion/complete':
        return { completion: { values: ['paris', 'park', 'party'], total: 3, hasMore: false } };
      default:
        throw new RpcError(-32_601, 'Method not found', { status: ask.era === 'modern' ? 404 : 200 });
    }
  }

  callsOf(name) {
    return this.calling.get(name) ?? 0;
  }

  async counted(name, run) {
    this.calling.set(name, this.callsOf(name) + 1);
    try {
      return await run();
    } finally {
      this.calling.set(name, this.callsOf(name) - 1);
    }
  }

  extras(list, definition) {
    const names = Array.from({ length: this.extra[list] }, (_, index) => `test_added_${index + 1}`);
    return names.map((name) => ({ ...definition(name), description: 'Was added.' }));
  }

  prompt({ params }) {
    const prompt = PROMPTS.get(params.name);
    if (!prompt) throw new RpcError(-32_602, 'Unknown prompt');
    const inputs = params.inputResponses ?? {};
    const open = Object.entries(prompt.asks ?? {}).filter(([name]) => !inputs[name]);
    if (open.length === 0) return { messages: prompt.get(params.arguments ?? {}, inputs) };
    const requestedSchema = { type: 'object', properties: { context: { type: 'string' } }, required: ['context'] };
    const inputRequests = Object.fromEntries(
      open.map(([name, message]) => [name, { method: 'elicitation/create', params: { message, requestedSchema } }]),
    );
    return { resultType: 'input_required', inputRequests };
  }

  /** A call as a tool gets it. */
  callOf({ era, params, reply, signal, capabilities, logLevel }) {
    const { progressToken } = params._meta ?? {};
    return {
      ...{ era, capabilities, signal, server: this },
      args: params.arguments ?? {},
      inputs: params.inputResponses ?? {},
      state: params.requestState,
      open: () => reply.open(),
      log: (level, data) => {
        const isWanted = era === 'legacy' || logLevel === 'debug' || logLevel === level;
        if (isWanted) reply.send({ method: 'notifications/message', params: { level, data } });
      },
      progress: (progress, total) => {
        if (progressToken === undefined) return;
        reply.send({ method: 'notifications/progress', params: { progressToken, progress, total } });
      },
      /** In a session: the answer comes as a message of its own. */
      ask: async (method, given) => {
        const id = randomUUID();
        const answer = new Promise((resolve) => this.asked.set(id, resolve));
        reply.send({ id, method, params: given });
        const { result, error } = await answer;
        return result ?? { error };
      },
    };
  }
}
