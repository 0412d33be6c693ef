import { PUBLIC_URL } from './app';

/** What a browser shows. */
export interface Shown {
  status: number;
  /** The address in its bar. */
  url: string;
  headers: Headers;
  text: string;
}

const MAX_REDIRECTS = 12;

/** A browser as far as sign-in needs one: cookies by origin, redirects, forms. It knows where our public address is. */
export class CookieBrowser {
  private readonly cookies = new Map<string, Map<string, string>>();
  /** Every address that it asked for. */
  readonly history: string[] = [];

  /** @param ours where our replica listens; may be changed in the middle of a sign-in */
  constructor(public ours: string) {}

  setCookie(origin: string, name: string, value: string): void {
    const jar = this.cookies.get(origin) ?? new Map<string, string>();
    this.cookies.set(origin, jar.set(name, value));
  }

  cookie(origin: string, name: string): string | undefined {
    return this.cookies.get(origin)?.get(name);
  }

  /** Cookies of another browser, as a thief would have them. */
  cookiesOf(origin: string): ReadonlyMap<string, string> {
    return this.cookies.get(origin) ?? new Map<string, string>();
  }

  /** One request, without following a redirect. */
  async request(
    address: string,
    init: { form?: Record<string, string>; headers?: Record<string, string> } = {},
  ): Promise<Shown> {
    const url = new URL(address, PUBLIC_URL);
    this.history.push(url.href);
    const isOurs = url.origin === PUBLIC_URL;
    const cookie = Array.from(this.cookies.get(url.origin) ?? [], ([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(isOurs ? `${this.ours}${url.pathname}${url.search}` : url.href, {
      method: init.form ? 'POST' : 'GET',
      headers: { accept: 'text/html', ...(cookie ? { cookie } : {}), ...init.headers },
      body: init.form && new URLSearchParams(init.form),
      redirect: 'manual',
    });
    for (const line of response.headers.getSetCookie()) this.store(url.origin, line);
    return { status: response.status, url: url.href, headers: response.headers, text: await response.text() };
  }

  /**
   * Follows redirects, and the `Refresh` of a page, in a header or in the page.
   *
   * @param until stops before an address for which it is true, and shows what leads there
   */
  async visit(
    address: string,
    init: Parameters<CookieBrowser['request']>[1] = {},
    until: (url: URL) => boolean = () => false,
  ): Promise<Shown> {
    let shown = await this.request(address, init);
    for (let hop = 0; hop < MAX_REDIRECTS; hop++) {
      if (nextOf(shown) === undefined) return shown;
      const url = targetOf(shown);
      if (until(url)) return shown;
      shown = await this.request(url.href);
    }
    throw new Error(`Too many redirects: ${this.history.slice(-4).join(' → ')}`);
  }

  private store(origin: string, line: string): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    const isGone = attributes.some((attribute) => /^(max-age=0|expires=thu, 01 jan 1970.*)$/i.test(attribute));
    if (isGone) this.cookies.get(origin)?.delete(name);
    else this.setCookie(origin, name, value);
  }
}

/** @returns the address to which an answer sends the browser */
export function targetOf(shown: Shown): URL {
  return new URL(nextOf(shown) ?? '', shown.url);
}

function nextOf({ headers, text }: Shown): string | undefined {
  const refresh = /http-equiv="refresh" content="0; url=([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  return headers.get('location') ?? headers.get('refresh')?.replace(/^0; url=/, '') ?? refresh;
}

/** @returns the CSRF token of the form on a page */
export function csrfToken({ text }: Shown): string {
  return /name="csrf_token" value="([^"]+)"/.exec(text)?.[1] ?? '';
}
