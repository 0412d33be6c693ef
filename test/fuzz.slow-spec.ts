import fc, { type Arbitrary } from 'fast-check';
import { newId } from '../src/database/id';
import { References } from '../src/http/openapi/openapi-references';
import type { Operation as DocumentedOperation } from '../src/http/openapi/openapi-walk';
import { GROUP_URN, USER_URN } from '../src/scim/protocol/urns';
import { createTestApp, TestApp } from './support/app';
import { type Answer, expectDocumented } from './support/documented-answers';
import { createBundle, createEndpoint, createListing, idOf } from './support/factories';
import { GeneratedValues, HOSTILE, type ValueSchema } from './support/generated-values';
import { ScimConnection } from './support/scim-connection';

/** Calls per operation. Set FUZZ_ROUNDS and FUZZ_SEED for a longer or another run. */
const ROUNDS = Number(process.env.FUZZ_ROUNDS ?? 25);
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_122);

type Ids = Readonly<Record<string, string>>;

/** A created resource: the template of its path, and the parameters that lead to it. */
interface Thing {
  template: string;
  ids: Ids;
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: ValueSchema;
}

/** A random request, before the ids that exist are known. */
interface Made {
  /** By name; a number selects one of the existing ids. */
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  headers: Partial<Record<string, string>>;
  body: unknown;
}

/** Of an account that may do everything, and of an identity provider. */
interface Tokens {
  account: string;
  provider: string;
}

interface Call {
  method: Method;
  path: string;
  operation: DocumentedOperation;
  requests: Made[];
}

/** Every operation of the document, with valid, spoilt and hostile requests. */
describe('Random requests', () => {
  let test: TestApp;
  let calls: Call[];
  /** Path parameters of what exists from the beginning, and of what was created on the way. */
  let base: Ids = {};
  let made: Thing[] = [];
  const counts = new Map<number, number>();

  beforeAll(async () => {
    test = await createTestApp({ env: { PLATFORM_ADMINS: 'fuzzer@example.com', RUN: 'api' } });
    calls = madeUp(test);
  });

  afterAll(() => test.close());

  it(`are answered as documented and never with a 500: ${ROUNDS} of each operation, seed ${SEED}`, async () => {
    const callers = await createCallers();
    // Operations that end the caller's own access come last.
    const isLast = ({ method, path }: Call) => method === 'delete' && !path.includes('{');
    for (const part of [calls.filter((call) => !isLast(call)), calls.filter(isLast)]) {
      for (let round = 0; round < ROUNDS; round++) {
        for (const call of part) await send(call, round, callers);
      }
    }
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    expect(total).toBe(ROUNDS * calls.length);
    // Otherwise it would only test rejected requests.
    const succeeded = (counts.get(200) ?? 0) + (counts.get(201) ?? 0) + (counts.get(204) ?? 0);
    expect(succeeded / total).toBeGreaterThan(0.3);
  }, 1_800_000);

  async function createCallers(): Promise<Tokens> {
    const account = await test.as('fuzzer');
    const made = await account.post('/v1/organisations', { name: 'Base' });
    // The only OWNER, so that none of its requests can take the role away.
    const { id: orgId } = made.body;
    const connection = await ScimConnection.open(test, account, orgId);
    const { id: bundleId } = await createBundle(account, { org_id: orgId });
    const { id: endpointId } = await createEndpoint(account, { org_id: orgId });
    const listingId = await createListing(test.dataSource, { orgId });
    const ids = { org_id: orgId, bundle_id: bundleId, endpoint_id: endpointId, listing_id: listingId };
    const names = { category_id: '1', number: '1', version: '1.0.0', event_type: 'bundle.created', name: 'User' };
    base = { ...ids, ...names, user_id: await idOf(account) };
    for (let number = 0; number < 5; number++) {
      const user = await connection.make('/Users', { schemas: [USER_URN], userName: `user-${number}@example.com` });
      const group = await connection.make('/Groups', { schemas: [GROUP_URN], displayName: `Group ${number}` });
      for (const path of [`Users/${user}`, `Groups/${group}`]) remember(`/v1/organisations/${orgId}/scim/v2/${path}`);
    }
    return { account: account.token ?? '', provider: connection.token };
  }

  async function send(call: Call, round: number, callers: Tokens): Promise<void> {
    const request = call.requests[round] as Made;
    const address = addressOf(call, request);
    const where = `${call.operation.operationId}: ${JSON.stringify({ round, address, ...request }).slice(0, 1_500)}`;
    const token = call.path.includes('/scim/v2/') ? callers.provider : callers.account;
    const answer = await fetched(call.method, address, token, request);
    counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
    try {
      expectDocumented(test.document, call.method, address, answer);
    } catch (cause) {
      throw new Error(where, { cause });
    }
    if (answer.status >= 500 && answer.status !== 501) throw new Error(`${answer.status} ${answer.text} to ${where}`);
    if (call.method === 'delete' && answer.status < 300) forget(address);
    if (typeof answer.headers.location === 'string') remember(new URL(answer.headers.location, test.url).pathname);
  }

  async function fetched(method: string, address: string, token: string, { headers, body }: Made): Promise<Answer> {
    const response = await fetch(test.url + address, {
      method: method.toUpperCase(),
      // A redirect is the answer: what it leads to is another operation, or another host.
      redirect: 'manual',
      headers: {
        'Content-Type': 'application/json',
        ...(headers as Record<string, string>),
        Authorization: `Bearer ${token}`,
      },
      body: body === undefined ? undefined : JSON.stringify(withIds(body, base)),
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text,
      body: isJson ? (JSON.parse(text) as unknown) : undefined,
    };
  }

  /** Extracts the path parameters from the address of a created resource. */
  function remember(address: string): void {
    const parts = address.split('/');
    const template = calls.map(({ path }) => path).find((path) => isOf(parts, path));
    if (template === undefined) return;
    const pairs = template
      .split('/')
      .flatMap((part, index) => (part.startsWith('{') ? [[part.slice(1, -1), parts[index]]] : []));
    made.push({ template, ids: { ...base, ...(Object.fromEntries(pairs) as Ids) } });
  }

  /** @param address of a deleted resource; everything below it is gone too */
  function forget(address: string): void {
    const id = address.split(/[/?]/).findLast((part) => /^[0-9a-f-]{36}$/.test(part)) ?? '';
    made = made.filter(({ ids }) => !Object.values(ids).includes(id));
  }

  function addressOf({ method, path }: Call, { path: values, query }: Made): string {
    const ids = pick(method, path, values);
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = typeof values[name] === 'number' ? (ids[name] ?? newId()) : values[name];
      return encodeURIComponent(asText(value).toWellFormed()) || 'x';
    });
    const pairs = Object.entries(query).flatMap(([name, value]): [string, string][] =>
      [value].flat().map((one) => [name, asText(one).toWellFormed()]),
    );
    return pairs.length === 0 ? filled : `${filled}?${new URLSearchParams(pairs).toString()}`;
  }

  /** Ids of existing things, created recently so that they still exist; those from the beginning are never deleted. */
  function pick(method: Method, path: string, values: Record<string, unknown>): Ids {
    const above = made.filter(({ template }) => path === template || path.startsWith(`${template}/`));
    // The token of the identity provider belongs to the first organisation.
    const usable = path.includes('/scim/v2/') ? above.filter(({ ids }) => ids.org_id === base.org_id) : above;
    const longest = Math.max(...usable.map(({ template }) => template.length));
    const nearest = usable.filter(({ template }) => template.length === longest).slice(-5);
    const number = Number(Object.values(values).find((value) => typeof value === 'number') ?? 0);
    return nearest[number % nearest.length]?.ids ?? (method === 'delete' ? {} : base);
  }
});

function isOf(parts: string[], path: string): boolean {
  const template = path.split('/');
  return (
    template.length === parts.length && template.every((part, index) => part.startsWith('{') || part === parts[index])
  );
}

/** @returns the same with existing ids in place of made-up ones */
function withIds(value: unknown, ids: Ids): unknown {
  return JSON.parse(JSON.stringify(value), (key, one: unknown) =>
    typeof one === 'string' && /^[0-9a-f-]{36}$/.test(one) ? (ids[key] ?? one) : one,
  ) as unknown;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** @returns as many requests as rounds for each operation, the same for the same seed */
function madeUp(test: TestApp): Call[] {
  const values = new GeneratedValues(test.document);
  const references = new References(test.document);
  return Object.entries(test.document.paths).flatMap(([path, item]) =>
    (Object.entries(item) as [Method, DocumentedOperation][]).map(([method, operation], index) => {
      const parameters = (operation.parameters ?? []).map((one) => references.resolve(one) as Parameter);
      const of = (place: string) => parameters.filter((parameter) => parameter.in === place);
      const schema = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
      const request: Arbitrary<Made> = fc.record({
        path: fc.record(Object.fromEntries(of('path').map(({ name, schema }) => [name, pathValue(values, schema)]))),
        query: few(of('query')).chain((given) =>
          fc.record(Object.fromEntries(given.map((one) => [one.name, queryValue(values, one)]))),
        ),
        headers: fc.record(Object.fromEntries(of('header').map(({ name }) => [name, headerValue])), {
          requiredKeys: [],
        }),
        body: schema ? values.any(schema) : fc.constant(undefined),
      });
      return {
        method,
        path,
        operation,
        requests: fc.sample(request, { seed: SEED + path.length + index, numRuns: ROUNDS }),
      };
    }),
  );
}

function pathValue(values: GeneratedValues, schema: ValueSchema): Arbitrary<unknown> {
  return fc.oneof(
    { weight: 8, arbitrary: fc.nat() },
    { weight: 1, arbitrary: values.valid(schema).map(asText) },
    { weight: 1, arbitrary: HOSTILE.map(asText) },
  );
}

/** The required parameters and at most two others: with all of them hardly any request would be valid. */
function few(parameters: Parameter[]): Arbitrary<Parameter[]> {
  const required = parameters.filter((one) => one.required);
  const others = parameters.filter((one) => !one.required);
  return fc.subarray(others, { maxLength: Math.min(2, others.length) }).map((some) => [...required, ...some]);
}

/** Rarely invalid, since a request can have many; no made-up text is a cursor. */
function queryValue(values: GeneratedValues, { name, schema }: Parameter): Arbitrary<unknown> {
  const valid = name === 'cursor' ? fc.constant('') : values.valid(schema);
  return fc.oneof({ weight: 19, arbitrary: valid }, { weight: 1, arbitrary: HOSTILE });
}

const headerValue = fc.oneof(
  fc.constantFrom('*', 'W/"1"', '"x"', 'W/"1", "2"', ''),
  fc.stringMatching(/^[!-~]{1,40}$/),
);
