import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { Environment } from '../../config/environment';
import { canonicalAddress, ClientAddresses, networkOf } from './client-addresses';

const client = (peer: string | undefined, forwarded?: string, proxies = '') =>
  new ClientAddresses(new Environment({ TRUSTED_PROXIES: proxies })).of({
    socket: { remoteAddress: peer },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  } as unknown as IncomingMessage);

describe('The address of a client', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:CB00:7107', '203.0.113.7'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['203.0.113.7:4711', '203.0.113.7'],
    ['unknown', undefined],
    ['', undefined],
    ['999.1.1.1', undefined],
  ])('%s is %s', (text, expected) => {
    expect(canonicalAddress(text)).toBe(expected);
  });

  it('is that of the peer, whatever it claims, unless the peer is a trusted proxy', () => {
    expect(client('203.0.113.7', '192.0.2.1')).toBe('203.0.113.7');
    expect(client('203.0.113.7', '192.0.2.1', '10.0.0.0/8')).toBe('203.0.113.7');
    expect(client('::ffff:10.1.2.3', '192.0.2.1', '10.0.0.0/8')).toBe('192.0.2.1');
    expect(client('fd00::9', '192.0.2.1', '10.0.0.0/8,fd00::/8')).toBe('192.0.2.1');
    expect(client(undefined)).toBe('unknown');
  });

  it('is the last one that a trusted proxy vouches for', () => {
    expect(client('10.0.0.1', 'forged, 192.0.2.1, 10.0.0.2', '10.0.0.0/8')).toBe('192.0.2.1');
    expect(client('10.0.0.1', '198.51.100.1, 192.0.2.1', '10.0.0.0/8')).toBe('192.0.2.1');
    expect(client('10.0.0.1', 'nonsense', '10.0.0.0/8')).toBe('10.0.0.1');
    expect(client('10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.0/8')).toBe('10.0.0.3');
    expect(client('10.0.0.1', undefined, '10.0.0.0/8')).toBe('10.0.0.1');
  });

  it('belongs to a network: all of IPv4, the first 64 bits of IPv6, however it is written', () => {
    expect(networkOf('203.0.113.7')).toBe('203.0.113.7');
    fc.assert(
      fc.property(fc.ipV6(), fc.ipV6(), (one, other) => {
        const groups = (text: string) => new URL(`http://[${text}]`).hostname;
        fc.pre(canonicalAddress(one)?.includes(':') === true && groups(one) !== '');
        const [a = '', b = ''] = [one, other].map((text) => canonicalAddress(text));
        expect(networkOf(a)).toMatch(/^([0-9a-f]{1,4}:){4}:\/64$/);
        expect(canonicalAddress(networkOf(a).replace('/64', ''))).toBeDefined();
        expect(networkOf(a)).toBe(networkOf(networkOf(a).replace('/64', `${b.split(':').at(-1) || '1'}`)));
      }),
    );
    expect(networkOf('2001:db8::1')).toBe(networkOf('2001:db8:0:0:ffff::'));
    expect(networkOf('2001:db8:0:1::')).not.toBe(networkOf('2001:db8::'));
    expect(networkOf('::1')).toBe('0:0:0:0::/64');
  });
});
