import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Browser, Locator } from 'playwright-core';
import { describeInBrowser, openChromium, Visitor } from '../support/chromium';
import { type ConsoleScene, createConsoleScene, PEOPLE } from '../support/console-scene';
import { Hands, HANDS } from '../support/hands';

const EDITORS = [
  ['vscode', 'VS Code'],
  ['cursor', 'Cursor'],
  ['claude-code', 'Claude Code'],
  ['claude-desktop', 'Claude Desktop'],
] as const;

/** The ways into a client, as `install` and `connect` answer them. */
interface Ways {
  link: { prefix: string; encoding: string; content: string } | null;
  command: string | null;
  file: { content: string } | null;
}

/** The texts of these ways. */
interface Texts {
  link: string | null;
  command: string | null;
  file: string | null;
}

describeInBrowser('An employee', () => {
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

  it.each(HANDS)('gets a server that was misspelt into each editor, by %s alone', async (kind) => {
    const { page } = ann;
    const hands = new Hands(page, kind);
    await ann.open('/console/');
    await hands.type(page.getByRole('searchbox', { name: 'Search tool servers' }), 'pubmd');
    await page.keyboard.press('Enter');
    await hands.press(page.getByRole('link', { name: /PubMed/ }));
    await page.getByRole('heading', { level: 1, name: 'PubMed' }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    for (const [client, name] of EDITORS) {
      const { body } = await scene.as.employee.get(`/v1/mcp/listings/${id}/install?client=${client}`);
      const main = page.getByRole('group', { name: 'Add to a client' }).getByRole('button', { name: `Add to ${name}` });
      await hands.press(main);
      const dialog = page.getByRole('dialog');
      expect(await dialog.getByLabel('the command that will run').locator('code').textContent()).toBe(body.runs);
      expect(await waysIn(dialog, hands)).toEqual({ link: null, command: null, file: null });
      await hands.press(dialog.getByRole('button', { name: 'I have checked it, go on' }));
      await dialog.getByRole('heading', { name: `Add it to ${name}` }).waitFor();
      expect(await waysIn(dialog, hands)).toEqual(expected(body));
      await hands.close();
    }
  });

  it.each(HANDS)('connects each client to a bundle, by %s alone', async (kind) => {
    const { page } = ann;
    const hands = new Hands(page, kind);
    await ann.open('/console/');
    await hands.press(page.getByRole('link', { name: 'On call' }).first());
    await hands.press(page.getByRole('link', { name: 'Connect a client' }));
    const panel = page.getByRole('tabpanel');
    for (const [client, name] of [...EDITORS, ['curl', 'curl']] as const) {
      await hands.choose(panel.getByRole('radio', { name, exact: true }));
      const { body } = await scene.as.employee.get(`/v1/bundles/${scene.bundleId}/connect?client=${client}`);
      if (!body.is_possible) {
        await panel.getByRole('heading', { name: `This is not possible with ${name}` }).waitFor();
        continue;
      }
      await panel.getByRole('heading', { name: `Add it to ${name}` }).waitFor();
      expect(await waysIn(panel, hands)).toEqual(expected(body));
      expect(await panel.getByLabel('the address').locator('code').textContent()).toBe(body.endpoint_url);
    }
  });

  it('uses the address of the page with an official client', async () => {
    await ann.open(`/console/bundles/${scene.bundleId}?tab=connect`);
    const address = (await ann.page.getByLabel('the address').locator('code').textContent()) ?? '';
    const wish = { name: 'Laptop', scopes: ['read' as const, 'call' as const] };
    const { body } = await scene.as.lead.post(`/v1/bundles/${scene.bundleId}/access-tokens`, wish);
    const client = new Client({ name: 'employee', version: '1.0.0' });
    const requestInit = { headers: { Authorization: `Bearer ${body.token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit }));
    const { tools } = await client.listTools();
    await client.close();
    expect(tools.length).toBe(scene.upstream.tools.length);
  });
});

/** What the page offers: folded ways are unfolded first. */
async function waysIn(place: Locator, hands: Hands): Promise<Texts> {
  const folded = place.locator('details:not([open]) > summary');
  while ((await folded.count()) > 0) await hands.press(folded.first());
  const textOf = async (label: string) => {
    const block = place.getByLabel(label, { exact: true }).locator('code');
    return (await block.count()) === 0 ? null : await block.textContent();
  };
  const link = place.locator('a[href^="vscode:"], a[href^="cursor:"]');
  return {
    link: (await link.count()) === 0 ? null : await link.getAttribute('href'),
    command: await textOf('the command'),
    file: await textOf('the file'),
  };
}

/** The same as the API answers it, where nothing was typed. */
function expected({ link, command, file }: Ways): Texts {
  const encode = (content: string) => (link?.encoding === 'base64' ? Buffer.from(content).toString('base64') : content);
  return {
    link: link && link.prefix + encodeURIComponent(encode(link.content)),
    command,
    file: file?.content ?? null,
  };
}
