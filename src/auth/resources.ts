import { UUID_PATTERN } from '../database/id';
import { ENDPOINT_SCOPE_NAMES, SCOPE_NAMES, type Scope, TOKEN_SCOPE_NAMES } from './scopes';

/** The path of an organisation's registry, with whatever follows. */
const REGISTRY = new RegExp(`^/v1/organisations/(${UUID_PATTERN})/registry(?=/|$)`);

/** The path of a bundle or a deployment as an MCP endpoint, which has nothing below it. */
export const ENDPOINT = new RegExp(`^/mcp/(bundles|deployments)/(${UUID_PATTERN})$`);

/** A bundle or a deployment as an MCP endpoint. */
export interface EndpointName {
  readonly kind: 'bundle' | 'deployment';
  readonly id: string;
}

/** For the document. */
export const RESOURCES_IN_WORDS =
  '`PUBLIC_URL` (the default), the registry of an organisation: `PUBLIC_URL/v1/organisations/{org_id}/registry`, or an MCP endpoint: `PUBLIC_URL/mcp/bundles/{bundle_id}`, `PUBLIC_URL/mcp/deployments/{deployment_id}`';

/**
 * What access tokens can be for (RFC 8707): this whole service, the registry of one organisation, or one MCP endpoint.
 * Compared letter by letter, because resource servers compare `aud` so (RFC 9068, section 4).
 */
export class Resources {
  /** @param publicUrl without a final slash */
  constructor(readonly publicUrl: string) {}

  /** @returns whether a token can be issued for it */
  has(resource: string): boolean {
    return this.isWhole(resource) || this.pathOf(resource) !== undefined;
  }

  /**
   * @param audience of a token
   * @returns the path below which the token is accepted: `/` for the whole service; undefined: it is not for us
   */
  pathOf(audience: string): string | undefined {
    if (this.isWhole(audience)) return '/';
    if (!audience.startsWith(`${this.publicUrl}/`)) return undefined;
    const rest = audience.slice(this.publicUrl.length);
    // Nothing that servers could understand differently: no query, no fragment, no dots, no percent encoding.
    if (!/^[\w/.-]+$/.test(rest) || rest.includes('..') || rest.includes('//')) return undefined;
    return REGISTRY.exec(rest)?.[0] ?? ENDPOINT.exec(rest)?.[0];
  }

  /** @returns the scopes that mean something there */
  scopesOf(resource: string): readonly Scope[] {
    if (this.isEndpoint(resource)) return ENDPOINT_SCOPE_NAMES;
    // Below the path of a registry there is nothing to delete.
    return this.isWhole(resource) ? TOKEN_SCOPE_NAMES : SCOPE_NAMES;
  }

  /** @returns whether it is an MCP endpoint, and no part of the REST API */
  isEndpoint(resource: string): boolean {
    return ENDPOINT.test(this.pathOf(resource) ?? '');
  }

  /** @returns which endpoint it is; undefined: it is no MCP endpoint */
  endpointOf(resource: string): EndpointName | undefined {
    const [, kind, id] = ENDPOINT.exec(this.pathOf(resource) ?? '') ?? [];
    return id === undefined ? undefined : { kind: kind === 'bundles' ? 'bundle' : 'deployment', id };
  }

  private isWhole(resource: string): boolean {
    return resource === this.publicUrl || resource === `${this.publicUrl}/`;
  }
}
