import type { Browser } from 'playwright-core';
import { describeInBrowser, openChromium, Visitor } from '../support/chromium';
import { type ConsoleScene, createConsoleScene, PEOPLE } from '../support/console-scene';

describeInBrowser('The endpoint of a bundle and its rules for people', () => {
  let scene: ConsoleScene;
  let browser: Browser;
  let tom: Visitor;
  let bundle: `/v1/bundles/${string}`;

  beforeAll(async () => {
    scene = await createConsoleScene();
    browser = await openChromium();
    tom = await Visitor.arrive(browser, scene.origin);
    await tom.signIn(PEOPLE.lead);
    bundle = `/v1/bundles/${scene.bundleId}`;
  });

  afterAll(async () => {
    await browser.close();
    await scene.close();
  });

  const screen = (tab: string) => `/console/bundles/${scene.bundleId}?tab=${tab}`;
  const press = async (name: string | RegExp, key = 'Enter') => {
    const button = tom.page.getByRole('button', { name }).last();
    await button.focus();
    await tom.page.keyboard.press(key);
  };

  it('says of each problem what mends it, and changes settings by mouse', async () => {
    const { page } = tom;
    await tom.open(screen('endpoint'));
    const problems = page.getByRole('list', { name: 'Problems of the endpoint' });
    await problems.getByText('The server needs values that the bundle does not have.').waitFor();
    await page.getByLabel('As at the server').check();
    await page.getByLabel('Longest name, in characters').fill('12');
    await page.getByText('2 unsaved changes').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter a whole number from 24 to 64.').waitFor();
    await page.getByLabel('Longest name, in characters').fill('32');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The settings were saved.').first().waitFor();
    const { body } = await scene.as.lead.get(`${bundle}/endpoint`);
    expect(body).toMatchObject({ naming: 'PLAIN', name_budget: 32, presentation: 'ALL' });
    expect(tom.complaints).toEqual([]);
  });

  it('turns the endpoint off and on by keyboard alone', async () => {
    const { page } = tom;
    await press('Turn it off');
    await page.getByRole('dialog', { name: 'Turn the endpoint off?' }).waitFor();
    await press('Turn it off');
    await page.getByText('The endpoint is off.').first().waitFor();
    expect((await scene.as.lead.get(`${bundle}/endpoint`)).body.is_enabled).toBe(false);
    await press('Turn it on');
    await page.getByText('The endpoint is on.').first().waitFor();
    expect((await scene.as.lead.get(`${bundle}/endpoint`)).body.is_enabled).toBe(true);
    expect(tom.complaints).toEqual([]);
  });

  it('adds a rule about a person by mouse, and previews it before it is saved', async () => {
    const { page } = tom;
    await tom.open(screen('policies'));
    await page.getByRole('button', { name: 'Add a rule' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a rule' });
    await dialog.getByLabel('Deny').check();
    await dialog.getByLabel('For whom').selectOption('person');
    await dialog.getByRole('combobox', { name: 'Person' }).fill('ann');
    await page.getByRole('option', { name: /Ann Weaver/ }).click();
    await dialog.getByLabel(/Tools, by their name/).fill('get_*');
    await dialog.getByText('1 tool has such a name now: get_forecast.').waitFor();
    await dialog.getByRole('button', { name: 'Take it over' }).click();
    await page.getByText('1 unsaved change').waitFor();
    await page.getByLabel('A person').check();
    await page.getByRole('combobox', { name: 'Person' }).fill('ann');
    await page.getByRole('option', { name: /Ann Weaver/ }).click();
    const lost = page
      .getByRole('list', { name: 'What they may use' })
      .getByRole('listitem')
      .filter({ hasText: 'Lost' });
    await lost.getByText('Rule 1: Ann Weaver may not use what is named “get_*”.').waitFor();
    expect(await lost.count()).toBe(1);
    expect((await scene.as.lead.get(`${bundle}/policies`)).body.rules).toEqual([]);
    await page.getByRole('button', { name: 'Save the rules' }).click();
    await page.getByText('The rules were saved.').first().waitFor();
    const { rules } = (await scene.as.lead.get(`${bundle}/policies`)).body;
    const { id } = (await scene.as.employee.get('/v1/users/me')).body;
    expect(rules).toEqual([
      { effect: 'DENY', subject: { kind: 'person', role: null, id }, tools: 'get_*', hint: null, entry_id: null },
    ]);
    expect(tom.complaints).toEqual([]);
  });

  it('adds a rule by keyboard alone, and puts it on top of what another editor saved meanwhile', async () => {
    const { page } = tom;
    const dialog = page.getByRole('dialog', { name: 'Add a rule' });
    await press('Add a rule');
    await dialog.waitFor();
    await dialog.getByLabel('For whom').focus();
    await page.keyboard.type('A role');
    await dialog.getByLabel('Role').waitFor();
    await press('Take it over');
    await page.getByText('1 unsaved change').waitFor();
    const { body: before } = await scene.as.lead.get(`${bundle}/policies`);
    const theirs = { effect: 'DENY' as const, subject: { kind: 'everyone' as const }, tools: 'rain_*' };
    await scene.as.lead.put(`${bundle}/policies`, { rules: [...before.rules, theirs] }, 200);
    await press('Save the rules');
    await page.getByRole('button', { name: 'Put my changes on top of theirs' }).waitFor();
    await press('Put my changes on top of theirs');
    await press('Save the rules');
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
    const { body } = await scene.as.lead.get(`${bundle}/policies`);
    expect(body.rules.map(({ tools }: { tools: string }) => tools)).toEqual(['get_*', 'rain_*', '*']);
    // Chromium itself writes an answer of 409 to the console.
    expect(tom.complaints.filter((text) => !text.includes('409'))).toEqual([]);
  });

  it('is read by a member without a call that is refused', async () => {
    const ann = await Visitor.arrive(browser, scene.origin);
    await ann.signIn(PEOPLE.employee, screen('endpoint'));
    await ann.page.getByRole('list', { name: 'Servers of the endpoint' }).waitFor();
    expect(await ann.page.getByRole('button', { name: /Save|Turn it|Ask/ }).count()).toBe(0);
    await ann.page.getByRole('tab', { name: 'Rules for people' }).click();
    await ann.page.getByText('Nobody may use what is named “rain_*”.').waitFor();
    expect(await ann.page.getByRole('button', { name: 'Add a rule' }).count()).toBe(0);
    expect(ann.complaints).toEqual([]);
  });
});
