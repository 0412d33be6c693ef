/** A target_url, taken apart. */
export interface Target {
  /** Scheme, host and port; connections are shared by the targets of one origin. */
  origin: string;
  /** As the URL standard writes it. */
  hostname: string;
  port: number;
  isSecure: boolean;
  /** With the query. */
  path: string;
}

/** @param targetUrl checked already: absolute, http or https */
export function targetOf(targetUrl: string): Target {
  const { origin, hostname, port, protocol, pathname, search } = new URL(targetUrl);
  const isSecure = protocol === 'https:';
  return { origin, hostname, port: Number(port || (isSecure ? 443 : 80)), isSecure, path: pathname + search };
}
