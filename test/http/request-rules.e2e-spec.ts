import type { Type } from '@nestjs/common';
import { ModulesContainer, MetadataScanner } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import fc, { type Arbitrary } from 'fast-check';
import { DataSource } from 'typeorm';
import { createApp, describeApp } from '../../src/app';
import { Environment } from '../../src/config/environment';
import { type Fault, MAX_FAULTS } from '../../src/errors/errors';
import { createLog } from '../../src/http/log/json-logger';
import { operationId } from '../../src/http/openapi/openapi-operations';
import { References } from '../../src/http/openapi/openapi-references';
import { type Operation, operationsOf } from '../../src/http/openapi/openapi-walk';
import type { OperationRules } from '../../src/http/requests/operation-rules';
import type { Handler } from '../../src/http/requests/parameters';
import { FORM_TYPE, GATE_EXTENSION } from '../../src/http/requests/body-rules';
import { firstOfEachPlace, RequestGuard } from '../../src/http/requests/request.guard';
import { TextChecks } from '../../src/http/requests/text-checks';
import { crowding } from '../support/eventually';
import { GeneratedValues, HOSTILE, type ValueSchema } from '../support/generated-values';
import { cases } from '../support/random-cases';
import { RequestSchemas } from '../support/request-schemas';

/** Requests per operation. Set ORACLE_ROUNDS and ORACLE_SEED for a longer or another run. */
const ROUNDS = Number(process.env.ORACLE_ROUNDS ?? cases(100));
const SEED = Number(process.env.ORACLE_SEED ?? 20_261_122);

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: ValueSchema;
}

interface Parts {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
}

/** The result for a request: its errors, and what the handler gets. */
interface Verdict {
  faults: Fault[];
  path: Record<string, unknown>;
  query: Record<string, unknown>;
}

/**
 * The decorators of the DTO classes both document and validate. Here the document, compiled by Ajv, is the oracle: it must
 * accept and refuse the same requests, and find the same faults in the same order.
 */
describe('The validators of the DTO classes', () => {
  let app: NestExpressApplication;
  let document: OpenAPIObject;
  let operations: (Operation & { [GATE_EXTENSION]?: string })[];
  let schemas: RequestSchemas;
  let rules: Map<string, OperationRules>;
  /** Ajv takes its time. */
  const compiled = new Map<string, ReturnType<RequestSchemas['of']>>();

  beforeAll(async () => {
    app = await undisturbed();
    document = describeApp(app);
    operations = operationsOf<(typeof operations)[number]>(document).map(({ operation }) => operation);
    schemas = new RequestSchemas(document, app.get(TextChecks));
    rules = rulesOf(app, document);
  });

  it('exist for every operation of the document', () => {
    expect([...rules.keys()].sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
  });

  it(`judge ${ROUNDS} valid and spoilt requests of each operation as the document does, seed ${SEED}`, () => {
    let refused = 0;
    // What a gate answers before the routes, no class of ours checks.
    const judged = operations.filter((operation) => operation[GATE_EXTENSION] === undefined);
    for (const [index, operation] of judged.entries()) {
      const id = operation.operationId;
      const requests = fc.sample(requestOf(document, operation), { seed: SEED + index, numRuns: ROUNDS });
      for (const request of requests) {
        const wanted = byDocument(id, request);
        const verdict = byClasses(id, request);
        if (wanted.faults.length > 0) refused += 1;
        // At the error limit the last ones depend on the order of counting.
        if (wanted.faults.length >= MAX_FAULTS) expect(verdict.faults).not.toEqual([]);
        else expect({ id, request, ...verdict }).toEqual({ id, request, ...wanted });
      }
    }
    // Otherwise only one of the two outcomes was tested.
    const share = refused / (judged.length * ROUNDS);
    expect([share > 0.2, share < 0.8]).toEqual([true, true]);
  }, 300_000);

  it('refuse other spellings of every parameter of the query, and name the right one', () => {
    const references = new References(document);
    let parameters = 0;
    const judged = operations.filter((operation) => operation[GATE_EXTENSION] === undefined);
    for (const { operationId: id, parameters: declared = [] } of judged) {
      const names = declared.map((parameter) => references.resolve<Parameter>(parameter as Parameter));
      for (const { name } of names.filter((parameter) => parameter.in === 'query')) {
        parameters += 1;
        for (const spelling of [name.toUpperCase(), `${name}[gt]`, `${name}[][]`, `${name}[`]) {
          const { faults } = byClasses(id, { path: {}, query: { [spelling]: 'x' }, body: undefined });
          const msg = `Write this parameter as ${name}, ${name}[] or ${name}[0].`;
          expect({ id, faults }).toEqual({
            id,
            faults: expect.arrayContaining([{ loc: ['query', spelling], msg, type: 'extra_forbidden' }]) as Fault[],
          });
        }
      }
    }
    expect(parameters).toBeGreaterThan(200);
  });

  it('pass on what was sent, as instances of the classes', () => {
    const body = { entries: [{ id: null, config: JSON.parse('{"constructor":1,"__proto__":{"a":[{}]}}') as object }] };
    const instance = (rules.get('bundle_entries_replace') as OperationRules).bodyOf(body) as typeof body;
    expect(instance.constructor.name).toBe('BundleEntriesReplace');
    expect(instance.entries[0]?.constructor.name).toBe('BundleEntryPlace');
    expect(instance.entries[0]?.config).toBe(body.entries[0]?.config);
    expect(({} as Record<string, unknown>).a).toBeUndefined();
  });

  it('check the length of a list before its items, and stop at the error limit', () => {
    const wrong = Array.from({ length: 99_000 }, () => 0);
    const names = Object.fromEntries(wrong.slice(0, 9_000).map((value, index) => [`field${index}`, value]));
    const target = { target_url: 'https://hooks.example.com/', event_types: [] };
    const countOf = (id: string, body: unknown) =>
      byClasses(id, { path: {}, query: {}, body }).faults.filter(({ loc: [place] }) => place === 'body').length;
    const started = performance.now();
    expect(countOf('webhook_endpoints_create', { ...target, event_types: wrong })).toBe(1);
    expect(countOf('bundle_entries_change', { add: wrong, update: wrong, remove: wrong })).toBe(3);
    expect(countOf('sync_preview', { role_mappings: { create: wrong } })).toBe(1);
    expect(countOf('bundles_create', { name: ' '.repeat(1_000_000) })).toBe(1);
    // A few ms, and many times that on a busy machine; without the limits it takes seconds.
    expect(performance.now() - started).toBeLessThan(500 * crowding());
    expect(countOf('webhook_endpoints_create', { ...target, headers: names })).toBe(1);
    expect(countOf('bundles_create', { name: 'a', ...names })).toBe(MAX_FAULTS);
  });

  function byDocument(id: string, { path, query, body }: Parts): Verdict {
    const faults: Fault[] = [];
    const oracle = compiled.get(id) ?? schemas.of(id);
    compiled.set(id, oracle);
    const converted = { path: oracle.path(path, faults), query: oracle.query(query, faults) };
    if (body !== undefined) oracle.body(body, faults);
    return verdict(faults, converted.path, converted.query);
  }

  function byClasses(id: string, { path, query, body }: Parts): Verdict {
    const faults: Fault[] = [];
    const operation = rules.get(id) as OperationRules;
    const converted = { path: operation.readPath(path, faults), query: operation.readQuery(query, faults) };
    if (body !== undefined) operation.checkBody(body, faults);
    return verdict(faults, converted.path, { ...converted.query });
  }
});

/** Converted values matter only if nothing is wrong; undefined means absent. */
function verdict(faults: Fault[], path: Record<string, unknown>, query: Record<string, unknown>): Verdict {
  if (faults.length > 0) return { faults: inPathOrder(firstOfEachPlace(faults)), path: {}, query: {} };
  return { faults, path, query };
}

/** The document has path parameters in the order in which Nest encounters them. */
function inPathOrder(faults: Fault[]): Fault[] {
  const placeOf = ({ loc: [place, name] }: Fault) => (place === 'path' ? `0 ${name}` : '1');
  return faults.toSorted((a, b) => placeOf(a).localeCompare(placeOf(b)));
}

/** Nothing starts: no database, no port. */
async function undisturbed(): Promise<NestExpressApplication> {
  const environment = new Environment({
    SECRETS_KEY: Buffer.alloc(32).toString('base64'),
    OIDC_ISSUER: 'https://issuer.invalid',
  });
  const dataSource = new DataSource({ type: 'postgres' });
  Object.defineProperty(dataSource, 'isInitialized', { value: true });
  return createApp({ environment, dataSource, databaseUrl: '' }, createLog('silent'));
}

/** @returns what the handler declares, by operation id */
function rulesOf(app: NestExpressApplication, document: OpenAPIObject): Map<string, OperationRules> {
  const guard = new RequestGuard(document, app.get(TextChecks));
  const operationIds = new Set(operationsOf<Operation>(document).map(({ operation }) => operation.operationId));
  const rulesById = new Map<string, OperationRules>();
  for (const { controllers } of app.get(ModulesContainer).values()) {
    for (const { metatype } of controllers.values()) {
      const controller = metatype as Type;
      const prototype = controller.prototype as Record<string, Handler>;
      for (const name of new MetadataScanner().getAllMethodNames(prototype)) {
        const id = operationId(controller.name, name);
        if (operationIds.has(id)) rulesById.set(id, guard.rulesOf(controller, prototype[name] as Handler));
      }
    }
  }
  return rulesById;
}

function requestOf(document: OpenAPIObject, operation: Operation): Arbitrary<Parts> {
  const values = new GeneratedValues(document);
  const references = new References(document);
  const parameters = (operation.parameters ?? []).map((one) => references.resolve(one) as Parameter);
  const of = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const texts = (place: string) =>
    fc.record(Object.fromEntries(of(place).map(({ name, schema }) => [name, parameter(values, schema)])), {
      requiredKeys: of(place).flatMap(({ name, required }) => (required ? [name] : [])),
    });
  // Forms of pages are read by their handlers.
  const schema = Object.entries(operation.requestBody?.content ?? {}).find(([type]) => type !== FORM_TYPE)?.[1].schema;
  return fc.record({
    path: texts('path'),
    query: texts('query'),
    body: schema ? values.any(schema).map(asJson) : fc.constant(undefined),
  });
}

/** As in the URL: a string, or several of the same name. */
function parameter(values: GeneratedValues, schema: ValueSchema): Arbitrary<unknown> {
  const valid = values.valid(schema).map((value) => (Array.isArray(value) ? value.map(asText) : asText(value)));
  const hostile = HOSTILE.map(asText);
  return fc.oneof(
    { weight: 30, arbitrary: valid },
    { weight: 1, arbitrary: hostile },
    { weight: 1, arbitrary: fc.array(fc.oneof(valid.map(asText), hostile), { minLength: 2, maxLength: 3 }) },
  );
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** As a body is read: -0 is 0, undefined is left out, an infinite number is null. */
function asJson(value: unknown): unknown {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as unknown);
}
