import type { EntityManager } from 'typeorm';
import { execute } from '../database/statements';

/** Leases of processes that listened, and sessions that one was about to begin. */
const FORGET_LEASES = `DELETE FROM upstream_sessions WHERE revision = ''`;

const FORGET_SESSIONS = `DELETE FROM upstream_sessions`;

const FORGET_ANSWERS = `DELETE FROM client_answers`;

const FORGET_FLOWS = `DELETE FROM connect_flows`;

/** The processes that were renewing tokens are gone. */
const RELEASE_RENEWALS = `UPDATE credentials SET renewing_until = NULL WHERE renewing_until IS NOT NULL`;

/** The processes that were reading these lists are gone. */
const RELEASE_CLAIMS = `UPDATE upstreams SET claimed_until = NULL, due_at = least(due_at, now()) WHERE claimed_until IS NOT NULL`;

const DISABLE_ENDPOINTS = `
  UPDATE bundle_endpoints SET is_enabled = false, stamp = stamp + 1, updated_at = now() WHERE is_enabled`;

/** As those that no one has used for a day: neither read nor listened to until they are used again. */
const PUT_ASIDE = `
  UPDATE upstreams SET due_at = 'infinity', used_at = least(used_at, now() - interval '1 day') WHERE due_at < 'infinity'`;

/**
 * Forgets sessions with servers, whose ids the original goes on using or has ended, answers of clients that no one
 * waits for any more, and people who were at authorization servers. Clients notice nothing: the next call begins a session
 * again.
 *
 * @param manager of a transaction, while no process serves this database
 * @returns how many sessions
 */
export async function forgetUpstreamSessions(manager: EntityManager): Promise<number> {
  await execute(manager, FORGET_LEASES);
  await execute(manager, FORGET_ANSWERS);
  await execute(manager, FORGET_FLOWS);
  await execute(manager, RELEASE_RENEWALS);
  await execute(manager, RELEASE_CLAIMS);
  return execute(manager, FORGET_SESSIONS);
}

/**
 * Disables the endpoints of all bundles, and speaks to none of their servers any more until one is used again. Their
 * deployments are `stopEndpointDeployments`.
 *
 * @returns how many endpoints
 */
export async function disableMcpEndpoints(manager: EntityManager): Promise<number> {
  await execute(manager, PUT_ASIDE);
  return execute(manager, DISABLE_ENDPOINTS);
}
