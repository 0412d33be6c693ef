import { RowRetention } from '../../../src/database/row-retention';
import { FakeClock, PUBLIC_URL } from '../../support/app';
import { targetOf } from '../../support/cookie-browser';
import {
  browserOf,
  connect,
  type ConnectStage,
  connectUrl,
  createConnectStage,
  personalEndpoint,
  press,
} from '../support/connect-stage';

const DAY_MS = 86_400_000;

describe('Connecting an account, with several processes', () => {
  const clock = new FakeClock(new Date());
  let at: ConnectStage;
  beforeEach(async () => {
    clock.time = new Date();
    at = await createConnectStage(2, { clock });
  });
  afterEach(() => at.close());

  const count = async (table: string) => {
    const [row] = await at.stage.test.dataSource.query<{ n: number }[]>(`SELECT count(*)::int AS n FROM ${table}`);
    return row?.n;
  };

  it('ends at another one than it began at, and counts once for both', async () => {
    const ada = await at.stage.person();
    const { endpoint, entryId } = await personalEndpoint(at, ada);
    const browser = await browserOf(at.stage, ada);
    const url = await connectUrl(ada, endpoint, entryId);
    const back = targetOf(await press(browser, url, ({ origin }) => origin === PUBLIC_URL));
    browser.ours = at.stage.others[0]?.url ?? '';
    expect((await browser.visit(back.href)).text).toContain('<h1>Connected</h1>');
    browser.ours = at.stage.test.url;
    expect((await browser.visit(back.href)).status).toBe(400);
  });

  it('lets one person be away twenty times at once', async () => {
    const ada = await at.stage.person();
    const { endpoint, entryId } = await personalEndpoint(at, ada);
    const browser = await browserOf(at.stage, ada);
    const url = await connectUrl(ada, endpoint, entryId);
    const away = () => press(browser, url, ({ origin }) => origin === PUBLIC_URL);
    const first = targetOf(await away());
    for (let times = 0; times < 20; times++) {
      clock.advance(1_000);
      await away();
    }
    expect(await count('connect_flows')).toBe(20);
    expect((await browser.visit(first.href)).status).toBe(400);
  });

  it('forgets who never came back, and registrations that nobody uses', async () => {
    const ada = await at.stage.person();
    const { endpoint, entryId } = await personalEndpoint(at, ada);
    const retention = at.stage.test.app.get(RowRetention);
    const counts = async () => {
      await retention.run();
      return [await count('connect_flows'), await count('oauth_client_registrations')];
    };
    await connect(at.stage, ada, endpoint, entryId);
    const browser = await browserOf(at.stage, ada);
    await press(browser, await connectUrl(ada, endpoint, entryId), ({ origin }) => origin === PUBLIC_URL);
    expect(await counts()).toEqual([1, 1]);
    clock.advance(11 * 60_000);
    expect(await counts()).toEqual([0, 1]);
    clock.advance(31 * DAY_MS);
    // Somebody still has tokens of it.
    expect(await counts()).toEqual([0, 1]);
    await at.stage.test.dataSource.query(`DELETE FROM credentials`);
    expect(await counts()).toEqual([0, 0]);
  });
});
