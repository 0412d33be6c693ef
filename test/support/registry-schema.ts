import { Ajv2020 } from 'ajv/dist/2020';

/**
 * The answers of the generic registry API as its contract has them, written for the tests from the contract and not from
 * the code: closed where the contract is closed.
 */
const DATE_TIME = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$';

const SERVER_DETAIL = {
  type: 'object',
  required: ['name', 'description', 'version'],
  properties: {
    name: { type: 'string', minLength: 3, maxLength: 200, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' },
    description: { type: 'string', minLength: 1, maxLength: 100 },
    version: { type: 'string', minLength: 1, maxLength: 255 },
    title: { type: 'string', minLength: 1, maxLength: 100 },
    packages: { type: 'array' },
    remotes: { type: 'array' },
    // What publishers write without meaning it comes back as they wrote it.
    repository: {
      anyOf: [
        { type: 'object', required: ['url', 'source'] },
        { type: 'object', maxProperties: 0 },
      ],
    },
    _meta: {
      type: 'object',
      properties: { 'io.modelcontextprotocol.registry/publisher-provided': { type: 'object' } },
      additionalProperties: false,
    },
  },
};

const SERVER_RESPONSE = {
  type: 'object',
  required: ['server', '_meta'],
  additionalProperties: false,
  properties: {
    server: SERVER_DETAIL,
    _meta: {
      type: 'object',
      required: ['io.modelcontextprotocol.registry/official'],
      properties: {
        'io.modelcontextprotocol.registry/official': {
          type: 'object',
          required: ['status', 'statusChangedAt', 'publishedAt', 'updatedAt', 'isLatest'],
          additionalProperties: false,
          properties: {
            status: { enum: ['active', 'deprecated', 'deleted'] },
            statusChangedAt: { type: 'string', pattern: DATE_TIME },
            statusMessage: { type: 'string', maxLength: 500 },
            publishedAt: { type: 'string', pattern: DATE_TIME },
            updatedAt: { type: 'string', pattern: DATE_TIME },
            isLatest: { type: 'boolean' },
          },
        },
      },
    },
  },
};

const SERVER_LIST = {
  type: 'object',
  required: ['servers', 'metadata'],
  additionalProperties: false,
  properties: {
    servers: { type: 'array', maxItems: 10_000, items: SERVER_RESPONSE },
    metadata: {
      type: 'object',
      required: ['count'],
      additionalProperties: false,
      properties: { count: { type: 'integer', minimum: 0 }, nextCursor: { type: 'string', minLength: 1 } },
    },
  },
};

export interface Answered {
  server: Record<string, unknown> & { name: string; description: string; version: string };
  _meta: Record<string, unknown>;
}

export interface Listed {
  servers: Answered[];
  metadata: { count: number; nextCursor?: string };
}

const ajv = new Ajv2020({ strict: false });
const isList = ajv.compile<Listed>(SERVER_LIST);
const isResponse = ajv.compile<Answered>(SERVER_RESPONSE);

/** @returns the body of a list. @throws Error when it is not as the contract has it */
export function expectRegistryList(body: unknown): Listed {
  if (!isList(body)) throw new Error(`No ServerList: ${ajv.errorsText(isList.errors)}`);
  if (body.metadata.count !== body.servers.length) throw new Error('metadata.count is not the number of servers.');
  return body;
}

/** @returns the body of one version. @throws Error when it is not as the contract has it */
export function expectServerResponse(body: unknown): Answered {
  if (!isResponse(body)) throw new Error(`No ServerResponse: ${ajv.errorsText(isResponse.errors)}`);
  return body;
}
