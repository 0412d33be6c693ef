import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { eventually } from '../../support/eventually';
import { createStage, type Endpoint, type Person, type Stage } from '../support/endpoint-stage';
import type { ModernClient } from '../support/mcp-client';
import { untilRecorded } from '../support/recorded-calls';
import { type Json, TestUpstream } from '../support/test-upstream';

const OURS = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const HTTP = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const parentOf = ({ traceId, spanId }: typeof OURS) => `00-${traceId}-${spanId}-01`;
const SECRET = 's3cret';

let stage: Stage;
let upstreams: Record<'modern' | 'legacy', TestUpstream>;
let person: Person;

beforeAll(async () => {
  stage = await createStage(1, { env: { RUN: 'api' } });
  upstreams = {
    modern: await TestUpstream.start({ eras: new Set(['modern']) }),
    legacy: await TestUpstream.start({ eras: new Set(['legacy']) }),
  };
  person = await stage.person();
});

afterAll(async () => {
  await stage.close();
  for (const upstream of Object.values(upstreams)) await upstream.close();
});

async function scene(era: 'modern' | 'legacy'): Promise<{ endpoint: Endpoint; modern: ModernClient }> {
  const endpoint = await person.endpoint([upstreams[era].url], { naming: 'PLAIN' });
  const modern = await person.modern(endpoint);
  await modern.all('tools/list', 'tools');
  return { endpoint, modern };
}

/** `_meta` of the last call as the server got it. */
function received(era: 'modern' | 'legacy'): Json {
  const last = upstreams[era].received.filter(({ method }) => method === 'tools/call').at(-1);
  return (last?.params._meta ?? {}) as Json;
}

const withHeaders = (modern: ModernClient, _meta: Json, headers: Record<string, string>) =>
  modern.result('tools/call', { name: 'echo', arguments: { q: SECRET }, _meta, headers });

describe.each(['modern', 'legacy'] as const)('The trace of a call to a server of the %s era, without an SDK', (era) => {
  it('passes as the client says it in the message', async () => {
    const { endpoint, modern } = await scene(era);
    const own = { traceparent: parentOf(OURS), tracestate: 'a=1,b=2', baggage: 'user=ada' };
    await withHeaders(modern, own, { traceparent: parentOf(HTTP) });
    expect(received(era)).toMatchObject(own);
    const [row] = await untilRecorded(stage.test, endpoint.bundleId, 1);
    expect(String(row?.trace_id).replaceAll('-', '')).toBe(OURS.traceId);
  });

  it('is that of the HTTP request if the message says none, and none if nobody says one', async () => {
    const { modern } = await scene(era);
    await withHeaders(modern, {}, { traceparent: parentOf(HTTP), tracestate: 'c=3', baggage: 'secret=1' });
    expect(received(era)).toMatchObject({ traceparent: parentOf(HTTP), tracestate: 'c=3' });
    // Proxies put things into it that are no business of servers elsewhere.
    expect(received(era)).not.toHaveProperty('baggage');
    await withHeaders(modern, {}, {});
    expect(received(era)).not.toHaveProperty('traceparent');
  });
});

describe('Spans, with the SDK of the operator', () => {
  const exporter = new InMemorySpanExporter();
  let provider: NodeTracerProvider;

  beforeAll(() => {
    provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    provider.register();
  });

  beforeEach(() => exporter.reset());

  afterAll(async () => {
    await provider.shutdown();
    trace.disable();
    context.disable();
    propagation.disable();
  });

  const finished = (kind: SpanKind, name: string) =>
    eventually(
      () => exporter.getFinishedSpans().filter((span) => span.kind === kind && span.name === name),
      (spans) => spans.length > 0,
      5_000,
    );
  const only = async (kind: SpanKind, name: string): Promise<ReadableSpan> => {
    const [span, ...others] = await finished(kind, name);
    expect(others).toEqual([]);
    if (!span) throw new Error('There is one.');
    return span;
  };
  const idOf = (span: ReadableSpan) => span.spanContext().spanId;

  it('of a call: that of the client, ours below it, and what the server gets below that', async () => {
    const { endpoint, modern } = await scene('modern');
    exporter.reset();
    const own = { traceparent: parentOf(OURS), tracestate: 'a=1' };
    await withHeaders(modern, own, { traceparent: parentOf(HTTP) });
    const http = await only(SpanKind.SERVER, 'POST /mcp/bundles/{bundle_id}');
    const server = await only(SpanKind.SERVER, 'tools/call echo');
    const client = await only(SpanKind.CLIENT, 'tools/call echo');
    expect(server).toMatchObject({
      parentSpanContext: { traceId: OURS.traceId, spanId: OURS.spanId },
      status: { code: SpanStatusCode.UNSET },
      attributes: {
        'mcp.method.name': 'tools/call',
        'gen_ai.tool.name': 'echo',
        'gen_ai.operation.name': 'execute_tool',
        'mcp.protocol.version': '2026-07-28',
        'network.transport': 'tcp',
        'toolyard.bundle.id': endpoint.bundleId,
      },
    });
    expect(server.attributes['jsonrpc.request.id']).toMatch(/^\d+$/);
    expect(server.links.map((link) => link.context.spanId)).toEqual([idOf(http)]);
    expect(client.parentSpanContext?.spanId).toBe(idOf(server));
    expect(client.attributes).toMatchObject({ 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': 'echo' });
    expect(received('modern')).toMatchObject({
      traceparent: `00-${OURS.traceId}-${idOf(client)}-01`,
      tracestate: 'a=1',
    });
    const said = JSON.stringify(
      exporter.getFinishedSpans().map(({ name, attributes, events }) => ({ name, attributes, events })),
    );
    for (const secret of [SECRET, person.name, modern.token ?? '']) expect(said).not.toContain(secret);
  });

  it('without a trace in the message: below that of the HTTP request', async () => {
    const { modern } = await scene('legacy');
    exporter.reset();
    await withHeaders(modern, {}, { traceparent: parentOf(HTTP) });
    const http = await only(SpanKind.SERVER, 'POST /mcp/bundles/{bundle_id}');
    const server = await only(SpanKind.SERVER, 'tools/call echo');
    expect([server.spanContext().traceId, server.parentSpanContext?.spanId]).toEqual([HTTP.traceId, idOf(http)]);
    expect(server.links).toEqual([]);
    const client = await only(SpanKind.CLIENT, 'tools/call echo');
    expect(received('legacy').traceparent).toBe(`00-${HTTP.traceId}-${idOf(client)}-01`);
  });

  it('say what failed by a code, and name only what the bundle has', async () => {
    const { modern } = await scene('modern');
    exporter.reset();
    await modern.result('tools/call', { name: 'fail' });
    for (const kind of [SpanKind.SERVER, SpanKind.CLIENT])
      expect(await only(kind, 'tools/call fail')).toMatchObject({
        status: { code: SpanStatusCode.ERROR },
        attributes: { 'error.type': 'tool_error' },
      });
    await modern.error('tools/call', { name: SECRET });
    expect(await only(SpanKind.SERVER, 'tools/call')).toMatchObject({ attributes: { 'error.type': '-32602' } });
    upstreams.modern.fault = ({ received: { method }, response }) => {
      if (method !== 'prompts/get') return false;
      response.destroy();
      return true;
    };
    await modern.error('prompts/get', { name: 'greet', arguments: { name: SECRET } });
    upstreams.modern.fault = () => false;
    expect(await only(SpanKind.CLIENT, 'prompts/get greet')).toMatchObject({
      attributes: { 'error.type': 'upstream_unreachable', 'gen_ai.prompt.name': 'greet' },
    });
    await modern.result('resources/read', { uri: `memo://${SECRET}` });
    expect((await only(SpanKind.SERVER, 'resources/read')).attributes).not.toHaveProperty('mcp.resource.uri');
    await modern.all('tools/list', 'tools');
    expect(await only(SpanKind.SERVER, 'tools/list')).toMatchObject({
      attributes: { 'mcp.method.name': 'tools/list' },
    });
    const said = JSON.stringify(exporter.getFinishedSpans().map(({ name, attributes }) => ({ name, attributes })));
    expect(said).not.toContain(SECRET);
  });
});
