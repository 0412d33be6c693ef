import type { IncomingMessage, ServerResponse } from 'node:http';

/** 32 random bytes in base64url. */
const FORM = /^[A-Za-z0-9_-]{43}$/;
/** A browser sends at most 4 KiB per cookie; everything of other applications on the host comes along. */
const MAX_HEADER_LENGTH = 32_768;

/**
 * Reads and writes the cookies of pages for people. With `https`, the prefix `__Host-` binds them to this host, so that no
 * sibling domain can set them (RFC 6265bis, section 4.1.3.2).
 */
export class HostCookie {
  readonly name: string;
  private readonly attributes: string;

  /**
   * @param name without prefix
   * @param publicUrl decides on prefix and `Secure`; plain http is for loopback only
   */
  constructor(name: string, publicUrl: string) {
    const isSecure = publicUrl.startsWith('https:');
    this.name = isSecure ? `__Host-${name}` : name;
    this.attributes = `Path=/; HttpOnly; ${isSecure ? 'Secure; ' : ''}SameSite=Lax`;
  }

  /** @returns the secret in the cookie; undefined if there is none, it is malformed, or there are several */
  read(request: IncomingMessage): string | undefined {
    const header = request.headers.cookie;
    if (header === undefined || header.length > MAX_HEADER_LENGTH) return undefined;
    const start = `${this.name}=`;
    const values = header.split(';').flatMap((part) => {
      const pair = part.trim();
      return pair.startsWith(start) ? [pair.slice(start.length)] : [];
    });
    const [value] = values;
    return values.length === 1 && value !== undefined && FORM.test(value) ? value : undefined;
  }

  /** @returns whether the request has the cookie at all, usable or not */
  isIn(request: IncomingMessage): boolean {
    return request.headers.cookie?.split(';').some((part) => part.trim().startsWith(`${this.name}=`)) ?? false;
  }

  /** @param maxAge seconds; undefined for as long as the browser runs */
  write(response: ServerResponse, value: string, maxAge?: number): void {
    const age = maxAge === undefined ? '' : `; Max-Age=${maxAge}`;
    this.replace(response, `${this.name}=${value}; ${this.attributes}${age}`);
  }

  clear(response: ServerResponse): void {
    this.replace(response, `${this.name}=; ${this.attributes}; Max-Age=0`);
  }

  /** A response sets each cookie once (RFC 6265, section 4.1.1). */
  private replace(response: ServerResponse, cookie: string): void {
    const set = response.getHeader('Set-Cookie') ?? [];
    const others = [set].flat().filter((other) => !String(other).startsWith(`${this.name}=`));
    response.setHeader('Set-Cookie', [...others.map(String), cookie]);
  }
}
