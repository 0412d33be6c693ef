import { type Answer, Api } from './api';
import { PUBLIC_URL, type TestApp } from './app';
import { expectDocumented } from './documented-answers';
import { unique } from './factories';

export interface ScimRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the address of the service. */
  path: string;
  query?: Record<string, string>;
  body?: object;
  contentType?: string;
  headers?: Record<string, string>;
}

export interface ScimAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
  body: Record<string, unknown>;
}

/** What an identity provider is given, an address and a token, and the way it calls. */
export class ScimConnection {
  /** The address of the service as its answers write it. */
  readonly base: string;

  constructor(
    private readonly test: TestApp,
    readonly orgId: string,
    readonly token: string,
    readonly tokenId: string,
  ) {
    this.base = `${PUBLIC_URL}/v1/organisations/${orgId}/scim/v2`;
  }

  /** @param admin of the organisation, who makes the token */
  static async open(test: TestApp, admin: Api, orgId: string): Promise<ScimConnection> {
    const made = await admin.post(`/v1/organisations/${orgId}/scim/tokens`, { name: unique('Provider') });
    const { id, token } = made.body;
    return new ScimConnection(test, orgId, token, id);
  }

  /** Sends it, and holds the answer against the OpenAPI document. */
  async send({ method, path, query, body, contentType, headers }: ScimRequest): Promise<ScimAnswer> {
    const api = new Api(this.test.url, this.test.document, this.token);
    const search = query ? `?${new URLSearchParams(query).toString()}` : '';
    const address = `/v1/organisations/${this.orgId}/scim/v2${path}${search}` as const;
    const verb = method.toLowerCase() as Lowercase<typeof method>;
    const request = api.raw(verb, address).set({ Accept: 'application/scim+json', ...headers });
    const response: Answer<Record<string, unknown>> = await (body === undefined
      ? request
      : request.set('Content-Type', contentType ?? 'application/scim+json').send(JSON.stringify(body)));
    expectDocumented(this.test.document, verb, address, response);
    const { status, text } = response;
    return {
      status,
      text,
      headers: response.headers,
      body: response.body,
    };
  }

  /** The same, of which only one status is any good. */
  async call(status: number, request: ScimRequest): Promise<ScimAnswer> {
    const answer = await this.send(request);
    if (answer.status !== status) {
      throw new Error(`${request.method} ${request.path} answered ${answer.status}, not ${status}: ${answer.text}`);
    }
    return answer;
  }

  /** @returns the id of what was made */
  async make(path: '/Users' | '/Groups', body: object): Promise<string> {
    return String((await this.call(201, { method: 'POST', path, body })).body.id);
  }
}
