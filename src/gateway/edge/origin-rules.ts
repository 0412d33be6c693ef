import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { TOKEN_CHARACTER } from '../../http/requests/header-token';
import { RpcFailure } from '../protocol/json-rpc';

/** What web pages may send besides what every page may. Names of parameters are of the servers' choice. */
const HEADERS = new RegExp(
  `^(?:accept|authorization|content-type|last-event-id|traceparent|tracestate|mcp-${TOKEN_CHARACTER}+)$`,
);
const MAX_HEADERS = 100;

const EXPOSED = 'Mcp-Session-Id, WWW-Authenticate, Retry-After, X-Request-Id';

/** What of the configuration says where requests may come from. */
export interface OriginSettings {
  readonly publicUrl: string;
  /** The address that this process listens on. */
  readonly host: string;
  readonly mcpAllowedOrigins: readonly string[];
}

/**
 * Which web pages may speak to endpoints: those of this service, and those that the operator allows (MCP 2026-07-28,
 * Streamable HTTP, "Security & Endpoint"). A name that was rebound to this machine shows in `Host`, which is checked where
 * this process can only be reached from here.
 */
export class OriginRules {
  private readonly origins: ReadonlySet<string>;
  private readonly publicHost: string;
  private readonly isLocal: boolean;

  constructor({ publicUrl, host, mcpAllowedOrigins }: OriginSettings) {
    const { origin, host: publicHost } = new URL(publicUrl);
    this.origins = new Set([origin, ...mcpAllowedOrigins]);
    this.publicHost = publicHost;
    this.isLocal = isLoopback(host);
  }

  /** @throws RpcFailure 403 */
  check({ origin, host }: Pick<IncomingHttpHeaders, 'origin' | 'host'>): void {
    if (origin !== undefined && !this.origins.has(origin))
      throw new RpcFailure(403, 403, 'Requests from this origin are not allowed: see MCP_ALLOWED_ORIGINS.');
    if (this.isLocal && host !== undefined && host !== this.publicHost && !isLoopback(hostnameOf(host)))
      throw new RpcFailure(403, 403, 'This service is not at this host: see PUBLIC_URL.');
  }

  /** Lets the page of an origin that was checked read the answer. */
  allow(origin: string, response: ServerResponse): void {
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', EXPOSED);
  }

  /** Answers what browsers ask before (Fetch standard, "CORS-preflight request"). */
  preflight(requested: string | undefined, response: ServerResponse): void {
    const names = (requested ?? '')
      .toLowerCase()
      .split(',', MAX_HEADERS)
      .map((name) => name.trim());
    const allowed = names.filter((name) => HEADERS.test(name));
    response.setHeader('Access-Control-Allow-Methods', 'POST, GET, DELETE');
    if (allowed.length > 0) response.setHeader('Access-Control-Allow-Headers', allowed.join(', '));
    response.setHeader('Access-Control-Max-Age', '86400');
    response.writeHead(204).end();
  }
}

function hostnameOf(host: string): string {
  return host
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase();
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
