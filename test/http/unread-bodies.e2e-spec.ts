import { createTestApp, type TestApp } from '../support/app';
import { createCast } from '../support/factories';
import { RawClient, type WireAnswer } from '../support/raw-client';
import { createDirectory, type Provider } from '../support/scim';

const MIB = 1_048_576;
const TYPE = 'Content-Type: application/json';
const THREE_GB = 3_000_000_000;

describe('A request body that is not read', () => {
  let test: TestApp;
  let token: string;
  let provider: Provider;
  let orgPath: `/v1/organisations/${string}`;
  const clients: RawClient[] = [];

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
    const { owner, orgId, provider: created } = await createDirectory(test);
    token = owner.token ?? '';
    provider = created;
    orgPath = `/v1/organisations/${orgId}`;
  });

  afterEach(() => clients.splice(0).forEach((client) => client.destroy()));
  afterAll(() => test.close());

  const connect = async () => {
    const client = await RawClient.connect(test.url);
    clients.push(client);
    return client;
  };
  const head = (path: string, bearer: string | undefined, ...lines: string[]) => [
    `POST ${path} HTTP/1.1`,
    'Host: toolyard.test',
    ...(bearer === undefined ? [] : [`Authorization: Bearer ${bearer}`]),
    ...lines,
  ];
  /** The only answer, after which the server closed the connection. */
  const only = async (client: RawClient): Promise<WireAnswer & { body: unknown }> => {
    const [answer, ...others] = await client.untilClosed();
    expect(others).toEqual([]);
    if (!answer) throw new Error('Closed without an answer.');
    expect(answer.headers.get('connection')).toBe('close');
    return { ...answer, body: JSON.parse(answer.text) as unknown };
  };
  const expectTooLarge = async (client: RawClient) =>
    expect(await only(client)).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });

  it.each([2_000_000, MIB + 1, THREE_GB, Number.MAX_SAFE_INTEGER])(
    'because its declared length of %i is over the limit gets 413 at once, and the connection closes',
    async (length) => {
      const client = await connect();
      client.sendHead(...head('/v1/bundles', token, TYPE, `Content-Length: ${length}`));
      client.send('{"name": "13b');
      await expectTooLarge(client);
    },
  );

  it('is not buffered, however long the client keeps sending', async () => {
    const client = await connect();
    client.sendHead(...head('/v1/bundles', token, TYPE, `Content-Length: ${THREE_GB}`));
    const sent = await client.flood('x'.repeat(65_536));
    await expectTooLarge(client);
    expect(sent).toBeLessThan(64 * MIB);
  });

  it('in chunks is read up to the limit', async () => {
    const client = await connect();
    client.sendHead(...head('/v1/bundles', token, TYPE, 'Transfer-Encoding: chunked'));
    const sent = await client.flood(`10000\r\n${'x'.repeat(65_536)}\r\n`);
    await expectTooLarge(client);
    expect(sent).toBeGreaterThan(MIB);
    expect(sent).toBeLessThan(64 * MIB);
  });

  it('does not prevent a client that sends everything before reading from getting the answer', async () => {
    const client = await connect();
    client.sendHead(...head('/v1/bundles', token, TYPE, `Content-Length: ${5 * MIB}`));
    client.send('x'.repeat(5 * MIB));
    await expectTooLarge(client);
  });

  it.each([undefined, 'no.good.token'])(
    'after a 401 closes the connection, whatever its length: %s',
    async (bearer) => {
      for (const length of [13, 500_000, THREE_GB]) {
        const client = await connect();
        client.sendHead(...head('/v1/bundles', bearer, TYPE, `Content-Length: ${length}`));
        client.send('{"na');
        expect(await only(client)).toMatchObject({ status: 401 });
      }
    },
  );

  it('after any other error closes the connection too', async () => {
    for (const [path, lines, status] of [
      ['/v1/bundles', ['Content-Type: text/plain'], 415],
      ['/v1/bundles', [TYPE, 'Content-Encoding: rot13'], 415],
      ['/v1/nothing', [TYPE], 404],
      ['/v1/users/me', [TYPE], 405],
    ] as const) {
      const client = await connect();
      client.sendHead(...head(path, token, ...lines, 'Content-Length: 900000'));
      expect(await only(client)).toMatchObject({ status });
    }
  });

  it('ends its connection: a further request behind it is not carried out', async () => {
    const client = await connect();
    const one = head('/v1/bundles', undefined, TYPE, 'Content-Length: 4');
    const other = head('/v1/bundles', token, TYPE, 'Content-Length: 19');
    // In one piece, so that the server receives both at once.
    client.send([...one, '', '{} \n'].join('\r\n') + [...other, '', '{"name":"Smuggled"}'].join('\r\n'));
    expect(await only(client)).toMatchObject({ status: 401 });
    // It would be processed before this one.
    await (await test.as('alice')).post('/v1/bundles', { name: 'Honest' });
    const names = await test.dataSource.query<{ name: string }[]>(`SELECT name FROM bundles`);
    expect(names.filter(({ name }) => name === 'Smuggled')).toEqual([]);
  });

  it('where none is expected is skipped if short, and closes the connection if long', async () => {
    const path = `${orgPath}/scim/sync` as const;
    const short = await connect();
    for (let round = 1; round <= 2; round++) {
      short.sendHead(...head(path, token, TYPE, 'Content-Length: 2'));
      short.send('{}');
      expect((await short.answers(round)).map(({ status }) => status)).toEqual(Array(round).fill(200));
    }
    const long = await connect();
    long.sendHead(...head(path, token, TYPE, `Content-Length: ${THREE_GB}`));
    expect(await only(long)).toMatchObject({ status: 200 });
  });

  describe('after Expect: 100-continue', () => {
    const EXPECT = 'Expect: 100-continue';

    it.each([
      ['over the limit, with 413', 2_000_000, true, 413],
      ['without a token, with 401', 13, false, 401],
    ])('is refused without 100: %s', async (_, length, isKnown, status) => {
      const client = await connect();
      client.sendHead(...head('/v1/bundles', isKnown ? token : undefined, TYPE, EXPECT, `Content-Length: ${length}`));
      expect(await only(client)).toMatchObject({ status });
    });

    it('is not asked for where none is expected', async () => {
      const client = await connect();
      client.sendHead(...head(`${orgPath}/scim/sync`, token, TYPE, EXPECT, 'Content-Length: 2'));
      expect(await only(client)).toMatchObject({ status: 200 });
    });

    it('is asked for if it will be read', async () => {
      const client = await connect();
      client.sendHead(...head('/v1/bundles', token, TYPE, EXPECT, 'Content-Length: 18'));
      expect(await client.answers(1)).toMatchObject([{ status: 100 }]);
      client.send('{"name":"Awaited"}');
      expect((await client.answers(2))[1]).toMatchObject({ status: 201 });
    });

    it('is not affected by any other expectation', async () => {
      const client = await connect();
      client.sendHead(...head('/v1/bundles', token, TYPE, 'Expect: miracles', 'Content-Length: 19'));
      client.send('{"name":"Expected"}');
      expect(await client.answers(1)).toMatchObject([{ status: 201 }]);
    });
  });

  it('below SCIM paths gets a SCIM error', async () => {
    for (const [path, length, bearer, status] of [
      ['/Users', 2_000_000, provider.token, '413'],
      ['/Bulk', THREE_GB, provider.token, '413'],
      ['/Users', THREE_GB, undefined, '401'],
      ['/Bulk', 4_000_000, token, '401'],
    ] as const) {
      const client = await connect();
      client.sendHead(...head(provider.base + path, bearer, TYPE, `Content-Length: ${length}`, 'Expect: 100-continue'));
      const { body, headers } = await only(client);
      expect(body).toMatchObject({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status });
      expect(headers.get('content-type')).toContain('application/scim+json');
    }
  });

  it('is the exception: connections of requests that are read stay open', async () => {
    const { owner } = await createCast(test);
    const client = await connect();
    for (let round = 1; round <= 3; round++) {
      client.sendHead(...head('/v1/bundles', owner.token, TYPE, 'Content-Length: 14'));
      client.send(`{"name":"B${round}"} `.padEnd(14));
      await client.answers(round);
    }
    expect((await client.answers(3)).map(({ status }) => status)).toEqual([201, 201, 201]);
  });
});
