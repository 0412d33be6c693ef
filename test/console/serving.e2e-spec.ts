import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { createTestApp, type TestApp } from '../support/app';
import { createLocalAccount, signedIn } from '../support/local-accounts';
import { PageBrowser } from '../support/page-browser';
import { ROOT } from '../support/root';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
const PAGE = 'text/html,application/xhtml+xml';

describe('The console', () => {
  let test: TestApp;
  let script: string;
  let ada: PageBrowser;

  beforeAll(async () => {
    test = await createTestApp({ env: { CONSOLE: 'true' } });
    const scripts = readdirSync(join(ROOT, 'dist/console/files')).filter((name) => /^index-.*\.js$/.test(name));
    script = `/console/files/${scripts[0]}`;
    await createLocalAccount(test, 'ada@example.com');
    ada = await signedIn(test, 'ada@example.com');
  });

  afterAll(() => test.close());

  const get = (path: string, headers: Record<string, string> = { Accept: PAGE }) =>
    request(test.url)
      .get(path)
      .set({ Cookie: ada.cookie, ...headers })
      .redirects(0);

  it('is a page with a policy that lets nothing in from elsewhere', async () => {
    const page = await get('/console/');
    expect(page.status).toBe(200);
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'cache-control': 'no-cache',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^".+"$/) as string,
      'permissions-policy': expect.stringContaining('camera=()') as string,
    });
    expect(page.text).toContain(script);
    expect(page.text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|https?:\/\//);
    const again = await get('/console/', { Accept: PAGE, 'If-None-Match': page.headers['etag'] ?? '' });
    expect(again.status).toBe(304);
  });

  it.each(['br', 'gzip', 'identity'])('sends its files as %s, to be kept for good', async (coding) => {
    const file = await get(script, { 'Accept-Encoding': coding });
    expect(file.status).toBe(200);
    expect(file.headers['content-encoding'] ?? 'identity').toBe(coding);
    expect(file.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    });
  });

  it('answers HEAD like GET, without the body', async () => {
    const plain = { 'Accept-Encoding': 'identity' };
    const head = await request(test.url).head(script).set(plain);
    expect(head.status).toBe(200);
    expect(head.headers['content-length']).toBe((await get(script, plain)).headers['content-length']);
  });

  it.each(['/console/servers/019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10', '/console/catalogue?q=a', '/console/nothing.here'])(
    'gives its page to a browser that opens %s',
    async (path) => {
      const page = await get(path);
      expect([page.status, page.headers['content-security-policy']]).toEqual([200, POLICY]);
    },
  );

  it.each([
    '/console/files/nothing.js',
    '/console/files/../index.html',
    '/console/files/..%2f..%2fpackage.json',
    '/console/%2e%2e/%2e%2e/package.json',
    '/console/files/index.html.br',
    '/console//etc/passwd',
  ])('has no file %s', async (path) => {
    const answer = await get(path, { Accept: '*/*' });
    expect(answer.status).toBe(404);
  });

  it('has no page for programs at the address of a screen', async () => {
    expect((await get('/console/catalogue', { Accept: 'application/json' })).status).toBe(404);
    expect((await get('/console/', { Accept: 'application/json' })).status).toBe(404);
  });

  it.each(['/console/', '/console/index.html'])(
    'gives its page at %s to those who take anything, as curl',
    async (path) => {
      const page = await get(path, { Accept: '*/*' });
      expect([page.status, page.headers['content-type'], page.headers['content-security-policy']]).toEqual([
        200,
        'text/html; charset=utf-8',
        POLICY,
      ]);
      expect((await get(path, { Accept: '*/*', Cookie: '' })).status).toBe(303);
    },
  );

  it('is below /console/, and people who are signed in are led there', async () => {
    const bare = await get('/console');
    expect([bare.status, bare.headers['location']]).toEqual([308, '/console/']);
    const start = await get('/');
    expect([start.status, start.headers['location']]).toEqual([303, '/console/']);
  });

  it('sends people who are not signed in to sign in, and back', async () => {
    const page = await get('/console/catalogue?q=a%20b', { Accept: PAGE, Cookie: '' });
    expect([page.status, page.headers['location'], page.headers['cache-control']]).toEqual([
      303,
      '/sign-in?return_to=%2Fconsole%2Fcatalogue%3Fq%3Da%2520b',
      'no-store',
    ]);
    expect((await get('/', { Accept: PAGE, Cookie: '' })).text).toContain('href="/sign-in"');
  });
});

describe('With CONSOLE=false', () => {
  it('there is no console, and the start page is that of the account', async () => {
    const test = await createTestApp({ env: { CONSOLE: 'false' } });
    await createLocalAccount(test, 'ada@example.com');
    const ada = await signedIn(test, 'ada@example.com');
    expect((await new PageBrowser(test.url).get('/console/')).status).toBe(404);
    expect((await ada.get('/')).text).toContain('href="/account"');
    await test.close();
  });
});
