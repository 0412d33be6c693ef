import { Secrets } from '../../../src/config/secrets';
import { ReEncryption } from '../../../src/operations/secrets-keys/re-encryption';
import { SEALED_COLUMNS } from '../../../src/schema';
import { PUBLIC_URL } from '../../support/app';
import { targetOf } from '../../support/cookie-browser';
import {
  browserOf,
  connect,
  type ConnectStage,
  connectUrl,
  createConnectStage,
  personalEndpoint,
  press,
  toolOf,
} from '../support/connect-stage';

describe('What people and authorization servers entrust to us', () => {
  let at: ConnectStage;
  /** Everything that must be nowhere. */
  let secrets: string[];
  beforeAll(async () => {
    at = await createConnectStage();
    const { stage, issuer } = at;
    const [ada, bob] = [await stage.person(), await stage.person()];
    const { endpoint, entryId } = await personalEndpoint(at, ada);
    await connect(stage, ada, endpoint, entryId);
    const client = await ada.modern(endpoint);
    const name = await toolOf(client);
    issuer.forgetTokens('access');
    await client.result('tools/call', { name, arguments: {} });
    issuer.forgetTokens();
    await client.result('tools/call', { name, arguments: {} });
    // One is still away, and one was answered with an error.
    const away = await personalEndpoint(at, bob);
    const browser = await browserOf(stage, bob);
    const url = await connectUrl(bob, away.endpoint, away.entryId);
    const shown = await press(browser, url, ({ origin }) => origin === PUBLIC_URL);
    issuer.answer = { error: 'access_denied' };
    await press(browser, url);
    const forms = issuer.tokenRequests;
    const tokens = upstreamTokens();
    const verifiers = forms.flatMap((form) => [form.get('code'), form.get('code_verifier'), form.get('refresh_token')]);
    const clients = [...issuer.clients.values()].map(({ secret }) => secret);
    const states = [targetOf(shown).searchParams.get('state'), targetOf(shown).searchParams.get('code')];
    secrets = [...verifiers, ...clients, ...tokens, ...states].filter((each): each is string => !!each);
    expect(secrets.length).toBeGreaterThan(8);
  });
  afterAll(() => at.close());

  const upstreamTokens = () =>
    at.upstream.received.flatMap(({ headers }) => headers.authorization?.slice('Bearer '.length) ?? []);

  it('is in no column of the database, in no text, JSON or bytes', async () => {
    const { dataSource } = at.stage.test;
    const columns = await dataSource.query<{ table_name: string; column_name: string; data_type: string }[]>(
      `SELECT table_name, column_name, data_type FROM information_schema.columns
       WHERE table_schema = current_schema() AND data_type IN ('text', 'json', 'jsonb', 'bytea', 'ARRAY', 'character varying')`,
    );
    const found = [];
    for (const { table_name: table, column_name: column, data_type: type } of columns) {
      const text = type === 'bytea' ? `encode("${column}", 'escape')` : `"${column}"::text`;
      const [row] = await dataSource.query<{ n: number }[]>(
        `SELECT count(*)::int AS n FROM "${table}" WHERE ${text} ~ $1`,
        [secrets.join('|')],
      );
      if (row?.n !== 0) found.push(`${table}.${column}`);
    }
    expect(found).toEqual([]);
  });

  it('is in no log', () => {
    const all = at.stage.test.log.join('\n');
    expect(all.length).toBeGreaterThan(1_000);
    expect(secrets.filter((each) => all.includes(each))).toEqual([]);
  });

  it('is sealed again when the key changes', async () => {
    const { dataSource, app } = at.stage.test;
    const columns = SEALED_COLUMNS.filter(({ table }) => table === 'oauth_client_registrations');
    await dataSource.query(`DELETE FROM secrets_key_holders`);
    const { keys } = app.get<{ keys: Buffer[] }>(Secrets);
    const next = Buffer.alloc(32, 9);
    const counts = await new ReEncryption(dataSource, new Secrets(next, keys), columns).run(() => undefined);
    expect(counts).toMatchObject([{ current: 1, other: 0, unreadable: 0 }]);
    expect(await new ReEncryption(dataSource, new Secrets(next), columns).check()).toMatchObject([{ current: 1 }]);
  });
});
