import type { RawAnswer, RawRequest } from './answers';
import { send } from './answers';
import type { Bundle } from './api-types';
import type { TestApp } from './app';
import { unique } from './factories';

/** What one request came to. */
export interface Outcome {
  operation: string;
  status: number;
  /** When it was asked and when it was answered; milliseconds since the epoch. */
  from: number;
  to: number;
  retryAfter: string | null;
  code?: string;
}

type ExpectedStatuses = readonly number[];

/**
 * A client that uses the service as fast as it answers, one request after the other, and puts up with nothing but the
 * statuses that it expects and 503. A request that gets no answer at all fails the client, and with it the test.
 */
export class HammeringClient {
  readonly outcomes: Outcome[] = [];
  /** How often it got through all of its requests without a 503. */
  cleanRounds = 0;
  /** Bundles that the service confirmed, and that were not deleted again. */
  readonly bundles = new Set<string>();
  private orgId = '';
  private endpointId = '';
  private stopped = false;
  private work: Promise<void> = Promise.resolve();

  private constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  /** Makes the account, its organisation and a webhook endpoint; then begins. */
  static async begin(test: TestApp): Promise<HammeringClient> {
    const client = new HammeringClient(test.url, await test.token(unique('hammer')));
    client.orgId = await client.make('/v1/organisations', { name: unique('Organisation') });
    const endpoint = { org_id: client.orgId, target_url: 'https://hooks.example.com/in', event_types: [] };
    client.endpointId = await client.make('/v1/webhooks', endpoint);
    client.work = client.run();
    // `stop()` rejects with it; until then it must not count as unhandled.
    client.work.catch(() => undefined);
    return client;
  }

  /** Finishes the request in flight. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.work;
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      const before = this.outcomes.length;
      await this.round();
      if (this.outcomes.slice(before).every(({ status }) => status !== 503)) this.cleanRounds += 1;
    }
  }

  private async round(): Promise<void> {
    await this.ask('GET', '/v1/users/me', [200]);
    await this.ask('GET', '/v1/mcp/categories', [200]);
    await this.ask('POST', '/v1/organisations', [201], { name: unique('Another') });
    const made = await this.ask<Bundle>('POST', '/v1/bundles', [201], { name: unique('Bundle'), org_id: this.orgId });
    if (made.status === 201) await this.useBundle(made.body.id);
    await this.ask('GET', `/v1/webhooks?org_id=${this.orgId}`, [200]);
    await this.ask('PATCH', `/v1/webhooks/${this.endpointId}`, [200], { description: unique('Changed') });
    await this.ask('POST', `/v1/organisations/${this.orgId}/scim/sync`, [200]);
  }

  /** Every other bundle stays. */
  private async useBundle(id: string): Promise<void> {
    this.bundles.add(id);
    await this.ask('GET', `/v1/bundles/${id}`, [200]);
    if (this.bundles.size % 2 === 0) return;
    const deleted = await this.ask('DELETE', `/v1/bundles/${id}`, [204]);
    // With 503 it may have happened all the same: the connection can break between the commit and the word of it.
    if (deleted.status !== 204 && (await this.ask('GET', `/v1/bundles/${id}`, [200, 404])).status === 200) return;
    this.bundles.delete(id);
  }

  private async make(path: string, body: object): Promise<string> {
    const answer = await this.ask<{ id: string }>('POST', path, [201], body);
    if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`);
    return answer.body.id;
  }

  private async ask<Body>(
    method: string,
    path: string,
    expected: ExpectedStatuses,
    body?: object,
  ): Promise<RawAnswer<Body>> {
    const request: RawRequest = { method, token: this.token };
    if (body) Object.assign(request, { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
    const from = Date.now();
    const answer = await send<Body>(this.url + path, request);
    const operation = `${method} ${path.replace(/[0-9a-f-]{36}/g, '…')}`;
    if (!expected.includes(answer.status) && answer.status !== 503) {
      throw new Error(`${operation} answered ${answer.status}: ${answer.text}`);
    }
    const { code } = (answer.body ?? {}) as { code?: string };
    const retryAfter = answer.headers.get('retry-after');
    this.outcomes.push({ operation, status: answer.status, from, to: Date.now(), retryAfter, code });
    return answer;
  }
}
