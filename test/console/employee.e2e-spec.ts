import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Browser } from 'playwright-core';
import { describeInBrowser, openChromium, Visitor } from '../support/chromium';
import { type ConsoleScene, createConsoleScene, PEOPLE } from '../support/console-scene';

describeInBrowser('An employee in the console', () => {
  let scene: ConsoleScene;
  let browser: Browser;
  let ann: Visitor;

  beforeAll(async () => {
    scene = await createConsoleScene();
    browser = await openChromium();
    ann = await Visitor.arrive(browser, scene.origin);
    await ann.signIn(PEOPLE.employee);
  });

  afterAll(async () => {
    await browser.close();
    await scene.close();
  });

  afterEach(() => expect(ann.complaints).toEqual([]));

  it('finds a server in spite of a typing error, and gets the command that the API gives', async () => {
    const { page } = ann;
    await page.getByRole('searchbox', { name: 'Search tool servers' }).fill('pubmd');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('link', { name: /PubMed/ }).click();
    await page.getByRole('heading', { level: 1, name: 'PubMed' }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const { body: install } = await scene.as.employee.get(`/v1/mcp/listings/${id}/install?client=claude-code`);
    await page.getByRole('button', { name: 'Claude Code' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('the command that will run').locator('code').textContent()).toBe(install.runs);
    expect(await dialog.getByLabel('the command', { exact: true }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'I have checked it, go on' }).click();
    expect(await dialog.getByLabel('the command', { exact: true }).locator('code').textContent()).toBe(install.command);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('connects a client to a bundle by what the page says', async () => {
    const { page } = ann;
    await page.getByRole('link', { name: 'Bundles' }).click();
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('link', { name: 'On call' }).first().click();
    await page
      .getByRole('link', { name: 'Connect a client' })
      .or(page.getByRole('button', { name: 'Connect a client' }))
      .click();
    const address = (await page.getByLabel('the address').locator('code').textContent()) ?? '';
    const { body } = await scene.as.lead.post(`/v1/bundles/${scene.bundleId}/access-tokens`, {
      name: 'Laptop',
      scopes: ['read', 'call'],
    });
    const client = new Client({ name: 'employee', version: '1.0.0' });
    const requestInit = { headers: { Authorization: `Bearer ${body.token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit }));
    const { tools } = await client.listTools();
    await client.close();
    expect(tools.map(({ name }) => name).sort()).toEqual(
      scene.upstream.tools.map(({ name }) => expect.stringContaining(String(name)) as string).sort(),
    );
  });

  it('goes everywhere by keyboard', async () => {
    const { page } = ann;
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.type('arxiv');
    await page.getByRole('option', { name: 'arXiv', exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'arXiv' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('requests');
    await page.getByRole('option', { name: 'Requests', exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Requests for servers' }).waitFor();
  });
});
