import { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { BundleFinder } from '../../bundles/bundle-finder';
import { allowLongDatabaseWork } from '../../database/deadline';
import { ConflictError, InsufficientScopeError } from '../../errors/errors';
import { CallRecords } from '../calls/call-records';
import { BundleCompiler } from '../compile/bundle-compiler';
import type { CompiledBundle } from '../compile/compiled-bundle';
import { Admissions } from '../edge/admission';
import { type JsonObject, RpcCode, RpcFailure } from '../protocol/json-rpc';
import { TooManyValuesError } from '../protocol/json-bytes';
import type { ClientView, EndpointExchange, MethodCall } from '../edge/method-call';
import { hasGone, StreamableResponse } from '../edge/streamable-response';
import { MODERN_REVISIONS } from '../protocol/revisions';
import type { Answer } from '../edge/call-context';
import { CallSteps } from '../edge/call-steps';
import type { BundleToolRow } from './bundle-tool.dto';
import type { BundleToolAnswerOut } from './tool-trial.dto';
import { BundleTools } from './bundle-tools.service';
import { TOOL_ERRORS } from './tool.errors';

/** Longer than any call: no one reads what precedes the answer. */
const NEVER_MS = 3_600_000;

/** As which they are recorded. */
const CLIENT: ClientView = {
  era: 'modern',
  revision: MODERN_REVISIONS[0],
  capabilities: {},
  info: { name: 'Toolyard, a try' },
};

/** Calls of tools by people who manage a bundle: under the same rules, limits and names as through its endpoint. */
@Injectable()
export class ToolTrials {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: BundleFinder,
    private readonly tools: BundleTools,
    private readonly admissions: Admissions,
    private readonly compiler: BundleCompiler,
    private readonly steps: CallSteps,
    private readonly records: CallRecords,
  ) {}

  /**
   * @param request and `response`: the call is cancelled when its connection is closed
   * @throws NotFoundError; ForbiddenError; ConflictError if the endpoint is not enabled, or it is no tool;
   *   InsufficientScopeError
   */
  async call(
    caller: Caller,
    bundleId: string,
    id: string,
    args: JsonObject,
    { request, response }: { request: Request; response: Response },
  ): Promise<BundleToolAnswerOut> {
    const bundle = await this.finder.findForInsider(this.dataSource.manager, caller, bundleId);
    const view = await this.tools.view(caller, bundle);
    const row = await this.tools.find(this.dataSource, view, id);
    if (row.kind !== 'tool') throw conflict('Only tools can be called.');
    if (!view.settings.is_enabled) throw conflict('The endpoint of the bundle is not enabled.');
    const path = { kind: 'bundle', id: bundle.id, path: `/mcp/bundles/${bundle.id}` } as const;
    const credential = { kind: 'person', caller, expiresAt: Infinity } as const;
    const admission = await this.admissions.admit({ path, credential });
    if (!admission.scopes.has('call')) throw new InsufficientScopeError(['mcp:call']);
    const compiled = await this.compiler.compile(admission.target);
    allowLongDatabaseWork();
    const exchange = { request, response, path, credential, admission };
    const answer = await this.run(exchange, compiled, nameOf(compiled, row), args);
    return 'result' in answer ? { result: answer.result, error: null } : { result: null, error: { ...answer.error } };
  }

  private async run(
    exchange: EndpointExchange,
    bundle: CompiledBundle,
    name: string,
    args: JsonObject,
  ): Promise<Answer> {
    const { request, response } = exchange;
    const gone = new AbortController();
    if (hasGone(response)) gone.abort();
    else response.once('close', () => gone.abort());
    const reply = new StreamableResponse(new ServerResponse(request), { keepAliveMs: NEVER_MS });
    const params = { name, arguments: args };
    const trail = this.records.open(exchange, 'tools/call', params, CLIENT);
    const call: MethodCall = {
      ...{ exchange, reply, params, id: request.id, method: 'tools/call' },
      ...{ client: CLIENT, trail },
      header: () => undefined,
      // There are no headers of a client that could agree with the arguments.
      isIndirect: true,
      ...{ signal: gone.signal, gone: gone.signal },
    };
    let answer: Answer | undefined;
    try {
      return (answer = parsed(await this.steps.try(call, bundle)));
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
      const { code, message, data } = error;
      return (answer = { error: { code, message, ...(data === undefined ? {} : { data }) } });
    } finally {
      reply.withdraw();
      trail?.end(answer ? Buffer.byteLength(JSON.stringify(answer)) : 0);
    }
  }
}

/** The REST API has JSON of its own, so what passes as bytes elsewhere is parsed here, within bounds. */
function parsed(answer: Answer): Answer {
  try {
    return JSON.parse(JSON.stringify(answer)) as Answer;
  } catch (error) {
    if (!(error instanceof TooManyValuesError)) throw error;
    return { error: { code: RpcCode.InternalError, message: `The answer cannot be shown here. ${error.message}` } };
  }
}

/** @returns the name under which it is offered to them; one that no one has where it is not */
function nameOf({ tools }: CompiledBundle, { entry_id, name }: BundleToolRow): string {
  for (const [exposed, offer] of tools) if (offer.entry.id === entry_id && offer.name === name) return exposed;
  return '';
}

function conflict(detail: string): ConflictError {
  return new ConflictError(TOOL_ERRORS.BundleToolConflict, detail);
}
