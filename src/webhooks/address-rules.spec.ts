import fc from 'fast-check';
import { AddressRules } from './address-rules';

const rules = new AddressRules([]);

/** The host as the URL standard writes it, which is what the rules are given. */
const hostOf = (spelling: string): string => new URL(`https://${spelling}/`).hostname;

describe('An address that is not public', () => {
  it.each([
    // Every spelling of the loopback that the URL standard takes.
    ['127.0.0.1', 'dotted'],
    ['127.0.0.1.', 'dotted, with the dot of the root'],
    ['127.1', 'short'],
    ['127.0.1', 'shorter by one'],
    ['2130706433', 'decimal'],
    ['0x7f000001', 'hexadecimal'],
    ['0X7F.0.0.1', 'hexadecimal in one part'],
    ['0177.0.0.1', 'octal in one part'],
    ['017700000001', 'octal'],
    ['0x7f.1', 'mixed and short'],
    ['%31%32%37.0.0.1', 'percent-encoded'],
    ['１２７.０.０.１', 'in full-width digits'],
    ['127。0。0。1', 'with ideographic full stops'],
    ['127.255.255.254', 'the end of the loopback'],
    ['[::1]', 'IPv6'],
    ['[0:0:0:0:0:0:0:1]', 'IPv6 in full'],
    ['[::ffff:127.0.0.1]', 'IPv4-mapped, dotted'],
    ['[::ffff:7f00:1]', 'IPv4-mapped'],
    ['[0000:0000:0000:0000:0000:FFFF:7F00:0001]', 'IPv4-mapped in full'],
    ['[::127.0.0.1]', 'IPv4-compatible'],
    ['[::ffff:0:127.0.0.1]', 'IPv4-translated'],
    ['[64:ff9b::127.0.0.1]', 'NAT64'],
    ['[64:ff9b::7f00:1]', 'NAT64 in hexadecimal'],
    ['[64:ff9b:1::7f00:1]', 'local NAT64'],
    ['[2002:7f00:1::]', '6to4'],
    ['[2001:0:7f00:1::]', 'Teredo'],
    // Names that never leave the machine or the site.
    ['localhost', 'by name'],
    ['LOCALHOST', 'by name, in capitals'],
    ['localhost.', 'by name, with the dot of the root'],
    ['localhost..', 'by name, with one dot too many'],
    ['db.localhost', 'below localhost'],
    ['%6c%6fcalhost', 'by name, percent-encoded'],
    ['ｌocalhost', 'by name, in full-width letters'],
    ['localhost.localdomain', 'by its other name'],
    ['metadata.google.internal', 'the metadata of a cloud by name'],
    ['METADATA.GOOGLE.INTERNAL.', 'the same in capitals with a dot'],
    ['host.docker.internal', 'the host of a container'],
    ['kubernetes.default.svc.cluster.local', 'a service of a cluster'],
    ['printer.local', 'multicast DNS'],
    ['router.home.arpa', 'a home network'],
    ['intranet', 'a name without a dot'],
    ['intranet.', 'a name with the dot of the root only'],
    ['127.0.0.1..', 'dotted, with one dot too many'],
    ['a..example.com', 'a name with an empty label'],
    // Networks.
    ['0.0.0.0', 'this host'],
    ['0', 'this host in short'],
    ['[::]', 'this host in IPv6'],
    ['[::ffff:0:0]', 'this host, IPv4-mapped'],
    ['10.0.0.1', 'RFC 1918'],
    ['172.16.0.1', 'RFC 1918'],
    ['172.31.255.255', 'RFC 1918'],
    ['192.168.1.1', 'RFC 1918'],
    ['3232235777', 'RFC 1918 in decimal'],
    ['[::ffff:10.0.0.1]', 'RFC 1918, IPv4-mapped'],
    ['[::ffff:c0a8:101]', 'RFC 1918, IPv4-mapped in hexadecimal'],
    ['[64:ff9b::10.0.0.1]', 'RFC 1918 by NAT64'],
    ['100.64.0.1', 'carrier-grade NAT'],
    ['100.127.255.255', 'carrier-grade NAT'],
    ['100.100.100.200', 'the metadata of Alibaba Cloud'],
    ['169.254.169.254', 'the metadata of most clouds'],
    ['2852039166', 'the same in decimal'],
    ['0xa9fea9fe', 'the same in hexadecimal'],
    ['0251.0376.0251.0376', 'the same in octal'],
    ['[::ffff:169.254.169.254]', 'the same, IPv4-mapped'],
    ['[64:ff9b::a9fe:a9fe]', 'the same by NAT64'],
    ['[fd00:ec2::254]', 'the metadata of AWS in IPv6'],
    ['168.63.129.16', 'the wire server of Azure'],
    ['192.0.0.192', 'the metadata of Oracle Cloud'],
    ['192.0.2.1', 'documentation'],
    ['198.51.100.1', 'documentation'],
    ['203.0.113.1', 'documentation'],
    ['198.18.0.1', 'benchmarks'],
    ['198.19.255.255', 'benchmarks'],
    ['192.88.99.1', '6to4 relays'],
    ['224.0.0.1', 'multicast'],
    ['239.255.255.255', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'broadcast'],
    ['[fc00::1]', 'unique local'],
    ['[fdff:ffff::1]', 'unique local'],
    ['[fe80::1]', 'link local'],
    ['[febf::1]', 'link local'],
    ['[fec0::1]', 'site local'],
    ['[ff02::1]', 'multicast'],
    ['[100::1]', 'discard only'],
    ['[2001:db8::1]', 'documentation'],
    ['[3fff::1]', 'documentation'],
    ['[2001:10::1]', 'ORCHID'],
    ['[5f00::1]', 'segment routing'],
    ['[4000::1]', 'not assigned'],
  ])('is refused: %s (%s)', (spelling) => {
    expect(rules.allowsHost(hostOf(spelling))).toBe(false);
  });
});

describe('A public address', () => {
  it.each([
    ['hooks.example.com'],
    ['hooks.example.com.'],
    ['HOOKS.EXAMPLE.COM'],
    ['bücher.example'],
    ['localhost.example.com'],
    ['internal.example.com'],
    ['notlocalhost.com'],
    ['mylocal.dev'],
    ['8.8.8.8'],
    ['134744072'],
    ['0x08080808'],
    ['010.010.010.010'],
    ['1.1.1.1'],
    ['9.255.255.255'],
    ['11.0.0.0'],
    ['100.63.255.255'],
    ['100.128.0.0'],
    ['126.255.255.255'],
    ['128.0.0.0'],
    ['169.253.255.255'],
    ['169.255.0.0'],
    ['172.15.255.255'],
    ['172.32.0.0'],
    ['192.167.255.255'],
    ['192.169.0.0'],
    ['223.255.255.255'],
    ['[2606:4700:4700::1111]'],
    ['[2a00:1450:4001:82a::200e]'],
    ['[2001:4860:4860::8888]'],
    ['[::ffff:8.8.8.8]'],
    ['[64:ff9b::8.8.8.8]'],
    ['[2000::1]'],
    ['[3ffe::1]'],
  ])('is open: %s', (spelling) => {
    expect(rules.allowsHost(hostOf(spelling))).toBe(true);
  });
});

describe('The rules', () => {
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

  it('judge an IPv4 address in the same way however it is spelled', () => {
    fc.assert(
      fc.property(octets, fc.constantFrom(...SPELLINGS), (parts, spell) => {
        const number = parts.reduce((sum, part) => sum * 256 + part, 0);
        expect(rules.allowsHost(hostOf(spell(parts, number)))).toBe(rules.allowsAddress(parts.join('.')));
      }),
      { numRuns: 2_000 },
    );
  });

  it('let of IPv6 nothing pass but 2000::/3 and what stands for a public IPv4 address', () => {
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

  // From the last address before a network that the operator opened to the first one after it.
  it.each([
    ['10.20.0.0/16', '10.19.255.255', '10.20.0.0', '10.20.255.255', '10.21.0.0'],
    ['127.0.0.1/32', '127.0.0.0', '127.0.0.1', '127.0.0.1', '127.0.0.2'],
    ['192.168.4.0/22', '192.168.3.255', '192.168.4.0', '192.168.7.255', '192.168.8.0'],
    ['fd00:1234::/48', 'fd00:1233:ffff::', 'fd00:1234::', 'fd00:1234:0:ffff::ffff', 'fd00:1234:1::'],
    ['::1/128', '::', '::1', '::1', '::2'],
    ['fe80::/65', 'fe7f::ffff', 'fe80::1', 'fe80::7fff:ffff:ffff:ffff', 'fe80::8000:0:0:0'],
  ])('open exactly the network %s', (network, before, first, last, after) => {
    const opened = new AddressRules([network]);
    const answers = [before, first, last, after].map((address) => opened.allowsAddress(address));
    expect(answers).toEqual([false, true, true, false]);
    expect([before, first, last, after].map((address) => rules.allowsAddress(address))).toEqual(
      Array<boolean>(4).fill(false),
    );
    expect(opened.allowsAddress('8.8.8.8')).toBe(true);
    expect(opened.allowsHost('localhost')).toBe(false);
  });

  it('refuse what is no address, or one of a link', () => {
    for (const address of ['', 'localhost', '8.8.8', 'fe80::1%eth0', '2606:4700::1111%1', '[::1]']) {
      expect(rules.allowsAddress(address)).toBe(false);
    }
  });

  it('open an IPv4 network in all spellings of its addresses, and several networks at once', () => {
    const opened = new AddressRules(['10.20.0.0/16', 'fd00::/8']);
    for (const spelling of ['10.20.1.1', '169083137', '[::ffff:10.20.1.1]', '[64:ff9b::10.20.1.1]', '[fd12::1]']) {
      expect([spelling, opened.allowsHost(hostOf(spelling))]).toEqual([spelling, true]);
    }
    expect(opened.allowsHost(hostOf('[::ffff:10.21.1.1]'))).toBe(false);
  });
});
