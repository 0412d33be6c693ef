import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

/**
 * Helmet's headers. API responses are never rendered, so they only get those that matter for JSON; the documentation
 * is a page and gets them all. None depends on the request, so helmet runs only once.
 *
 * @param isHttps whether clients reach the service by https (`PUBLIC_URL`). TLS ends in front of this process, so the
 *   connection does not show it. Only then is `Strict-Transport-Security` sent (RFC 6797, section 7.2).
 */
export function securityHeaders(isHttps: boolean): RequestHandler {
  const strictTransportSecurity = isHttps;
  const page = headersOf({
    strictTransportSecurity,
    contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
  });
  const api = headersOf({
    strictTransportSecurity,
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    // `frame-ancestors` has the same effect in every current browser.
    xFrameOptions: false,
    referrerPolicy: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
  return (request, response, next) => {
    for (const [name, value] of request.url.startsWith('/docs') ? page : api) response.setHeader(name, value);
    next();
  };
}

/** @returns the headers that helmet sets with these options */
function headersOf(options: Parameters<typeof helmet>[0]): [string, string][] {
  const headers = new Map<string, string>();
  const response = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  };
  helmet(options)({} as IncomingMessage, response as unknown as ServerResponse, (error?: unknown) => {
    if (error) throw error as Error;
  });
  return [...headers];
}
