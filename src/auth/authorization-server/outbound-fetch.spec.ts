import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TargetAddresses } from '../../outbound/target-addresses';
import { OutboundFetch } from './outbound-fetch';
import { OUTBOUND_SLOTS } from './outbound-slots';
import { type RequestContext, requestContext } from './request-context';

describe('What is fetched for clients', () => {
  let server: Server;
  let port: number;
  let status: number;
  let asked: string[];
  /** Ends the wait of those that resolve a name of a host that hangs. */
  let release: () => void;
  let outbound: OutboundFetch;

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(status).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  });

  afterAll(() => server.close());

  beforeEach(() => {
    status = 200;
    asked = [];
    const hung = new Promise<void>((resolve) => (release = resolve));
    const addresses: Pick<TargetAddresses, 'resolve'> = {
      resolve: async (name) => {
        if (name.startsWith('hanging')) {
          await hung;
          throw new Error('It did not answer.');
        }
        return [{ address: '127.0.0.1', family: 4 }];
      },
    };
    outbound = new OutboundFetch(addresses as TargetAddresses);
  });

  afterEach(() => release());

  const urlOf = (host: string, path = '/client.json') => `http://${host}.example:${port}${path}`;

  /** @returns the status, or what went wrong */
  async function fetchFrom(url: string, network: string | undefined, method = 'GET') {
    const context: RequestContext = { network: network ?? '' };
    const run = () =>
      outbound.fetch(url, { method }).then(
        (response) => response.status,
        (error: Error) => error.name,
      );
    const outcome = await (network === undefined ? run() : requestContext.run(context, run));
    return { outcome, isBusy: context.isBusy ?? false };
  }

  /** Addresses that never answer, each of a host of its own. */
  const hang = (count: number, network: (n: number) => string | undefined, name = (n: number) => `hanging${n}`) =>
    Array.from({ length: count }, (_, n) => void fetchFrom(urlOf(name(n), `/${n}`), network(n)));
  const unavailable = { outcome: 'NoSlotError', isBusy: true };
  const fetched = { outcome: 200, isBusy: false };

  it('uses few connections for one network, whatever it asks for', async () => {
    hang(OUTBOUND_SLOTS.network, () => 'mallory');
    expect(await fetchFrom(urlOf('client'), 'mallory')).toEqual(unavailable);
    expect(await fetchFrom(urlOf('client'), 'ada')).toEqual(fetched);
  });

  it('uses few connections to one host, whoever asks', async () => {
    hang(
      OUTBOUND_SLOTS.host,
      (n) => `network ${n}`,
      () => 'hanging',
    );
    expect(await fetchFrom(urlOf('hanging', '/other'), 'ada')).toEqual(unavailable);
    expect(await fetchFrom(urlOf('client'), 'ada')).toEqual(fetched);
  });

  it('keeps connections for what says that people have signed out, which waits if there is none', async () => {
    const { all, own } = OUTBOUND_SLOTS;
    hang(all - own, (n) => `network ${n}`);
    expect(await fetchFrom(urlOf('client'), 'ada')).toEqual(unavailable);
    expect(await fetchFrom(urlOf('client'), undefined, 'POST')).toEqual(fetched);
    hang(own, () => undefined);
    const late = fetchFrom(urlOf('client'), undefined, 'POST');
    expect(asked).toHaveLength(1);
    release();
    expect(await late).toEqual(fetched);
  });

  it('is tried again at once where there was no connection', async () => {
    hang(OUTBOUND_SLOTS.network, () => 'ada');
    expect(await fetchFrom(urlOf('client'), 'ada')).toEqual(unavailable);
    expect(await fetchFrom(urlOf('client'), 'bob')).toEqual(fetched);
  });

  it('is used for a while when it was good, and its address does not answer or there is no connection', async () => {
    expect(await fetchFrom(urlOf('client'), 'ada')).toEqual(fetched);
    // As 30 s later.
    const forget = () => (outbound as unknown as { remembered: Map<string, unknown> }).remembered.clear();
    for (status of [502, 429, 403, 302]) {
      forget();
      expect(await fetchFrom(urlOf('client'), 'ada')).toEqual(fetched);
    }
    forget();
    hang(OUTBOUND_SLOTS.network, () => 'ada');
    expect(await fetchFrom(urlOf('client'), 'ada')).toEqual(fetched);
    expect(asked).toHaveLength(5);
    status = 404;
    expect((await fetchFrom(urlOf('client'), 'bob')).outcome).toBe(404);
    forget();
    expect(await fetchFrom(urlOf('client'), 'ada')).toEqual(unavailable);
  });
});
