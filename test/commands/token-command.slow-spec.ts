import { decodeJwt, decodeProtectedHeader } from 'jose';
import { newId } from '../../src/database/id';
import { Api } from '../support/api';
import type { Me } from '../support/api-types';
import { createTestApp, PUBLIC_URL, type TestApp } from '../support/app';
import { createDatabase, type TestDatabase } from '../support/database';
import { newFolder, removeFolders } from '../support/embedded';
import { unique } from '../support/factories';
import { runToken } from '../support/toolyard-process';

const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');

describe('The token command', () => {
  let database: TestDatabase;
  let env: Record<string, string>;

  beforeAll(async () => {
    database = await createDatabase();
    env = { DATABASE_URL: database.url, SECRETS_KEY, DATA_DIR: newFolder(), PORT: '3999', OIDC_AUDIENCE: 'tools' };
  });
  afterAll(async () => {
    await database.drop();
    removeFolders();
  });

  async function refused(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await runToken(env, ...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).not.toMatch(/^\s+at .*:\d+/m);
    return stderr;
  }

  it('prints a token and nothing else', async () => {
    const { code, stdout, stderr } = await runToken(env, '--email', 'alice@example.com', '--name', 'Alice');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    expect(decodeJwt(stdout)).toMatchObject({
      iss: 'http://127.0.0.1:3999',
      aud: 'tools',
      sub: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/) as string,
      email: 'alice@example.com',
      email_verified: true,
      name: 'Alice',
    });
  });

  it('omits the address if only --sub is passed', async () => {
    const claims = decodeJwt((await runToken(env, '--sub', 'alice')).stdout);
    expect(claims.sub).toBe('alice');
    expect(claims).not.toHaveProperty('email');
    expect(claims).not.toHaveProperty('email_verified');
  });

  it.each([
    [[], 3_600],
    [['--ttl', '45s'], 45],
    [['--ttl', '30m'], 1_800],
    [['--ttl', '12h'], 43_200],
    [['--ttl=30d'], 2_592_000],
  ])('creates tokens with the requested lifetime: %j', async (args, seconds) => {
    const { iat = 0, exp = 0 } = decodeJwt((await runToken(env, '--sub', 'alice', ...args)).stdout);
    expect(exp - iat).toBe(seconds);
  });

  it('creates a token for a platform administrator only with --admin', async () => {
    expect(decodeJwt((await runToken(env, '--sub', 'alice')).stdout)).not.toHaveProperty('toolyard_admin');
    expect(decodeJwt((await runToken(env, '--sub', 'alice', '--admin')).stdout)).toMatchObject({
      toolyard_admin: true,
    });
  });

  it('rejects other times, with an example', async () => {
    const faults = ['0s', '31d', '721h', '1w', '1.5h', '12', '', 'h', '9999999999s'];
    const answers = faults.map((ttl) => refused('--sub', 'alice', `--ttl=${ttl}`));
    for (const said of await Promise.all(answers)) expect(said).toMatch(/^--ttl .* is not a duration such as 30m.*\n$/);
  });

  it('requires a valid --email or --sub', async () => {
    expect(await refused()).toMatch(
      /^Provide --email or --sub\.\n\nUsage: npm run token -- --email alice@example\.com/,
    );
    expect(await refused('--email', 'alice')).toMatch(/^--email alice is not an e-mail address\.\n$/);
    expect(await refused('--sub', '', '--email', '')).toMatch(/^Provide --email or --sub\./);
    expect(await refused('--email', `${'a'.repeat(250)}@example.com`)).toMatch(/is not an e-mail address\.\n$/);
    expect(await refused('--sub', 'a'.repeat(256))).toMatch(/^--sub must have at most 255 characters\.\n$/);
  });

  it('rejects unknown options and arguments', async () => {
    expect(await refused('--emial', 'alice@example.com')).toMatch(/^Unknown option '--emial'/);
    expect(await refused('alice@example.com')).toMatch(/^Unexpected argument 'alice@example\.com'/);
  });

  it('prints its usage', async () => {
    const { code, stdout } = await runToken(env, '--help');
    expect(code).toBe(0);
    for (const option of ['--email', '--sub', '--name', '--ttl', '--admin']) expect(stdout).toContain(option);
  });

  it('explains where tokens come from if an external issuer is configured', async () => {
    env = { ...env, OIDC_ISSUER: 'https://login.example.com/realms/acme' };
    for (const more of [[], ['--admin']]) {
      expect(await refused('--email', 'alice@example.com', ...more)).toBe(
        'OIDC_ISSUER is set, so access tokens are issued by https://login.example.com/realms/acme; this service does not sign any.\n',
      );
    }
  });
});

describe('A token for an address', () => {
  let test: TestApp;
  let env: Record<string, string>;
  let email: string;

  beforeAll(async () => {
    test = await createTestApp();
    env = { DATABASE_URL: test.database.url, SECRETS_KEY, DATA_DIR: newFolder(), PUBLIC_URL };
  });
  beforeEach(() => {
    email = `${unique('person')}@example.com`;
  });
  afterAll(async () => {
    await test.close();
    removeFolders();
  });

  const token = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runToken(env, ...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout.trim();
  };
  const refused = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runToken(env, ...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    return stderr;
  };
  const me = async (bearer: string): Promise<Me> =>
    (await new Api(test.url, test.document, bearer).get('/v1/users/me')).body;
  const accounts = () =>
    test.dataSource.query<{ id: string; subjects: string[]; claimed: boolean }[]>(
      `SELECT id, claimed_at IS NOT NULL AS claimed,
         ARRAY(SELECT subject FROM identities WHERE user_id = users.id ORDER BY subject) AS subjects
       FROM users WHERE address_key(email) = address_key($1)`,
      [email],
    );

  it('opens an account whose id is the sub, and is signed with the key of the running service', async () => {
    const bearer = await token('--email', email, '--name', 'Alice');
    const [account] = await accounts();
    expect(decodeJwt(bearer).sub).toBe(account?.id);
    expect(decodeProtectedHeader(bearer).kid).toBe(decodeProtectedHeader(await test.token('bob')).kid);
    expect(await me(bearer)).toMatchObject({ id: account?.id, email, name: 'Alice' });
    expect(await accounts()).toEqual([{ id: account?.id, subjects: [account?.id], claimed: true }]);
  });

  it('is for the same account each time, however the address is written', async () => {
    const first = await me(await token('--email', email));
    const second = await me(await token('--email', email.toUpperCase().replace('EXAMPLE.COM', 'Example.COM')));
    expect(second.id).toBe(first.id);
    expect(await accounts()).toHaveLength(1);
  });

  it('keeps the identity that the account has, such as one of an earlier release with the address as its sub', async () => {
    const former = await me(await test.token(email, { email }));
    const bearer = await token('--email', email);
    expect(decodeJwt(bearer).sub).toBe(email);
    expect((await me(bearer)).id).toBe(former.id);
    expect(await accounts()).toEqual([{ id: former.id, subjects: [email], claimed: true }]);
  });

  it('gives an account of another issuer an identity of this one', async () => {
    const id = newId();
    await test.dataSource.query(`INSERT INTO users (id, email, claimed_at, email_at) VALUES ($1, $2, now(), now())`, [
      id,
      email,
    ]);
    await test.dataSource.query(
      `INSERT INTO identities (issuer, subject, user_id) VALUES ('https://login.example.com', 'x', $1)`,
      [id],
    );
    expect((await me(await token('--email', email))).id).toBe(id);
    expect(await accounts()).toEqual([{ id, subjects: [id, 'x'], claimed: true }]);
  });

  it('claims the account that waits for the address', async () => {
    const id = newId();
    await test.dataSource.query(`INSERT INTO users (id, email) VALUES ($1, $2)`, [id, email]);
    expect((await me(await token('--email', email.toUpperCase()))).id).toBe(id);
    expect(await accounts()).toEqual([{ id, subjects: [id], claimed: true }]);
  });

  it('is refused for a closed account', async () => {
    const { id } = await me(await token('--email', email));
    await test.dataSource.query(`UPDATE users SET closed_at = now() WHERE id = $1`, [id]);
    expect(await refused('--email', email)).toBe(`The account of ${email} is closed.\n`);
    expect(await accounts()).toHaveLength(1);
  });

  it('is for a new account after the former one was deleted', async () => {
    const bearer = await token('--email', email);
    const { id } = await me(bearer);
    await new Api(test.url, test.document, bearer).delete('/v1/users/me');
    const again = await me(await token('--email', email));
    expect(again.id).not.toBe(id);
    expect(again.email).toBe(email);
  });

  it('opens one account, even if several commands run at the same time', async () => {
    const tokens = await Promise.all(Array.from({ length: 4 }, () => token('--email', email)));
    const [account, ...others] = await accounts();
    expect(others).toEqual([]);
    expect(tokens.map((bearer) => decodeJwt(bearer).sub)).toEqual(tokens.map(() => account?.id));
  });

  it('with --sub is for the account of that sub, which may be new', async () => {
    const subject = unique('subject');
    const first = await me(await token('--email', email, '--sub', subject));
    expect((await me(await token('--sub', subject))).id).toBe(first.id);
    expect((await me(await token('--email', email, '--sub', subject))).id).toBe(first.id);
    expect((await me(await token('--email', email))).id).toBe(first.id);
    expect(await accounts()).toEqual([{ id: first.id, subjects: [subject], claimed: true }]);
  });

  it('with the --sub of nobody is refused if the address has an account', async () => {
    await token('--email', email);
    const said = await refused('--email', email, '--sub', 'somebody-else');
    expect(said).toBe(`${email} has an account already, which is not that of --sub somebody-else. Leave out --sub.\n`);
    expect(await accounts()).toHaveLength(1);
  });

  it('says which setting is wrong, and shows no secret', async () => {
    const url = Object.assign(new URL(test.database.url), { password: 'wrong-0815' }).href;
    const cases: { change: Record<string, string>; said: RegExp }[] = [
      { change: { DATABASE_URL: url }, said: /^DATABASE_URL: .*password authentication failed/ },
      { change: { DATABASE_URL: 'postgres://u:secret-0815@127.0.0.1:1/x' }, said: /^DATABASE_URL: .*ECONNREFUSED/ },
      { change: { SECRETS_KEY: Buffer.alloc(32, 8).toString('base64') }, said: /^SECRETS_KEY is not the one/ },
    ];
    for (const { change, said } of cases) {
      const { code, stdout, stderr } = await runToken({ ...env, ...change }, '--email', email);
      expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(said) as string });
      expect(stderr).not.toMatch(/0815|^\s+at .*:\d+/m);
    }
    expect(await accounts()).toEqual([]);
  });
});
