import type { Browser } from 'playwright-core';
import { describeInBrowser, openChromium, Visitor } from '../support/chromium';
import { type ConsoleScene, createConsoleScene, PEOPLE } from '../support/console-scene';
import { allowLocalReceivers } from '../support/console-scene-webhooks';
import { createDelivery, createEvent } from '../support/deliveries';
import { eventually } from '../support/eventually';
import { createEndpoint } from '../support/factories';
import { Hands, HANDS, type HandsKind } from '../support/hands';
import { type Handler, Receiver, verified } from '../support/receiver';

const BROKEN: Handler = (_, response) => response.writeHead(503).end('Down for maintenance');
const MENDED: Handler = (_, response) => response.writeHead(204).end();
const HOUR_MS = 3_600_000;
const LATEST_MS = 30_000;

describeInBrowser('The webhooks of an organisation', () => {
  let scene: ConsoleScene;
  let browser: Browser;
  let tom: Visitor;
  let receiver: Receiver;

  beforeAll(async () => {
    scene = await createConsoleScene();
    allowLocalReceivers(scene);
    browser = await openChromium();
    tom = await Visitor.arrive(browser, scene.origin);
    await tom.signIn(PEOPLE.lead);
  });

  afterAll(async () => {
    await browser.close();
    await scene.close();
  });

  beforeEach(async () => (receiver = await Receiver.start(BROKEN)));
  afterEach(() => receiver.close());

  /** @returns an endpoint whose receiver is broken: one attempt has failed, and three deliveries have failed for good */
  const createFailing = async (path: string) => {
    const { lead } = scene.as;
    const target_url = `${receiver.url}/${path}`;
    const endpoint = await createEndpoint(lead, { org_id: scene.orgId, target_url, description: path });
    for (const hours of [1, 2, 3]) {
      const at = new Date(Date.now() - hours * HOUR_MS);
      // Nothing subscribes to it, so the worker makes no delivery of it.
      const eventId = await createEvent(
        scene.test.dataSource,
        { orgId: scene.orgId },
        { type: 'listing.published', at },
      );
      await createDelivery(scene.test.dataSource, endpoint.id, {
        eventId,
        at,
        type: 'listing.published',
        status: 'FAILED',
        attemptCount: 10,
        responseStatus: 503,
        error: 'http_status',
        lastAttemptAt: at,
      });
    }
    await lead.post('/v1/bundles', { name: `Bundle of ${path}`, org_id: scene.orgId });
    const failures = async () => (await lead.get(`/v1/webhooks/${endpoint.id}/stats`)).body.totals.failed;
    await eventually(failures, (count) => count > 0, LATEST_MS);
    return endpoint;
  };

  const mends = async (kind: HandsKind) => {
    const { page } = tom;
    const hands = new Hands(page, kind);
    const name = `by-${kind}`;
    const { lead } = scene.as;
    const endpoint = await createFailing(name);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
    tom.complaints.length = 0;

    await tom.open(`/console/organisations/${scene.orgId}/webhooks`);
    const row = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: new RegExp(`/${name}$`) }) });
    await row.getByText('Failing', { exact: true }).waitFor();
    await row.getByRole('img', { name: /0 delivered, [1-9]\d* failed/ }).waitFor();
    await hands.press(row.getByRole('button', { name: /as a table$/ }));
    await page.getByRole('dialog').getByRole('columnheader', { name: 'Failed' }).waitFor();
    await page.keyboard.press('Escape');
    await hands.press(row.getByRole('link', { name: new RegExp(`/${name}$`) }));
    await page.getByRole('heading', { name: 'This endpoint is failing' }).waitFor();
    await hands.press(page.getByRole('link', { name: 'Look at what failed' }));

    const deliveries = page.getByRole('list', { name: 'Deliveries' }).getByRole('button');
    await deliveries.nth(2).waitFor();
    expect(await deliveries.count()).toBe(3);
    await hands.press(deliveries.first());
    const inspector = page.getByRole('dialog');
    await inspector.getByText('The receiver answered with an error.').first().waitFor();
    await hands.press(inspector.getByRole('button', { name: 'Show the request' }));
    await inspector.getByText('1 signature, not shown').waitFor();
    await hands.press(inspector.getByRole('button', { name: 'Close' }));

    receiver.handler = MENDED;
    await hands.press(page.getByRole('button', { name: 'Send a ping' }));
    await page.getByRole('heading', { name: /^The receiver answered 204/ }).waitFor();
    await page.keyboard.press('Escape');

    await hands.turnTo(page.getByRole('tab', { name: 'Recover' }));
    await hands.press(page.getByRole('button', { name: 'Count', exact: true }));
    const before = receiver.requests.length;
    const send = page.getByRole('button', { name: 'Send 3 deliveries again' });
    await send.waitFor();
    expect((await lead.get(`/v1/webhooks/${endpoint.id}/recoveries`)).body).toEqual([]);
    expect(receiver.requests).toHaveLength(before);
    await hands.press(send);
    await page.getByText('3 sent again of', { exact: false }).waitFor();
    const delivered = async () =>
      (await lead.get(`/v1/webhooks/${endpoint.id}/deliveries?event_type=listing.published&status=SUCCEEDED`)).body;
    await eventually(delivered, ({ length }) => length === 3, LATEST_MS);
    expect((await lead.get(`/v1/webhooks/${endpoint.id}/recoveries`)).body).toMatchObject([{ queued: 3 }]);

    // What failed before by itself is tried again by itself, and may arrive last.
    const got = receiver.requests.findLast(({ body }) => body.includes('"listing.published"'));
    if (!got) throw new Error('The receiver got nothing.');
    expect(verified(got, endpoint.secret)).toMatchObject({ type: 'listing.published' });
    await hands.turnTo(page.getByRole('tab', { name: 'Receiver' }));
    const pasted = Object.entries(got.headers).map(([header, value]) => `${header}: ${String(value)}`);
    await hands.type(page.getByLabel('Headers'), pasted.join('\n'));
    await hands.type(page.getByLabel('Body'), got.body.toString());
    await hands.type(page.getByLabel('Secret'), endpoint.secret);
    const check = page.getByRole('button', { name: 'Check', exact: true });
    await hands.press(check);
    await page.getByRole('heading', { name: 'The signature is right' }).waitFor();
    await hands.type(page.getByLabel('Body'), got.body.toString().replace('listing.published', 'listing.archived'));
    await hands.press(check);
    await page.getByRole('heading', { name: 'The signature is wrong' }).waitFor();
    // The secret is neither sent nor kept.
    expect(sent.filter((request) => request.includes(endpoint.secret.slice(6)))).toEqual([]);
    const kept = await page.evaluate<string>('JSON.stringify({ ...sessionStorage, ...localStorage })');
    expect(kept).not.toContain(endpoint.secret.slice(6));
    expect(tom.complaints).toEqual([]);
  };

  it.each(HANDS)('show a failing endpoint, which is mended, recovered and checked by %s', mends);

  it('ask nothing of the API for a member', async () => {
    const ann = await Visitor.arrive(browser, scene.origin);
    await ann.signIn(PEOPLE.employee, `/console/organisations/${scene.orgId}/webhooks`);
    await ann.page.getByText('This screen is for the administrators').waitFor();
    expect(ann.asked.filter((call) => call.includes('/v1/webhooks'))).toEqual([]);
    expect(ann.complaints).toEqual([]);
  });
});
