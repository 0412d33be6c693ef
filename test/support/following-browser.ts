import { PUBLIC_URL, type TestApp } from './app';

/** What a browser shows after it has followed all redirects. */
export interface Shown {
  /** Of the last response. */
  status: number;
  /** The address, as a person would see it. */
  url: URL;
  headers: Headers;
  text: string;
  /** Every address that it went through. */
  way: string[];
}

/** A redirect to an address that is not this service. */
const MAX_HOPS = 12;

/**
 * A browser without script: keeps cookies, follows redirects and `<meta http-equiv="refresh">` within this service, and
 * stops at any other address, without calling it.
 */
export class FollowingBrowser {
  /** Name, path, value. */
  private cookies: { name: string; path: string; value: string }[] = [];

  /** @param replicas each request goes to the next one */
  constructor(private readonly replicas: readonly Pick<TestApp, 'url'>[]) {}

  private hops = 0;

  setCookie(name: string, value: string, path = '/'): void {
    this.cookies = this.cookies.filter((cookie) => cookie.name !== name || cookie.path !== path);
    if (value !== '') this.cookies.push({ name, path, value });
  }

  /** The cookies by name. */
  get jar(): Record<string, string> {
    return Object.fromEntries(this.cookies.map(({ name, value }) => [name, value]));
  }

  open(address: string | URL): Promise<Shown> {
    return this.go('GET', new URL(address, PUBLIC_URL), undefined, []);
  }

  /** Sends the form of a page, as its button does. */
  submit(page: Shown, fields: Record<string, string> = {}): Promise<Shown> {
    const [, action = page.url.href] = /<form[^>]* action="([^"]*)"/.exec(page.text) ?? [];
    const hidden = [...page.text.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([input]) => [
      /name="([^"]*)"/.exec(input)?.[1] ?? '',
      unescaped(/value="([^"]*)"/.exec(input)?.[1] ?? ''),
    ]);
    const body = new URLSearchParams({ ...(Object.fromEntries(hidden) as Record<string, string>), ...fields });
    return this.go('POST', new URL(unescaped(action), PUBLIC_URL), body, []);
  }

  /** One request to this service, without following anything. */
  async request(method: string, url: URL, body?: URLSearchParams, headers: Record<string, string> = {}) {
    const replica = this.replicas[this.hops++ % this.replicas.length];
    const cookie = this.cookies
      .filter(({ path }) => url.pathname === path || url.pathname.startsWith(path.replace(/\/?$/, '/')))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
    const response = await fetch(`${replica?.url}${url.pathname}${url.search}`, {
      method,
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        ...(cookie === '' ? {} : { cookie }),
        ...(method === 'POST' ? { origin: PUBLIC_URL, 'sec-fetch-site': 'same-origin' } : {}),
        ...headers,
      },
      body,
    });
    for (const set of response.headers.getSetCookie()) this.keep(set);
    return response;
  }

  private async go(method: string, url: URL, body: URLSearchParams | undefined, way: string[]): Promise<Shown> {
    if (way.length > MAX_HOPS) throw new Error(`The browser goes in circles: ${way.join(' → ')}`);
    const response = await this.request(method, url, body);
    const text = await response.text();
    const location = response.headers.get('location');
    const refresh = /http-equiv="refresh" content="0; url=([^"]*)"/.exec(text)?.[1];
    const next = location ?? (refresh === undefined ? undefined : unescaped(refresh));
    const here = { status: response.status, url, headers: response.headers, text, way: [...way, url.href] };
    if (next === undefined) return here;
    const target = new URL(next, url);
    if (target.origin !== new URL(PUBLIC_URL).origin) return { ...here, url: target };
    return this.go('GET', target, undefined, here.way);
  }

  private keep(header: string): void {
    const [pair = '', ...attributes] = header.split(';').map((part) => part.trim());
    const [name = '', ...value] = pair.split('=');
    const isOver = attributes.some((attribute) => /^(max-age=0|expires=Thu, 01 Jan 1970.*)$/i.test(attribute));
    const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice('path='.length) ?? '/';
    this.setCookie(name, isOver ? '' : value.join('='), path);
  }
}

function unescaped(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
