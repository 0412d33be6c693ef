import { signToken } from '../../../src/auth/own-issuer';
import { SigningKeys } from '../../../src/auth/signing-keys/signing-keys.service';
import { UpstreamLimits } from '../../../src/gateway/upstreams/upstream-limits';
import type { Api } from '../../support/api';
import { createTestApp, PUBLIC_URL, type TestApp, type TestAppOptions } from '../../support/app';
import { createBundle, createListing, unique } from '../../support/factories';
import { LegacyClient, ModernClient } from './mcp-client';
import type { Json } from './test-upstream';

/** What an application needs to speak to upstreams of a test. */
export const ON_LOOPBACK = { WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.1/32' };

/** Beside much other work a new server answers late, and a test that asks for its tools expects them. */
const FIRST_LISTS_MS = 60_000;

/** An application with endpoints, or several on one database. */
export async function createStage(replicas = 1, options: TestAppOptions = {}): Promise<Stage> {
  const env = { ...ON_LOOPBACK, ...options.env };
  const first = await createTestApp({ ...options, env });
  const others: TestApp[] = [];
  for (let n = 1; n < replicas; n++)
    others.push(await createTestApp({ ...options, env, database: first.database, dataDir: first.dataDir }));
  for (const { app } of [first, ...others]) app.get(UpstreamLimits).firstListsMs = FIRST_LISTS_MS;
  return new Stage(first, others);
}

/** Applications, and endpoints in them. */
export class Stage {
  constructor(
    readonly test: TestApp,
    readonly others: readonly TestApp[],
  ) {}

  async close(): Promise<void> {
    for (const other of this.others) await other.close();
    await this.test.close();
  }

  /** Whoever that is: an account with this name. */
  async person(name = unique('person')): Promise<Person> {
    return new Person(this, name, await this.test.as(name));
  }

  /**
   * A listing of a remote server.
   *
   * @param url of the server
   */
  async listing(url: string, fields: Parameters<typeof createListing>[1] & { server?: Json } = {}): Promise<string> {
    const { server = { remotes: [{ type: 'streamable-http', url }] }, ...rest } = fields;
    const id = await createListing(this.test.dataSource, rest);
    await this.test.dataSource.query(
      `UPDATE listing_versions SET server = (server::jsonb || $2::jsonb)::json WHERE listing_id = $1`,
      [id, JSON.stringify(server)],
    );
    return id;
  }

  /** The addresses of an endpoint at all applications. */
  urlsOf(path: string): string[] {
    return [this.test, ...this.others].map(({ url }) => url + path);
  }
}

/** A person with an account, and their access tokens for endpoints. */
export class Person {
  constructor(
    private readonly stage: Stage,
    readonly name: string,
    readonly api: Api,
  ) {}

  /** A bundle of theirs with these servers, and its endpoint. */
  async endpoint(
    urls: readonly string[],
    settings: Json = {},
    fields: Parameters<typeof createBundle>[1] = {},
  ): Promise<Endpoint> {
    const { id } = await createBundle(this.api, fields);
    const endpoint = new Endpoint(this.stage, this, id);
    for (const url of urls) await endpoint.add(await this.stage.listing(url));
    await endpoint.set({ is_enabled: true, ...settings });
    return endpoint;
  }

  /** An access token for one endpoint. */
  tokenFor(path: string, scope: string | undefined = 'mcp:read mcp:call', ttl = 3_600): Promise<string> {
    return signToken(this.stage.test.app.get(SigningKeys).current(), {
      issuer: PUBLIC_URL,
      audience: PUBLIC_URL + path,
      subject: this.name,
      email: `${this.name}@example.com`,
      ttl,
      ...(scope === undefined ? {} : { scope }),
    });
  }

  async modern(endpoint: { path: string }, scope?: string): Promise<ModernClient> {
    return new ModernClient(this.stage.urlsOf(endpoint.path), await this.tokenFor(endpoint.path, scope));
  }

  /** A client that has a session. */
  async legacy(endpoint: { path: string }, capabilities: Json = {}): Promise<LegacyClient> {
    const client = new LegacyClient(this.stage.urlsOf(endpoint.path), await this.tokenFor(endpoint.path));
    client.capabilities = capabilities;
    await client.begin();
    return client;
  }
}

/** A bundle as an endpoint. */
export class Endpoint {
  constructor(
    private readonly stage: Stage,
    readonly owner: Person,
    readonly bundleId: string,
  ) {}

  get path(): string {
    return `/mcp/bundles/${this.bundleId}`;
  }

  get url(): string {
    return this.stage.test.url + this.path;
  }

  /** @returns the id of the entry */
  async add(listingId: string, fields: Json = {}): Promise<string> {
    const answer = await this.owner.api
      .raw('post', `/v1/bundles/${this.bundleId}/entries`)
      .send({ listing_id: listingId, ...fields });
    if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
    return (answer.body as { id: string }).id;
  }

  async set(settings: Json): Promise<void> {
    const answer = await this.owner.api.raw('patch', `/v1/bundles/${this.bundleId}/endpoint`).send(settings);
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  }

  /** @returns the secret of an access token of the bundle */
  async bundleToken(scopes: readonly string[] = ['read', 'call']): Promise<string> {
    const answer = await this.owner.api
      .raw('post', `/v1/bundles/${this.bundleId}/access-tokens`)
      .send({ name: 'Test', scopes });
    if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
    return (answer.body as { token: string }).token;
  }
}
