import { type KeyedTarget, seenBy } from '../compile/bundle-compiler';
import type { ListClient } from '../compile/compiled-bundle';
import { capabilitySetOf } from '../protocol/capability-set';
import type { ClientView, MethodCall } from './method-call';

/** @returns what of a client decides what servers list for it */
export function listClientOf({ era, capabilities }: Pick<ClientView, 'era' | 'capabilities'>): ListClient {
  return { era, capabilities: capabilitySetOf(capabilities) };
}

/** @returns the bundle of a call as its client sees it */
export function targetOf({ exchange, client }: Pick<MethodCall, 'exchange' | 'client'>): KeyedTarget {
  return seenBy(exchange.admission.target, listClientOf(client));
}
