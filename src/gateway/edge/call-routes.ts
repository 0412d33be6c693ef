import { Injectable } from '@nestjs/common';
import { currentSpan } from '../../tracing/tracing';
import { BundleCompiler } from '../compile/bundle-compiler';
import type { CompiledBundle, CompiledEntry, ExposedDefinition, ReachableEntry } from '../compile/compiled-bundle';
import { connectedResult } from '../compile/connect-tools';
import { isObjectOrBytes, JsonBytes, plain } from '../protocol/json-bytes';
import { isObject, type JsonObject, RpcCode, type RpcError, RpcFailure } from '../protocol/json-rpc';
import { type MemberChanges, withMembers } from '../protocol/json-splice';
import { requireMatchingParams } from '../protocol/mirrored-headers';
import { translateResult } from '../protocol/translate';
import { givenFixed } from '../rules/fixed-arguments';
import { isSearchTool } from '../search/search-tools';
import type { Answer, CallContext, LocalRoute, ServerRoute } from './call-context';
import { nameOperation } from './call-spans';
import { type MethodCall, targetOf } from './method-call';
import { declares, entriesOfName, entriesWithResources, entryOfReference, entryOfResource, templateOf } from './routes';
import { indirectCall, searchResult } from './search-answers';

/** Longer ones are cut in messages. */
const MAX_SHOWN = 128;
const MAX_SHOWN_URI = 1_024;

/** Where a call goes; an answer if that is settled already. */
type RouteOrAnswer = ServerRoute | LocalRoute | Answer;

/** Finds the server of a call by the name or the address in its parameters; the server gets its own name. */
@Injectable()
export class CallRoutes {
  constructor(private readonly compiler: BundleCompiler) {}

  /** @returns whether a client names what no server of the bundle lists, as far as that is known */
  isUnknown({ request: { method, params }, bundle }: CallContext): boolean {
    const { name, uri } = params;
    if (method === 'tools/call') return typeof name === 'string' && !bundle.tools.has(name);
    if (method === 'prompts/get') return typeof name === 'string' && !bundle.prompts.has(name);
    return method === 'resources/read' && typeof uri === 'string' && !bundle.resources.has(uri);
  }

  /** @throws RpcFailure for what the client does wrong; the rest is the result of a tool, which a model can read */
  find(call: CallContext): RouteOrAnswer | Promise<RouteOrAnswer> {
    switch (call.request.method) {
      case 'tools/call':
        return this.toolOrSearch(call);
      case 'prompts/get':
        return this.prompt(call);
      case 'resources/read':
        return this.resource(call);
      default:
        return this.completion(call);
    }
  }

  /**
   * Where clients search, `call_tool` is an ordinary call of the tool that it names: progress, cancellation, what a server asks
   * and `requestState` are those of that tool, and limits count it once. A client takes `Mcp-Param-*` from the schema of the tool
   * that it calls, and that of `call_tool` has none (MCP 2026-07-28, Streamable HTTP, "Client Behavior"). The name of a tool
   * itself keeps working, for clients that know it.
   */
  private toolOrSearch(call: CallContext): RouteOrAnswer | Promise<RouteOrAnswer> {
    const { request, bundle } = call;
    const { name, arguments: args = {}, ...rest } = request.params;
    const { search } = bundle;
    if (!search || !isSearchTool(name)) return this.tool(call);
    if (!isObjectOrBytes(args)) throw invalid('params.arguments must be an object.');
    if (name !== 'call_tool') {
      const given = plain(args) as JsonObject;
      return { subject: null, localResult: () => searchResult(search, name, given, request.client.era) };
    }
    const inner = indirectCall(args);
    if ('fault' in inner) return inEra(call, inner.fault);
    call.request = { ...request, params: { ...rest, ...inner.params }, isIndirect: true };
    return this.tool(call);
  }

  private async tool(call: CallContext): Promise<RouteOrAnswer> {
    const { request } = call;
    const { name, arguments: given, task: _task, ...rest } = request.params;
    const args = given ?? {};
    if (typeof name !== 'string') throw invalid('params.name must be a string.');
    if (!isObjectOrBytes(args)) throw invalid('params.arguments must be an object.');
    if (!call.bundle.tools.has(name) && !connectedResult(call.bundle, name)) await this.lookAgain(call, name);
    const { bundle } = call;
    const tool = bundle.tools.get(name);
    aim(request, name, tool);
    // The same for one that does not exist and one that they may not see.
    const connected = tool ? undefined : connectedResult(bundle, name);
    if (connected) return { subject: name, localResult: () => connected };
    if (!tool) throw invalid('Unknown tool');
    if (request.client.era === 'modern' && !request.isIndirect)
      requireMatchingParams(request.id, tool.paramHeaders, args, request.header);
    const { entry, inputSchema, fixedArguments, isHeld, isPinned, wrapsOutput } = tool;
    const fixed = fixedArguments && givenFixed(args, fixedArguments);
    if (fixed != null)
      throw invalid(`params.arguments.${fixed.slice(0, MAX_SHOWN)} cannot be given: the tool has no such argument.`);
    const sent = given === undefined && !fixedArguments ? {} : { arguments: withFixed(args, fixedArguments) };
    const params = { ...rest, name: tool.name, ...sent };
    return { entry, subject: entry.key, params, inputSchema, isHeld, isPinned, wrapsOutput };
  }

  private async prompt(call: CallContext): Promise<RouteOrAnswer> {
    const { request } = call;
    const { name } = request.params;
    if (typeof name !== 'string') throw invalid('params.name must be a string.');
    if (!call.bundle.prompts.has(name)) await this.lookAgain(call, name);
    const prompt = call.bundle.prompts.get(name);
    aim(request, name, prompt);
    if (!prompt) throw invalid('Unknown prompt');
    const { entry, isHeld } = prompt;
    return { entry, isHeld, subject: entry.key, params: { ...request.params, name: prompt.name } };
  }

  private async resource(call: CallContext): Promise<RouteOrAnswer> {
    const { request } = call;
    const { uri } = request.params;
    if (typeof uri !== 'string') throw invalid('params.uri must be a string.');
    if (!entryOfResource(call.bundle, uri)) await this.lookAt(call, entriesWithResources(call.bundle));
    const { bundle } = call;
    const entry = entryOfResource(bundle, uri);
    if (!entry) return { error: unknownResource(request, uri) };
    aimAtResource(request, bundle, entry, uri);
    return { entry, subject: entry.key, params: request.params };
  }

  /** A server that does not complete has nothing to suggest. */
  private async completion(call: CallContext): Promise<RouteOrAnswer> {
    const { request } = call;
    const { ref, argument } = request.params;
    if (!isObject(ref)) throw invalid('params.ref must be an object.');
    if (!isObject(argument)) throw invalid('params.argument must be an object.');
    if (!referenced(call.bundle, ref, request.params)) await this.lookForReference(call, ref);
    const { bundle } = call;
    const found = referenced(bundle, ref, request.params);
    if (!found) throw invalid('params.ref names nothing that this bundle has.');
    if (typeof ref.name === 'string') aim(request, ref.name, bundle.prompts.get(ref.name));
    else aimAtResource(request, bundle, found.entry, String(ref.uri));
    const isHeld = isReferenceHeld(bundle, ref);
    if (!isHeld && declares(found.entry, 'completions') === false)
      return inEra(call, { completion: { values: [], total: 0, hasMore: false } });
    return { ...found, isHeld };
  }

  private async lookForReference(call: CallContext, { type, name, uri }: JsonObject): Promise<void> {
    if (type === 'ref/prompt' && typeof name === 'string') await this.lookAgain(call, name);
    else if (type === 'ref/resource' && typeof uri === 'string')
      await this.lookAt(call, entriesWithResources(call.bundle));
  }

  /** A server may have what a client names since its lists were last read. */
  private lookAgain(call: CallContext, name: string): Promise<void> {
    return this.lookAt(call, entriesOfName(call.bundle, name, targetOf(call.request).naming));
  }

  private async lookAt(call: CallContext, entries: readonly CompiledEntry[]): Promise<void> {
    const looked = await this.compiler.lookAgain(targetOf(call.request), entries);
    if (looked) call.bundle = looked;
  }
}

function referenced(bundle: CompiledBundle, ref: JsonObject, params: JsonObject): ServerRoute | undefined {
  if (ref.type === 'ref/prompt' && typeof ref.name === 'string') {
    const prompt = bundle.prompts.get(ref.name);
    if (!prompt) return undefined;
    const { entry, name } = prompt;
    return { entry, subject: entry.key, params: { ...params, ref: { ...ref, name } } };
  }
  if (ref.type !== 'ref/resource' || typeof ref.uri !== 'string') return undefined;
  const entry = entryOfReference(bundle, ref.uri);
  return entry && { entry, subject: entry.key, params };
}

/** Whether a prompt or a template has changed since it was approved. */
function isReferenceHeld({ prompts, templates }: CompiledBundle, { type, name, uri }: JsonObject): boolean {
  const offer = type === 'ref/prompt' ? prompts.get(String(name)) : templates.get(String(uri));
  return offer?.isHeld === true;
}

/** Says for the record, and for the trace, what a call is for. */
function aim({ trail, method }: MethodCall, exposedName: string, offer: ExposedDefinition | undefined): void {
  if (!offer) return trail?.aimAtNothing(exposedName);
  trail?.aim({ entryId: offer.entry.id, name: offer.name, exposedName, digest: offer.digest });
  nameOperation(currentSpan(), method, exposedName);
}

/** The address only where the server lists it: one that a client has filled in may say as much as arguments do. */
function aimAtResource({ trail }: MethodCall, bundle: CompiledBundle, entry: ReachableEntry, uri: string): void {
  const offer = bundle.resources.get(uri) ?? bundle.templates.get(uri) ?? templateOf(bundle, uri);
  const [name, digest] = offer?.entry === entry ? [offer.name, offer.digest] : [null, null];
  trail?.aim({ entryId: entry.id, name, exposedName: name, digest });
}

/** The arguments as they came, and after them those that the bundle fixes. */
function withFixed(args: JsonObject | JsonBytes, fixed: JsonObject | null): JsonObject | JsonBytes {
  if (!fixed) return args;
  if (!(args instanceof JsonBytes)) return { ...args, ...fixed };
  const members = Object.entries(fixed).map(([name, value]) => [name, JSON.stringify(value)]);
  const text = Buffer.from(withMembers(args.bytes, Object.fromEntries(members) as MemberChanges));
  return new JsonBytes(text, args.values);
}

/** An answer of ours in the form that the client's era has. */
export function inEra({ request, bundle }: CallContext, result: JsonObject): Answer {
  return { result: translateResult(result, request.method, request.client.era, bundle.serverInfo) };
}

/** The code of the era (2026-07-28, resources, "Error Handling"). */
function unknownResource({ client }: MethodCall, uri: string): RpcError {
  const code = client.era === 'modern' ? RpcCode.InvalidParams : RpcCode.ResourceNotFound;
  return { code, message: 'Resource not found', data: { uri: uri.slice(0, MAX_SHOWN_URI) } };
}

function invalid(detail: string): RpcFailure {
  return new RpcFailure(200, RpcCode.InvalidParams, detail);
}
