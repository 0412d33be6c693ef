import { decodeJwt } from 'jose';
import { newFolder, removeFolders } from '../support/embedded';
import { runToken } from '../support/toolyard-process';

describe('The token command', () => {
  let env: Record<string, string>;

  beforeAll(() => {
    env = { DATA_DIR: newFolder(), PORT: '3999', OIDC_AUDIENCE: 'tools' };
  });
  afterAll(removeFolders);

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
      sub: 'alice@example.com',
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
