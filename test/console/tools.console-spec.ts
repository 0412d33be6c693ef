import type { Browser } from 'playwright-core';
import { describeInBrowser, openChromium, Visitor } from '../support/chromium';
import { type ConsoleScene, createConsoleScene, PEOPLE } from '../support/console-scene';
import { eventually } from '../support/eventually';

describeInBrowser('Tools under rule in the console', () => {
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

  const toolNamed = async (name: string) => {
    const { body } = await scene.as.lead.get(`/v1/bundles/${scene.bundleId}/tools?search=${name}`);
    const [tool] = body;
    if (!tool) throw new Error(`There is no ${name}.`);
    return tool;
  };

  /** The server changes the description of a tool whose definitions have to be approved. */
  const change = async (name: string, description: string) => {
    const { entry_id: entryId } = await toolNamed(name);
    await scene.as.lead.patch(`/v1/bundles/${scene.bundleId}/entries/${entryId}`, { pinning: 'APPROVE' });
    scene.upstream.tools = scene.upstream.tools.map((tool) => (tool.name === name ? { ...tool, description } : tool));
    await eventually(
      async () => {
        await scene.as.lead.post(`/v1/bundles/${scene.bundleId}/endpoint/refresh`, undefined, 200);
        return (await toolNamed(name)).state;
      },
      (state) => state === 'CHANGED',
      60_000,
    );
  };

  it('switches a tool off and takes that back, by mouse', async () => {
    const { page } = tom;
    await tom.open(`/console/bundles/${scene.bundleId}?tab=tools`);
    await page.getByRole('switch', { name: /rain_radar/ }).click();
    await page.getByText(/rain_radar is off/).waitFor();
    expect(await toolNamed('rain_radar')).toMatchObject({ is_enabled: false, state: 'HIDDEN' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Taken back.').waitFor();
    expect(await toolNamed('rain_radar')).toMatchObject({ is_enabled: true });
  });

  it('shows what changed of a held tool, and approves that, by mouse', async () => {
    const { page } = tom;
    await change('list_warnings', 'Lists the floods of the weather service for a region.');
    await tom.open(`/console/bundles/${scene.bundleId}?tab=tools`);
    await page.getByRole('link', { name: 'Review' }).click();
    await page.getByRole('heading', { name: 'What has changed' }).waitFor();
    expect(await page.locator('p del').textContent()).toContain('warnings');
    expect(await page.locator('p ins').textContent()).toContain('floods');
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByText('Nothing waits for an approval.').waitFor();
    expect((await toolNamed('list_warnings')).state).toBe('LISTED');
  });

  it('fixes an argument and renames a tool, by keyboard', async () => {
    const { page } = tom;
    const { id } = await toolNamed('get_forecast');
    await tom.open(`/console/bundles/${scene.bundleId}?tab=tools&tool=${id}&view=rules`);
    await page.getByLabel('Name that clients see').focus();
    await page.keyboard.type('weather');
    await page.getByLabel('Fix an argument').focus();
    await page.keyboard.type('day');
    await page.keyboard.press('Enter');
    await page.getByLabel('day', { exact: true }).focus();
    await page.keyboard.type('today');
    await page.getByRole('button', { name: 'Save' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Saved.').waitFor();
    expect(await toolNamed('get_forecast')).toMatchObject({
      name_override: 'weather',
      fixed_arguments: { day: 'today' },
    });
  });

  it('tries a tool after a confirmation, by keyboard', async () => {
    const { page } = tom;
    const { id } = await toolNamed('rain_radar');
    await tom.open(`/console/bundles/${scene.bundleId}?tab=tools&tool=${id}&view=try`);
    await page.getByLabel(/^place/).focus();
    await page.keyboard.type('Bern');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Run it' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Answer', exact: true }).waitFor();
  });
});
