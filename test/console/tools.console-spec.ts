import type { Browser } from 'playwright-core';
import { describeInBrowser, openChromium, Visitor } from '../support/chromium';
import { type ConsoleScene, createConsoleScene, PEOPLE } from '../support/console-scene';
import { eventually } from '../support/eventually';
import { Hands, HANDS } from '../support/hands';

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

  it.each(HANDS)('switches a tool off and takes that back, by %s alone', async (kind) => {
    const { page } = tom;
    const hands = new Hands(page, kind);
    await tom.open(`/console/bundles/${scene.bundleId}?tab=tools`);
    await hands.turn(page.getByRole('switch', { name: /rain_radar/ }));
    await page.getByText(/rain_radar is off/).waitFor();
    expect(await toolNamed('rain_radar')).toMatchObject({ is_enabled: false, state: 'HIDDEN' });
    await hands.press(page.getByRole('button', { name: 'Undo' }));
    await page.getByText('Taken back.').waitFor();
    expect(await toolNamed('rain_radar')).toMatchObject({ is_enabled: true });
  });

  it.each(HANDS)('shows what changed of a held tool, and approves that, by %s alone', async (kind) => {
    const { page } = tom;
    const hands = new Hands(page, kind);
    await change('list_warnings', `Lists the floods of the weather service for a ${kind}.`);
    await tom.open(`/console/bundles/${scene.bundleId}?tab=tools`);
    await hands.press(page.getByRole('link', { name: 'Review' }));
    await page.getByRole('heading', { name: 'What has changed' }).waitFor();
    expect(await page.locator('p ins').allTextContents()).toContainEqual(expect.stringContaining(kind));
    await hands.press(page.getByRole('button', { name: 'Approve', exact: true }));
    await page.getByText('Nothing waits for an approval.').waitFor();
    expect((await toolNamed('list_warnings')).state).toBe('LISTED');
  });

  it.each(HANDS)('fixes an argument and renames a tool, by %s alone', async (kind) => {
    const { page } = tom;
    const hands = new Hands(page, kind);
    const { id } = await toolNamed('get_forecast');
    await scene.as.lead.patch(`/v1/bundles/${scene.bundleId}/tools/${id}`, { name: null, fixed_arguments: null });
    await tom.open(`/console/bundles/${scene.bundleId}?tab=tools&tool=${id}&view=rules`);
    await hands.type(page.getByLabel('Name that clients see'), `weather_${kind}`);
    await hands.pick(page.getByLabel('Fix an argument'), 'day');
    if (kind === 'keyboard') await page.keyboard.press('Enter');
    await hands.type(page.getByLabel('day', { exact: true }), 'today');
    await hands.press(page.getByRole('button', { name: 'Save' }));
    await page.getByText('Saved.').waitFor();
    expect(await toolNamed('get_forecast')).toMatchObject({
      name_override: `weather_${kind}`,
      fixed_arguments: { day: 'today' },
    });
  });

  it.each(HANDS)('tries a tool after a confirmation, by %s alone', async (kind) => {
    const { page } = tom;
    const hands = new Hands(page, kind);
    const { id } = await toolNamed('rain_radar');
    await tom.open(`/console/bundles/${scene.bundleId}?tab=tools&tool=${id}&view=try`);
    await hands.type(page.getByLabel(/^place/), 'Bern');
    await hands.press(page.getByRole('button', { name: 'Run', exact: true }));
    await hands.press(page.getByRole('dialog').getByRole('button', { name: 'Run it' }));
    await page.getByRole('region', { name: 'Answer', exact: true }).waitFor();
  });
});
