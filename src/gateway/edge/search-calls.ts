import { Injectable } from '@nestjs/common';
import { InsufficientScopeError } from '../../errors/errors';
import type { CompiledBundle } from '../compile/compiled-bundle';
import { refusedTool } from '../calls/call-failures';
import { CallRates } from './call-rates';
import { isObject, type JsonObject, RpcCode, RpcFailure } from '../protocol/json-rpc';
import type { MethodCall } from './method-call';
import { type Answer, ServerCalls } from './server-calls';
import type { Era } from '../protocol/revisions';
import { translateResult } from '../protocol/translate';
import { INDIRECT_CALL } from '../protocol/message-readings';
import { isObjectOrBytes, JsonBytes, plain } from '../protocol/json-bytes';
import { readJson } from '../protocol/json-reading';
import { readCall, readDescribe, readFind } from './search-arguments';
import { isSearchTool, type SearchTool } from '../search/search-tools';
import type { ToolSearch } from '../search/tool-search';

/** Calls of tools: those of servers, and those by which clients search for them. */
@Injectable()
export class SearchCalls {
  constructor(
    private readonly servers: ServerCalls,
    private readonly rates: CallRates,
  ) {}

  /**
   * `tools/call`. Where clients search, `call_tool` is an ordinary call of the tool that it names: progress, cancellation, what a
   * server asks and `requestState` are those of that tool, and limits count it once. A client takes `Mcp-Param-*` from the schema
   * of the tool that it calls, and that of `call_tool` wants none (MCP 2026-07-28, Streamable HTTP, "Client Behavior"). The name
   * of a tool itself keeps working, for clients that know it.
   *
   * @throws RpcFailure; InsufficientScopeError
   */
  tool(call: MethodCall, bundle: CompiledBundle): Answer | Promise<Answer> {
    const { name, arguments: args = {} } = call.params;
    const { search } = bundle;
    if (!search || !isSearchTool(name)) return this.call(call, bundle);
    if (!isObjectOrBytes(args)) throw new RpcFailure(200, RpcCode.InvalidParams, 'params.arguments must be an object.');
    if (name !== 'call_tool') return this.search(call, bundle, search, name, plain(args) as JsonObject);
    const read = readCall(opened(args));
    if ('fault' in read) return answer(call, bundle, wrong(read.fault));
    const { name: inner, args: given } = read.value;
    const { arguments: _outer, ...rest } = call.params;
    const params = { ...rest, name: inner, ...(given === undefined ? {} : { arguments: given }) };
    return this.call({ ...call, params, isIndirect: true }, bundle);
  }

  private call(call: MethodCall, bundle: CompiledBundle): Promise<Answer> {
    if (!call.exchange.admission.scopes.has('call')) throw new InsufficientScopeError(['mcp:call']);
    return this.servers.tool(call, bundle);
  }

  private search(
    call: MethodCall,
    bundle: CompiledBundle,
    search: ToolSearch,
    name: Exclude<SearchTool, 'call_tool'>,
    args: JsonObject,
  ): Answer {
    const refusal = this.rates.take(call.exchange.admission.principal, bundle.bundleId);
    if (refusal) return answer(call, bundle, refusedTool(refusal, null));
    return answer(call, bundle, name === 'find_tools' ? found(search, args) : described(search, args, call.client.era));
  }
}

/** What a tool is called with stays as it came. */
function opened(args: JsonObject | JsonBytes): JsonObject {
  if (!(args instanceof JsonBytes)) return args;
  const read = readJson(args.bytes, INDIRECT_CALL);
  return 'value' in read && isObject(read.value) ? read.value : {};
}

/** The same for a client of either era. */
function answer({ method, client }: MethodCall, { serverInfo }: CompiledBundle, result: JsonObject): Answer {
  return { result: translateResult(result, method, client.era, serverInfo) };
}

function found(search: ToolSearch, args: JsonObject): JsonObject {
  const read = readFind(args);
  if ('fault' in read) return wrong(read.fault);
  return said(JSON.stringify(search.find(read.value.query, read.value.limit)));
}

function described(search: ToolSearch, args: JsonObject, era: Era): JsonObject {
  const read = readDescribe(args);
  if ('fault' in read) return wrong(read.fault);
  const { definitions, unknown, leftOut } = search.describe(read.value, era);
  const more = leftOut.length > 0 ? `,"left_out":${JSON.stringify(leftOut)}` : '';
  return said(`{"tools":[${definitions.join(',')}],"unknown":${JSON.stringify(unknown)}${more}}`);
}

/** As text only: with `structuredContent` besides, many clients would give the model all of it twice. */
function said(text: string): JsonObject {
  return { content: [{ type: 'text', text }] };
}

/** A mistake of a model, which it can mend (MCP 2026-07-28, tools, "Error Handling"). */
function wrong(fault: string): JsonObject {
  return { ...said(fault), isError: true };
}
