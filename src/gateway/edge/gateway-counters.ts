import { Injectable } from '@nestjs/common';
import { type Counter, type Durations, Metrics } from '../../metrics/metrics';
import type { JsonObject } from '../protocol/json-rpc';
import type { MethodCall } from './method-call';
import type { UpstreamCallResult } from '../upstreams/upstream';
import { UpstreamFailure, type UpstreamFailureCode } from '../protocol/upstream-failure';

/** What clients call (`OwnMethods`, `CallRoutes`). A method that is not here counts as `_OTHER`: a label must not be a client's choice. */
const METHODS = [
  'server/discover',
  'initialize',
  'ping',
  'logging/setLevel',
  'tools/list',
  'tools/call',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'completion/complete',
  'subscriptions/listen',
  '_OTHER',
] as const;
type Method = (typeof METHODS)[number];
const KNOWN: ReadonlySet<string> = new Set(METHODS);

const OPERATIONS = {
  mcp_method_name: METHODS,
  era: ['modern', 'legacy'],
  outcome: ['ok', 'tool_error', 'error', 'cancelled'],
} as const;
type OperationOutcome = (typeof OPERATIONS.outcome)[number];

/** The OpenTelemetry convention proposes these and more for `mcp.server.operation.duration`; each costs 30 series. */
const BUCKETS_S = [0.01, 0.05, 0.2, 1, 5, 30];
/** So many of 128 combinations have series; clients of both eras that do everything, and fail at some, use about 25. */
const MAX_COMBINATIONS = 29;

const CODES = {
  upstream_unreachable: true,
  upstream_timeout: true,
  upstream_error: true,
  credential_required: true,
  rate_limited: true,
  too_large: true,
} satisfies Record<UpstreamFailureCode, true>;
const CALLS = {
  outcome: ['ok', 'error', ...(Object.keys(CODES) as UpstreamFailureCode[]), 'cancelled', 'failed'],
} as const;
type UpstreamOutcome = (typeof CALLS.outcome)[number];

/** What a method has answered; undefined: it has sent its answer itself. */
type Answered = { readonly result: JsonObject } | { readonly error: unknown } | undefined;

/** Counts what clients of endpoints call, and what servers make of it. */
@Injectable()
export class GatewayCounters {
  private readonly operations: Durations<typeof OPERATIONS>;
  private readonly calls: Counter<typeof CALLS>;

  constructor(metrics: Metrics) {
    this.operations = metrics.durations(
      'mcp_server_operation_duration_seconds',
      'How long methods of MCP endpoints took, until their answer; a stream: until it was open.',
      OPERATIONS,
      { buckets: BUCKETS_S, most: MAX_COMBINATIONS },
    );
    this.calls = metrics.counter(
      'toolyard_gateway_upstream_calls_total',
      'Requests of clients that went to a server of a bundle, by what became of them.',
      CALLS,
    );
  }

  /** Runs a method, and observes how long it takes. @returns its answer @throws what it throws */
  async timed<T extends Answered>(
    { method, client, signal, gone }: Pick<MethodCall, 'method' | 'client' | 'signal' | 'gone'>,
    work: () => T | Promise<T>,
  ): Promise<T> {
    const began = performance.now();
    let outcome: OperationOutcome = 'error';
    try {
      const answer = await work();
      outcome = outcomeOf(answer);
      return answer;
    } finally {
      if (signal.aborted || gone.aborted) outcome = 'cancelled';
      const labels = { mcp_method_name: KNOWN.has(method) ? (method as Method) : '_OTHER', era: client.era, outcome };
      this.operations.observe(labels, (performance.now() - began) / 1_000);
    }
  }

  /** Counts a call to a server when it has ended. @param signal has cancelled it if it is aborted then @returns the call */
  async called(signal: AbortSignal, call: Promise<UpstreamCallResult>): Promise<UpstreamCallResult> {
    let outcome: UpstreamOutcome = 'failed';
    try {
      const answer = await call;
      outcome = 'result' in answer ? 'ok' : 'error';
      return answer;
    } catch (error) {
      if (error instanceof UpstreamFailure) outcome = error.code;
      else if (signal.aborted) outcome = 'cancelled';
      throw error;
    } finally {
      this.calls.add({ outcome });
    }
  }
}

function outcomeOf(answer: Answered): OperationOutcome {
  if (answer === undefined) return 'ok';
  if (!('result' in answer)) return 'error';
  return answer.result.isError === true ? 'tool_error' : 'ok';
}
