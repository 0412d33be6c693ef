import { CookieBrowser, csrfToken } from '../../support/cookie-browser';
import type { Shown } from '../../support/cookie-browser';
import { consoleSession } from '../../support/console-session';
import { PUBLIC_URL } from '../../support/app';
import { createStage, type Endpoint, type Person, type Stage } from './endpoint-stage';
import { TestAuthorizationServer } from './authorization-server';
import type { ModernClient } from './mcp-client';
import { type Json, TestUpstream } from './test-upstream';

/** Applications whose endpoints have a server that takes tokens of an authorization server only. */
export interface ConnectStage {
  readonly stage: Stage;
  readonly issuer: TestAuthorizationServer;
  readonly upstream: TestUpstream;
  close(): Promise<void>;
}

export async function createConnectStage(
  replicas = 1,
  options: NonNullable<Parameters<typeof createStage>[1]> = {},
): Promise<ConnectStage> {
  const env = { CREDENTIALS_OVER_LOOPBACK_HTTP: 'true', ...options.env };
  const stage = await createStage(replicas, { ...options, env });
  const servers = await withServers(stage);
  const close = async () => {
    await stage.close();
    await servers.close();
  };
  return { ...servers, close };
}

/** Other servers for the same applications; `close` closes only them. */
export async function withServers(stage: Stage): Promise<ConnectStage> {
  const issuer = await TestAuthorizationServer.start();
  const upstream = await TestUpstream.start();
  issuer.protect(upstream);
  const close = async () => {
    await upstream.close();
    await issuer.close();
  };
  return { stage, issuer, upstream, close };
}

/** An endpoint with one entry that sends the credentials of each person. */
export async function personalEndpoint(
  { stage, upstream }: Pick<ConnectStage, 'stage' | 'upstream'>,
  person: Person,
  mode = 'PERSONAL',
): Promise<{ endpoint: Endpoint; entryId: string }> {
  const endpoint = await person.endpoint([]);
  const entryId = await endpoint.add(await stage.listing(upstream.url), { credential_mode: mode });
  return { endpoint, entryId };
}

/** @returns the name of a tool as the endpoint offers it */
export async function toolOf(client: ModernClient, name = 'echo'): Promise<string> {
  const { tools } = await client.result('tools/list');
  const found = (tools as { name: string }[]).find((tool) => tool.name.endsWith(`__${name}`));
  if (!found) throw new Error(`There is no ${name} in ${JSON.stringify(tools)}.`);
  return found.name;
}

export async function idOf({ test }: Stage, { name, api }: Person): Promise<string> {
  // The first call makes the account.
  await api.raw('get', '/v1/bundles');
  const [row] = await test.dataSource.query<{ id: string }[]>(`SELECT id FROM users WHERE email = $1`, [
    `${name}@example.com`,
  ]);
  if (!row) throw new Error(`There is no ${name}.`);
  return row.id;
}

/** A browser in which a person is signed in. */
export async function browserOf(stage: Stage, person: Person): Promise<CookieBrowser> {
  const browser = new CookieBrowser(stage.test.url);
  const { Cookie = '' } = await consoleSession(stage.test, await idOf(stage, person));
  const [name = '', value = ''] = Cookie.split('=');
  browser.setCookie(PUBLIC_URL, name, value);
  return browser;
}

/** @returns the answer of the operation that gives the address of the page */
export async function connectAnswer(person: Person, body: Json) {
  return person.api.raw('post', '/v1/credentials/connect').send(body);
}

/** @returns the address of the page on which a person connects an account */
export async function connectUrl(
  person: Person,
  endpoint: Endpoint,
  entryId: string,
  owner = 'PERSON',
): Promise<string> {
  const answer = await connectAnswer(person, { bundle_id: endpoint.bundleId, entry_id: entryId, owner });
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return (answer.body as { url: string }).url;
}

/**
 * Opens the page and presses its button.
 *
 * @param until as in `CookieBrowser.visit`
 */
export async function press(
  browser: CookieBrowser,
  url: string,
  until?: (url: URL) => boolean,
  fields: Record<string, string> = {},
): Promise<Shown> {
  const page = await browser.request(url);
  if (page.status !== 200) return page;
  return browser.visit(url, { form: { ...hiddenFields(page), ...fields } }, until);
}

/** What the form of a page sends back as it is. */
export function hiddenFields(page: Shown): Record<string, string> {
  const shown = /name="shown" value="([\w-]+)"/.exec(page.text)?.[1] ?? '';
  return { csrf_token: csrfToken(page), shown };
}

/** Connects the account of a person at the server of an entry. */
export async function connect(
  stage: Stage,
  person: Person,
  endpoint: Endpoint,
  entryId: string,
  owner?: string,
): Promise<Shown> {
  const url = await connectUrl(person, endpoint, entryId, owner);
  return press(await browserOf(stage, person), url);
}
