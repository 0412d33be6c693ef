import type { Browser } from 'playwright-core';
import { describeInBrowser, openChromium, Visitor } from '../support/chromium';
import { type ConsoleScene, createConsoleScene, PEOPLE } from '../support/console-scene';
import { addDirectory } from '../support/console-scene-members';
import { Hands } from '../support/hands';

describeInBrowser('The members of an organisation and their roles', () => {
  let scene: ConsoleScene;
  let browser: Browser;
  let tom: Visitor;

  beforeAll(async () => {
    scene = await createConsoleScene();
    await addDirectory(scene);
    browser = await openChromium();
    tom = await Visitor.arrive(browser, scene.origin);
    await tom.signIn(PEOPLE.lead);
  });

  afterAll(async () => {
    await browser.close();
    await scene.close();
  });

  /** A window by its title: notices are dialogs, too. */
  const titled = (name: string | RegExp) => tom.page.getByRole('dialog', { name });
  const screen = (name: 'members' | 'roles') => `/console/organisations/${scene.orgId}/${name}`;
  const membersFound = async (search: string) =>
    (await scene.as.lead.get(`/v1/organisations/${scene.orgId}/members?search=${encodeURIComponent(search)}`)).body;
  const mappings = async () => (await scene.as.lead.get(`/v1/organisations/${scene.orgId}/scim/role-mappings`)).body;

  it('are mapped, explained and invited by mouse', async () => {
    const { page } = tom;
    await tom.open(screen('roles'));
    await page.getByRole('button', { name: 'Map a group' }).click();
    const form = titled('Map a group to a role');
    await form.getByLabel('Group of the directory').fill('plat');
    await page.getByRole('option', { name: /Platform engineers/ }).click();
    await form.getByRole('radio', { name: 'Administrator' }).click();
    const foretold = form.getByRole('row', { name: /Grace Hopper/ });
    await foretold.getByText('Member → Administrator').waitFor();
    await foretold.getByText('By the group “Platform engineers”').waitFor();
    expect(await mappings()).toEqual([]);
    await form.getByRole('button', { name: 'Map the group' }).click();
    await form.waitFor({ state: 'detached' });
    expect(await mappings()).toMatchObject([{ group_name: 'Platform engineers', role: 'ADMIN' }]);
    expect(await membersFound('grace')).toMatchObject([{ role: 'ADMIN', reason: 'mapping' }]);

    await page.getByRole('link', { name: 'Members', exact: true }).click();
    await page.getByLabel('Search by name or address').fill('grace');
    await page.waitForURL((url) => url.searchParams.get('q') === 'grace');
    const grace = page.getByRole('listitem').filter({ hasText: 'Grace Hopper' });
    await grace.getByText('The group “Platform engineers” of the directory gives this role.').waitFor();
    await page.getByRole('button', { name: 'Explain the role of Grace Hopper' }).click();
    const explanation = titled('Why Grace Hopper has this role');
    await explanation.getByRole('img', { name: 'From the person to the role' }).waitFor();
    await explanation.getByRole('row', { name: /Group Platform engineers.*Administrator.*decides/ }).waitFor();
    await explanation.getByRole('button', { name: 'Close' }).click();

    await page.getByRole('button', { name: 'Invite a person' }).click();
    await page.getByLabel('E-mail address').fill(PEOPLE.stranger);
    await page.getByRole('button', { name: 'Send the invitation' }).click();
    await page.getByRole('button', { name: `Revoke the invitation of ${PEOPLE.stranger}` }).waitFor();
    const eve = await Visitor.arrive(browser, scene.origin);
    await eve.signIn(PEOPLE.stranger);
    await eve.page.getByRole('button', { name: 'Accept the invitation of Acme' }).click();
    await eve.page.getByRole('link', { name: 'Organisation', exact: true }).waitFor();
    expect(await membersFound('eve')).toMatchObject([{ role: 'MEMBER', reason: 'manual' }]);
    expect([...tom.complaints, ...eve.complaints]).toEqual([]);
  });

  it('are mapped, explained and invited by keyboard alone', async () => {
    const { page } = tom;
    const keys = new Hands(page, 'keyboard');
    const press = (name: string) => keys.press(page.getByRole('button', { name, exact: true }));
    await tom.open(screen('roles'));
    await page.getByRole('button', { name: 'Map a group' }).waitFor();
    await press('Map a group');
    const form = titled('Map a group to a role');
    await form.getByRole('radio', { name: 'One of the directory' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('supp');
    await page.getByRole('option', { name: /Support team/ }).waitFor();
    await page.keyboard.press('Enter');
    await keys.choose(form.getByRole('radio', { name: 'Administrator' }));
    await form.getByRole('row', { name: /Alan Turing/ }).waitFor();
    await press('Map the group');
    await form.waitFor({ state: 'detached' });
    expect(await membersFound('alan')).toMatchObject([
      { role: 'ADMIN', reason: 'mapping', group_name: 'Support team' },
    ]);

    await press('Remove the role of the group Support team');
    const removal = titled('Remove the role of the group Support team');
    await removal.getByText('Administrator → Member').first().waitFor();
    await press('Remove the role');
    await removal.waitFor({ state: 'detached' });
    expect(await membersFound('alan')).toMatchObject([{ role: 'MEMBER', reason: 'default_role' }]);

    await keys.press(page.getByRole('link', { name: 'Members', exact: true }));
    await keys.type(page.getByLabel('Search by name or address'), 'ada');
    await page.getByRole('button', { name: 'Explain the role of Ada Lovelace' }).waitFor();
    await press('Explain the role of Ada Lovelace');
    const explanation = titled('Why Ada Lovelace has this role');
    await explanation.getByRole('row', { name: /Group Platform engineers/ }).waitFor();
    await page.keyboard.press('Escape');
    await explanation.waitFor({ state: 'detached' });
    await press('Invite a person');
    await titled('Invite a person').getByLabel('E-mail address').waitFor();
    await page.keyboard.type(PEOPLE.admin);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: `Revoke the invitation of ${PEOPLE.admin}` }).waitFor();
    await press(`Revoke the invitation of ${PEOPLE.admin}`);
    await press('Revoke the invitation');
    await titled(/^Revoke/).waitFor({ state: 'detached' });
    const { body } = await scene.as.lead.get(`/v1/organisations/${scene.orgId}/invitations?status=REVOKED`);
    expect(body).toMatchObject([{ email: PEOPLE.admin }]);

    await scene.as.lead.post(`/v1/organisations/${scene.orgId}/members`, { email: PEOPLE.admin, role: 'MEMBER' });
    const root = await Visitor.arrive(browser, scene.origin);
    await root.signIn(PEOPLE.admin);
    const accept = root.page.getByRole('button', { name: 'Accept the invitation of Acme' });
    await new Hands(root.page, 'keyboard').press(accept);
    await root.page.getByRole('link', { name: 'Organisation', exact: true }).waitFor();
    expect(await membersFound('root')).toMatchObject([{ role: 'MEMBER', reason: 'manual' }]);
    expect([...tom.complaints, ...root.complaints]).toEqual([]);
  });

  it('are read by members, who are asked for nothing that they may not see', async () => {
    const ann = await Visitor.arrive(browser, scene.origin);
    await ann.signIn(PEOPLE.employee, screen('members'));
    await ann.page.getByText('Tom Builder').waitFor();
    expect(await ann.page.getByRole('button', { name: 'Invite a person' }).count()).toBe(0);
    expect(await ann.page.getByRole('button', { name: /^Explain the role/ }).count()).toBe(0);
    await ann.open(screen('roles'));
    await ann.page.getByText('This screen is for the administrators and owners of the organisation.').waitFor();
    expect(ann.asked.filter((call) => /scim|invitations/.test(call))).toEqual([]);
    expect(ann.complaints).toEqual([]);
  });
});
