import type { Request, Response } from 'express';
import type { CallTrail } from '../calls/call-trail';
import type { Admission, ClientCredential } from './admission';
import type { EndpointPath } from './endpoint-path';
import type { JsonObject, RequestId } from '../protocol/json-rpc';
import type { HeaderReader } from '../protocol/mirrored-headers';
import type { StreamableResponse } from './streamable-response';
import type { Era } from '../protocol/revisions';
import { type KeyedTarget, type ListClient, seenBy } from '../compile/compiled-bundle';
import { capabilitySetOf } from '../protocol/capability-set';

/** A request that may use an endpoint. */
export interface EndpointExchange {
  readonly request: Request;
  readonly response: Response;
  readonly path: EndpointPath;
  readonly credential: ClientCredential;
  readonly admission: Admission;
}

/** What is known of a client, from its request or from its session. */
export interface ClientView {
  readonly era: Era;
  readonly revision: string;
  readonly capabilities: JsonObject;
  readonly logLevel?: string;
  /** Its name and version, as far as it says them; of its own choice. */
  readonly info?: { readonly name?: unknown; readonly version?: unknown };
  /** `Mcp-Session-Id` of a client of the legacy era. */
  readonly sessionId?: string;
}

/** A call of a method. */
export interface MethodCall {
  readonly exchange: EndpointExchange;
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
  readonly client: ClientView;
  readonly header: HeaderReader;
  /** Whether the tool is named in the arguments of `call_tool`: the client's headers follow the definition of that one then. */
  readonly isIndirect?: boolean;
  readonly reply: StreamableResponse;
  /** Aborted when the client has cancelled. */
  readonly signal: AbortSignal;
  /** Aborted when nothing can be sent to the client any more. One with a session has not cancelled by that. */
  readonly gone: AbortSignal;
  /** What the record will say of it; undefined: it is not recorded. */
  readonly trail: CallTrail | undefined;
}

/** @returns a reader of headers, of which none that matters here may be repeated */
export function headerReader({ headersDistinct }: Request): HeaderReader {
  return (name) => {
    const values = headersDistinct[name];
    return values?.length === 1 ? values[0] : undefined;
  };
}

/** @returns what of a client decides what servers list for it */
export function listClientOf({ era, capabilities }: Pick<ClientView, 'era' | 'capabilities'>): ListClient {
  return { era, capabilities: capabilitySetOf(capabilities) };
}

/** @returns the bundle of a call as its client sees it */
export function targetOf({ exchange, client }: Pick<MethodCall, 'exchange' | 'client'>): KeyedTarget {
  return seenBy(exchange.admission.target, listClientOf(client));
}
