import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { IMAGE, SOUND } from './content.mjs';
import { RpcError } from './wire.mjs';

/** Between the messages of a call, so that they arrive one by one. */
const STEP_MS = 50;

const text = (value) => ({ content: [{ type: 'text', text: value }] });
const object = (properties, required = Object.keys(properties)) => ({ type: 'object', properties, required });
const embedded = (uri, mimeType, value) => ({ type: 'resource', resource: { uri, mimeType, text: value } });

const elicitation = (message, properties) => ({
  method: 'elicitation/create',
  params: { message, requestedSchema: object(properties) },
});
const sampling = (prompt, maxTokens = 100) => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens },
});
const NAME = elicitation('What is your name?', { name: { type: 'string' } });
const CONFIRM = elicitation('Please confirm', { ok: { type: 'boolean' } });
const ROOTS = { method: 'roots/list', params: {} };
/** What a client has to declare before it is asked. */
const CAPABILITIES = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};

/** Signs what a client brings back. */
const key = randomBytes(32);

function sealed(step) {
  return `${step}.${createHmac('sha256', key).update(step).digest('base64url')}`;
}

/** @throws RpcError if a client has changed it */
function unsealed(state) {
  const [step] = String(state).split('.');
  if (state === sealed(step)) return step;
  throw new RpcError(-32_602, 'This requestState is none of ours.');
}

/**
 * Asks the client, in the way of its era: in the session, or by the result of the call.
 *
 * @returns what it has answered, by the keys of the questions; a result without `resultType: complete` is to be returned
 */
async function asked(call, requests, requestState) {
  const missing = Object.values(requests).find(({ method }) => !call.capabilities[CAPABILITIES[method]]);
  if (missing) return { unanswered: { ...text(`The client cannot be asked: ${missing.method}.`), isError: true } };
  if (call.era === 'legacy') {
    const answers = await Promise.all(Object.values(requests).map(({ method, params }) => call.ask(method, params)));
    return { answers: Object.fromEntries(Object.keys(requests).map((name, index) => [name, answers[index]])) };
  }
  const { inputs } = call;
  const isAnswered = Object.keys(requests).every((name) => typeof inputs[name] === 'object' && inputs[name] !== null);
  if (isAnswered) return { answers: inputs };
  return { unanswered: { resultType: 'input_required', inputRequests: requests, requestState } };
}

/** A tool that asks once, and says what it was answered. */
function asking(requests, { state, say = JSON.stringify } = {}) {
  return async (call) => {
    if (state && call.state !== undefined) unsealed(call.state);
    const { answers, unanswered } = await asked(call, requests(call), state && sealed(state));
    return unanswered ?? text(say(answers));
  };
}

async function threeRounds(call) {
  const step = call.state === undefined ? 'first' : unsealed(call.state);
  const question =
    step === 'first'
      ? { step1: elicitation('Step 1: What is your name?', { name: { type: 'string' } }) }
      : { step2: elicitation('Step 2: What is your favorite color?', { color: { type: 'string' } }) };
  const isAnswered = Object.keys(question).every((name) => call.inputs[name]);
  if (step === 'second' && isAnswered) return text('All is said.');
  if (step === 'first' && isAnswered) return threeRounds({ ...call, inputs: {}, state: sealed('second') });
  return { resultType: 'input_required', inputRequests: question, requestState: sealed(step) };
}

async function logs(call) {
  for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
    call.log('info', data);
    await sleep(STEP_MS);
  }
  return text('Tool with logging executed successfully');
}

async function progresses(call) {
  for (const progress of [0, 50, 100]) {
    call.progress(progress, 100);
    await sleep(STEP_MS);
  }
  return text('Done.');
}

/** @throws RpcError: a client has to declare what a tool needs */
function needsSampling({ capabilities }) {
  if (capabilities.sampling) return text('The client can sample.');
  const data = { requiredCapabilities: { sampling: {} } };
  throw new RpcError(-32_021, 'This needs the capability "sampling".', { status: 400, data });
}

/** Every kind of choice of SEP-1330. */
const CHOICES = {
  untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
  titledSingle: {
    type: 'string',
    oneOf: ['First', 'Second', 'Third'].map((title, index) => ({ const: `value${index + 1}`, title })),
  },
  legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
  untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
  titledMulti: {
    type: 'array',
    items: { anyOf: ['First', 'Second', 'Third'].map((title, index) => ({ const: `value${index + 1}`, title })) },
  },
};

/** A default of every kind (SEP-1034). */
const DEFAULTS = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};

const ADDRESS = {
  $anchor: 'addressDef',
  type: 'object',
  properties: { street: { type: 'string' }, city: { type: 'string' } },
};
/** Words of JSON Schema 2020-12 that must survive (SEP-1613, SEP-2106). */
const FULL_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: { address: ADDRESS },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

const REGION = object({ region: { type: 'string', 'x-mcp-header': 'Region' } });
const SLOW = object({ seconds: { type: 'integer' } });
const USER = { username: { type: 'string' }, email: { type: 'string' } };

/** By name: what it does, and its input schema if it takes something. */
const BEHAVIOURS = {
  json_schema_2020_12_tool: [() => text('Taken.'), FULL_SCHEMA],
  test_simple_text: [() => text('This is a simple text response for testing.')],
  test_image_content: [() => ({ content: [IMAGE] })],
  test_audio_content: [() => ({ content: [SOUND] })],
  test_embedded_resource: [
    () => ({ content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')] }),
  ],
  test_multiple_content_types: [
    () => ({
      content: [
        { type: 'text', text: 'Multiple content types test:' },
        IMAGE,
        embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
      ],
    }),
  ],
  test_error_handling: [() => ({ ...text('This tool intentionally returns an error for testing'), isError: true })],
  test_tool_with_logging: [logs],
  test_logging_tool: [logs],
  test_tool_with_progress: [progresses],
  test_slow: [
    async ({ args: { seconds }, signal }) => {
      await sleep(seconds * 1_000, undefined, { signal });
      return text('It has taken its time.');
    },
    SLOW,
  ],
  test_x_mcp_header: [({ args: { region } }) => text(`The region is ${region}.`), REGION],
  test_missing_capability: [needsSampling],
  test_sampling: [
    asking(({ args: { prompt } }) => ({ answer: sampling(prompt) })),
    object({ prompt: { type: 'string' } }),
  ],
  test_elicitation: [
    asking(({ args: { message } }) => ({ user: elicitation(message, USER) })),
    object({ message: { type: 'string' } }),
  ],
  test_streaming_elicitation: [
    async (call) => {
      call.open();
      return asking(() => ({ user_name: NAME }))(call);
    },
  ],
  test_elicitation_sep1034_defaults: [asking(() => ({ user: elicitation('Is this right?', DEFAULTS) }))],
  test_elicitation_sep1330_enums: [asking(() => ({ user: elicitation('Which ones?', CHOICES) }))],
  test_input_required_result_elicitation: [asking(() => ({ user_name: NAME }))],
  test_input_required_result_sampling: [
    asking(() => ({ capital_question: sampling('What is the capital of France?') })),
  ],
  test_input_required_result_list_roots: [asking(() => ({ client_roots: ROOTS }))],
  test_input_required_result_request_state: [
    asking(() => ({ confirm: CONFIRM }), { state: 'confirming', say: () => 'state-ok' }),
  ],
  test_input_required_result_tampered_state: [asking(() => ({ confirm: CONFIRM }), { state: 'confirming' })],
  test_input_required_result_multiple_inputs: [
    asking(() => ({ user_name: NAME, greeting: sampling('Generate a greeting', 50), client_roots: ROOTS }), {
      state: 'several',
    }),
  ],
  test_input_required_result_multi_round: [threeRounds],
  test_input_required_result_capabilities: [
    asking(({ capabilities }) => ({
      ...(capabilities.sampling ? { greeting: sampling('Generate a greeting', 50) } : {}),
      ...(capabilities.elicitation ? { user_name: NAME } : {}),
    })),
  ],
  test_trigger_tool_change: [({ server }) => server.change('tools')],
  test_trigger_prompt_change: [({ server }) => server.change('prompts')],
};

/** What the scenarios expect of tools: the definition, and what a call does. */
export const TOOLS = new Map(
  Object.entries(BEHAVIOURS).map(([name, [run, inputSchema = { type: 'object' }]]) => [
    name,
    { definition: { name, description: `The tool ${name}.`, inputSchema }, run },
  ]),
);
