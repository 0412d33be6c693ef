import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faultsOf } from '../../test/support/environment-faults';
import { Environment } from './environment';
import { EnvironmentReader, SECRET_VARIABLES } from './environment-reader';

type Variables = Record<string, string | undefined>;

const KEY = Buffer.alloc(32, 1);
const folder = mkdtempSync(join(tmpdir(), 'toolyard-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;

/** @returns the path of a new file */
function file(content: string | Buffer): string {
  const path = join(folder, `secret-${++files}`);
  writeFileSync(path, content);
  return path;
}

const read = (name: (typeof SECRET_VARIABLES)[number], variables: Variables) => {
  const reader = new EnvironmentReader(variables);
  const value = reader.secret(name);
  reader.finish();
  return value;
};

describe('A secret in a file', () => {
  it.each(SECRET_VARIABLES)('can be any of the secret variables: %s_FILE', (name) => {
    expect(read(name, { [`${name}_FILE`]: file('hush') })).toBe('hush');
    expect(read(name, { [name]: 'hush', [`${name}_FILE`]: ' ' })).toBe('hush');
  });

  it('is used for everything that the environment reads', () => {
    const environment = new Environment({
      DATABASE_URL_FILE: file('postgres://u:p@db.example.com/toolyard\n'),
      SECRETS_KEY_FILE: file(`${KEY.toString('base64')}\n`),
      SECRETS_KEYS_ACCEPTED_FILE: file(
        `${Buffer.alloc(32, 2).toString('base64')}\n${Buffer.alloc(32, 3).toString('base64')}\n`,
      ),
      SETUP_TOKEN_FILE: file('s'.repeat(32)),
      OAUTH_REGISTRATION: 'token',
      OAUTH_REGISTRATION_TOKEN_FILE: file('r'.repeat(32)),
      SSO_ISSUER: 'https://login.example.com',
      SSO_CLIENT_ID: 'toolyard',
      SSO_CLIENT_SECRET_FILE: file('hush\n'),
    });
    expect(environment).toMatchObject({
      databaseUrl: 'postgres://u:p@db.example.com/toolyard',
      secretsKey: KEY,
      acceptedKeys: [Buffer.alloc(32, 2), Buffer.alloc(32, 3)],
      setUpToken: 's'.repeat(32),
      oauthRegistrationToken: 'r'.repeat(32),
      ssoProviders: [{ clientSecret: 'hush' }],
    });
    const oidc = { OIDC_ISSUER: 'https://login.example.com', OIDC_CLIENT_ID: 'toolyard' };
    const { externalIssuer } = new Environment({ ...oidc, OIDC_CLIENT_SECRET_FILE: file('hush\r\n') });
    expect(externalIssuer?.clientSecret).toBe('hush');
  });

  it.each([
    ['hush\n', 'hush'],
    ['hush\r\n', 'hush'],
    ['hush\n\n', 'hush\n'],
    [' hush \n', ' hush '],
    ['x'.repeat(65_536), 'x'.repeat(65_536)],
  ])('loses one final line break, and nothing else: case %#', (content, value) => {
    expect(read('SSO_CLIENT_SECRET', { SSO_CLIENT_SECRET_FILE: file(content) })).toBe(value);
  });

  it('can be a link, as Kubernetes makes them', () => {
    const path = join(folder, 'link');
    symlinkSync(file('hush'), path);
    expect(read('SETUP_TOKEN', { SETUP_TOKEN_FILE: path })).toBe('hush');
  });

  it('cannot be set besides the variable, and neither value is shown', () => {
    const path = file('s'.repeat(32));
    const faults = faultsOf({ SETUP_TOKEN: 't'.repeat(32), SETUP_TOKEN_FILE: path });
    expect(faults).toEqual([
      'SETUP_TOKEN_FILE is set together with SETUP_TOKEN: only one of them can be. Example: /run/secrets/setup_token',
    ]);
  });

  it('is checked like the variable, and the error names both', () => {
    const faults = faultsOf({ SETUP_TOKEN_FILE: file('hunter2') });
    expect(faults).toEqual([
      expect.stringMatching(/^SETUP_TOKEN \(from the file of SETUP_TOKEN_FILE\) is not 32 to 128 letters/),
    ]);
    expect(faults.join()).not.toContain('hunter2');
  });

  const pipe = join(folder, 'pipe');
  beforeAll(() => void execFileSync('mkfifo', [pipe]));

  it.each([
    ['does not exist', () => join(folder, 'none'), /cannot be read: \S+none \(ENOENT\)/],
    ['is a directory', () => folder, /names something that is not a file: \S+/],
    ['is a pipe, without waiting for it', () => pipe, /names something that is not a file: \S+pipe/],
    ['is below a file', () => join(file('hunter2'), 'x'), /cannot be read: \S+ \(ENOTDIR\)/],
    ['is empty', () => file(''), /names an empty file: \S+/],
    ['is a line break', () => file(' \n'), /names an empty file: \S+/],
    ['is too long', () => file('hunter2'.repeat(10_000)), /names a file of more than 65536 bytes: \S+/],
    ['is not UTF-8', () => file(Buffer.from('hunter2\xff', 'latin1')), /names a file that is not text: \S+/],
    ['has a NUL', () => file('hunter2\0'), /names a file that is not text: \S+/],
  ])('that %s is an error with the variable and the path, but not the content', (_, path, fault) => {
    const faults = faultsOf({ DATABASE_URL_FILE: path(), SECRETS_KEY: KEY.toString('base64') });
    expect(faults).toEqual([expect.stringMatching(/^DATABASE_URL_FILE /)]);
    expect(faults[0]).toMatch(fault);
    expect(faults[0]).not.toContain('hunter2');
  });

  it('that cannot be read is not also reported as missing', () => {
    const DATABASE_URL = 'postgres://u:p@db.example.com/toolyard';
    expect(faultsOf({ DATABASE_URL, SECRETS_KEY_FILE: '/nowhere' })).toEqual([
      expect.stringMatching(/^SECRETS_KEY_FILE names a file that cannot be read: \/nowhere/),
    ]);
  });

  it('has an absolute path; anything else may be the secret itself, and is not shown', () => {
    expect(faultsOf({ SETUP_TOKEN_FILE: 'hunter2'.repeat(5) })).toEqual([
      'SETUP_TOKEN_FILE is not an absolute path. Example: /run/secrets/setup_token',
    ]);
  });
});

describe('SECRETS_KEYS_ACCEPTED', () => {
  const key = (byte: number) => Buffer.alloc(32, byte).toString('base64');

  it('is up to three keys', () => {
    const { acceptedKeys } = new Environment({ SECRETS_KEY: key(1), SECRETS_KEYS_ACCEPTED: `${key(2)}, ${key(3)},` });
    expect(acceptedKeys).toEqual([Buffer.alloc(32, 2), Buffer.alloc(32, 3)]);
  });

  it('is refused with anything else, which is not shown', () => {
    const faults = faultsOf({ SECRETS_KEYS_ACCEPTED: [2, 3, 4, 5].map(key).join() });
    expect(faults).toEqual([expect.stringMatching(/^SECRETS_KEYS_ACCEPTED has more than 3 entries/)]);
    const [fault] = faultsOf({ SECRETS_KEYS_ACCEPTED: `${key(2)},hunter2` });
    expect(fault).toMatch(/^SECRETS_KEYS_ACCEPTED has an entry, number 2, that is not 32 bytes in base64/);
    expect(fault).not.toContain('hunter2');
  });
});
