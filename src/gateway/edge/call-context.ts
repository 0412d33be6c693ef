import type { CompiledBundle, ReachableEntry } from '../compile/compiled-bundle';
import type { JsonObject, RpcError } from '../protocol/json-rpc';
import type { AnswerShare } from '../upstreams/answer-budget';
import type { MethodCall } from './method-call';

/** What a method answers. */
export type Answer = { readonly result: JsonObject } | { readonly error: RpcError };

/** A request as its server gets it. */
export interface ServerRoute {
  readonly entry: ReachableEntry;
  /** What refusals say that it is about. */
  readonly subject: string;
  /** With the server's own names. */
  readonly params: JsonObject;
  readonly inputSchema?: unknown;
  readonly isPinned?: boolean;
  readonly wrapsOutput?: boolean;
  /** Whether its definition has changed since it was approved: it is not sent. */
  readonly isHeld?: boolean;
}

/** A call that this service answers without a server; it is recorded all the same. */
export interface LocalRoute {
  /** As of `ServerRoute`; null: it is about none. */
  readonly subject: string | null;
  readonly localResult: () => JsonObject;
}

/** A call on its way: a step sets what those after it need (`CallSteps`). */
export class CallContext {
  /** Set by `compile`. */
  bundle!: CompiledBundle;
  /** Set by `route`. */
  route!: ServerRoute | LocalRoute;
  /** Set by `answerLocally`, of a call that a server is asked for. */
  server!: ServerRoute;
  /** Where the memory of its answer is counted; set by `reserveMemory`. */
  share!: AnswerShare;

  constructor(public request: MethodCall) {}
}
