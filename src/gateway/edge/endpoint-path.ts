import type { Request } from 'express';
import { ENDPOINT } from '../../auth/resources';

/** The paths of endpoints for logs and metrics, as the templates of the document. */
export const ENDPOINT_TEMPLATES = ['/mcp/bundles/{bundle_id}', '/mcp/deployments/{deployment_id}'] as const;

/** Which endpoint an address names. */
export interface EndpointPath {
  /** The whole path, which is also the end of the audience of its tokens. */
  readonly path: string;
  readonly kind: 'bundle' | 'deployment';
  readonly id: string;
}

/** @returns undefined if the request is for no endpoint */
export function endpointPath({ path }: Pick<Request, 'path'>): EndpointPath | undefined {
  if (!path.startsWith('/mcp/')) return undefined;
  const [, kind, id] = ENDPOINT.exec(path) ?? [];
  return id === undefined ? undefined : { path, kind: kind === 'bundles' ? 'bundle' : 'deployment', id };
}
