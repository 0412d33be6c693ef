import { hash, randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { PUBLIC_URL } from './service';

export interface Shown {
  status: number;
  /** Where it sends the browser. */
  location: string | undefined;
  text: string;
  /** Of the request; milliseconds. */
  ms: number;
}

const MAX_REDIRECTS = 8;
/** How pages send a browser on where a redirect must not, because it would be one of the form before. */
const REFRESH = /<meta http-equiv="refresh" content="0; url=([^"]*)"/;

/** A browser as far as signing in needs one: cookies and redirects. */
export class Browser {
  private readonly cookies = new Map<string, string>();

  /** @param url of the service */
  constructor(private readonly url: string) {}

  /** @param cookie as in the header, of one cookie */
  setCookie(cookie: string): void {
    const [name = '', value = ''] = cookie.split('=');
    this.cookies.set(name, value);
  }

  /** One request; a redirect is not followed. */
  async request(
    path: string,
    init: { form?: Record<string, string>; headers?: Record<string, string> } = {},
  ): Promise<Shown> {
    const cookie = Array.from(this.cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const started = performance.now();
    const response = await fetch(this.url + path, {
      method: init.form ? 'POST' : 'GET',
      headers: { accept: 'text/html', ...(cookie ? { cookie } : {}), ...init.headers },
      body: init.form && new URLSearchParams(init.form),
      redirect: 'manual',
    });
    const text = await response.text();
    const ms = performance.now() - started;
    for (const line of response.headers.getSetCookie()) this.setCookie(line.split(';')[0] ?? '');
    const refresh = REFRESH.exec(text)?.[1]?.replaceAll('&amp;', '&');
    const location = response.headers.get('location') ?? refresh;
    return { status: response.status, location, text, ms };
  }

  /** Follows redirects within the service. @returns the first address outside of it */
  async leave(path: string): Promise<URL> {
    let next = path;
    for (let hop = 0; hop < MAX_REDIRECTS; hop++) {
      const { status, location, text } = await this.request(next);
      if (location === undefined) throw new Error(`${next}: ${status} ${text.slice(0, 500)}`);
      const url = new URL(location, PUBLIC_URL);
      if (url.origin !== PUBLIC_URL) return url;
      next = url.pathname + url.search;
    }
    throw new Error('Too many redirects.');
  }

  /** @returns what a form on a page has to be sent with */
  async csrfToken(path: string): Promise<string> {
    const { text } = await this.request(path);
    const token = /name="csrf_token" value="([^"]+)"/.exec(text)?.[1];
    if (token === undefined) throw new Error(`There is no form on ${path}.`);
    return token;
  }
}

/** @returns the cookie of a new session, as in the header */
export async function addSession(database: Client, userId: string): Promise<string> {
  const secret = randomBytes(32).toString('base64url');
  await database.query(
    `INSERT INTO sessions (id, digest, user_id, methods, signed_in_at, last_seen_at, expires_at, address, device)
     VALUES (uuid_v7(), $1, $2, '{pwd}', now(), now(), now() + interval '7 days', '127.0.0.1', 'bench')`,
    [hash('sha256', secret, 'buffer'), userId],
  );
  return `toolyard=${secret}`;
}

/**
 * Accounts with passwords.
 *
 * @param passwordHashes PHC strings, which the accounts take in turn
 * @returns their addresses: `<name>-00001@example.com` and so on
 */
export async function addPasswordAccounts(
  database: Client,
  name: string,
  count: number,
  passwordHashes: readonly string[],
): Promise<string[]> {
  const emails = Array.from({ length: count }, (_, index) => addressOf(name, index));
  await database.query(
    `WITH added AS (
       INSERT INTO users (id, email, claimed_at) SELECT uuid_v7(), email, now() FROM unnest($1::text[]) AS email
       RETURNING id, email
     )
     INSERT INTO passwords (user_id, hash, changed_at)
     SELECT id, hash, now() FROM added JOIN unnest($1::text[], $2::text[]) AS given (email, hash) USING (email)`,
    [emails, emails.map((_, index) => passwordHashes[index % passwordHashes.length])],
  );
  return emails;
}

/** @returns addresses of the same length for names of the same length */
export function addressOf(name: string, index: number): string {
  return `${name}-${String(index).padStart(5, '0')}@example.com`;
}
