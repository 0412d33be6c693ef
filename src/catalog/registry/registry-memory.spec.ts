import express from 'express';
import request from 'supertest';
import type { DataSource } from 'typeorm';
import { Environment } from '../../config/environment';
import { Notifications } from '../../database/notifications';
import { RegistryMemory } from './registry-memory';

/** Notifications that a test sends itself. */
class Wire extends Notifications {
  private readonly callbacks: (() => void)[] = [];
  override connected = true;

  override listen(_channel: string, onNews: (payload: string | undefined) => void): void {
    this.callbacks.push(() => onNews(''));
  }

  notify(): void {
    this.callbacks.forEach((call) => call());
  }
}

/** A read of the database that ends when the test says so. */
interface Read {
  url: string;
  end: (json: string) => void;
  fail: (error: Error) => void;
}

function start(cacheMib = 64) {
  const wire = new Wire('');
  const memory = new RegistryMemory(
    undefined as unknown as DataSource,
    wire,
    new Environment({ REGISTRY_CACHE_MIB: String(cacheMib) }),
  );
  memory.onModuleInit();
  const reads: Read[] = [];
  const arrivals: ((read: Read) => void)[] = [];
  const app = express();
  app.use((...values) => memory.serve(...values));
  app.use((request, response, next) => {
    const read = () =>
      new Promise<string>((end, fail) => {
        const one = { url: request.url, end, fail };
        reads.push(one);
        arrivals.shift()?.(one);
      });
    memory.answer(request, response, read).catch(next);
  });
  /** The next read that has not arrived yet. */
  const nextRead = () => new Promise<Read>((resolve) => arrivals.push(resolve));
  const get = (path: string, headers: Record<string, string> = {}) =>
    request(app)
      .get(path)
      .set({ 'Accept-Encoding': 'identity', ...headers });
  const getAndRead = async (path: string, json: string, headers?: Record<string, string>) => {
    const read = nextRead();
    const [answer] = await Promise.all([get(path, headers), read.then(({ end }) => end(json))]);
    return answer;
  };
  return { wire, app, reads, nextRead, get, getAndRead };
}

const PATH = '/v0.1/servers';

describe('The memory of the registry', () => {
  it('reads an answer once, and sends it again until something changes', async () => {
    const { wire, reads, get, getAndRead } = start();
    expect((await getAndRead(PATH, '{"a":1}')).text).toBe('{"a":1}');
    expect((await get(PATH)).text).toBe('{"a":1}');
    expect(reads).toHaveLength(1);
    wire.notify();
    expect((await getAndRead(PATH, '{"a":2}')).text).toBe('{"a":2}');
    expect((await get(PATH)).text).toBe('{"a":2}');
    expect(reads).toHaveLength(2);
  });

  it('reads once for concurrent requests', async () => {
    const { reads, nextRead, get } = start();
    const read = nextRead();
    const answers = Promise.all(Array.from({ length: 10 }, () => get(PATH)));
    // The others arrive while the first read is waiting.
    const { end } = await read;
    setTimeout(() => end('{}'), 50);
    expect((await answers).map(({ text }) => text)).toEqual(Array(10).fill('{}'));
    expect(reads).toHaveLength(1);
  });

  it('does not keep what was read before a change, and does not give it to requests after the change', async () => {
    const { wire, reads, nextRead, get, getAndRead } = start();
    const arrival = nextRead();
    const early = get(PATH).then((answer) => answer.text);
    const { end } = await arrival;
    wire.notify();
    // Asked after the change, while the early read is still under way.
    expect((await getAndRead(PATH, '"new"')).text).toBe('"new"');
    end('"old"');
    expect(await early).toBe('"old"');
    expect((await get(PATH)).text).toBe('"new"');
    expect(reads).toHaveLength(2);
  });

  it('does not keep a compressed answer of before a change either', async () => {
    const { wire, reads, nextRead, get, getAndRead } = start();
    const arrival = nextRead();
    const old = JSON.stringify('old'.repeat(1_000));
    const early = get(PATH, { 'Accept-Encoding': 'gzip' }).then(({ body }) => body as string);
    const { end } = await arrival;
    wire.notify();
    end(old);
    expect(JSON.stringify(await early)).toBe(old);
    expect((await getAndRead(PATH, '"new"', { 'Accept-Encoding': 'gzip' })).text).toBe('"new"');
    expect(reads).toHaveLength(2);
  });

  it('reads each time while notifications do not arrive', async () => {
    const { wire, reads, getAndRead, get } = start();
    await getAndRead(PATH, '1');
    wire.connected = false;
    expect((await getAndRead(PATH, '2')).text).toBe('2');
    expect((await getAndRead(PATH, '3')).text).toBe('3');
    // As `Notifications` does when it is connected again.
    wire.connected = true;
    wire.notify();
    expect((await getAndRead(PATH, '4')).text).toBe('4');
    expect((await get(PATH)).text).toBe('4');
    expect(reads).toHaveLength(4);
  });

  it('does not keep failures', async () => {
    const { nextRead, get, getAndRead } = start();
    const read = nextRead();
    const [failure] = await Promise.all([get(PATH), read.then(({ fail }) => fail(new Error('no')))]);
    expect(failure.status).toBe(500);
    expect((await getAndRead(PATH, '1')).text).toBe('1');
  });

  it('keeps one answer for parameters in any order, and none for parameters that the registry does not know', async () => {
    const { reads, get, getAndRead } = start();
    await getAndRead(`${PATH}?limit=5&search=a`, '1');
    expect((await get(`${PATH}?search=a&limit=5`)).text).toBe('1');
    for (const query of ['x=1', 'limit=5&x=1', '%6Cimit=5', 'limit=5&']) {
      const { length } = reads;
      await getAndRead(`${PATH}?${query}`, '2');
      await getAndRead(`${PATH}?${query}`, '3');
      expect(reads).toHaveLength(length + 2);
    }
  });

  it('keeps no copies of one answer for parameters of other operations', async () => {
    const { reads, get, getAndRead } = start();
    const versions = `${PATH}/com.example%2Fa/versions`;
    await getAndRead(`${versions}?include_deleted=true`, '1');
    expect((await get(`${versions}?include_deleted=true`)).text).toBe('1');
    for (const path of [
      `${versions}?search=a`,
      `${versions}/1.0.0?cursor=a`,
      '/v0.1/x/com.toolyard/categories?limit=1',
    ]) {
      const { length } = reads;
      await getAndRead(path, '2');
      await getAndRead(path, '3');
      expect(reads).toHaveLength(length + 2);
    }
  });

  it('answers HEAD, and 304 to the validator of the same coding only', async () => {
    const { app, get, getAndRead } = start();
    const json = JSON.stringify('x'.repeat(3_000));
    const plain = await getAndRead(PATH, json);
    const gzipped = await get(PATH, { 'Accept-Encoding': 'gzip' });
    const brotlied = await get(PATH, { 'Accept-Encoding': 'br, gzip;q=0.5' });
    const answers = [plain, gzipped, brotlied];
    expect(answers.map(({ headers }) => headers['content-encoding'] as unknown)).toEqual([undefined, 'gzip', 'br']);
    expect(new Set(answers.map(({ headers }) => String(headers.etag))).size).toBe(3);
    for (const { headers } of answers) {
      expect(headers).toMatchObject({ 'cache-control': 'no-cache', vary: 'Accept-Encoding' });
      expect(headers.etag).toMatch(/^"[^"]+"$/);
    }
    const etag = String(gzipped.headers.etag);
    expect((await get(PATH, { 'Accept-Encoding': 'gzip', 'If-None-Match': etag })).status).toBe(304);
    expect((await get(PATH, { 'If-None-Match': etag })).status).toBe(200);
    const head = await request(app).head(PATH).set('Accept-Encoding', 'identity');
    expect([head.status, head.headers['content-length'], head.text]).toEqual([200, String(json.length), undefined]);
  });

  it('evicts the least recently used answers when it is full', async () => {
    const { reads, get, getAndRead } = start(1);
    const json = JSON.stringify('x'.repeat(400_000));
    await getAndRead(`${PATH}?search=1`, json);
    await getAndRead(`${PATH}?search=2`, json);
    await get(`${PATH}?search=1`);
    await getAndRead(`${PATH}?search=3`, json);
    await get(`${PATH}?search=1`);
    expect(reads).toHaveLength(3);
    await getAndRead(`${PATH}?search=2`, json);
    expect(reads).toHaveLength(4);
  });

  it('keeps nothing if its size is 0', async () => {
    const { getAndRead } = start(0);
    expect((await getAndRead(PATH, '1')).text).toBe('1');
    expect((await getAndRead(PATH, '2')).text).toBe('2');
  });
});
