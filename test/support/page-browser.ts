import request, { type Response } from 'supertest';

type Fields = Record<string, string>;

/** Calls pages as a browser does: with cookies, `Sec-Fetch-Site`, and forms as they were shown. */
export class PageBrowser {
  /** Name to value. */
  readonly cookies = new Map<string, string>();
  /** Sent with every request. */
  headers: Fields = {};

  /** @param url where the application listens */
  constructor(readonly url: string) {}

  /** The `Cookie` header. */
  get cookie(): string {
    return Array.from(this.cookies, ([name, value]) => `${name}=${value}`).join('; ');
  }

  /** The value of the cookie of the session. */
  get session(): string | undefined {
    return this.cookies.get('__Host-toolyard');
  }

  async get(path: string, headers: Fields = {}): Promise<Response> {
    const test = request(this.url)
      .get(path)
      .redirects(0)
      .set({ Accept: 'text/html', Cookie: this.cookie, ...this.headers, ...headers });
    return this.keep(await test);
  }

  /** Shows a page and sends its form, with these fields instead of those in it. */
  async submit(path: string, fields: Fields, headers: Fields = {}): Promise<Response> {
    const send = await this.open(path, headers);
    return send(fields);
  }

  /** Shows a page. @returns what sends its form, with these fields instead of those in it */
  async open(path: string, headers: Fields = {}): Promise<(fields: Fields) => Promise<Response>> {
    const { text } = await this.get(path, headers);
    const action = /<form method="post" action="([^"]+)"/.exec(text)?.[1] ?? path.split('?')[0] ?? '';
    return (fields) => this.post(action, { ...hiddenFields(text), ...fields }, headers);
  }

  /** Sends a form that need not have been shown. */
  async post(path: string, fields: Fields, headers: Fields = {}): Promise<Response> {
    const test = request(this.url)
      .post(path)
      .redirects(0)
      .type('form')
      .set({
        Accept: 'text/html',
        Cookie: this.cookie,
        // Pages say `Referrer-Policy: no-referrer`, with which browsers send this instead of the origin.
        Origin: 'null',
        'Sec-Fetch-Site': 'same-origin',
        ...this.headers,
        ...headers,
      });
    return this.keep(await test.send(new URLSearchParams(fields).toString()));
  }

  private keep(response: Response): Response {
    const set = response.headers['set-cookie'] as unknown as string[] | undefined;
    for (const cookie of set ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '' || /Max-Age=0/.test(cookie)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }
}

/** The hidden fields of the first form of a page. */
export function hiddenFields(page: string): Fields {
  const form = /<form[^]*?<\/form>/.exec(page)?.[0] ?? '';
  const inputs = form.match(/<input[^>]*type="hidden"[^>]*>/g) ?? [];
  return Object.fromEntries(
    inputs.map((input) => [/name="([^"]*)"/.exec(input)?.[1] ?? '', /value="([^"]*)"/.exec(input)?.[1] ?? '']),
  );
}
