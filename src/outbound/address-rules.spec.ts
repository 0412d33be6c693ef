import fc from 'fast-check';
import { hostOf, PUBLIC_HOSTS, REFUSED_HOSTS } from '../../test/support/hosts';
import { AddressRules } from './address-rules';

const rules = new AddressRules([]);

describe('An address that is not public', () => {
  it.each(REFUSED_HOSTS)('is refused: %s (%s)', (spelling) => {
    expect(rules.allowsHost(hostOf(spelling))).toBe(false);
  });
});

describe('A public address', () => {
  it.each(PUBLIC_HOSTS)('is allowed: %s', (spelling) => {
    expect(rules.allowsHost(hostOf(spelling))).toBe(true);
  });
});

describe('The rules for outbound addresses', () => {
  const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
  const SPELLINGS: ((octets: number[], number: number) => string)[] = [
    (parts) => parts.join('.'),
    (parts) => parts.map((part) => `0x${part.toString(16)}`).join('.'),
    (parts) => parts.map((part) => `0${part.toString(8)}`).join('.'),
    (_, number) => String(number),
    (_, number) => `0x${number.toString(16)}`,
    (_, number) => `0${number.toString(8)}.`,
    ([a], number) => `${a}.${number % 2 ** 24}`,
    ([a, b], number) => `${a}.${b}.${number % 2 ** 16}`,
    (parts) => `[::ffff:${parts.join('.')}]`,
    (parts) => `[64:ff9b::${parts.join('.')}]`,
    (_, number) => `[::ffff:${Math.floor(number / 2 ** 16).toString(16)}:${(number % 2 ** 16).toString(16)}]`,
  ];

  it('judge an IPv4 address alike in every spelling', () => {
    fc.assert(
      fc.property(octets, fc.constantFrom(...SPELLINGS), (parts, spell) => {
        const number = parts.reduce((sum, part) => sum * 256 + part, 0);
        expect(rules.allowsHost(hostOf(spell(parts, number)))).toBe(rules.allowsAddress(parts.join('.')));
      }),
      { numRuns: 2_000 },
    );
  });

  it('allow of IPv6 only 2000::/3 and mapped public IPv4 addresses', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const [first = '0'] = address.split(':');
        if (rules.allowsAddress(address) && !/^[23]...$/i.test(first.padStart(4, '0'))) {
          expect(new URL(`https://[${address}]`).hostname).toMatch(/^\[(::ffff:|64:ff9b::)/);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  // From the last address before an allowed network to the first one after it.
  it.each([
    ['10.20.0.0/16', '10.19.255.255', '10.20.0.0', '10.20.255.255', '10.21.0.0'],
    ['127.0.0.1/32', '127.0.0.0', '127.0.0.1', '127.0.0.1', '127.0.0.2'],
    ['192.168.4.0/22', '192.168.3.255', '192.168.4.0', '192.168.7.255', '192.168.8.0'],
    ['fd00:1234::/48', 'fd00:1233:ffff::', 'fd00:1234::', 'fd00:1234:0:ffff::ffff', 'fd00:1234:1::'],
    ['::1/128', '::', '::1', '::1', '::2'],
    ['fe80::/65', 'fe7f::ffff', 'fe80::1', 'fe80::7fff:ffff:ffff:ffff', 'fe80::8000:0:0:0'],
  ])('allow exactly the network %s', (network, before, first, last, after) => {
    const opened = new AddressRules([network]);
    const answers = [before, first, last, after].map((address) => opened.allowsAddress(address));
    expect(answers).toEqual([false, true, true, false]);
    expect([before, first, last, after].map((address) => rules.allowsAddress(address))).toEqual(
      Array<boolean>(4).fill(false),
    );
    expect(opened.allowsAddress('8.8.8.8')).toBe(true);
  });

  it('refuse invalid addresses and those with a zone', () => {
    for (const address of ['', 'localhost', '8.8.8', 'fe80::1%eth0', '2606:4700::1111%1', '[::1]']) {
      expect(rules.allowsAddress(address)).toBe(false);
    }
  });

  it('allow an IPv4 network in every spelling, and several networks at once', () => {
    const opened = new AddressRules(['10.20.0.0/16', 'fd00::/8']);
    for (const spelling of ['10.20.1.1', '169083137', '[::ffff:10.20.1.1]', '[64:ff9b::10.20.1.1]', '[fd12::1]']) {
      expect([spelling, opened.allowsHost(hostOf(spelling))]).toEqual([spelling, true]);
    }
    expect(opened.allowsHost(hostOf('[::ffff:10.21.1.1]'))).toBe(false);
  });

  it('allow any name to be looked up once a network is allowed', () => {
    const opened = new AddressRules(['10.20.0.0/16']);
    for (const name of [
      'hooks',
      'hooks.internal',
      'hooks.apps.svc.cluster.local',
      'router.home.arpa',
      'printer.local.',
    ]) {
      expect([name, rules.allowsHost(name), opened.allowsHost(name)]).toEqual([name, false, true]);
    }
    for (const name of ['', '.', 'hooks..', 'a..internal', '.internal']) {
      expect([name, opened.allowsHost(name)]).toEqual([name, false]);
    }
  });

  it.each([
    ['', []],
    ['10.0.0.0/8', []],
    ['127.0.0.2/32', []],
    ['127.0.0.0/8', ['127.0.0.1']],
    ['127.0.0.1/32', ['127.0.0.1']],
    ['::1/128', ['::1']],
    ['::1/128,127.0.0.0/8', ['127.0.0.1', '::1']],
  ])('allow localhost as far as its addresses are allowed: %s', (networks, addresses) => {
    const opened = new AddressRules(networks.split(',').filter((network) => network !== ''));
    for (const name of ['localhost', 'LOCALHOST', 'localhost.', 'hooks.localhost', 'a.b.localhost.']) {
      expect([name, opened.allowsHost(name)]).toEqual([name, addresses.length > 0]);
      expect(opened.loopbackOf(name)).toEqual(addresses);
    }
    for (const name of ['localhost.example.com', 'notlocalhost', 'localhost.localdomain', '127.0.0.1']) {
      expect(opened.loopbackOf(name)).toBeUndefined();
    }
    expect(opened.allowsHost('localhost..')).toBe(false);
  });
});
