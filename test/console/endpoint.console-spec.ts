import type { Browser } from 'playwright-core';
import { describeInBrowser, openChromium, Visitor } from '../support/chromium';
import { type ConsoleScene, createConsoleScene, PEOPLE } from '../support/console-scene';
import { Hands, HANDS } from '../support/hands';

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
  const button = (name: string) => tom.page.getByRole('button', { name }).last();

  describe.each(HANDS)('by %s alone', (kind) => {
    let hands: Hands;

    beforeEach(async () => {
      hands = new Hands(tom.page, kind);
      await scene.as.lead.patch(`${bundle}/endpoint`, { naming: 'PREFIX', name_budget: 64 });
      await scene.as.lead.put(`${bundle}/policies`, { rules: [] }, 200);
    });

    it('says of each problem what mends it, and changes settings', async () => {
      const { page } = tom;
      await tom.open(screen('endpoint'));
      const problems = page.getByRole('list', { name: 'Problems of the endpoint' });
      await problems.getByText('The server needs values that the bundle does not have.').waitFor();
      await hands.choose(page.getByLabel('As at the server'));
      await hands.type(page.getByLabel('Longest name, in characters'), '12');
      await page.getByText('2 unsaved changes').waitFor();
      await hands.press(page.getByRole('button', { name: 'Save' }));
      await page.getByText('Enter a whole number from 24 to 64.').waitFor();
      await hands.type(page.getByLabel('Longest name, in characters'), '32');
      await hands.press(page.getByRole('button', { name: 'Save' }));
      await page.getByText('The settings were saved.').first().waitFor();
      const { body } = await scene.as.lead.get(`${bundle}/endpoint`);
      expect(body).toMatchObject({ naming: 'PLAIN', name_budget: 32, presentation: 'ALL' });
      expect(tom.complaints).toEqual([]);
    });

    it('turns the endpoint off and on', async () => {
      const { page } = tom;
      await tom.open(screen('endpoint'));
      await hands.press(button('Turn it off'));
      const dialog = page.getByRole('dialog', { name: 'Turn the endpoint off?' });
      await hands.press(dialog.getByRole('button', { name: 'Turn it off' }));
      await page.getByText('The endpoint is off.').first().waitFor();
      expect((await scene.as.lead.get(`${bundle}/endpoint`)).body.is_enabled).toBe(false);
      await hands.press(button('Turn it on'));
      await page.getByText('The endpoint is on.').first().waitFor();
      expect((await scene.as.lead.get(`${bundle}/endpoint`)).body.is_enabled).toBe(true);
      expect(tom.complaints).toEqual([]);
    });

    it('adds a rule about a person, and previews it before it is saved', async () => {
      const { page } = tom;
      await tom.open(screen('policies'));
      await hands.press(page.getByRole('button', { name: 'Add a rule' }));
      const dialog = page.getByRole('dialog', { name: 'Add a rule' });
      const ann = page.getByRole('option', { name: /Ann Weaver/ });
      await hands.choose(dialog.getByLabel('Deny'));
      await hands.pick(dialog.getByLabel('For whom'), 'A person');
      await hands.find(dialog.getByRole('combobox', { name: 'Person' }), 'ann', ann);
      await hands.type(dialog.getByLabel(/Tools, by their name/), 'get_*');
      await dialog.getByText('1 tool has such a name now: get_forecast.').waitFor();
      await hands.press(dialog.getByRole('button', { name: 'Take it over' }));
      await page.getByText('1 unsaved change').waitFor();
      await hands.choose(page.getByLabel('A person'));
      await hands.find(page.getByRole('combobox', { name: 'Person' }), 'ann', ann);
      const lost = page
        .getByRole('list', { name: 'What they may use' })
        .getByRole('listitem')
        .filter({ hasText: 'Lost' });
      await lost.getByText('Rule 1: Ann Weaver may not use what is named “get_*”.').waitFor();
      expect(await lost.count()).toBe(1);
      expect((await scene.as.lead.get(`${bundle}/policies`)).body.rules).toEqual([]);
      await hands.press(page.getByRole('button', { name: 'Save the rules' }));
      await page.getByText('The rules were saved.').first().waitFor();
      const { rules } = (await scene.as.lead.get(`${bundle}/policies`)).body;
      const { id } = (await scene.as.employee.get('/v1/users/me')).body;
      expect(rules).toEqual([
        { effect: 'DENY', subject: { kind: 'person', role: null, id }, tools: 'get_*', hint: null, entry_id: null },
      ]);
      expect(tom.complaints).toEqual([]);
    });

    it('puts a rule on top of what another editor saved meanwhile', async () => {
      const { page } = tom;
      const dialog = page.getByRole('dialog', { name: 'Add a rule' });
      await tom.open(screen('policies'));
      await hands.press(button('Add a rule'));
      await hands.pick(dialog.getByLabel('For whom'), 'A role');
      await dialog.getByLabel('Role').waitFor();
      await hands.press(dialog.getByRole('button', { name: 'Take it over' }));
      await page.getByText('1 unsaved change').waitFor();
      const theirs = { effect: 'DENY' as const, subject: { kind: 'everyone' as const }, tools: 'rain_*' };
      await scene.as.lead.put(`${bundle}/policies`, { rules: [theirs] }, 200);
      await hands.press(button('Save the rules'));
      await hands.press(button('Put my changes on top of theirs'));
      await hands.press(button('Save the rules'));
      await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
      const { body } = await scene.as.lead.get(`${bundle}/policies`);
      expect(body.rules.map(({ tools }: { tools: string }) => tools)).toEqual(['rain_*', '*']);
      // Chromium itself writes an answer of 409 to the console.
      expect(tom.complaints.splice(0).filter((text) => !text.includes('409'))).toEqual([]);
    });
  });

  it('is read by a member without a call that is refused', async () => {
    const rules = [{ effect: 'DENY' as const, subject: { kind: 'everyone' as const }, tools: 'rain_*' }];
    await scene.as.lead.put(`${bundle}/policies`, { rules }, 200);
    const ann = await Visitor.arrive(browser, scene.origin);
    await ann.signIn(PEOPLE.employee, screen('endpoint'));
    await ann.page.getByRole('list', { name: 'Servers of the endpoint' }).waitFor();
    expect(await ann.page.getByRole('button', { name: /Save|Turn it|Ask/ }).count()).toBe(0);
    await ann.open(screen('policies'));
    await ann.page.getByText('Nobody may use what is named “rain_*”.').waitFor();
    expect(await ann.page.getByRole('button', { name: 'Add a rule' }).count()).toBe(0);
    expect(ann.complaints).toEqual([]);
  });
});
