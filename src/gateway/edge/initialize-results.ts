import type { CompiledBundle } from '../compile/compiled-bundle';
import { RESERVED_META } from '../protocol/incoming';
import type { JsonObject } from '../protocol/json-rpc';
import { type Era, REVISIONS } from '../protocol/revisions';

/** For how long clients may keep what an endpoint says of itself. */
const TTL_MS = 60_000;

/**
 * What an endpoint can do, whatever its servers can: lists may be empty now and not later, and clients ask once.
 *
 * @param era clients of the modern one ask for log messages with each request
 */
export function endpointCapabilities({ extensions }: CompiledBundle): JsonObject {
  return {
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
    completions: {},
    logging: {},
    ...(Object.keys(extensions).length > 0 ? { extensions } : {}),
  };
}

/** @returns the result of `server/discover` */
export function discoverResult(bundle: CompiledBundle): JsonObject {
  return {
    resultType: 'complete',
    supportedVersions: REVISIONS,
    capabilities: endpointCapabilities(bundle),
    ...(bundle.instructions === undefined ? {} : { instructions: bundle.instructions }),
    ttlMs: TTL_MS,
    cacheScope: 'private',
    _meta: { [`${RESERVED_META}serverInfo`]: bundle.serverInfo },
  };
}

/** @returns the result of `initialize` */
export function initializeResult(bundle: CompiledBundle, protocolVersion: string): JsonObject {
  return {
    protocolVersion,
    capabilities: endpointCapabilities(bundle),
    serverInfo: bundle.serverInfo,
    ...(bundle.instructions === undefined ? {} : { instructions: bundle.instructions }),
  };
}

/** @returns a result without content, in the form of an era */
export function emptyResult(bundle: CompiledBundle, era: Era): JsonObject {
  if (era === 'legacy') return {};
  return { resultType: 'complete', _meta: { [`${RESERVED_META}serverInfo`]: bundle.serverInfo } };
}
