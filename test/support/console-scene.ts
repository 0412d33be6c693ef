import { SampleCatalogue } from '../../src/catalog/sample/sample-catalogue';
import { SigningKeys } from '../../src/auth/signing-keys/signing-keys.service';
import { signToken } from '../../src/auth/own-issuer';
import { UpstreamLimits } from '../../src/gateway/upstreams/upstream-limits';
import { ON_LOOPBACK } from '../gateway/support/endpoint-stage';
import { TestUpstream } from '../gateway/support/test-upstream';
import { Api } from './api';
import { createTestApp, type TestApp } from './app';
import { eventually } from './eventually';
import { createListing, join } from './factories';
import { createLocalAccount, signedIn } from './local-accounts';
import { freePort } from './toolyard-process';

/** People of the scene, each of another role. */
export const PEOPLE = {
  /** A member of Acme. */
  employee: 'ann@example.com',
  /** The owner of Acme, who builds its bundles. */
  lead: 'tom@example.com',
  /** A platform administrator without an organisation. */
  admin: 'root@example.com',
  /** Has an account, and nothing else. */
  stranger: 'eve@example.com',
} as const;
export type Role = keyof typeof PEOPLE;

/** An instance as a company has it: the sample catalogue, an organisation with people, and a bundle that is served. */
export interface ConsoleScene {
  test: TestApp;
  /** Of the application: `http://localhost:<port>`. */
  origin: string;
  upstream: TestUpstream;
  as: Record<Role, Api>;
  orgId: string;
  bundleId: string;
  /** A server of the organisation, which the bundle has. */
  serverId: string;
  close: () => Promise<void>;
}

const TOOLS = [
  ['get_forecast', 'Gives the forecast for a place and a day.', { place: 'A city or a postcode.', day: 'A date.' }],
  ['list_warnings', 'Lists the warnings of the weather service for a region.', { region: 'A region.' }],
  ['rain_radar', 'Gives a picture of where it rains.', { place: 'A city or a postcode.' }],
] as const;

/** @returns the scene, with the console as it is built; close it */
export async function createConsoleScene(): Promise<ConsoleScene> {
  const port = await freePort();
  const env = { ...ON_LOOPBACK, CONSOLE: 'true', RUN: 'api,worker', PLATFORM_ADMINS: PEOPLE.admin };
  const test = await createTestApp({ port, env });
  test.app.get(UpstreamLimits).firstListsMs = 60_000;
  await test.app.get(SampleCatalogue).loadIfEmpty();
  const upstream = await TestUpstream.start();
  upstream.tools = TOOLS.map(([name, description, parameters]) => ({
    name,
    description,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(parameters).map(([key, text]) => [key, { type: 'string', description: text }]),
      ),
    },
  }));
  const origin = `http://localhost:${port}`;
  const [employee, lead, admin, stranger] = await Promise.all([
    person(test, origin, PEOPLE.employee, 'Ann Weaver'),
    person(test, origin, PEOPLE.lead, 'Tom Builder'),
    person(test, origin, PEOPLE.admin, 'Root'),
    person(test, origin, PEOPLE.stranger, 'Eve'),
  ]);
  const orgId = (await lead.post('/v1/organisations', { name: 'Acme', slug: 'acme' })).body.id;
  await join(lead, orgId, employee);
  const serverId = await weatherServer(test, orgId, upstream.url);
  const bundleId = await onCallBundle(lead, orgId, serverId);
  await employee.put(`/v1/bundles/${bundleId}/follow`);
  return {
    test,
    origin,
    upstream,
    as: { employee, lead, admin, stranger },
    orgId,
    bundleId,
    serverId,
    close: async () => {
      await test.close();
      await upstream.close();
    },
  };
}

/** An account with a password, and calls with a token of it. */
async function person(test: TestApp, issuer: string, email: string, name: string): Promise<Api> {
  const subject = await createLocalAccount(test, email);
  await test.dataSource.query(`UPDATE users SET name = $2 WHERE id = $1`, [subject, name]);
  // The first sign-in gives the account the identity that its tokens name.
  await signedIn(test, email);
  const key = test.app.get(SigningKeys).current();
  const token = await signToken(key, { issuer, audience: 'toolyard', subject, email, ttl: 3_600 });
  return new Api(test.url, test.document, token);
}

async function weatherServer({ dataSource }: TestApp, orgId: string, url: string): Promise<string> {
  const id = await createListing(dataSource, { category: 'science-and-research', visibility: 'PRIVATE', orgId });
  const server = {
    name: 'com.acme/weather',
    title: 'Acme Weather',
    description: 'Forecasts and warnings for every place where Acme works.',
    version: '1.4.0',
    remotes: [{ type: 'streamable-http', url }],
  };
  await dataSource.query(`UPDATE listings SET name = $2, title = $3, description = $4 WHERE id = $1`, [
    id,
    server.name,
    server.title,
    server.description,
  ]);
  await dataSource.query(`UPDATE listing_versions SET server = $2, server_name = $3 WHERE listing_id = $1`, [
    id,
    JSON.stringify(server),
    server.name,
  ]);
  return id;
}

async function onCallBundle(lead: Api, orgId: string, serverId: string): Promise<string> {
  const { id } = (
    await lead.post('/v1/bundles', { name: 'On call', description: 'What you need at 3 a.m.', org_id: orgId })
  ).body;
  const names = ['io.github.github/github-mcp-server', 'io.github.grafana/mcp-grafana'];
  const found = await Promise.all(
    names.map(async (name) => (await lead.get(`/v1/mcp/listings?search=${encodeURIComponent(name)}`)).body[0]?.id),
  );
  for (const listing_id of [serverId, ...found]) {
    if (listing_id !== undefined) await lead.post(`/v1/bundles/${id}/entries`, { listing_id });
  }
  await lead.patch(`/v1/bundles/${id}/endpoint`, { is_enabled: true });
  await toolsOf(lead, id);
  await lead.post('/v1/bundles', { name: 'Design reviews', description: 'Pictures and words.', org_id: orgId });
  return id;
}

/** Asks the servers of the bundle what they offer, and waits until that is known. */
async function toolsOf(lead: Api, bundleId: string): Promise<void> {
  await lead.post(`/v1/bundles/${bundleId}/endpoint/refresh`, undefined, 200);
  await eventually(
    async () => (await lead.get(`/v1/bundles/${bundleId}/tools`)).body.length,
    (count) => count >= TOOLS.length,
    60_000,
  );
}
