import { Agent, request } from 'node:http';

/** Longer than any answer may take, so that a service that does not answer is seen as such. */
const PATIENCE_MS = 30_000;

export interface Answer {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  text: string;
  /** Of `performance.now()`. */
  sentAt: number;
}

export interface Call {
  method?: string;
  token?: string;
  json?: unknown;
  form?: Record<string, string>;
  cookie?: string;
  /** Where it comes from, of 127.0.0.0/8. */
  localAddress?: string;
}

/** An HTTP client that keeps connections open, as programs do, and repeats nothing. */
export class HttpClient {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 4_096, maxFreeSockets: 64 });

  constructor(private readonly url: string) {}

  /** @throws Error if there is no answer */
  send(path: string, { method = 'GET', token, json, form, cookie, localAddress }: Call = {}): Promise<Answer> {
    const body = json !== undefined ? JSON.stringify(json) : form && new URLSearchParams(form).toString();
    const headers = {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(json !== undefined && {
        'Content-Type': path.includes('/scim/v2/') ? 'application/scim+json' : 'application/json',
      }),
      ...(form && {
        'Content-Type': 'application/x-www-form-urlencoded',
        Origin: 'null',
        'Sec-Fetch-Site': 'same-origin',
        Accept: 'text/html',
      }),
      ...(cookie !== undefined && { Cookie: cookie }),
      ...(body !== undefined && { 'Content-Length': String(Buffer.byteLength(body)) }),
    };
    const sentAt = performance.now();
    return new Promise((resolve, reject) => {
      const sent = request(this.url + path, { method, headers, agent: this.agent, localAddress }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          clearTimeout(timer);
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(parts).toString(),
            sentAt,
          });
        });
      });
      const timer = setTimeout(() => sent.destroy(new Error(`no answer within ${PATIENCE_MS / 1_000} s`)), PATIENCE_MS);
      sent.on('error', (error) => {
        clearTimeout(timer);
        reject(error);
      });
      sent.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
