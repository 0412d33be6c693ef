import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { NO_MAP } from '../../src/catalog/import/category-map';
import { Import } from '../../src/catalog/import/import.service';
import { createTestApp, type TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { type Cast, createCast, createEndpoint } from '../support/factories';
import { Receiver } from '../support/receiver';
import { SENDING } from '../support/sending';

const CALLER = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const TRACEPARENT = `00-${CALLER.traceId}-${CALLER.spanId}-01`;

describe('Traces', () => {
  const exporter = new InMemorySpanExporter();
  let receiver: Receiver;
  let test: TestApp;
  let cast: Cast;

  beforeAll(async () => {
    receiver = await Receiver.start((webhook, response) =>
      response.writeHead(webhook.path.startsWith('/broken') ? 500 : 204).end(),
    );
    test = await createTestApp({ env: { ...SENDING, WEBHOOKS_TRACEPARENT: 'true' } });
    cast = await createCast(test);
  });

  afterAll(async () => {
    await test.close();
    await receiver.close();
  });

  beforeEach(() => exporter.reset());

  const spans = (name: string | RegExp) =>
    exporter.getFinishedSpans().filter((span) => (name instanceof RegExp ? name.test(span.name) : span.name === name));
  const spansWhen = (name: string | RegExp, count = 1) =>
    eventually(
      () => spans(name).map((span) => span),
      (found) => found.length >= count,
      10_000,
    );
  const parentOf = (span: ReadableSpan | undefined) => span?.parentSpanContext?.spanId;
  const call = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    fetch(test.url + path, {
      method,
      headers: { Authorization: `Bearer ${cast.admin.token}`, 'Content-Type': 'application/json', ...headers },
      body: body && JSON.stringify(body),
    });
  const lineOf = (requestId: string) =>
    eventually(
      () =>
        test.log
          .map((line) => JSON.parse(line) as Record<string, unknown>)
          .find((line) => line.request_id === requestId && line.msg === 'answered'),
      (line) => line !== undefined,
      5_000,
    );
  const lastEvent = async () => {
    const [row] = await test.dataSource.query<{ traceparent: string | null }[]>(
      `SELECT traceparent FROM events ORDER BY id DESC LIMIT 1`,
    );
    return row?.traceparent;
  };

  describe('without an SDK', () => {
    it('keep the id of the caller for the log and the events, and begin none', async () => {
      const headers = { 'X-Request-Id': 'unseen', traceparent: TRACEPARENT };
      expect((await call('POST', '/v1/bundles', { name: 'Unseen', org_id: cast.orgId }, headers)).status).toBe(201);
      expect(await lineOf('unseen')).toMatchObject({ trace_id: CALLER.traceId });
      expect(await lastEvent()).toBe(TRACEPARENT);
      await call('POST', '/v1/bundles', { name: 'Nowhere', org_id: cast.orgId }, { 'X-Request-Id': 'nowhere' });
      expect(await lineOf('nowhere')).not.toHaveProperty('trace_id');
      expect(await lastEvent()).toBeNull();
    });
  });

  describe('with the SDK of the operator', () => {
    let provider: NodeTracerProvider;

    beforeAll(() => {
      provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
      provider.register();
    });

    afterAll(async () => {
      await provider.shutdown();
      trace.disable();
      context.disable();
      propagation.disable();
    });

    it('have a span for the request, below that of the caller, and one for each statement by its name', async () => {
      const headers = { 'X-Request-Id': 'seen', traceparent: TRACEPARENT };
      const answer = await call('POST', '/v1/bundles', { name: 'Secret of the bundle', org_id: cast.orgId }, headers);
      expect(answer.status).toBe(201);
      const [request] = await spansWhen('POST /v1/bundles');
      expect(request).toMatchObject({
        kind: SpanKind.SERVER,
        status: { code: SpanStatusCode.UNSET },
        attributes: {
          'http.request.method': 'POST',
          'http.route': '/v1/bundles',
          'http.response.status_code': 201,
          'toolyard.request_id': 'seen',
        },
      });
      expect([request?.spanContext().traceId, parentOf(request)]).toEqual([CALLER.traceId, CALLER.spanId]);
      const creation = spans('bundle_create_of_organisation');
      expect(creation.map((span) => [span.kind, parentOf(span), span.attributes])).toEqual([
        [SpanKind.CLIENT, request?.spanContext().spanId, { 'db.system.name': 'postgresql' }],
      ]);
      expect(JSON.stringify(exporter.getFinishedSpans().map(shown))).not.toContain('Secret');
      expect(await lineOf('seen')).toMatchObject({ trace_id: CALLER.traceId });
      expect(await lastEvent()).toBe(`00-${CALLER.traceId}-${request?.spanContext().spanId}-01`);
    });

    it('begin with the request if the traceparent is not one, and say what failed by a code', async () => {
      await call('GET', '/v1/bundles/none?secret=s3cret', undefined, { traceparent: `00-${'0'.repeat(32)}-x-01` });
      const [request] = await spansWhen('GET /v1/bundles/{bundle_id}');
      expect(request?.parentSpanContext).toBeUndefined();
      // A 4xx is the error of the caller, so this span has none.
      expect(request?.status.code).toBe(SpanStatusCode.UNSET);
      expect(JSON.stringify(exporter.getFinishedSpans().map(shown))).not.toContain('s3cret');
    });

    it('link each attempt to the request that caused it, and begin anew for the receiver', async () => {
      const secret = '/hook/s3cret-path?token=s3cret';
      const { id } = await createEndpoint(cast.admin, { target_url: receiver.url + secret, org_id: cast.orgId });
      await call('POST', '/v1/bundles', { name: 'Linked', org_id: cast.orgId });
      const [attempt] = await spansWhen('POST webhook');
      const [request] = await spansWhen('POST /v1/bundles');
      expect(attempt).toMatchObject({
        kind: SpanKind.CLIENT,
        parentSpanContext: undefined,
        attributes: {
          'http.request.method': 'POST',
          'http.response.status_code': 204,
          'server.address': '127.0.0.1',
          'server.port': receiver.port,
          'toolyard.event.type': 'bundle.created',
        },
      });
      expect(attempt?.links.map(({ context: { traceId, spanId } }) => ({ traceId, spanId }))).toEqual([
        { traceId: request?.spanContext().traceId, spanId: request?.spanContext().spanId },
      ]);
      const { traceId = '', spanId } = attempt?.spanContext() ?? {};
      expect(traceId).not.toBe(request?.spanContext().traceId);
      expect(receiver.requests.at(-1)?.headers.traceparent).toBe(`00-${traceId}-${spanId}-01`);
      expect(JSON.stringify(exporter.getFinishedSpans().map(shown))).not.toContain('s3cret');
      await cast.admin.delete(`/v1/webhooks/${id}`);
    });

    it('show a failed attempt by its status, and a ping as a part of its request', async () => {
      const { id } = await createEndpoint(cast.admin, { target_url: `${receiver.url}/broken`, org_id: cast.orgId });
      await cast.admin.post(`/v1/webhooks/${id}/ping`, undefined, 200);
      const [attempt] = await spansWhen('POST webhook');
      const [request] = await spansWhen(/^POST .*ping$/);
      expect(attempt?.status.code).toBe(SpanStatusCode.ERROR);
      expect(attempt?.attributes).toMatchObject({ 'error.type': '500', 'toolyard.event.type': 'webhook.ping' });
      expect(parentOf(attempt)).toBe(request?.spanContext().spanId);
      await cast.admin.delete(`/v1/webhooks/${id}`);
    });

    it('have a span for a role sync', async () => {
      await cast.admin.post(`/v1/organisations/${cast.orgId}/scim/sync`, undefined, 200);
      const [request] = await spansWhen('POST /v1/organisations/{org_id}/scim/sync');
      const [sync] = spans('scim sync');
      expect(sync?.attributes).toEqual({ 'toolyard.org_id': cast.orgId });
      expect(parentOf(sync)).toBe(request?.spanContext().spanId);
    });

    it('have a span for each page of an import', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'toolyard-traces-'));
      const from = join(folder, 'servers.json');
      const server = { name: 'io.a/traced', description: 'A tool server.', version: '1.0.0' };
      writeFileSync(from, JSON.stringify({ servers: [{ server, _meta: {} }] }));
      const run = await test.app.get(Import).run({ from, map: NO_MAP });
      rmSync(folder, { recursive: true });
      const [page] = spans('import page');
      expect(page?.attributes).toEqual({ 'toolyard.import.run': run.id, 'toolyard.import.entries': 1 });
      expect(spans('postgresql').some((span) => parentOf(span) === page?.spanContext().spanId)).toBe(true);
    });
  });
});

/** What leaves with an exporter. */
function shown({ name, attributes, events, status, links }: ReadableSpan) {
  return { name, attributes, events, status, links };
}
