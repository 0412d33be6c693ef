import type { Browser } from 'playwright-core';
import { describeInBrowser, openChromium, Visitor } from '../support/chromium';
import { type ConsoleScene, createConsoleScene, PEOPLE } from '../support/console-scene';

describeInBrowser('Who builds bundles', () => {
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

  it('adds a server to a bundle, and saves it as a version', async () => {
    const { page } = tom;
    const bundle = `/v1/bundles/${scene.bundleId}` as const;
    const before = (await scene.as.lead.get(bundle)).body;
    await tom.open(`/console/bundles/${scene.bundleId}`);
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByRole('searchbox', { name: 'Search servers to add' }).fill('pubmed');
    await page.getByRole('button', { name: 'Add PubMed' }).click();
    await page.getByText('1 change').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL((url) => url.pathname === `/console/bundles/${scene.bundleId}`);
    const { body: after } = await scene.as.lead.get(bundle);
    expect([after.version, after.entry_count]).toEqual([before.version + 1, before.entry_count + 1]);
  });

  it('tries a tool, and finds the call in the record', async () => {
    const { page } = tom;
    await tom.open(`/console/bundles/${scene.bundleId}?tab=tools`);
    await page.getByRole('link', { name: /^Try .*get_forecast/ }).click();
    await page.getByLabel(/^place/).fill('Bonn');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('button', { name: 'Run it', exact: true }).click();
    await page.getByText('{"place":"Bonn"}', { exact: true }).first().waitFor();
    await tom.open(`/console/bundles/${scene.bundleId}?tab=calls`);
    await page.getByRole('button', { name: /get_forecast.*You.*OK/ }).waitFor();
  });
});
