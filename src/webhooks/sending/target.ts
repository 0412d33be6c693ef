/** A parsed target_url. */
export interface Target {
  /** Scheme, host and port; connections are shared by the targets of one origin. */
  origin: string;
  /** As normalised by the URL standard. */
  hostname: string;
  port: number;
  isSecure: boolean;
  /** With the query. */
  path: string;
}

/** @param targetUrl already validated: absolute, http or https */
export function targetOf(targetUrl: string): Target {
  const { origin, hostname, port, protocol, pathname, search } = new URL(targetUrl);
  const isSecure = protocol === 'https:';
  return { origin, hostname, port: Number(port || (isSecure ? 443 : 80)), isSecure, path: pathname + search };
}
