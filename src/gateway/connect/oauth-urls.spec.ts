import fc from 'fast-check';
import { Environment } from '../../config/environment';
import { DnsResolver } from '../../outbound/dns-resolver';
import { TargetAddresses } from '../../outbound/target-addresses';
import { ConnectFailure } from './connect-failure';
import { OAuthUrls } from './oauth-urls';

function urlsWith(variables: Record<string, string>): OAuthUrls {
  const environment = new Environment(variables);
  return new OAuthUrls(new TargetAddresses(environment, new DnsResolver()), environment);
}

const strict = urlsWith({});
const local = urlsWith({ CREDENTIALS_OVER_LOOPBACK_HTTP: 'true', WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.0/8' });

describe('The addresses of authorization servers', () => {
  it.each([
    'javascript:alert(1)',
    'data:text/html,hi',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://as.example.com/1',
    'ftp://as.example.com/',
    'http://as.example.com/',
    'http://127.0.0.1/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://2130706433/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest',
    'https://localhost/',
    'https://vault.internal/',
    'https://user:pass@as.example.com/',
    'https://as.example.com/#fragment',
    '//as.example.com/',
    '/authorize',
    '',
    `https://as.example.com/${'a'.repeat(2_048)}`,
  ])('are never like %.60s', (text) => {
    expect(() => strict.require(text, 'it')).toThrow(ConnectFailure);
    expect(strict.usable(text, 'it')).toBeUndefined();
  });

  it('may be plain http on this machine only, where the operator allows it', () => {
    expect(local.require('http://127.0.0.1:9000/token', 'it').href).toBe('http://127.0.0.1:9000/token');
    expect(local.require('http://localhost:9000/token', 'it').host).toBe('localhost:9000');
    for (const text of [
      'http://10.0.0.1/',
      'http://as.example.com/',
      'http://127.0.0.1.as.example.com/',
      'http://[::1]/',
    ])
      expect(() => local.require(text, 'it')).toThrow(ConnectFailure);
  });

  it('are https, whatever is sent', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.webUrl(), fc.string(), fc.webUrl({ validSchemes: ['http', 'ftp', 'javascript'] })),
        (text) => {
          const usable = strict.usable(text, 'it');
          expect(usable === undefined || new URL(usable).protocol === 'https:').toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});
