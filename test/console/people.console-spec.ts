import type { Browser } from 'playwright-core';
import { describeInBrowser, openChromium, Visitor } from '../support/chromium';
import { type ConsoleScene, createConsoleScene, PEOPLE } from '../support/console-scene';
import { addPublicServer } from '../support/console-scene-people';
import { Hands, HANDS } from '../support/hands';

const REASON = 'It sends what people type to another server.';

describeInBrowser('Administering people and what they publish', () => {
  let scene: ConsoleScene;
  let browser: Browser;
  let root: Visitor;
  let tom: Visitor;

  beforeAll(async () => {
    scene = await createConsoleScene();
    browser = await openChromium();
    root = await Visitor.arrive(browser, scene.origin);
    await root.signIn(PEOPLE.admin);
    tom = await Visitor.arrive(browser, scene.origin);
    await tom.signIn(PEOPLE.lead);
  });

  afterAll(async () => {
    await browser.close();
    await scene.close();
  });

  const stateOf = async (email: string) =>
    (await scene.as.admin.get(`/v1/users?search=${encodeURIComponent(email)}`)).body.map(({ state }) => state);
  const listing = async (id: string) => (await scene.as.lead.get(`/v1/mcp/listings/${id}`)).body;

  it.each(HANDS)('closes an account, which says what follows first, and opens it again, by %s', async (kind) => {
    const { page } = root;
    const hands = new Hands(page, kind);
    await root.open('/console/platform/people?q=eve');
    await page.getByText('In no organisation.').waitFor();
    await hands.command(
      page.getByRole('button', { name: 'Actions for Eve' }),
      page.getByRole('menuitem', { name: 'Close the account' }),
    );
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Nobody can sign in or call with it, at once and everywhere.').waitFor();
    expect(await stateOf(PEOPLE.stranger)).toEqual(['ACTIVE']);
    await hands.press(dialog.getByRole('button', { name: 'Close the account' }));
    await page.getByText('Closed: nobody can sign in or call with it.').waitFor();
    expect(await stateOf(PEOPLE.stranger)).toEqual(['CLOSED']);
    await hands.command(
      page.getByRole('button', { name: 'Actions for Eve' }),
      page.getByRole('menuitem', { name: 'Open it again' }),
    );
    await dialog.getByText(/The person signs in as before/).waitFor();
    await hands.press(dialog.getByRole('button', { name: 'Open it again' }));
    await page.getByText('In no organisation.').waitFor();
    expect(await stateOf(PEOPLE.stranger)).toEqual(['ACTIVE']);
    expect(root.complaints).toEqual([]);
  });

  it('does not leave an organisation without an owner unless that is ticked', async () => {
    const { page } = root;
    await root.open('/console/platform/people?q=tom');
    await page.getByText('Owner of Acme.').waitFor();
    await page.getByRole('button', { name: 'Actions for Tom Builder' }).click();
    await page.getByRole('menuitem', { name: 'Close the account' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('No active owner is left in: Acme.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Close the account' }).isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await stateOf(PEOPLE.lead)).toEqual(['ACTIVE']);
    expect(root.complaints).toEqual([]);
  });

  it.each(HANDS)('archives a server with a reason that its owner sees, and restores it, by %s', async (kind) => {
    const { page } = root;
    const hands = new Hands(page, kind);
    const { id, title } = await addPublicServer(scene);
    await root.open(`/console/platform/moderation?q=${encodeURIComponent(title)}`);
    await hands.press(page.getByRole('button', { name: `Archive ${title}` }));
    const dialog = page.getByRole('dialog');
    await dialog.getByText('It leaves the catalogue and the registry at once.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Archive', exact: true }).isDisabled()).toBe(true);
    await hands.type(dialog.getByLabel('Reason'), REASON);
    await hands.press(dialog.getByRole('button', { name: 'Archive', exact: true }));
    await page.getByRole('button', { name: `Restore ${title}` }).waitFor();
    expect(await listing(id)).toMatchObject({ status: 'ARCHIVED', archived_by: 'PLATFORM', archive_reason: REASON });

    await tom.open(`/console/servers/${id}`);
    await tom.page.getByText(/^Archived by the administrators of the platform/).waitFor();
    await tom.page.getByText(REASON).waitFor();
    expect(tom.complaints).toEqual([]);

    await hands.press(page.getByRole('button', { name: `Restore ${title}` }));
    await dialog.getByText('Entries of bundles work again.').waitFor();
    await hands.press(dialog.getByRole('button', { name: 'Restore', exact: true }));
    await page.getByRole('button', { name: `Archive ${title}` }).waitFor();
    expect(await listing(id)).toMatchObject({ status: 'PUBLISHED', archive_reason: null });
    expect(root.complaints).toEqual([]);
  });

  it('shows the secret of a new client once, and how the instance is', async () => {
    const { page } = root;
    await root.open('/console/platform/clients');
    await page.getByRole('button', { name: 'Create a client' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Reports');
    await dialog.getByLabel('Redirect URIs').fill('https://reports.example.com/callback');
    await dialog.getByRole('button', { name: 'Create the client' }).click();
    await dialog.getByText('The secret is shown only now.').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Actions for Reports' }).waitFor();
    const clients = (await scene.as.admin.get('/v1/oauth-clients')).body;
    expect(clients.map(({ name }) => name)).toEqual(['Reports']);
    await page.getByRole('link', { name: 'Health' }).click();
    await page.getByRole('heading', { name: 'Migrations of the database' }).waitFor();
    expect(root.complaints).toEqual([]);
  });

  it('asks nothing for a member who types the address of a screen', async () => {
    for (const screen of ['moderation', 'people', 'clients', 'health']) {
      await tom.open(`/console/platform/${screen}`);
      await tom.page.getByText('This screen is for the administrators of the platform.').waitFor();
    }
    expect(tom.asked.filter((call) => /platform|oauth-clients|\/users\?/.test(call))).toEqual([]);
    expect(tom.complaints).toEqual([]);
  });
});
