import { objectReading } from './json-reading';
import { RESERVED_META } from './revisions';

/** What is read of `_meta`: what belongs to one hop, and what ties messages together. The keys of others stay as they came. */
const META = objectReading({
  [`${RESERVED_META}protocolVersion`]: 'value',
  [`${RESERVED_META}clientCapabilities`]: 'value',
  [`${RESERVED_META}clientInfo`]: 'value',
  [`${RESERVED_META}logLevel`]: 'value',
  [`${RESERVED_META}serverInfo`]: 'value',
  progressToken: 'value',
  traceparent: 'value',
  tracestate: 'value',
});

/** A message of a client: everything but what goes to a server as it came, whose size is bounded already. */
export const CLIENT_MESSAGE = objectReading(
  {
    params: objectReading({ arguments: 'bytes', inputResponses: objectReading({}), _meta: META }, 'value'),
    result: 'bytes',
  },
  'value',
);

/** These members decide whether the client can be asked a question. */
const QUESTION = { mode: 'value', url: 'value' } as const;

/** These members of a notification or a request of a server decide who gets it. */
const SERVER_PARAMS = objectReading({
  ...QUESTION,
  progressToken: 'value',
  level: 'value',
  uri: 'value',
  requestId: 'value',
  _meta: META,
});

const RPC = { jsonrpc: 'value', id: 'value', method: 'value', params: SERVER_PARAMS } as const;

/** A message of a server about a call of a client: what rules look at, and everything else as it came. */
export const CALL_MESSAGE = objectReading({
  ...RPC,
  error: objectReading({ code: 'value', message: 'value' }),
  result: objectReading({
    resultType: 'value',
    isError: 'value',
    requestState: 'value',
    inputRequests: objectReading({}),
    ttlMs: 'value',
    cacheScope: 'value',
    _meta: META,
  }),
});

/** A message of a server to this service, which reads all of it. */
export const OWN_MESSAGE = objectReading({ ...RPC, error: 'value', result: 'value', params: 'value' });

/** A page of a list: each definition as it came. */
export const LIST_PAGE = objectReading({
  ...RPC,
  error: 'value',
  result: objectReading({
    tools: 'items',
    prompts: 'items',
    resources: 'items',
    resourceTemplates: 'items',
    nextCursor: 'value',
    ttlMs: 'value',
  }),
});

/** The answer to a request of a client, of which a server looks at the kind of answer only. */
export const CLIENT_ANSWER = objectReading({ error: 'value' });

/** What a server asks of a client. */
export const INPUT_REQUEST = objectReading({ method: 'value', params: objectReading(QUESTION) });

/** The arguments of `call_tool`. */
export const INDIRECT_CALL = objectReading({ name: 'value' });
