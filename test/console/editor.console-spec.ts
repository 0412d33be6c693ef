import type { Browser } from 'playwright-core';
import { describeInBrowser, openChromium, Visitor } from '../support/chromium';
import { type ConsoleScene, createConsoleScene, PEOPLE } from '../support/console-scene';
import { Hands, HANDS } from '../support/hands';

describeInBrowser('The editor of a bundle', () => {
  let scene: ConsoleScene;
  let browser: Browser;
  let tom: Visitor;
  let bundles = 0;

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

  /** @returns the id of a bundle with three servers of the catalogue, and their titles in their order */
  const createBundle = async () => {
    const { body: listings } = await scene.as.lead.get('/v1/mcp/listings?limit=3');
    const names: string[] = listings.map(({ title }: { title: string }) => title);
    const { body: bundle } = await scene.as.lead.post('/v1/bundles', {
      name: `Edited ${++bundles}`,
      org_id: scene.orgId,
    });
    const entries = listings.map(({ id }: { id: string }) => ({ listing_id: id }));
    await scene.as.lead.put(`/v1/bundles/${bundle.id}/entries`, { entries }, 200);
    return { id: String(bundle.id), names };
  };
  const entriesOf = async (id: string) => (await scene.as.lead.get(`/v1/bundles/${id}/entries`)).body;
  const namesOf = async (id: string) => (await entriesOf(id)).map(({ listing_title }) => listing_title);
  const isBack = (id: string) => tom.page.waitForURL((url) => url.pathname === `/console/bundles/${id}`);

  it('adds and drags by mouse, undoes, and saves one version', async () => {
    const { page } = tom;
    const { id, names } = await createBundle();
    const [first = '', second = '', third = ''] = names;
    await tom.open(`/console/bundles/${id}/edit`);
    await page.getByRole('searchbox', { name: 'Search servers to add' }).fill('mapbox');
    await page
      .getByRole('button', { name: /^Add Mapbox/ })
      .first()
      .waitFor();
    await page.waitForURL((url) => url.searchParams.get('q') === 'mapbox');
    await page
      .getByRole('button', { name: /^Add Mapbox/ })
      .first()
      .click();
    const handle = page.getByTitle(`Drag ${first} to another position`);
    const target = page.getByTitle(`Drag ${third} to another position`);
    const [from, to] = [await handle.boundingBox(), await target.boundingBox()];
    if (!from || !to) throw new Error('The handles have no place.');
    await page.mouse.move(from.x + 8, from.y + 8);
    await page.mouse.down();
    await page.mouse.move(to.x + 8, to.y + to.height + 12, { steps: 4 });
    await page.mouse.up();
    await page.getByText(`${first} is at position 3 of 4.`).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: `More actions for ${second}` }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByText('3 changes').waitFor();
    await page.getByRole('button', { name: `Undo the changes of ${second}` }).click();
    await page.reload();
    await page.getByText('2 changes').waitFor();
    expect(await namesOf(id)).toEqual(names);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await isBack(id);
    const saved = await namesOf(id);
    expect(saved.filter((name) => name !== second).slice(0, 2)).toEqual([third, first]);
    expect(saved).toContain(second);
    expect(await namesOf(id)).toHaveLength(4);
    expect(tom.complaints).toEqual([]);
  });

  it('moves and disables by keyboard alone, and asks before leaving', async () => {
    const { page } = tom;
    const { id, names } = await createBundle();
    const [first = '', second = '', third = ''] = names;
    const keys = new Hands(page, 'keyboard');
    await tom.open(`/console/bundles/${id}/edit`);
    await keys.press(page.getByRole('button', { name: `Move ${first} down` }));
    await page.getByText(`${first} is at position 2 of 3.`).waitFor({ state: 'attached' });
    await page.keyboard.press('Enter');
    await page.getByText(`${first} is at position 3 of 3.`).waitFor({ state: 'attached' });
    const actions = page.getByRole('button', { name: `More actions for ${second}` });
    await keys.command(actions, page.getByRole('menuitem', { name: 'Disable' }));
    await page.getByText('2 changes').waitFor();
    await keys.press(page.getByRole('link', { name: 'Back to the bundle' }));
    await keys.press(page.getByRole('button', { name: 'Stay' }));
    await keys.press(page.getByRole('button', { name: 'Save', exact: true }));
    await isBack(id);
    const entries = await entriesOf(id);
    expect(entries.map(({ listing_title }) => listing_title)).toEqual([second, third, first]);
    expect(entries.map(({ is_enabled }) => is_enabled)).toEqual([false, true, true]);
    expect(tom.complaints).toEqual([]);
  });

  it.each(HANDS)('builds a bundle of twelve with an input and a note, by %s alone', async (kind) => {
    const { page } = tom;
    const hands = new Hands(page, kind);
    const { body: bundle } = await scene.as.lead.post('/v1/bundles', { name: `Twelve ${kind}`, org_id: scene.orgId });
    await tom.open(`/console/bundles/${bundle.id}/edit`);
    const search = page.getByRole('searchbox', { name: 'Search servers to add' });
    await hands.type(search, 'server-git');
    await page.waitForURL((url) => url.searchParams.get('q') === 'server-git');
    await hands.press(page.getByRole('button', { name: /^Add Git$/ }));
    await hands.type(search, 'io.github');
    await page.waitForURL((url) => url.searchParams.get('q') === 'io.github');
    for (let count = 2; count <= 12; count++) {
      await hands.press(page.getByRole('button', { name: /^Add / }).first());
      await page.getByText(`${count} changes`).waitFor();
    }
    await hands.press(page.getByRole('button', { name: 'Settings of Git' }));
    const dialog = page.getByRole('dialog');
    await hands.type(dialog.getByLabel(/^--repository/), '/srv/notes');
    await hands.press(dialog.getByRole('button', { name: 'Done' }));
    const changes = page.getByRole('region', { name: 'Changes that are not saved' });
    expect(await changes.getByText(/^Added: /).count()).toBe(12);
    await hands.type(page.getByLabel('Why'), 'For the first day at work.');
    await hands.press(page.getByRole('button', { name: 'Save', exact: true }));
    await isBack(bundle.id);
    const entries = await entriesOf(bundle.id);
    expect(entries).toHaveLength(12);
    expect(entries[0]?.config).toEqual({ variables: { '--repository': '/srv/notes' } });
    const { body: versions } = await scene.as.lead.get(`/v1/bundles/${bundle.id}/versions`);
    expect(versions[0]).toMatchObject({ note: 'For the first day at work.', changes: { added: 12 } });
    expect(tom.complaints).toEqual([]);
  });

  it.each(HANDS)(
    'merges what another person saved meanwhile, and asks about what both changed, by %s',
    async (kind) => {
      const { page } = tom;
      const hands = new Hands(page, kind);
      const { id, names } = await createBundle();
      const [first = '', second = ''] = names;
      await tom.open(`/console/bundles/${id}/edit`);
      for (const name of [first, second]) {
        await hands.press(page.getByRole('button', { name: `Settings of ${name}` }));
        await hands.pick(page.getByLabel('Whose account it uses'), 'That of each person');
        await hands.press(page.getByRole('button', { name: 'Done' }));
      }
      const [one, two] = await entriesOf(id);
      const update = [
        { id: one?.id ?? '', credential_mode: 'SHARED' as const },
        { id: two?.id ?? '', is_enabled: false },
      ];
      await scene.as.lead.patch(`/v1/bundles/${id}/entries`, { update });
      await hands.press(page.getByRole('button', { name: 'Save', exact: true }));
      const dialog = page.getByRole('dialog');
      await dialog.getByText('1 choice left').waitFor();
      await hands.choose(dialog.getByLabel(/^Theirs: /));
      await hands.press(dialog.getByRole('button', { name: 'Save the merge' }));
      await isBack(id);
      expect(await entriesOf(id)).toMatchObject([
        { credential_mode: 'SHARED', is_enabled: true },
        { credential_mode: 'PERSONAL', is_enabled: false },
        { credential_mode: 'NONE' },
      ]);
      // Chromium itself writes an answer of 409 to the console.
      expect(tom.complaints.splice(0).filter((text) => !text.includes('409'))).toEqual([]);
    },
  );
});
