import { isAddress, registryAddress } from './registry-address';

describe('The address of a registry', () => {
  it.each([
    'https://tools.example.com',
    'https://tools.example.com/',
    'HTTPS://Tools.Example.com:443//',
    'https://tools.example.com/v0.1',
    'https://tools.example.com/v0.1/servers/',
    'https://tools.example.com/v0/servers',
  ])('is normalised to one form: %s', (from) => {
    expect(registryAddress(from, false)).toBe('https://tools.example.com');
  });

  it('can have a path', () => {
    expect(registryAddress('https://example.com/a/registry//v0.1/', false)).toBe('https://example.com/a/registry');
  });

  it.each([
    ['https://', 'not a valid URL'],
    ['https://exa mple.com', 'not a valid URL'],
    ['ftp://example.com', 'must use https, not ftp'],
    ['http://example.com', 'WEBHOOKS_ALLOW_HTTP'],
    ['https://user:secret@example.com', 'user info'],
    ['https://example.com/?page=2', 'a query'],
    ['https://example.com/#top', 'a fragment'],
  ])('is rejected rather than guessed: %s', (from, message) => {
    expect(isAddress(from)).toBe(true);
    expect(() => registryAddress(from, false)).toThrow(message);
  });

  it('can be http where webhooks can be', () => {
    expect(registryAddress('http://example.com:8080/', true)).toBe('http://example.com:8080');
  });

  it.each(['servers.json', './https/servers.json', '/tmp/servers.json.gz', 'C:\\servers.json'])(
    'does not include file paths: %s',
    (from) => {
      expect(isAddress(from)).toBe(false);
    },
  );
});
