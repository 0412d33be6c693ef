import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Environment } from './config/environment';
import { withLocalDefaults } from './local-defaults';

const settings = (variables: NodeJS.ProcessEnv) => {
  const { webhooksAllowHttp, webhooksAllowedNetworks } = new Environment(withLocalDefaults(variables));
  return { webhooksAllowHttp, webhooksAllowedNetworks };
};
const OPEN = { webhooksAllowHttp: true, webhooksAllowedNetworks: ['127.0.0.0/8', '::1/128'] };
const CLOSED = { webhooksAllowHttp: false, webhooksAllowedNetworks: [] };
const folder = mkdtempSync(join(tmpdir(), 'toolyard-defaults-'));
const databaseUrlFile = join(folder, 'database-url');
writeFileSync(databaseUrlFile, 'postgres://u:p@db.example.com/toolyard\n');
afterAll(() => rmSync(folder, { recursive: true }));

const SECRETS_KEY = Buffer.alloc(32, 1).toString('base64');

describe('The defaults of npm start', () => {
  it.each([[{}], [{ HOST: '127.0.0.1', PORT: '3100' }], [{ HOST: '::1' }], [{ HOST: ' ' }]])(
    'let webhooks reach this machine: %j',
    (variables) => expect(settings(variables)).toEqual(OPEN),
  );

  it.each([
    [{ HOST: '0.0.0.0' }],
    [{ PUBLIC_URL: 'https://tools.example.com' }],
    [{ DATABASE_URL: 'postgres://u:p@db.example.com/toolyard', SECRETS_KEY }],
    [{ DATABASE_URL_FILE: databaseUrlFile, SECRETS_KEY }],
  ])('do not apply where others can reach the service: %j', (variables) => expect(settings(variables)).toEqual(CLOSED));

  it('yield to what the operator sets', () => {
    expect(settings({ WEBHOOKS_ALLOW_HTTP: 'false', WEBHOOKS_ALLOWED_NETWORKS: '10.0.0.0/8' })).toEqual({
      webhooksAllowHttp: false,
      webhooksAllowedNetworks: ['10.0.0.0/8'],
    });
  });
});
