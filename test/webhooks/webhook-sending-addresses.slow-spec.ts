import { Socket } from 'node:net';
import type { OutgoingWebhook, WebhookSender } from '../../src/webhooks/sending/webhook-sender';
import { crowding } from '../support/eventually';
import { DnsAnswer, DnsServer } from '../support/dns-server';
import { hostOf, REFUSED_HOSTS } from '../support/hosts';
import { onRequest, RawServer } from '../support/raw-server';
import { createSender, webhookTo } from '../support/sender';

const REFUSED = { code: 'address_refused', message: 'Deliveries to this address are not allowed: it is not public.' };
const NO_CONTENT = 'HTTP/1.1 204 No Content\r\n\r\n';

/** Listens on every address of this machine, and records at which one it was reached. */
let server: RawServer;
let reached: string[];
let dns: DnsServer;
let sender: WebhookSender;

beforeEach(async () => {
  reached = [];
  server = await RawServer.start((socket) => {
    reached.push(String(socket.localAddress).replace('::ffff:', ''));
    onRequest(socket, () => socket.end(NO_CONTENT.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')));
  }, '::');
  dns = await DnsServer.start();
  open('');
});

afterEach(async () => {
  jest.restoreAllMocks();
  sender.onApplicationShutdown();
  await Promise.all([server.close(), dns.close()]);
});

/** The sender and the check on save, with these networks allowed. */
function open(networks: string) {
  const variables = {
    WEBHOOKS_ALLOW_HTTP: 'true',
    WEBHOOKS_ALLOWED_NETWORKS: networks,
    WEBHOOKS_DEADLINE_SECONDS: '5',
  };
  const created = createSender(variables, dns.resolver);
  ({ sender } = created);
  return created;
}

const to = (host: string): OutgoingWebhook => webhookTo(`http://${host}:${server.port}/in`);

/** Every attempt to open a connection from now on. */
const dialled = () => jest.spyOn(Socket.prototype, 'connect');

describe('A webhook to a host that is not public', () => {
  it('is tried with a table of at least 80 hosts', () => {
    expect(REFUSED_HOSTS.length).toBeGreaterThanOrEqual(80);
  });

  it.each(REFUSED_HOSTS)('is neither sent nor saved: %s (%s)', async (host) => {
    const { targets } = open('');
    const dials = dialled();
    const webhook = to(host);
    expect(await sender.send(webhook)).toMatchObject({ responseStatus: null, error: REFUSED });
    expect(dials).not.toHaveBeenCalled();
    expect([reached, dns.questions]).toEqual([[], []]);
    expect(targets.fault(webhook.targetUrl)).toEqual({ msg: REFUSED.message, type: 'value_error' });
    expect(await targets.refusal(webhook.targetUrl)).toEqual({ msg: REFUSED.message, type: 'value_error' });
  });

  const MAPPED = /^(127\.|\[::ffff:7f|\[64:ff9b::7f|\[::1\]$|(.*\.)?localhost\.?$)/;
  it.each(REFUSED_HOSTS.filter(([host]) => MAPPED.test(hostOf(host)) && !hostOf(host).endsWith('..')))(
    'is sent once the loopback network is allowed: %s',
    async (host) => {
      open('127.0.0.0/8,::1/128');
      const dials = dialled();
      const { error } = await sender.send(to(host));
      expect(error?.code).not.toBe('address_refused');
      expect(dials).toHaveBeenCalledTimes(1);
      // There is no NAT64 here; everything else arrives.
      if (!hostOf(host).startsWith('[64:')) expect(error).toBeNull();
    },
  );

  it.each([['fe80::1%25eth0'], ['::1%25lo'], ['::1%lo']])('is refused with a zone id: %s', async (host) => {
    open('127.0.0.0/8,::/0');
    const dials = dialled();
    expect((await sender.send(to(`[${host}]`))).error?.code).toBe('target_refused');
    expect(dials).not.toHaveBeenCalled();
  });
});

describe('An allowed network', () => {
  it.each([
    ['127.0.0.1/32', '127.0.0.1', ['127.0.0.2', '127.0.1.1', '[::1]', '10.0.0.1', '169.254.169.254']],
    ['127.0.4.0/30', '127.0.4.3', ['127.0.3.255', '127.0.4.4', '127.0.0.1', 'localhost']],
    ['::1/128', '[::1]', ['127.0.0.1', '[::]', '[::2]', '[fd00::1]']],
  ])('allows exactly its own addresses: %s', async (network, inside, outside) => {
    const { targets } = open(network);
    expect((await sender.send(to(inside))).error).toBeNull();
    expect(await targets.refusal(to(inside).targetUrl)).toBeUndefined();
    const dials = dialled();
    for (const host of outside) {
      expect([host, (await sender.send(to(host))).error]).toEqual([host, REFUSED]);
      expect([host, await targets.refusal(to(host).targetUrl)]).toEqual([
        host,
        { msg: REFUSED.message, type: 'value_error' },
      ]);
    }
    expect(dials).not.toHaveBeenCalled();
    expect(reached).toHaveLength(1);
  });

  it('is reached under any name, and by localhost without the DNS', async () => {
    dns.answer = () => ['127.0.0.1'];
    open('127.0.0.1/32');
    for (const host of ['hooks.example.com', 'hooks', 'hooks.internal', 'hooks.apps.svc.cluster.local']) {
      expect([host, (await sender.send(to(host))).error]).toEqual([host, null]);
    }
    expect(dns.questions).toHaveLength(8);
    for (const host of ['localhost', 'hooks.localhost', 'LOCALHOST.']) {
      expect([host, (await sender.send(to(host))).error]).toEqual([host, null]);
    }
    expect(dns.questions).toHaveLength(8);
  });
});

describe('A webhook to a name', () => {
  it.each<[string, string[], boolean]>([
    ['public to all', ['127.0.0.1'], true],
    ['mixed', ['10.0.0.1', '127.0.0.2', '127.0.0.1', '::1'], true],
    ['mixed the other way round', ['127.0.0.1', '169.254.169.254', '::1'], true],
    ['refused', ['127.0.0.2'], false],
    ['refused in both families', ['10.0.0.1', '192.168.0.1', '::1', 'fe80::1', 'fd00::1'], false],
    ['IPv4-mapped', ['::ffff:127.0.0.2'], false],
    ['IPv4-mapped and open', ['::ffff:127.0.0.1'], true],
    ['NAT64', ['64:ff9b::7f00:2'], false],
  ])('connects only to its allowed addresses if the answer is %s', async (_what, answer, isOpen) => {
    dns.answer = () => answer;
    const { targets } = open('127.0.0.1/32');
    const webhook = to('hooks.example.com');
    expect((await sender.send(webhook)).error).toEqual(isOpen ? null : REFUSED);
    expect(reached).toEqual(isOpen ? ['127.0.0.1'] : []);
    expect((await targets.refusal(webhook.targetUrl)) === undefined).toBe(isOpen);
  });

  it('tries the next address if one refuses the connection', async () => {
    dns.answer = () => ['127.0.0.2', '127.0.0.1'];
    const only = await RawServer.start((socket) => onRequest(socket, () => socket.end(NO_CONTENT)));
    open('127.0.0.0/8');
    expect((await sender.send(webhookTo(`http://hooks.example.com:${only.port}/`))).error).toBeNull();
    await only.close();
  });

  it.each<[string, DnsAnswer, DnsAnswer, string | null]>([
    ['does not exist', 'no such name', 'no such name', 'The DNS has no address for this name.'],
    ['has no address', [], [], 'The DNS has no address for this name.'],
    ['is not known by the server', 'fails', 'fails', 'The DNS did not answer for this name.'],
    ['has one family that fails', ['127.0.0.1'], 'fails', null],
    ['has one family that is silent', ['127.0.0.1'], 'is silent', null],
    ['has the other family that is silent', 'is silent', ['::1'], null],
  ])('that %s fails only if no address was found', async (_what, ipv4, ipv6, message) => {
    dns.answer = (_name, family) => (family === 4 ? ipv4 : ipv6);
    const { targets } = open('127.0.0.1/32,::1/128');
    const webhook = to('hooks.example.com');
    const { error, durationMs } = await sender.send(webhook);
    expect(error).toEqual(message === null ? null : { code: 'dns_failed', message });
    expect(durationMs).toBeLessThan(1_000 * crowding());
    // An address that does not resolve yet can be saved.
    expect(await targets.refusal(webhook.targetUrl)).toBeUndefined();
  });

  it('whose DNS is silent does not delay others', async () => {
    dns.answer = (name) => (name.startsWith('silent') ? 'is silent' : ['127.0.0.1']);
    open('127.0.0.1/32');
    const silent = Array.from({ length: 50 }, (_, index) => sender.send(to(`silent-${index}.example.com`)));
    const { error, durationMs } = await sender.send(to('hooks.example.com'));
    expect(error).toBeNull();
    expect(durationMs).toBeLessThan(1_000 * crowding());
    sender.onApplicationShutdown();
    for (const result of await Promise.all(silent)) expect(result.error?.code).toBe('interrupted');
  });

  it('whose addresses change between queries never connects to a refused one, 1,000 times', async () => {
    // 127.0.0.1 stands for public addresses, everything else on this machine for private ones.
    const answers = [
      ['127.0.0.1'],
      ['127.0.0.2'],
      ['127.0.0.2', '127.0.0.1'],
      ['127.0.0.1', '::1'],
      ['::1'],
      ['169.254.169.254', '127.0.0.1'],
      ['::ffff:127.0.0.2', '127.0.0.3'],
      ['0.0.0.0'],
      ['::'],
    ];
    let asked = 0;
    // A different answer to every query: between the families of one lookup, and between save and delivery.
    dns.answer = () => answers[(asked++ * 7 + Math.floor(asked / 9)) % answers.length] ?? [];
    const { targets } = open('127.0.0.1/32');
    const dials = dialled();
    const outcomes: Record<string, number> = {};
    for (let run = 0; run < 1_000; run++) {
      const webhook = to(`rebind-${run}.example.com`);
      await targets.refusal(webhook.targetUrl);
      const { error } = await sender.send(webhook);
      const outcome = error?.code ?? 'arrived';
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
    expect(Object.keys(outcomes).sort()).toEqual(['address_refused', 'arrived', 'dns_failed']);
    expect(outcomes.arrived).toBeGreaterThan(200);
    expect(outcomes.address_refused).toBeGreaterThan(200);
    expect(new Set(reached)).toEqual(new Set(['127.0.0.1']));
    expect(reached).toHaveLength(outcomes.arrived ?? 0);
    expect(dials).toHaveBeenCalledTimes(outcomes.arrived ?? 0);
    expect(asked).toBe(4_000);
  });
});
