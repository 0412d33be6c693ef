import type { Browser, Locator } from 'playwright-core';
import { describeInBrowser, openChromium, Visitor } from '../support/chromium';
import { type ConsoleScene, createConsoleScene, PEOPLE } from '../support/console-scene';
import { dialectNamed, personNamed } from '../support/console-scene-provisioning';
import { Hands, HANDS } from '../support/hands';
import type { Dialect, Person } from '../support/scim-dialects';
import { ScimConnection, type ScimRequest } from '../support/scim-connection';
import { patch } from '../support/scim-shapes/shape';

describeInBrowser('An administrator', () => {
  let scene: ConsoleScene;
  let browser: Browser;
  let tom: Visitor;

  beforeAll(async () => {
    scene = await createConsoleScene();
    browser = await openChromium();
    tom = await Visitor.arrive(browser, scene.origin);
    await tom.signIn(PEOPLE.lead);
  });

  afterAll(async () => {
    await browser.close();
    await scene.close();
  });

  afterEach(() => expect(tom.complaints).toEqual([]));

  const screen = (name: string) => `/console/organisations/${scene.orgId}/${name}`;
  const calls = () => tom.page.getByRole('list', { name: 'Calls of the identity provider' });
  const call = (what: string): Locator => calls().getByText(what, { exact: true }).first();
  const logged = async (query: string) =>
    (await scene.as.lead.get(`/v1/organisations/${scene.orgId}/scim/log?${query}`)).body;

  /** As the provider creates a person, with an id of its own for each. */
  const creates = (dialect: Dialect, person: Person): ScimRequest => {
    const request = dialect.create(person);
    return { ...request, body: { ...request.body, externalId: person.email } };
  };

  /** Goes through the guide to the token, which is shown once. */
  async function tokenOf(hands: Hands, provider: string): Promise<ScimConnection> {
    const { page } = tom;
    await tom.open(screen('provisioning'));
    await hands.press(page.getByRole('link', { name: `Connect ${provider}` }));
    await page.getByRole('heading', { name: 'Step 1 of 5: Your domain' }).waitFor();
    await hands.press(page.getByRole('link', { name: 'Next: An application' }));
    await page.getByRole('heading', { name: 'Step 2 of 5: An application' }).waitFor();
    await hands.press(page.getByRole('link', { name: 'Next: Address and token' }));
    await hands.type(page.getByLabel('Name', { exact: true }), `${provider} by ${hands.kind}`);
    await hands.press(page.getByRole('button', { name: 'Make a token' }));
    const token = await page.getByLabel('the token', { exact: true }).innerText();
    const tokenId = new URL(page.url()).searchParams.get('token') ?? '';
    return new ScimConnection(scene.test, scene.orgId, token.trim(), tokenId);
  }

  /** The step that the address names is there again after a reload, and the token is not. */
  async function comesBack(hands: Hands, token: string): Promise<void> {
    const { page } = tom;
    await hands.press(page.getByRole('button', { name: 'I have pasted it' }));
    await page.reload();
    await page.getByText('This token was shown when it was made, and cannot be shown again.').waitFor();
    expect(await page.content()).not.toContain(token);
    const kept = await page.evaluate<string>('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])');
    expect(kept).not.toContain(token);
  }

  /** The provider tests, and makes a person; both calls are seen as they arrive. */
  async function pushes(hands: Hands, connection: ScimConnection, dialect: Dialect, familyName: string) {
    const { page } = tom;
    await connection.call(200, dialect.testConnection);
    await call('Tested the connection').waitFor();
    await hands.press(page.getByRole('link', { name: 'Next: People' }));
    await page.getByRole('heading', { name: 'Step 4 of 5: People' }).waitFor();
    const ada = personNamed('Ada', `${familyName}${hands.kind}`);
    await connection.call(200, dialect.lookUp(ada));
    await calls().getByText(ada.userName).first().waitFor();
    const id = String((await connection.call(201, creates(dialect, ada))).body.id);
    await call('Created a person').waitFor();
    return { ...ada, id };
  }

  it.each(HANDS)('proves a domain, as far as the DNS lets him, by %s alone', async (kind) => {
    const { page } = tom;
    const hands = new Hands(page, kind);
    const domain = `${kind}.acme.example`;
    await tom.open(screen('provisioning?tab=domains'));
    await hands.type(page.getByRole('textbox', { name: 'Domain' }), 'no domain');
    await hands.press(page.getByRole('button', { name: 'Add the domain' }));
    await page.getByRole('textbox', { name: 'Domain' }).and(page.locator('[aria-invalid]')).waitFor();
    // The browser says so of each answer that is an error.
    expect(tom.complaints.splice(0)).toEqual([expect.stringContaining('status of 422')]);
    await hands.type(page.getByRole('textbox', { name: 'Domain' }), domain);
    await hands.press(page.getByRole('button', { name: 'Add the domain' }));
    await page.getByText(`_toolyard.${domain}`).waitFor();
    const { body: domains } = await scene.as.lead.get(`/v1/organisations/${scene.orgId}/domains`);
    const record = domains.find((one) => one.domain === domain)?.record;
    await page.getByText(record?.value ?? 'no value').waitFor();
    await hands.press(page.getByRole('button', { name: `Remove ${domain}` }));
    await hands.press(page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }));
    await page.getByText(`_toolyard.${domain}`).waitFor({ state: 'detached' });
  });

  it.each(HANDS)('connects Okta, and mends a name that is taken, by %s alone', async (kind) => {
    const { page } = tom;
    const hands = new Hands(page, kind);
    const okta = dialectNamed('Okta, from the catalogue');
    const connection = await tokenOf(hands, 'Okta');
    const token = connection.token;
    await comesBack(hands, token);
    const ada = await pushes(hands, connection, okta, 'Okta');
    const twin = { ...personNamed('Adele', `Okta${kind}`), userName: ada.userName.toUpperCase() };
    await connection.call(409, creates(okta, twin));
    await call('Creating a person failed').waitFor();
    // To those who hear the page.
    await page.getByText('New call, answered with 409: Creating a person failed').waitFor({ state: 'attached' });
    await calls().getByText('Another person of the directory has this user name already.').waitFor();
    await calls()
      .getByText(/change the Application username of one of them/)
      .waitFor();
    await hands.press(calls().getByRole('button', { name: /^Details: Creating a person failed/ }));
    const dialog = page.getByRole('dialog');
    await dialog.getByText('"scimType": "uniqueness"').waitFor();
    await dialog.getByText(twin.userName).waitFor();
    await hands.close();
    await connection.call(201, creates(okta, { ...twin, userName: twin.email }));
    await hands.press(page.getByRole('link', { name: 'Next: Groups and roles' }));
    await page.getByRole('heading', { name: 'Step 5 of 5: Groups and roles' }).waitFor();
    const group = { id: '', displayName: `Okta ${kind}`, members: [ada.id] };
    await connection.call(201, okta.groups?.create(group) ?? okta.testConnection);
    await call('Created a group').waitFor();
    await hands.press(page.getByRole('link', { name: 'Show all calls' }));
    await hands.choose(page.getByRole('radio', { name: 'Failed calls' }));
    await page.waitForURL((url) => url.searchParams.get('failed') === '1');
    await call('Creating a person failed').waitFor();
    const statuses = (await logged(`token_id=${connection.tokenId}`)).map(({ status }) => status);
    expect(statuses).toEqual([201, 201, 409, 201, 200, 200]);
    const { body: directory } = await scene.as.lead.get(`/v1/organisations/${scene.orgId}/scim/directory/users`);
    const people = directory.filter(({ user_name }) => user_name.endsWith(`.okta${kind}@acme.example`));
    expect(people).toHaveLength(2);
  });

  it.each(HANDS)('connects Entra ID, and mends a mapping, by %s alone', async (kind) => {
    const { page } = tom;
    const hands = new Hands(page, kind);
    const entra = dialectNamed('Entra ID with aadOptscim062020');
    const connection = await tokenOf(hands, 'Microsoft Entra ID');
    await page.getByText('/scim/v2?aadOptscim062020').first().waitFor();
    const ada = await pushes(hands, connection, entra, 'Entra');
    const wrong = patch({ op: 'replace', value: { displayName: 'Ada', extensionAttribute7: 'Cost centre 4' } });
    const wrongPath = patch({ op: 'replace', path: 'extensionAttribute7', value: 'Cost centre 4' });
    await connection.send({ method: 'PATCH', path: `/Users/${ada.id}`, body: wrong });
    await connection.call(400, { method: 'PATCH', path: `/Users/${ada.id}`, body: wrongPath });
    await call('Changing a person failed').waitFor();
    await calls().getByText('It changes an attribute that no SCIM schema has.').waitFor();
    await calls().getByText('The error names “extensionAttribute7”.').waitFor();
    await calls()
      .getByText(/delete the line whose target is the attribute that the error names/)
      .waitFor();
    const changed = calls().getByText('Changed a person', { exact: true });
    const before = await changed.count();
    await connection.call(200, entra.rename({ ...ada, familyName: 'Byron' }));
    await changed.nth(before).waitFor();
    await hands.press(page.getByRole('button', { name: 'Pause' }));
    await page.getByText('Paused: new calls are not shown.').waitFor();
    const failed = await logged(`token_id=${connection.tokenId}&failed=true`);
    expect(failed.map(({ scim_type }) => scim_type)).toEqual(['invalidPath']);
    const { body } = await scene.as.lead.get(`/v1/organisations/${scene.orgId}/scim/tokens/${connection.tokenId}`);
    expect(body).toMatchObject({ name: `Microsoft Entra ID by ${kind}`, last_used_at: expect.any(String) as string });
  });

  it.each(HANDS)('revokes a token, and sees what is refused, by %s alone', async (kind) => {
    const { page } = tom;
    const hands = new Hands(page, kind);
    const connection = await ScimConnection.open(scene.test, scene.as.lead, scene.orgId);
    const { body } = await scene.as.lead.get(`/v1/organisations/${scene.orgId}/scim/tokens/${connection.tokenId}`);
    await tom.open(screen('provisioning?tab=tokens'));
    await hands.press(page.getByRole('button', { name: `Revoke ${body.name}` }));
    await page.getByRole('dialog').getByText('It was never used.').waitFor();
    await hands.press(page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }));
    await page.getByText(`${body.name} was revoked.`).waitFor();
    await connection.call(401, { method: 'GET', path: '/Users' });
    await tom.open(screen(`provisioning?tab=calls&token=${connection.tokenId}`));
    await calls().getByText('It came with a token that was revoked.').waitFor();
  });

  it.each(HANDS)('decides about a request for a server, and allows it, by %s alone', async (kind) => {
    const { page } = tom;
    const hands = new Hands(page, kind);
    const search = kind === 'mouse' ? 'mapbox' : 'pubmed';
    const listing = (await scene.as.employee.get(`/v1/mcp/listings?search=${search}`)).body[0];
    if (!listing) throw new Error('The sample catalogue does not have it.');
    const { id, title } = listing;
    const why = `For ${kind}.`;
    const { body: request } = await scene.as.employee.post(`/v1/organisations/${scene.orgId}/server-requests`, {
      listing_id: id,
      why,
    });
    await tom.open(screen('allow-list?tab=requests'));
    const row = page.getByRole('listitem').filter({ hasText: why });
    await hands.press(row.getByRole('button', { name: 'Decide' }));
    await hands.type(page.getByRole('dialog').getByRole('textbox', { name: /^Your answer/ }), 'Go ahead.');
    await hands.press(page.getByRole('dialog').getByRole('button', { name: 'Approve' }));
    await row.waitFor({ state: 'detached' });
    await tom.open(screen('allow-list?tab=requests&status=APPROVED'));
    await hands.press(row.getByRole('link', { name: /^Allow .* now$/ }));
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`${title} gets into the allow list, with its newest version.`).waitFor();
    await hands.press(dialog.getByRole('button', { name: 'Allow', exact: true }));
    await dialog.waitFor({ state: 'detached' });
    await tom.open(screen('allow-list'));
    await page.getByRole('link', { name: title, exact: true }).waitFor();
    const address = `/v1/organisations/${scene.orgId}/server-requests/${request.id}` as const;
    expect((await scene.as.employee.get(address)).body).toMatchObject({ status: 'APPROVED', answer: 'Go ahead.' });
    const isAllowed = async () =>
      (await scene.as.employee.get(`/v1/mcp/listings/${id}/allowances`)).body[0]?.is_allowed;
    expect(await isAllowed()).toBe(true);

    await hands.press(page.getByRole('button', { name: `Stop allowing ${title}` }));
    await dialog.getByText('Nothing else allows it: members cannot use it any more.').waitFor();
    await hands.press(dialog.getByRole('button', { name: 'Disable' }));
    await page.getByText(`${title} was disabled.`).waitFor();
    await page.getByRole('link', { name: title, exact: true }).waitFor({ state: 'detached' });
    expect(await isAllowed()).toBe(false);
  });

  it.each(HANDS)('finds who made a token in the audit log, and takes it with him, by %s alone', async (kind) => {
    const { page } = tom;
    const hands = new Hands(page, kind);
    const name = `=1+1 by ${kind}`;
    await scene.as.lead.post(`/v1/organisations/${scene.orgId}/scim/tokens`, { name });
    await tom.open(screen('audit-log?action=scim_token.created'));
    const entry = page.getByRole('listitem').filter({ hasText: name });
    await hands.press(entry.getByRole('button', { name: /^Show the change/ }));
    await entry.getByRole('row', { name: /^name Added/ }).waitFor();
    await hands.press(entry.getByRole('button', { name: 'Only what was done by Tom Builder' }));
    await page.waitForURL((url) => url.searchParams.has('actor'));
    const link = page.getByRole('link', { name: 'Download as CSV' });
    const [download] = await Promise.all([page.waitForEvent('download'), hands.press(link)]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const lines = Buffer.concat(chunks).toString().split('\r\n');
    expect(download.suggestedFilename()).toMatch(/^audit-log-.*\.csv$/);
    expect(lines.filter((line) => line.includes(`""name"":""${name}""`))).toHaveLength(1);
    expect(lines.slice(1, -1).every((line) => line.includes('"scim_token.created"'))).toBe(true);
  });
});
