import { once } from 'node:events';
import { createServer, Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import tls, { type TLSSocket } from 'node:tls';
import type { WebhookSender } from '../../src/webhooks/sending/webhook-sender';
import { crowding } from '../support/eventually';
import { EXPIRED_CERTIFICATE, TEST_CERTIFICATE, TEST_KEY } from '../support/certificates';
import { DnsServer } from '../support/dns-server';
import { answering, RawServer } from '../support/raw-server';
import { Receiver } from '../support/receiver';
import { createSender, webhookTo } from '../support/sender';

let dns: DnsServer;
let sender: WebhookSender;
let server: Server | undefined;
let port: number;
/** Requested server names, and received requests. */
let heard: TLSSocket['servername'][];
let requests: number;

beforeEach(async () => {
  dns = await DnsServer.start();
  // The first is refused everywhere, so that TLS has to try the next one.
  dns.answer = (_name, family) => (family === 4 ? ['127.0.0.2', '127.0.0.1'] : []);
  const networks = { WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.1/32,127.0.0.2/32', WEBHOOKS_DEADLINE_SECONDS: '2' };
  ({ sender } = createSender(networks, dns.resolver));
});

afterEach(async () => {
  jest.restoreAllMocks();
  sender.onApplicationShutdown();
  server?.close();
  server?.closeAllConnections();
  server = undefined;
  await dns.close();
});

async function listen(cert: string, host = '127.0.0.1'): Promise<void> {
  heard = [];
  requests = 0;
  server = createServer({ key: TEST_KEY, cert }, (_request, response) => {
    requests += 1;
    response.writeHead(204).end();
  });
  server.on('secureConnection', ({ servername }) => heard.push(servername));
  server.on('tlsClientError', () => undefined);
  server.listen(0, host);
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
}

/** Like NODE_EXTRA_CA_CERTS, which is read before a test starts. */
function trust(certificate: string) {
  const { connect } = tls;
  return jest
    .spyOn(tls, 'connect')
    .mockImplementation(((options: tls.ConnectionOptions) =>
      connect({ ...options, ca: certificate })) as typeof connect);
}

const sendTo = (host: string) => sender.send(webhookTo(`https://${host}:${port}/in`));

describe('A webhook over TLS', () => {
  it('is sent if the certificate is valid, reusing the connection, with SNI', async () => {
    await listen(TEST_CERTIFICATE);
    const connects = trust(TEST_CERTIFICATE);
    for (let n = 0; n < 3; n++)
      expect(await sendTo('hooks.example.com')).toMatchObject({ responseStatus: 204, error: null });
    expect(await sendTo('HOOKS.example.com.')).toMatchObject({ responseStatus: 204, error: null });
    expect(await sendTo('127.0.0.1')).toMatchObject({ responseStatus: 204, error: null });
    expect(heard).toEqual(['hooks.example.com', 'hooks.example.com', false]);
    expect(requests).toBe(5);
    // Otherwise an environment variable could switch the checks off.
    for (const [options] of connects.mock.calls) expect(options).toMatchObject({ rejectUnauthorized: true });
  });

  it.each([
    [
      'is signed by itself',
      'hooks.example.com',
      TEST_CERTIFICATE,
      '',
      'The certificate was not issued by a trusted authority: it is self-signed.',
    ],
    ['has expired', 'hooks.example.com', EXPIRED_CERTIFICATE, EXPIRED_CERTIFICATE, 'The certificate has expired.'],
    [
      'is for another name',
      'other.example.com',
      TEST_CERTIFICATE,
      TEST_CERTIFICATE,
      'The certificate is for another name.',
    ],
    ['is for another address', '127.0.0.2', TEST_CERTIFICATE, TEST_CERTIFICATE, 'The certificate is for another name.'],
  ])('is not sent if the certificate %s', async (_what, host, certificate, trusted, message) => {
    await listen(certificate, '0.0.0.0');
    if (trusted !== '') trust(trusted);
    const result = await sendTo(host);
    expect(result).toMatchObject({ responseStatus: null, error: { code: 'tls_failed', message } });
    expect(requests).toBe(0);
  });

  it('is not sent to a server without TLS', async () => {
    const plain = await Receiver.start();
    ({ port } = plain);
    const { error } = await sendTo('hooks.example.com');
    await plain.close();
    expect(error).toEqual({ code: 'tls_failed', message: expect.stringMatching(/TLS/) as string });
    expect(plain.requests).toEqual([]);
  });

  it.each([
    [
      'breaks off',
      (socket: { destroy: () => unknown }) => socket.destroy(),
      'tls_failed',
      /during the TLS handshake\.$/,
    ],
    ['is silent', () => undefined, 'timeout', /^Timed out after 2 s while negotiating TLS\.$/],
    ['answers nonsense', answering('Hello.'), 'tls_failed', /TLS/],
  ])('is not sent if the other side %s', async (_what, serve, code, message) => {
    const other = await RawServer.start(serve);
    ({ port } = other);
    const result = await sendTo('hooks.example.com');
    await other.close();
    expect(result.error).toEqual({ code, message: expect.stringMatching(message) as string });
    expect(result.durationMs).toBeLessThan(2_500 * crowding());
  });
});
