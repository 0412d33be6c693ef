import type { ReachableEntry } from '../compile/compiled-bundle';
import type { JsonObject } from '../protocol/json-rpc';
import type { UpstreamFailure } from '../protocol/upstream-failure';
import type { MethodCall } from './method-call';

/** An offer to connect an account, for a client that cannot be asked to open an address. */
export interface WrittenOffer {
  readonly text: string;
}

/** What became of a call that needs an account: a result that asks for it, or a text for who reads the error. */
export type ConnectOffer = { readonly result: JsonObject } | WrittenOffer;

/** Offers people to connect an account where a call of theirs needs one. `connect/` has the links. */
export abstract class ConnectOffers {
  /**
   * @returns undefined: connecting an account of theirs would not help, or they have said that they do not want to
   * @throws RpcFailure `-32042` for clients of 2025-11-25, which are asked so
   */
  abstract offer(call: MethodCall, entry: ReachableEntry, failure: UpstreamFailure): ConnectOffer | undefined;

  /** @returns whether a client brings back what it got with such an offer, for the same request of the same person */
  abstract isOwn(call: MethodCall, entry: ReachableEntry): boolean;
}
