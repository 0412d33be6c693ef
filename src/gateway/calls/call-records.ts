import { Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Keyring } from '../../config/keyring';
import { Secrets } from '../../config/secrets';
import { withinDatabaseDeadline } from '../../database/deadline';
import { messageOf } from '../../errors/message-of';
import { isObject, type JsonObject, RpcFailure } from '../protocol/json-rpc';
import { messageBytes } from '../protocol/message-body';
import { plain } from '../protocol/json-bytes';
import { CallCounters } from './call-counters';
import { type BegunCall, type CallSink, CallTrail } from './call-trail';
import { CallWriter } from './call-writer';
import { argumentDigest, argumentKeys, recordedText } from '../settings/recording';
import { RefusedRows } from './refused-rows';
import type { Era } from '../protocol/revisions';
import type { RecordMode } from '../settings/endpoint-enums';
import type { RecordSettings } from '../settings/recording';
import { traceOf } from './trace-of-call';

/** What goes to servers. Lists and everything else answer from what is known. */
const RECORDED: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read', 'completion/complete']);

/** The name and the version of a client are recorded with at most so many characters each. */
const MAX_CLIENT_LENGTH = 64;

/** What is recorded of a request at an endpoint. */
interface RecordedExchange {
  readonly request: Request;
  readonly response: Response;
  readonly path: { readonly kind: 'bundle' | 'deployment'; readonly id: string };
  readonly admission: {
    /** `user` or `token`, a space, and the id. */
    readonly principal: string;
    readonly record: RecordSettings;
    readonly target: { readonly bundleId: string; readonly version: number };
  };
}

/** What is recorded of a client. */
interface RecordedClient {
  readonly era: Era;
  /** Its name and version, as far as it says them; of its own choice. */
  readonly info?: { readonly name?: unknown; readonly version?: unknown };
}

/** The record of calls: who called what, when, and what became of it. */
@Injectable()
export class CallRecords {
  private readonly logger = new Logger(CallRecords.name);
  private readonly keys: Keyring;
  private readonly sinks: Readonly<Record<RecordMode, CallSink>>;
  private readonly refused = new RefusedRows();

  constructor(
    secrets: Secrets,
    private readonly writer: CallWriter,
    private readonly counters: CallCounters,
  ) {
    this.keys = secrets.derive('MCP recorded arguments');
    this.sinks = { BUFFERED: this.sink(false), STRICT: this.sink(true) };
  }

  /** @returns the trail of a call that has come in; undefined: it is not recorded */
  open(exchange: RecordedExchange, method: string, params: JsonObject, client: RecordedClient): CallTrail | undefined {
    if (!RECORDED.has(method)) return undefined;
    return new CallTrail(this.begun(exchange, method, params, client), this.sinks[exchange.admission.record.mode]);
  }

  private begun(
    { request, response, path, admission }: RecordedExchange,
    method: string,
    params: JsonObject,
    { era, info }: RecordedClient,
  ): BegunCall {
    const { target, principal, record } = admission;
    const [type, id = ''] = principal.split(' ');
    const args = record.arguments === 'NONE' ? undefined : plain(argumentsOf(method, params));
    return {
      bundle_id: target.bundleId,
      deployment_id: path.kind === 'deployment' ? path.id : null,
      bundle_version: target.version,
      method,
      principal_type: type === 'token' ? 'token' : 'person',
      principal_id: id,
      client_name: recordedText(info?.name, MAX_CLIENT_LENGTH),
      client_version: recordedText(info?.version, MAX_CLIENT_LENGTH),
      era,
      bytes_in: messageBytes(response),
      request_id: request.id,
      trace_id: traceOf(request, params)?.traceId ?? null,
      argument_keys: record.arguments === 'KEYS' ? argumentKeys(args) : null,
      argument_digest: record.arguments === 'DIGEST' ? argumentDigest(this.keys, args) : null,
    };
  }

  private sink(isStrict: boolean): CallSink {
    return {
      isStrict,
      add: (row) => this.writer.add(row),
      // The client waits for the database no longer here than anywhere else.
      write: (row) => withinDatabaseDeadline(this.writer.write(row)),
      refusal: (error) => this.refusal(error),
      admits: (call, { outcome, errorCode }, { exposedName }) => {
        // All calls beyond a rate say the same.
        const name = outcome === 'RATE_LIMITED' ? null : exposedName;
        const reason = [call.bundle_id, call.method, outcome, errorCode, name];
        const isAdmitted = this.refused.admit(`${call.principal_type} ${call.principal_id}`, outcome, reason);
        if (!isAdmitted) this.counters.leftOut();
        return isAdmitted;
      },
      ended: ({ outcome }) => this.counters.ended(outcome),
    };
  }

  private refusal(error: unknown): RpcFailure {
    this.logger.warn(`A call was refused, because it could not be recorded: ${messageOf(error)}`);
    const detail =
      'This bundle records every call before it is made, and this one could not be recorded. Nothing was done; try again later.';
    return new RpcFailure(503, 503, detail);
  }
}

/** A completion is recorded with one argument: the value that is being completed. */
function argumentsOf(method: string, { arguments: args, argument }: JsonObject): unknown {
  if (method !== 'completion/complete') return args;
  return isObject(argument) && typeof argument.name === 'string' ? { [argument.name]: argument.value } : {};
}
