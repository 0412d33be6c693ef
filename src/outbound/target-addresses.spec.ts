import fc from 'fast-check';
import { Environment } from '../config/environment';
import { AddressRules } from './address-rules';
import { DnsError, DnsResolver } from './dns-resolver';
import { RefusedAddressError, TargetAddresses } from './target-addresses';

/** Returns fixed answers, and records the names it was asked for. */
class TestDns extends DnsResolver {
  readonly asked: string[] = [];

  constructor(private readonly answer: string[] | Error = []) {
    super();
  }

  override lookup(hostname: string): Promise<string[]> {
    this.asked.push(hostname);
    return this.answer instanceof Error ? Promise.reject(this.answer) : Promise.resolve(this.answer);
  }
}

const signal = new AbortController().signal;

async function resolve(
  hostname: string,
  dns: DnsResolver,
  networks = '',
  isForAllowedNetworks = false,
): Promise<string[]> {
  const environment = new Environment({ WEBHOOKS_ALLOWED_NETWORKS: networks });
  const targets = await new TargetAddresses(environment, dns).resolve(hostname, signal, isForAllowedNetworks);
  for (const { address, family } of targets) expect(family).toBe(address.includes(':') ? 6 : 4);
  return targets.map(({ address }) => address);
}

describe('The addresses of a webhook target', () => {
  it('are the address itself, without a DNS query', async () => {
    const dns = new TestDns(['9.9.9.9']);
    expect(await resolve('8.8.8.8', dns)).toEqual(['8.8.8.8']);
    expect(await resolve('[2606:4700:4700::1111]', dns)).toEqual(['2606:4700:4700::1111']);
    expect(await resolve('[::ffff:808:808]', dns)).toEqual(['::ffff:808:808']);
    expect(await resolve('10.20.0.1', dns, '10.20.0.0/16')).toEqual(['10.20.0.1']);
    expect(dns.asked).toEqual([]);
  });

  it('are the allowed addresses of a name, alternating families', async () => {
    const answer = ['2606:4700::1', '::1', '8.8.8.8', '10.0.0.1', '1.1.1.1', '2606:4700::2', '9.9.9.9', '8.8.4.4'];
    expect(await resolve('hooks.example.com', new TestDns(answer))).toEqual([
      '8.8.8.8',
      '2606:4700::1',
      '1.1.1.1',
      '2606:4700::2',
    ]);
    expect(await resolve('hooks.example.com', new TestDns(['2606:4700::1', '2606:4700::2']))).toEqual([
      '2606:4700::1',
      '2606:4700::2',
    ]);
  });

  it('are queried by the normalised name', async () => {
    const dns = new TestDns(['8.8.8.8']);
    await resolve('hooks.example.com.', dns);
    await resolve('Hooks.Example.com', dns);
    expect(dns.asked).toEqual(['hooks.example.com', 'hooks.example.com']);
  });

  it('are the allowed loopback addresses for localhost, without a DNS query', async () => {
    const dns = new TestDns(['8.8.8.8']);
    expect(await resolve('localhost', dns, '127.0.0.0/8')).toEqual(['127.0.0.1']);
    expect(await resolve('hooks.localhost.', dns, '::1/128')).toEqual(['::1']);
    expect(await resolve('localhost', dns, '127.0.0.0/8,::1/128')).toEqual(['127.0.0.1', '::1']);
    await expect(resolve('localhost', dns, '10.0.0.0/8')).rejects.toThrow(RefusedAddressError);
    expect(dns.asked).toEqual([]);
  });

  it.each([['127.0.0.1'], ['localhost'], ['intranet'], ['hooks.internal'], ['[::ffff:7f00:1]'], ['a..b'], ['']])(
    'are refused for a refused host, without a DNS query: %j',
    async (host) => {
      const dns = new TestDns(['8.8.8.8']);
      await expect(resolve(host, dns)).rejects.toThrow(RefusedAddressError);
      expect(dns.asked).toEqual([]);
    },
  );

  it('are refused for a name with refused addresses only, and the error does not reveal them', async () => {
    for (const name of ['hooks.example.com', 'hooks.internal']) {
      const refused = resolve(name, new TestDns(['10.0.0.1', '::1', 'fe80::1%eth0', 'no address']), '10.9.0.0/16');
      await expect(refused).rejects.toThrow(RefusedAddressError);
      await expect(refused).rejects.toThrow(/^Deliveries to this address are not allowed: it is not public\.$/);
    }
  });

  it('are those in an allowed network, whatever the name', async () => {
    const dns = new TestDns(['10.9.0.1', '10.8.0.1', '127.0.0.1']);
    for (const name of ['hooks', 'hooks.internal', 'hooks.apps.svc.cluster.local', 'hooks.example.com']) {
      expect(await resolve(name, dns, '10.9.0.0/16')).toEqual(['10.9.0.1']);
    }
  });

  it('are only those in an allowed network, if so wanted', async () => {
    const networks = '10.9.0.0/16,5.6.0.0/16,::1/128';
    const dns = new TestDns(['8.8.8.8', '10.9.0.1', '5.6.7.8', '2606:4700::1', '::ffff:10.9.0.2', '::ffff:808:808']);
    expect(await resolve('hooks', dns, networks, true)).toEqual(['10.9.0.1', '::ffff:10.9.0.2', '5.6.7.8']);
    const refused = resolve('hooks', new TestDns(['8.8.8.8', '64:ff9b::808:808']), networks, true);
    await expect(refused).rejects.toMatchObject({ name: 'RefusedAddressError', isPublic: true });
    await expect(resolve('hooks', new TestDns(['10.8.0.1']), networks, true)).rejects.toMatchObject({
      isPublic: false,
    });
    expect(await resolve('localhost', dns, networks, true)).toEqual(['::1']);
    expect(await resolve('5.6.7.8', dns, networks, true)).toEqual(['5.6.7.8']);
  });

  it('never include a refused one, whatever the DNS answers', async () => {
    const network = fc.constantFrom('', '10.0.0.0/8', '127.0.0.0/8,::1/128', 'fd00::/8', '169.254.169.254/32');
    const address = fc.oneof(
      fc.ipV4(),
      fc.ipV6(),
      fc.constantFrom('8.8.8.8', '127.0.0.1', '::1', '10.1.1.1', 'fd00::1'),
    );
    await fc.assert(
      fc.asyncProperty(network, fc.array(address, { maxLength: 8 }), async (networks, answer) => {
        const rules = new AddressRules(networks.split(',').filter((part) => part !== ''));
        const open = answer.filter((candidate) => rules.allowsAddress(candidate));
        const dialled = await resolve('hooks.example.com', new TestDns(answer), networks).catch((error: unknown) => {
          expect(error).toBeInstanceOf(RefusedAddressError);
          return [];
        });
        expect(open).toEqual(expect.arrayContaining(dialled));
        expect(dialled.length).toBe(Math.min(open.length, 4));
      }),
      { numRuns: 1_000 },
    );
  });

  it('are unknown if the DNS fails', async () => {
    await expect(resolve('hooks.example.com', new TestDns(new DnsError(false)))).rejects.toThrow(DnsError);
  });
});
