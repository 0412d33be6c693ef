import { pathToFileURL } from 'node:url';

const SDK_1 = '@modelcontextprotocol/sdk';
const SDK_2 = '@modelcontextprotocol/client';
const INFO = { name: 'toolyard-trial', version: '1.0.0' };
const CAPABILITIES = { elicitation: {} };
const ANSWER = { action: 'accept', content: { username: 'Ada', email: 'ada@example.com' } };

const namesOf = (list) => list.map(({ name }) => name);

/** What all of them do in the same way. */
class TriedClient {
  /** How often a server has asked something. */
  elicited = 0;
  /** How often the list of tools was said to have changed. */
  changes = 0;

  constructor({ url, token }) {
    this.url = new URL(url);
    this.requestInit = { headers: { Authorization: `Bearer ${token}` } };
    this.listChanged = { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => this.changes++ } };
    this.answer = () => {
      this.elicited++;
      return ANSWER;
    };
  }

  async lists() {
    const { tools } = await this.client.listTools();
    const { prompts } = await this.client.listPrompts();
    const { resources } = await this.client.listResources();
    return { tools: namesOf(tools), prompts: namesOf(prompts), resources: resources.map(({ uri }) => uri) };
  }

  prompt(name) {
    return this.client.getPrompt({ name });
  }

  read(uri) {
    return this.client.readResource({ uri });
  }

  complete(params) {
    return this.client.complete(params);
  }
}

/** A client of the official SDK, version 1: the legacy era only. */
export async function sdkOne(packages, endpoint) {
  const load = (file) => import(pathToFileURL(packages.find(SDK_1, `dist/esm/${file}`)));
  const { Client } = await load('client/index.js');
  const { StreamableHTTPClientTransport } = await load('client/streamableHttp.js');
  const { ElicitRequestSchema } = await load('types.js');

  class SdkOne extends TriedClient {
    era = 'legacy';

    async connect() {
      this.client = new Client(INFO, { capabilities: CAPABILITIES, listChanged: this.listChanged });
      this.client.setRequestHandler(ElicitRequestSchema, this.answer);
      this.transport = new StreamableHTTPClientTransport(this.url, { requestInit: this.requestInit });
      await this.client.connect(this.transport);
      return this.transport.protocolVersion;
    }

    call(name, args, options) {
      return this.client.callTool({ name, arguments: args }, undefined, options);
    }

    async toolsNow() {
      return namesOf((await this.client.listTools()).tools);
    }

    async close() {
      await this.transport.terminateSession();
      await this.client.close();
    }
  }
  return new SdkOne(endpoint);
}

/**
 * A client of the official SDK, version 2.
 *
 * @param mode how it finds the era: `legacy`, `auto`, or one revision
 */
export async function sdkTwo(packages, endpoint, mode) {
  const { Client, StreamableHTTPClientTransport } = await import(pathToFileURL(packages.find(SDK_2, 'dist/index.mjs')));

  class SdkTwo extends TriedClient {
    async connect() {
      const options = { capabilities: CAPABILITIES, listChanged: this.listChanged, versionNegotiation: { mode } };
      this.client = new Client(INFO, options);
      this.client.setRequestHandler('elicitation/create', this.answer);
      this.transport = new StreamableHTTPClientTransport(this.url, { requestInit: this.requestInit });
      await this.client.connect(this.transport);
      this.era = this.client.getProtocolEra();
      return this.client.getNegotiatedProtocolVersion();
    }

    call(name, args, options) {
      return this.client.callTool({ name, arguments: args }, options);
    }

    async toolsNow() {
      return namesOf((await this.client.listTools(undefined, { cacheMode: 'refresh' })).tools);
    }

    async close() {
      if (this.era === 'legacy') await this.transport.terminateSession();
      await this.client.close();
    }
  }
  return new SdkTwo(endpoint);
}
