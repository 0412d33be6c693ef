import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { Environment } from '../../config/environment';
import { canonicalAddress, ClientAddresses, networkOf } from './client-addresses';

const client = (peer: string | undefined, listed?: string, proxies = '', forwarded?: string) =>
  new ClientAddresses(new Environment({ TRUSTED_PROXIES: proxies })).of({
    socket: { remoteAddress: peer },
    headers: { 'x-forwarded-for': listed, forwarded },
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

  it('is named by Forwarded as well, which may have a port, brackets, quotes, and more than an address', () => {
    const behind = (forwarded: string, listed?: string) => client('10.0.0.1', listed, '10.0.0.0/8', forwarded);
    expect(behind('for=192.0.2.1')).toBe('192.0.2.1');
    expect(behind('proto=https; For="[2001:db8::1]:4711";by=203.0.113.43')).toBe('2001:db8::1');
    expect(behind('for=198.51.100.1, for=192.0.2.1, for=10.0.0.2;proto=http')).toBe('192.0.2.1');
    // The client's part cannot hide what the proxy appends.
    expect(behind('for="198.51.100.1, for=192.0.2.1')).toBe('192.0.2.1');
    for (const nothing of [
      'for=unknown',
      'for=_hidden',
      'proto=https',
      '',
      'for=192.0.2.1;for=192.0.2.2',
      'xfor=192.0.2.1',
    ])
      expect([nothing, behind(nothing)]).toEqual([nothing, '10.0.0.1']);
    expect(client('203.0.113.7', undefined, '10.0.0.0/8', 'for=192.0.2.1')).toBe('203.0.113.7');
  });

  it('is that of the proxy if the two headers disagree, because the client wrote one of them', () => {
    expect(client('10.0.0.1', '192.0.2.1', '10.0.0.0/8', 'for=192.0.2.1')).toBe('192.0.2.1');
    expect(client('10.0.0.1', '192.0.2.1', '10.0.0.0/8', 'for=198.51.100.9')).toBe('10.0.0.1');
    expect(client('10.0.0.1', '198.51.100.9', '10.0.0.0/8', 'for=192.0.2.1')).toBe('10.0.0.1');
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
