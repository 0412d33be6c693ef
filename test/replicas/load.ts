import { type Cast, type Organisation, PASSWORD, scimUser, submit } from './cast';
import { type Answer, HttpClient } from './client';
import type { Ledger } from './ledger';

const TICK_MS = 10;
/** More than a service that answers within its time can have, at any rate that the script is run at. */
const MAX_IN_FLIGHT = 3_000;

/** One request, or one sign-in. */
export interface Sample {
  operation: string;
  /** When it was sent and when it ended, of `performance.now()`. */
  from: number;
  to: number;
  /** `unavailable`: 503 with an integer `Retry-After`. */
  outcome: 'ok' | 'unavailable' | 'failed';
  /** Of a failure. */
  detail: string;
}

/** Of all loads, so that every value is written once. */
let counter = 0;

type Operation = (load: Load) => Promise<Answer>;

/** Share of each operation, in percent. */
const MIX: readonly [share: number, name: string, operation: Operation][] = [
  [20, 'GET categories', (load) => load.get('/v1/mcp/categories')],
  [10, 'GET listings', (load) => load.get('/v1/mcp/listings?limit=10')],
  [10, 'GET registry', (load) => load.client.send('/v0.1/servers?limit=10')],
  [10, 'GET me', (load) => load.get('/v1/users/me')],
  [10, 'GET bundle', (load) => load.get(`/v1/bundles/${load.anyBundle()}`, load.cast.personal)],
  [20, 'PATCH bundle', (load) => load.rename()],
  [4, 'POST bundle', (load) => load.create()],
  [3, 'DELETE bundle', (load) => load.remove()],
  [9, 'PATCH SCIM user', (load) => load.renamePerson()],
  [3, 'POST SCIM user', (load) => load.provision()],
  [1, 'sign-in', (load) => load.signIn()],
];

/** Sends requests at a fixed rate, however fast they are answered, and notes in the ledger what is acknowledged. */
export class Load {
  readonly client: HttpClient;
  readonly samples: Sample[] = [];
  private readonly busy = new Set<string>();
  private readonly created: string[] = [];
  private timer?: NodeJS.Timeout;
  private due = 0;
  private last = 0;
  private inFlight = 0;

  constructor(
    url: string,
    readonly cast: Cast,
    private readonly ledger: Ledger,
    private readonly perSecond: number,
  ) {
    this.client = new HttpClient(url);
  }

  start(): void {
    this.last = performance.now();
    this.timer = setInterval(() => this.tick(), TICK_MS);
  }

  /** Returns when everything that was sent is answered. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    while (this.inFlight > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    this.client.close();
  }

  get(path: string, token = this.cast.signed): Promise<Answer> {
    return this.client.send(path, { token });
  }

  anyBundle(): string {
    return pick(this.cast.bundles) ?? '';
  }

  /** One row has one writer at a time, so that the ledger knows which value is the last. */
  async rename(): Promise<Answer> {
    return this.alone(this.cast.bundles, async (id) => {
      const name = `Bundle ${++counter}`;
      this.ledger.sends(id, name);
      const answer = await this.client.send(`/v1/bundles/${id}`, {
        method: 'PATCH',
        token: this.cast.personal,
        json: { name },
      });
      if (answer.status === 200) {
        this.ledger.acknowledges(id, name);
        this.ledger.expects(`updated ${name}`);
      }
      return answer;
    });
  }

  async create(): Promise<Answer> {
    const json = { name: `New ${++counter}`, org_id: this.anyOrganisation().id };
    const answer = await this.client.send('/v1/bundles', { method: 'POST', token: this.cast.personal, json });
    if (answer.status === 201) {
      const { id } = JSON.parse(answer.text) as { id: string };
      this.created.push(id);
      this.ledger.creates(id);
      this.ledger.expects(`bundle.created ${id}`);
    }
    return answer;
  }

  async remove(): Promise<Answer> {
    const id = this.created.shift();
    if (id === undefined) return this.create();
    this.ledger.forgets(id);
    const answer = await this.client.send(`/v1/bundles/${id}`, { method: 'DELETE', token: this.cast.personal });
    if (answer.status === 204) {
      this.ledger.deletes(id);
      this.ledger.expects(`bundle.deleted ${id}`);
    }
    return answer;
  }

  async renamePerson(): Promise<Answer> {
    const organisation = this.anyOrganisation();
    return this.alone(organisation.people, async (id) => {
      const name = `Person ${++counter}`;
      this.ledger.sends(id, name);
      const answer = await this.client.send(`/v1/organisations/${organisation.id}/scim/v2/Users/${id}`, {
        method: 'PATCH',
        token: organisation.scim,
        json: {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
          Operations: [{ op: 'replace', path: 'displayName', value: name }],
        },
      });
      if (answer.status === 200) this.ledger.acknowledges(id, name);
      return answer;
    });
  }

  async provision(): Promise<Answer> {
    const { id, scim } = this.anyOrganisation();
    const json = scimUser(`new-${++counter}`);
    const answer = await this.client.send(`/v1/organisations/${id}/scim/v2/Users`, {
      method: 'POST',
      token: scim,
      json,
    });
    if (answer.status === 201) this.ledger.creates((JSON.parse(answer.text) as { id: string }).id);
    return answer;
  }

  /** From many addresses, as a service behind one balancer sees people. */
  signIn(): Promise<Answer> {
    const email = pick(this.cast.accounts) ?? '';
    const address = `127.0.1.${1 + Math.floor(Math.random() * 200)}`;
    return submit(this.client, '/sign-in', { email, password: PASSWORD }, address);
  }

  private anyOrganisation(): Organisation {
    return pick(this.cast.organisations) as Organisation;
  }

  private async alone(ids: readonly string[], work: (id: string) => Promise<Answer>): Promise<Answer> {
    const id = pick(ids.filter((one) => !this.busy.has(one)));
    // Every row is being written to.
    if (id === undefined) return this.get('/v1/mcp/categories');
    this.busy.add(id);
    try {
      return await work(id);
    } finally {
      this.busy.delete(id);
    }
  }

  private tick(): void {
    const now = performance.now();
    this.due += ((now - this.last) / 1_000) * this.perSecond;
    this.last = now;
    for (; this.due >= 1; this.due--) void this.run();
  }

  private async run(): Promise<void> {
    const [, operation, send] = chosen();
    let from = performance.now();
    const note = (outcome: Sample['outcome'], detail: string) =>
      this.samples.push({ operation, from, to: performance.now(), outcome, detail });
    if (this.inFlight >= MAX_IN_FLIGHT) return void note('failed', 'not sent: too many are in flight');
    this.inFlight += 1;
    try {
      const answer = await send(this);
      // Of a sign-in, which takes two.
      from = answer.sentAt;
      if (answer.status < 400) note('ok', '');
      else if (answer.status === 503 && /^\d+$/.test(String(answer.headers['retry-after']))) note('unavailable', '');
      else note('failed', `${answer.status} ${answer.text.slice(0, 300)}`);
    } catch (error) {
      note('failed', error instanceof Error ? error.message : String(error));
    } finally {
      this.inFlight -= 1;
    }
  }
}

function pick<T>(items: readonly T[]): T | undefined {
  return items[Math.floor(Math.random() * items.length)];
}

function chosen(): (typeof MIX)[number] {
  let place = Math.random() * 100;
  return MIX.find(([share]) => (place -= share) < 0) ?? (MIX[0] as (typeof MIX)[number]);
}
