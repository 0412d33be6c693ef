import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, openChromium, Visitor } from '../support/chromium';
import { type ConsoleScene, createConsoleScene, PEOPLE } from '../support/console-scene';

describeInBrowser('Calls, tokens, deployments and versions of a bundle in the console', () => {
  let scene: ConsoleScene;
  let browser: Browser;
  let tom: Visitor;
  let bundle: `/v1/bundles/${string}`;
  const at = (tab: string) => `/console/bundles/${scene.bundleId}?tab=${tab}`;

  beforeAll(async () => {
    scene = await createConsoleScene();
    bundle = `/v1/bundles/${scene.bundleId}`;
    browser = await openChromium();
    tom = await Visitor.arrive(browser, scene.origin);
    await tom.signIn(PEOPLE.lead);
  });

  afterAll(async () => {
    await browser.close();
    await scene.close();
  });

  afterEach(() => expect(tom.complaints).toEqual([]));

  it('creates a token that the settings of a client have by themselves, and shows its calls as they come', async () => {
    const { page } = tom;
    await tom.open(at('tokens'));
    await page.getByRole('button', { name: 'Create an access token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('What it is for').fill('Laptop');
    await dialog.getByRole('button', { name: 'Create an access token' }).click();
    const token = (await dialog.getByLabel('the access token', { exact: true }).textContent()) ?? '';
    await dialog.getByRole('link', { name: 'Set up a client with it' }).click();
    const field = page.getByRole('textbox', { name: /^TOKEN/ });
    await field.waitFor();
    expect(await field.inputValue()).toBe(token);

    const address = (await page.getByLabel('the address').locator('code').textContent()) ?? '';
    await page.getByRole('tab', { name: 'Calls' }).click();
    await page.getByText('Nothing was called in this period.').waitFor();
    const client = new Client({ name: 'laptop', version: '1.0.0' });
    const requestInit = { headers: { Authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit }));
    const { tools } = await client.listTools();
    const name = tools[0]?.name ?? '';
    await client.callTool({ name, arguments: {} });
    const row = page.getByRole('button', { name: new RegExp(`${name}.*Token Laptop.*laptop`) });
    await row.click();
    const detail = page.getByRole('region', { name: `Details of the call of ${name}` });
    await detail.getByText('Nothing of them was recorded').waitFor();

    const { body: calls } = await scene.as.lead.get(`${bundle}/calls`);
    expect(await detail.getByText(calls[0]?.request_id ?? '').count()).toBe(1);

    // What comes while a person reads does not push it away.
    await client.callTool({ name, arguments: {} });
    await page.getByRole('button', { name: '1 new call' }).click();
    await detail.waitFor({ state: 'detached' });
    await row.nth(1).waitFor();
    await client.close();

    await page.getByRole('radio', { name: 'By person' }).click();
    await page.getByRole('button', { name: 'Only calls of Token Laptop' }).click();
    await page.getByRole('button', { name: 'Clear the filter' }).waitFor();
    const principal = calls[0]?.principal.id ?? '';
    expect(new URL(page.url()).searchParams.get('person')).toBe(principal);

    await page.getByRole('radio', { name: 'Over time' }).click();
    await page.getByRole('img', { name: 'Chart: Calls and errors.' }).waitFor();
    await page.getByRole('button', { name: 'Calls and errors as a table' }).click();
    await page.getByRole('group', { name: 'Calls and errors' }).getByRole('cell', { name: '2', exact: true }).waitFor();
  });

  it('revokes a token by keyboard', async () => {
    const { page } = tom;
    await tom.open(at('tokens'));
    await page.getByRole('button', { name: 'Revoke Laptop' }).waitFor();
    await tabTo(page, 'Revoke Laptop');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await tabTo(page, 'Revoke');
    await page.keyboard.press('Enter');
    await page.getByText('This bundle has no access token yet.').waitFor();
    expect((await scene.as.lead.get(`${bundle}/access-tokens`)).body).toEqual([]);
  });

  it('adds a deployment, and moves it when the bundle has a newer version', async () => {
    const { page } = tom;
    await tom.open(at('deployments'));
    await page.getByRole('button', { name: 'Add a deployment' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Desk');
    await dialog.getByLabel('Environment').fill('production');
    await dialog.getByLabel('Version of the bundle').fill('99');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByText('Enter a number from 1 to').waitFor();
    await dialog.getByLabel('Version of the bundle').fill('2');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    const { body: bundleNow } = await scene.as.lead.get(bundle);
    const { body: added } = await scene.as.lead.get(`${bundle}/deployments`);
    expect(added).toMatchObject([{ name: 'Desk', environment: 'production', kind: 'ENDPOINT', bundle_version: 2 }]);

    await page.getByRole('button', { name: /^Move Desk to version/ }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Move to version/ })
      .click();
    await page.getByText('the latest').waitFor();
    const { body: moved } = await scene.as.lead.get(`${bundle}/deployments`);
    expect(moved).toMatchObject([{ bundle_version: bundleNow.version }]);
  });

  it('restores a version by keyboard, after a look at what changes', async () => {
    const { page } = tom;
    const { body: before } = await scene.as.lead.get(bundle);
    await tom.open(at('versions'));
    await page.getByRole('link', { name: 'Restore version 2…' }).waitFor();
    await tabTo(page, 'Restore version 2…');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Removed' }).waitFor();

    // Another person changes the bundle meanwhile.
    const { body: entries } = await scene.as.lead.get(`${bundle}/entries`);
    await scene.as.lead.delete(`${bundle}/entries/${entries.at(-1)?.id}`);
    await tabTo(page, 'Restore version 2');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing was restored.').waitFor();
    // Chromium reports the refusal, which is what the page is to show.
    expect(tom.complaints.splice(0)).toEqual([expect.stringContaining('409')]);
    await tabTo(page, 'Look at the changes again');
    await page.keyboard.press('Enter');
    await page.getByText(`compared with now, version ${before.version + 1}`).waitFor();
    await page.getByRole('button', { name: 'Restore version 2', exact: true }).waitFor();
    await tabTo(page, 'Restore version 2');
    await page.keyboard.press('Enter');
    await page.getByText(`Version 2 was restored as version ${before.version + 2}.`).waitFor();
    const { body: versions } = await scene.as.lead.get(`${bundle}/versions`);
    expect(versions[0]).toMatchObject({ number: before.version + 2, action: 'RESTORED', restored_from: 2 });
  });

  it('says to a member who could see calls and tokens, and asks for nothing that is refused', async () => {
    const ann = await Visitor.arrive(browser, scene.origin);
    await ann.signIn(PEOPLE.employee, at('calls'));
    await ann.page.getByText('Who called what is for those who may change the bundle.').waitFor();
    expect(await ann.page.getByRole('tab', { name: 'Tokens' }).count()).toBe(0);
    await ann.open(at('tokens'));
    await ann.page.getByText('Access tokens are for those who may change the bundle.').waitFor();
    await ann.page.getByRole('tab', { name: 'Deployments' }).click();
    await ann.page.getByText('Desk').waitFor();
    expect(await ann.page.getByRole('button', { name: /Change|Remove|Move|Add/ }).count()).toBe(0);
    expect(ann.complaints).toEqual([]);
  });
});

const MAX_STEPS = 120;

/** Goes with the Tab key to the control of this name, as a person without a mouse does. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let step = 0; step < MAX_STEPS; step++) {
    await page.keyboard.press('Tab');
    const label = await page.evaluate(
      `(document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '').trim()`,
    );
    if (label === name) return;
  }
  throw new Error(`The keyboard does not reach “${name}”.`);
}
