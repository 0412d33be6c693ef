import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, openChromium, Visitor } from '../support/chromium';
import { type ConsoleScene, createConsoleScene, PEOPLE } from '../support/console-scene';
import { addQuarantine } from '../support/console-scene-imports';
import { Hands } from '../support/hands';

const CATEGORIES = '/console/platform/categories';
const IMPORTS = '/console/platform/imports';

describeInBrowser('The catalogue in the hands of its administrators', () => {
  let scene: ConsoleScene;
  let browser: Browser;
  let root: Visitor;
  let page: Page;
  let keys: Hands;

  beforeAll(async () => {
    scene = await createConsoleScene();
    await addQuarantine(scene);
    browser = await openChromium();
    root = await Visitor.arrive(browser, scene.origin);
    await root.signIn(PEOPLE.admin);
    page = root.page;
    keys = new Hands(page, 'keyboard');
  });

  afterAll(async () => {
    await browser.close();
    await scene.close();
  });

  const overview = async () => (await scene.as.admin.get('/v1/mcp/categories/overview')).body.categories;
  const slugs = async () => (await overview()).map(({ slug }) => slug);
  const nameAt = async (place: number) => (await overview())[place]?.name ?? '';
  const documents = async (state: string) =>
    (await scene.as.admin.get(`/v1/mcp/imports/quarantine?state=${state}&limit=100`)).body;
  const versionOf = async (name: string) =>
    (await scene.as.admin.get(`/v1/mcp/listings?search=${encodeURIComponent(name)}`)).body[0];
  const named = (role: 'button' | 'link' | 'menuitem', name: RegExp | string) =>
    page.getByRole(role, { name, ...(typeof name === 'string' && { exact: true }) });
  const press = (role: 'button' | 'link', name: RegExp | string) => keys.press(named(role, name));
  const command = (trigger: string, item: string) => keys.command(named('button', trigger), named('menuitem', item));
  /** Replaces a piece of the document that is being edited. */
  const replaced = async (from: string, to: string) => {
    const text = await page.getByLabel('The document to import').inputValue();
    expect(text).toContain(from);
    return text.replace(from, to);
  };

  it('changes the order by dragging', async () => {
    await root.open(CATEGORIES);
    const before = await slugs();
    const handle = page.getByTitle(`Drag ${await nameAt(1)} to another position`);
    const target = page.getByTitle(`Drag ${await nameAt(3)} to another position`);
    const [from, to] = [await handle.boundingBox(), await target.boundingBox()];
    if (!from || !to) throw new Error('The handles have no place.');
    await page.mouse.move(from.x + 8, from.y + 8);
    await page.mouse.down();
    await page.mouse.move(to.x + 8, to.y + to.height + 8, { steps: 4 });
    await page.mouse.up();
    await page.getByText('1 category moved').waitFor();
    expect(await slugs()).toEqual(before);
    await page.getByRole('button', { name: 'Save the order' }).click();
    await page.getByText('The new order is saved.').waitFor();
    const [first, moved, ...rest] = before;
    expect(await slugs()).toEqual([first, ...rest.slice(0, 2), moved, ...rest.slice(2)]);
    expect(root.complaints).toEqual([]);
  });

  it('changes the order by keyboard, on top of what another administrator saved meanwhile', async () => {
    await root.open(CATEGORIES);
    const name = await nameAt(0);
    const before = await overview();
    await press('button', `Move ${name} down`);
    await page.keyboard.press('Enter');
    await command(`More actions for ${name}`, 'Move to position…');
    await keys.type(page.getByLabel('Position'), '2');
    await page.keyboard.press('Enter');
    await page.getByText(`${name} is at position 2 of ${before.length}.`).waitFor({ state: 'attached' });
    const ids = before.map(({ id }) => id);
    const theirs = [...ids.slice(0, 2), ids.at(-1) ?? 0, ...ids.slice(2, -1)];
    await scene.as.admin.put('/v1/mcp/categories/order', { order: theirs, former_order: ids }, 200);
    await press('button', 'Save the order');
    await page.getByText('Another administrator has changed the categories.').waitFor();
    expect((await overview()).map(({ id }) => id)).toEqual(theirs);
    await press('button', 'Save the order');
    await page.getByText('The new order is saved.').waitFor();
    expect((await overview()).map(({ id }) => id)).toEqual([theirs[1], theirs[0], ...theirs.slice(2)]);
    expect(root.complaints.filter((one) => !one.includes('409'))).toEqual([]);
    root.complaints.length = 0;
  });

  it('merges by mouse, after it has seen what will be moved', async () => {
    await root.open(CATEGORIES);
    const from = (await overview()).find(({ slug }) => slug === 'maps-and-travel');
    const to = (await overview()).find(({ slug }) => slug === 'science-and-research');
    await page.getByRole('button', { name: `More actions for ${from?.name}` }).click();
    await page.getByRole('menuitem', { name: 'Merge into another…' }).click();
    await page.getByLabel('Into which category?').selectOption(to?.slug ?? '');
    await page.getByText(`${from?.listings} of ${from?.listings} listings, by name`).waitFor();
    expect(await slugs()).toContain(from?.slug);
    await page.getByRole('button', { name: `Move ${from?.listings} listings and delete the category` }).click();
    await page.getByText(`${from?.listings} listings of ${from?.name} moved to ${to?.name}.`).waitFor();
    expect(await slugs()).not.toContain(from?.slug);
    const after = (await overview()).find(({ slug }) => slug === to?.slug);
    expect(after?.listings).toBe((from?.listings ?? 0) + (to?.listings ?? 0));
    expect(root.complaints).toEqual([]);
  });

  it('creates, renames, merges and deletes by keyboard alone', async () => {
    await root.open(CATEGORIES);
    await press('button', 'New category');
    await page.getByLabel('Name').waitFor();
    await page.keyboard.type('Ships');
    await page.keyboard.press('Enter');
    await page.getByText('Ships was created, as the last category.').waitFor();
    await press('button', 'Edit Ships');
    await keys.type(page.getByRole('textbox', { name: 'Name', exact: true }), 'Harbours');
    await page.keyboard.press('Enter');
    await page.getByText('Harbours is saved.').waitFor();
    const from = (await overview()).find(({ slug }) => slug === 'payments-and-commerce');
    await command(`More actions for ${from?.name}`, 'Merge into another…');
    await keys.pick(page.getByLabel('Into which category?'), 'Harbours');
    await press('button', `Move ${from?.listings} listings and delete the category`);
    await page.getByText(`moved to Harbours.`).waitFor();
    expect((await overview()).find(({ name }) => name === 'Harbours')).toMatchObject({
      slug: 'ships',
      listings: from?.listings,
    });
    await scene.as.admin.post('/v1/mcp/categories', { name: 'Empty' });
    await page.reload();
    await command('More actions for Empty', 'Delete…');
    await press('button', 'Delete the category');
    await page.getByText('Empty was deleted.').waitFor();
    expect(await slugs()).not.toContain('empty');
    expect(root.complaints).toEqual([]);
  });

  it('finds a quarantined document and mends it by mouse', async () => {
    await root.open(IMPORTS);
    await page.getByLabel(/^Not valid \(4\)/).click();
    await page.getByRole('link', { name: /harbour\/arrivals/ }).click();
    await page
      .getByRole('region', { name: 'Lines of the document' })
      .getByText('Must have at least 1 character.')
      .waitFor();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const area = page.getByLabel('The document to import');
    await area.fill(await replaced('"description": ""', '"description": "Who comes when."'));
    await page.getByRole('button', { name: 'Import the edited document' }).click();
    await page.getByText(/errors? left\. Nothing was imported\./).waitFor();
    await area.fill(
      await replaced('"identifier": 5', '"identifier": "@harbour/arrivals", "transport": { "type": "stdio" }'),
    );
    await page.getByRole('button', { name: 'Import the edited document' }).click();
    await page.getByText('io.github.harbour/arrivals is imported.').waitFor();
    expect(await versionOf('io.github.harbour/arrivals')).toMatchObject({ description: 'Who comes when.' });
    expect((await documents('EDITED')).map(({ name }) => name)).toEqual(['io.github.harbour/arrivals']);
    root.complaints.splice(0, root.complaints.length, ...root.complaints.filter((one) => !one.includes('422')));
    expect(root.complaints).toEqual([]);
  });

  it('mends a long document by keyboard alone, at the place of its error, and dismisses another', async () => {
    await root.open(IMPORTS);
    await press('link', /harbour\/pilots/);
    const lines = page.getByRole('region', { name: 'Lines of the document' });
    await lines.getByText('Must be a string.').waitFor();
    expect(await lines.locator('div').count()).toBeLessThan(200);
    await press('button', /^Go to line 1,610/);
    await press('button', 'Edit');
    const area = page.getByLabel('The document to import');
    await keys.reach(area);
    await page.keyboard.press('Control+End');
    await page.keyboard.type(',');
    await press('button', 'Import the edited document');
    await page.getByText('Here the text stops being JSON.').waitFor();
    // The focus is in the text, at the error.
    await page.keyboard.press('Delete');
    await press('button', 'Import the edited document');
    await page.getByRole('alert').getByText('Must be a string.').waitFor();
    await page.keyboard.type('"identifier": "@harbour/pilots"');
    await press('button', 'Import the edited document');
    await page.getByText('io.github.harbour/pilots is imported.').waitFor();
    expect(await versionOf('io.github.harbour/pilots')).toMatchObject({ name: 'io.github.harbour/pilots' });
    await press('link', /harbour\/logbook/);
    await press('button', 'Dismiss');
    await keys.press(page.getByRole('dialog').getByRole('button', { name: 'Dismiss' }));
    await page.getByText('It is dismissed.').waitFor();
    expect((await documents('DISMISSED')).map(({ name }) => name)).toEqual(['io.github.harbour/logbook']);
    root.complaints.splice(0, root.complaints.length, ...root.complaints.filter((one) => !one.includes('422')));
    expect(root.complaints).toEqual([]);
  });

  it('asks nothing for people who may not see it', async () => {
    const tom = await Visitor.arrive(browser, scene.origin);
    await tom.signIn(PEOPLE.lead);
    for (const path of [CATEGORIES, IMPORTS]) {
      await tom.open(path);
      await tom.page.getByText('This screen is for the administrators of the platform.').waitFor();
    }
    expect(tom.asked.filter((one) => one.includes('/mcp/'))).toEqual([]);
    expect(tom.complaints).toEqual([]);
  });
});
