import { Metrics } from '../../metrics/metrics';
import { UpstreamFailure } from '../protocol/upstream-failure';
import { GatewayCounters } from './gateway-counters';

const BOTH = 'toolyard_gateway_upstream_calls_total';
const COUNT = 'mcp_server_operation_duration_seconds_count';

/** What is above 0, by its labels. */
async function grown(metrics: Metrics, name: string): Promise<Record<string, number>> {
  const lines = (await metrics.text()).split('\n').filter((line) => line.startsWith(`${name}{`));
  const values = lines.map((line): [string, number] => {
    const at = line.lastIndexOf(' ');
    return [line.slice(name.length, at), Number(line.slice(at + 1))];
  });
  return Object.fromEntries(values.filter(([, value]) => value > 0));
}

function callOf(method: string, era: 'modern' | 'legacy' = 'modern', cancelled = false) {
  const never = new AbortController().signal;
  const revision = era === 'modern' ? '2026-07-28' : '2025-11-25';
  const client = { era, revision, capabilities: {} };
  return { method, client, signal: cancelled ? AbortSignal.abort() : never, gone: never };
}

describe('The counters of endpoints', () => {
  let metrics: Metrics;
  let counters: GatewayCounters;

  beforeEach(() => {
    metrics = new Metrics();
    counters = new GatewayCounters(metrics);
  });

  it('observe each method by era and outcome, give its answer back, and throw what it throws', async () => {
    const answer = { result: { content: [] } };
    expect(await counters.timed(callOf('tools/call'), () => Promise.resolve(answer))).toBe(answer);
    await counters.timed(callOf('tools/call'), () => Promise.resolve({ result: { isError: true } }));
    await counters.timed(callOf('tools/call', 'legacy'), () => Promise.resolve({ error: { code: -32_602 } }));
    await counters.timed(callOf('tools/list', 'legacy'), () => Promise.resolve(undefined));
    await counters.timed(callOf('tools/list', 'legacy', true), () => Promise.resolve(undefined));
    const failure = new Error('away');
    await expect(counters.timed(callOf('prompts/get'), () => Promise.reject(failure))).rejects.toBe(failure);
    expect(await grown(metrics, COUNT)).toEqual({
      '{mcp_method_name="tools/call",era="modern",outcome="ok"}': 1,
      '{mcp_method_name="tools/call",era="modern",outcome="tool_error"}': 1,
      '{mcp_method_name="tools/call",era="legacy",outcome="error"}': 1,
      '{mcp_method_name="tools/list",era="legacy",outcome="ok"}': 1,
      '{mcp_method_name="tools/list",era="legacy",outcome="cancelled"}': 1,
      '{mcp_method_name="prompts/get",era="modern",outcome="error"}': 1,
    });
  });

  it('have no label of a client’s choice', async () => {
    for (let n = 0; n < 100; n++) await counters.timed(callOf(`x/${n}`), () => Promise.resolve(undefined));
    expect(await grown(metrics, COUNT)).toEqual({ '{mcp_method_name="_OTHER",era="modern",outcome="ok"}': 100 });
  });

  it('count calls to servers by what became of them', async () => {
    const { signal } = new AbortController();
    const failed = (code: UpstreamFailure['code']) => Promise.reject(new UpstreamFailure(code, 'It failed.', true));
    await counters.called(signal, Promise.resolve({ result: {}, era: 'modern' }));
    await counters.called(signal, Promise.resolve({ error: {}, era: 'legacy' }));
    await expect(counters.called(signal, failed('upstream_timeout'))).rejects.toThrow('It failed.');
    await expect(counters.called(AbortSignal.abort(), failed('too_large'))).rejects.toThrow('It failed.');
    await expect(counters.called(AbortSignal.abort(), Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    await expect(counters.called(signal, Promise.reject(new Error('wrong')))).rejects.toThrow('wrong');
    expect(await grown(metrics, BOTH)).toEqual({
      '{outcome="ok"}': 1,
      '{outcome="error"}': 1,
      '{outcome="upstream_timeout"}': 1,
      '{outcome="too_large"}': 1,
      '{outcome="cancelled"}': 1,
      '{outcome="failed"}': 1,
    });
  });
});
