import type { ServerResponse } from 'node:http';
import { REMOVE_FORGOTTEN_ICONS } from '../../src/catalog/icons/fetched-icon.sql';
import { DnsResolver } from '../../src/outbound/dns-resolver';
import { createTestApp, TestApp } from '../support/app';
import { Cast, createCast, createListing } from '../support/factories';
import { jpegOf, PIXEL, pngOf, webpOf } from '../support/pictures';
import { Receiver } from '../support/receiver';

/** Every name is on this machine but one, which is in a network that is not allowed. */
class Names extends DnsResolver {
  override lookup(hostname: string): Promise<string[]> {
    return Promise.resolve([hostname === 'private.example.com' ? '10.0.0.1' : '127.0.0.1']);
  }
}

type Serve = (response: ServerResponse) => unknown;

let test: TestApp;
let cast: Cast;
let server: Receiver;
/** What is served, by path. */
const files = new Map<string, Serve>();

beforeAll(async () => {
  server = await Receiver.start(({ path }, response) => {
    const serve = files.get(path);
    if (serve) serve(response);
    else response.writeHead(404).end();
  });
  const env = { WEBHOOKS_ALLOW_HTTP: 'true', WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.0/8', RUN: 'api' };
  test = await createTestApp({ env, dns: new Names() });
  cast = await createCast(test);
});

afterAll(async () => {
  await test.close();
  await server.close();
});

const sending =
  (bytes: Buffer | string, type = 'image/png'): Serve =>
  (response) =>
    response.writeHead(200, { 'content-type': type }).end(bytes);
const redirect =
  (location: string): Serve =>
  (response) =>
    response.writeHead(302, { location }).end();

let counter = 0;
/** @returns the address of a file that is served */
function serve(how: Serve, host = 'icons.example.com'): string {
  const path = `/${++counter}.png`;
  files.set(path, how);
  return `http://${host}:${server.port}${path}`;
}

async function listingWith(icons: object[], fields: object = {}): Promise<string> {
  const id = await createListing(test.dataSource, fields);
  await test.dataSource.query(`UPDATE listings SET icons = $2 WHERE id = $1`, [id, JSON.stringify(icons)]);
  return id;
}

const read = (id: string, api = cast.member) => api.raw('get', `/v1/mcp/listings/${id}/icon`);
const hasIcon = async (id: string) => (await cast.member.get(`/v1/mcp/listings/${id}`)).body.has_icon;
const requestsFor = (src: string) => server.requests.filter(({ path }) => src.endsWith(path)).length;
const expire = (src: string) =>
  test.dataSource.query(`UPDATE fetched_icons SET due_at = now() - interval '1 second' WHERE src = $1`, [src]);
const isKeptUntil = async (src: string) => {
  const [row] = await test.dataSource.query<{ failure: string | null; hours: number }[]>(
    `SELECT failure, round(extract(epoch FROM due_at - fetched_at) / 3600)::int AS hours FROM fetched_icons WHERE src = $1`,
    [src],
  );
  return row;
};

describe('The icon of a listing', () => {
  it.each([
    ['PNG', PIXEL, 'image/png'],
    ['JPEG', jpegOf(64, 64), 'image/jpeg'],
    ['WebP', webpOf(64, 64), 'image/webp'],
  ])('is fetched once, whatever type its server says, and kept: %s', async (_, bytes, type) => {
    const src = serve(sending(bytes, 'text/plain'));
    const id = await listingWith([{ src }]);
    expect(await hasIcon(id)).toBe(true);
    await cast.member.get(`/v1/mcp/listings/${id}/icon`);
    const answer = await read(id);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(bytes);
    expect(answer.headers).toMatchObject({
      'content-type': type,
      'content-length': String(bytes.length),
      'cache-control': expect.stringContaining('private') as string,
      'x-content-type-options': 'nosniff',
    });
    const again = await read(id).set('If-None-Match', String(answer.headers.etag));
    expect([again.status, again.headers.etag]).toEqual([304, answer.headers.etag]);
    expect(requestsFor(src)).toBe(1);
    expect(await isKeptUntil(src)).toEqual({ failure: null, hours: 168 });
  });

  it('is shown to those who can see the listing', async () => {
    const src = serve(sending(PIXEL));
    const id = await listingWith([{ src }], { visibility: 'PRIVATE', orgId: cast.orgId });
    const refused = await cast.outsider.get(`/v1/mcp/listings/${id}/icon`, 404);
    expect(refused.body).toMatchObject({ code: 'listing_not_found' });
    expect(requestsFor(src)).toBe(0);
    await cast.member.get(`/v1/mcp/listings/${id}/icon`);
  });

  it.each<[string, Serve, string, number]>([
    ['missing', (response) => response.writeHead(404).end(), 'missing', 24],
    ['not there for now', (response) => response.writeHead(503).end(), 'busy', 1],
    ['a broken connection', (response) => response.destroy(), 'unreachable', 1],
    ['an SVG', sending('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'no_picture', 24],
    ['a page', sending('<!doctype html>'.repeat(10)), 'no_picture', 24],
    ['a picture of 2,049 pixels', sending(pngOf(2_049, 2_049)), 'no_picture', 24],
    ['a picture of 65,537 bytes', sending(pngOf(64, 64, 65_537)), 'too_large', 24],
    [
      'a picture that says nothing of its size and never ends',
      (response) => {
        response.write(pngOf(64, 64, 40_000));
        response.write(pngOf(64, 64, 40_000));
      },
      'too_large',
      24,
    ],
    ['a redirect to itself', redirect(''), 'missing', 24],
    ['a redirect to what is no address', redirect('http://['), 'refused', 24],
    ['a redirect to another protocol', redirect('data:image/png;base64,iVBORw0KGgo='), 'refused', 24],
    ['a redirect with a password', redirect('http://user:secret@icons.example.com/'), 'refused', 24],
    ['a redirect to a private address', redirect('http://10.0.0.1/a.png'), 'refused', 24],
    ['a redirect to the name of a private address', redirect('http://private.example.com/a.png'), 'refused', 24],
  ])('is not found where there is %s, which is remembered', async (_, how, failure, hours) => {
    const src = serve(how);
    const id = await listingWith([{ src, mimeType: 'image/png' }]);
    for (let time = 0; time < 2; time++) {
      const { body } = await cast.member.get(`/v1/mcp/listings/${id}/icon`, 404);
      expect(body).toEqual({ detail: `Icon of listing ${id} was not found.`, code: 'icon_not_found' });
    }
    expect(await isKeptUntil(src)).toEqual({ failure, hours });
    expect(await hasIcon(id)).toBe(false);
    const tries = requestsFor(src);
    expect(tries).toBeGreaterThan(0);
    // After that time it is tried again, with success.
    await expire(src);
    files.set(new URL(src).pathname, sending(PIXEL));
    expect(await hasIcon(id)).toBe(true);
    await cast.member.get(`/v1/mcp/listings/${id}/icon`);
    expect(requestsFor(src)).toBe(tries + 1);
  });

  it.each([
    ['a private address', 'http://10.0.0.1/a.png'],
    ['the name of one', 'http://private.example.com/a.png'],
    ['an address of the cloud', 'http://169.254.169.254/latest/meta-data/'],
  ])('is never asked of %s', async (_, src) => {
    const id = await listingWith([{ src }]);
    await cast.member.get(`/v1/mcp/listings/${id}/icon`, 404);
    expect(await isKeptUntil(src)).toEqual({ failure: 'refused', hours: 24 });
  });

  it('may be where redirects lead, three at most', async () => {
    const file = serve(sending(PIXEL), 'store.example.com');
    const third = serve(redirect(file));
    const second = serve(redirect(new URL(third).pathname));
    const first = serve(redirect(second));
    const zeroth = serve(redirect(first));
    await cast.member.get(`/v1/mcp/listings/${await listingWith([{ src: first }])}/icon`);
    await cast.member.get(`/v1/mcp/listings/${await listingWith([{ src: zeroth }])}/icon`, 404);
  });

  it('is the next best one where the best one is bad', async () => {
    const bad = serve((response) => response.writeHead(404).end());
    const good = serve(sending(PIXEL));
    const id = await listingWith([
      { src: serve(sending(PIXEL)), mimeType: 'image/svg+xml' },
      { src: good, theme: 'dark' },
      { src: bad, sizes: ['128x128'] },
    ]);
    await cast.member.get(`/v1/mcp/listings/${id}/icon`);
    expect(await hasIcon(id)).toBe(true);
    expect([requestsFor(bad), requestsFor(good)]).toEqual([1, 1]);
  });

  it('is not found, and nothing is fetched, if the document names none that can be shown', async () => {
    for (const icons of [[], [{ src: serve(sending(PIXEL)), mimeType: 'image/svg+xml' }]]) {
      const before = server.requests.length;
      const id = await listingWith(icons);
      expect(await hasIcon(id)).toBe(false);
      await cast.member.get(`/v1/mcp/listings/${id}/icon`, 404);
      expect(server.requests).toHaveLength(before);
    }
  });

  it('stays as it was while its server is away', async () => {
    const src = serve(sending(PIXEL));
    const id = await listingWith([{ src }]);
    await cast.member.get(`/v1/mcp/listings/${id}/icon`);
    await expire(src);
    const failed = new Promise<void>((resolve) =>
      files.set(new URL(src).pathname, (response) => {
        response.writeHead(503).end();
        resolve();
      }),
    );
    expect((await read(id)).body).toEqual(PIXEL);
    await failed;
    expect((await read(id)).body).toEqual(PIXEL);
    expect(await hasIcon(id)).toBe(true);
  });

  it('is fetched once for concurrent requests and for all listings that name it', async () => {
    const src = serve(sending(PIXEL));
    const ids = [await listingWith([{ src }]), await listingWith([{ src }])];
    const answers = await Promise.all([...ids, ...ids, ...ids].map((id) => read(id)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(requestsFor(src)).toBe(1);
  });

  it('is not fetched again by a request that looked before another one had it', async () => {
    const src = serve(sending(PIXEL));
    const other = await listingWith([{ src }]);
    const answerLate: Serve = (response) => read(other).then(() => response.writeHead(404).end());
    const id = await listingWith([{ src: serve(answerLate, 'late.example.com') }, { src }]);
    expect((await read(id)).status).toBe(200);
    expect(requestsFor(src)).toBe(1);
  });

  it('is fetched from four hosts at once, from each one at a time', async () => {
    let open = 0;
    const most = { all: 0, host: 0 };
    const byHost = new Map<string, number>();
    const held: (() => void)[] = [];
    const count = (host: string, by: number) => {
      open += by;
      byHost.set(host, (byHost.get(host) ?? 0) + by);
      most.all = Math.max(most.all, open);
      most.host = Math.max(most.host, ...byHost.values());
    };
    /** Each answers when so many are open. */
    const readAll = async (hosts: string[], together: number) => {
      const ids = await Promise.all(
        hosts.map((host) => {
          const src = serve((response) => {
            count(host, 1);
            held.push(() => {
              count(host, -1);
              sending(PIXEL)(response);
            });
            if (open === together) for (const answer of held.splice(0)) answer();
          }, host);
          return listingWith([{ src }]);
        }),
      );
      const answers = await Promise.all(ids.map((id) => read(id)));
      expect(answers.map(({ status }) => status)).toEqual(Array(hosts.length).fill(200));
    };
    await readAll(
      Array.from({ length: 8 }, (_, place) => `host-${place}.example.com`),
      4,
    );
    await readAll(Array<string>(3).fill('one.example.com'), 1);
    expect(most).toEqual({ all: 4, host: 1 });
  });
});

it('Icons that no one has asked for in a month are deleted', async () => {
  await test.dataSource.query(
    `INSERT INTO fetched_icons (src, failure, fetched_at, due_at)
     SELECT 'https://icons.example.com/' || days, 'missing', now(), now() - make_interval(days => days, secs => 1) FROM generate_series(28, 32) AS days`,
  );
  await test.dataSource.query(REMOVE_FORGOTTEN_ICONS, [new Date(), 1_000]);
  const left = await test.dataSource.query<{ src: string }[]>(
    `SELECT src FROM fetched_icons WHERE due_at < now() - interval '27 days' ORDER BY src`,
  );
  expect(left.map(({ src }) => src)).toEqual(['https://icons.example.com/28', 'https://icons.example.com/29']);
});
