import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import request from 'supertest';
import { createTestApp, FakeClock, PUBLIC_URL, type TestApp } from '../support/app';
import { Authenticator, type Flaws } from '../support/authenticator';
import { consoleSession } from '../support/console-session';
import { idOf } from '../support/factories';
import { growth } from '../support/metrics';

let test: TestApp;
const clock = new FakeClock(new Date());

beforeAll(async () => {
  test = await createTestApp({ clock });
});

afterAll(() => test.close());

let people = 0;

/** Somebody who has just signed in, in a browser. */
async function somebody() {
  const userId = await idOf(await test.as(`passkeys-${++people}`));
  return { userId, headers: await consoleSession(test, userId) };
}

type Headers = Record<string, string>;

const optionsFor = async (headers: Headers) => {
  const { body } = await test.anonymous.post('/v1/users/me/passkeys/options', undefined, 200, headers);
  return body.public_key as unknown as PublicKeyCredentialCreationOptionsJSON;
};

async function add(headers: Headers, authenticator = new Authenticator(PUBLIC_URL), name = 'Laptop') {
  const response = { ...authenticator.register(await optionsFor(headers)) };
  const { body } = await test.anonymous.post('/v1/users/me/passkeys', { name, response }, 201, headers);
  return { ...body, authenticator };
}

const list = async (headers: Headers) => (await test.anonymous.get('/v1/users/me/passkeys', 200, headers)).body;

describe('Adding a passkey', () => {
  it('stores its public key, and shows ten recovery codes with the first one only', async () => {
    const { headers } = await somebody();
    const first = await add(headers);
    expect(first).toMatchObject({ name: 'Laptop', is_backed_up: false, last_used_at: null });
    expect(new Set(first.recovery_codes).size).toBe(10);
    expect((await add(headers)).recovery_codes).toBeNull();
    expect(await list(headers)).toHaveLength(2);
  });

  it('asks for a discoverable passkey that verifies the person, without personal data in it', async () => {
    const { headers, userId } = await somebody();
    const options = await optionsFor(headers);
    expect(options).toMatchObject({
      rp: { id: 'toolyard.test' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    expect(Buffer.from(options.user.id, 'base64url').toString('hex')).toBe(userId.replaceAll('-', ''));
  });

  it('needs a session in a browser, in which the person signed in less than five minutes ago', async () => {
    const { headers, userId } = await somebody();
    const token = await test.as(`passkeys-${people}`);
    expect(await idOf(token)).toBe(userId);
    await token.post('/v1/users/me/passkeys/options', undefined, 403);
    const before = clock.time;
    clock.time = new Date(before.getTime() + 300_000);
    await optionsFor(headers);
    clock.time = new Date(before.getTime() + 300_001);
    await test.anonymous.post('/v1/users/me/passkeys/options', undefined, 403, headers);
    clock.time = before;
  });

  it.each<[string, Flaws]>([
    ['of another site', { origin: 'https://evil.example' }],
    ['that did not verify the person', { isVerified: false }],
  ])('refuses an answer %s', async (_, flaws) => {
    const { headers } = await somebody();
    const response = { ...new Authenticator(PUBLIC_URL).register(await optionsFor(headers), flaws) };
    await test.anonymous.post('/v1/users/me/passkeys', { name: 'Laptop', response }, 422, headers);
    expect(await list(headers)).toEqual([]);
  });

  it('refuses the answer to a challenge of another session, one that was used, and one that has expired', async () => {
    const [one, other] = [await somebody(), await somebody()];
    const authenticator = new Authenticator(PUBLIC_URL);
    const response = { ...authenticator.register(await optionsFor(one.headers)) };
    await test.anonymous.post('/v1/users/me/passkeys', { name: 'Laptop', response }, 422, other.headers);
    await test.anonymous.post('/v1/users/me/passkeys', { name: 'Laptop', response }, 201, one.headers);
    await test.anonymous.post('/v1/users/me/passkeys', { name: 'Laptop', response }, 422, one.headers);
    const late = { ...new Authenticator(PUBLIC_URL).register(await optionsFor(one.headers)) };
    const before = clock.time;
    clock.time = new Date(before.getTime() + 300_000);
    const again = await consoleSession(test, one.userId);
    await test.anonymous.post('/v1/users/me/passkeys', { name: 'Laptop', response: late }, 422, again);
    clock.time = before;
  });

  it('refuses a passkey that is registered already, whoever has it', async () => {
    const [one, other] = [await somebody(), await somebody()];
    const { authenticator } = await add(one.headers);
    const response = { ...authenticator.register(await optionsFor(other.headers)) };
    await test.anonymous.post('/v1/users/me/passkeys', { name: 'Stolen', response }, 409, other.headers);
  });

  it('ends at ten, also with requests at the same time', async () => {
    const { headers } = await somebody();
    for (let n = 1; n <= 8; n++) await add(headers);
    const answers = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const response = { ...new Authenticator(PUBLIC_URL).register(await optionsFor(headers)) };
        return test.anonymous.call('post', '/v1/users/me/passkeys', undefined, { name: 'Key', response }, headers);
      }),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
    expect(await list(headers)).toHaveLength(10);
  });

  it.each([
    ['no answer', {}],
    ['an id that is not text', { id: 1, rawId: 1, type: 'public-key', response: {} }],
    ['parts that are not text', { id: 'a', rawId: 'a', type: 'public-key', response: { clientDataJSON: {} } }],
    ['parts that are no CBOR', { id: 'a', rawId: 'a', type: 'public-key', response: { attestationObject: 'AAAA' } }],
  ])('answers 422 for %s', async (_, response) => {
    const { headers } = await somebody();
    await test.anonymous.post('/v1/users/me/passkeys', { name: 'Laptop', response }, 422, headers);
  });
});

describe('Recovery codes', () => {
  it('are replaced as a whole, and only their digests are stored', async () => {
    const { headers, userId } = await somebody();
    const { recovery_codes: first } = await add(headers);
    const { body } = await test.anonymous.post('/v1/users/me/recovery-codes', undefined, 200, headers);
    expect(body.recovery_codes).toHaveLength(10);
    expect(body.recovery_codes).not.toEqual(first);
    const rows: { text: string }[] = await test.dataSource.query(
      `SELECT recovery_codes::text AS text FROM recovery_codes WHERE user_id = $1`,
      [userId],
    );
    expect(rows).toHaveLength(10);
    for (const code of body.recovery_codes) expect(JSON.stringify(rows)).not.toContain(code.replaceAll('-', ''));
  });
});

/** A browser that is not signed in: it keeps the cookies that it gets. */
class Browser {
  private readonly cookies = new Map<string, string>();

  get headers(): Headers {
    return { Cookie: Array.from(this.cookies, (pair) => pair.join('=')).join('; '), 'Sec-Fetch-Site': 'same-origin' };
  }

  async post(path: string, body: object, type = 'json'): Promise<{ status: number; body: Record<string, unknown> }> {
    const answer = await request(test.url).post(path).type(type).set(this.headers).send(body);
    this.keep(answer);
    return { status: answer.status, body: answer.body as Record<string, unknown> };
  }

  async get(path: string) {
    const answer = await request(test.url).get(path).set(this.headers);
    this.keep(answer);
    return answer;
  }

  /** Who is signed in; undefined: nobody. */
  async person(): Promise<string | undefined> {
    const answer = await request(test.url).get('/v1/users/me').set(this.headers);
    return answer.status === 200 ? (answer.body as { id: string }).id : undefined;
  }

  async challenge(): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { body } = await this.post('/v1/session/passkey/options', {});
    return body.public_key as PublicKeyCredentialRequestOptionsJSON;
  }

  private keep(answer: request.Response): void {
    const set = answer.headers['set-cookie'] as unknown as string[] | undefined;
    for (const cookie of set ?? []) {
      const [pair = ''] = cookie.split(';');
      const at = pair.indexOf('=');
      this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
  }
}

describe('Signing in with a passkey', () => {
  it('begins a session, notes the use, and leads to a path of ours only', async () => {
    const { userId, headers } = await somebody();
    const { authenticator, id } = await add(headers);
    const browser = new Browser();
    const response = authenticator.signIn(await browser.challenge());
    const answer = await browser.post('/v1/session/passkey', { response, return_to: '//evil.example/' });
    expect(answer).toMatchObject({ status: 200, body: { location: '/' } });
    expect(await browser.person()).toBe(userId);
    expect((await list(headers)).find((passkey) => passkey.id === id)?.last_used_at).not.toBeNull();
    const { body: session } = await test.anonymous.get('/v1/users/me', 200, browser.headers);
    expect(session.id).toBe(userId);
  });

  it('is counted by its result', async () => {
    const { authenticator } = await add((await somebody()).headers);
    const browser = new Browser();
    const response = authenticator.signIn(await browser.challenge());
    const twice = async () => {
      for (let n = 0; n < 2; n++) await browser.post('/v1/session/passkey', { response });
    };
    expect(await growth(test, ['toolyard_sign_ins_total'], twice)).toEqual({
      'toolyard_sign_ins_total{way="passkey",result="succeeded"}': 1,
      'toolyard_sign_ins_total{way="passkey",result="failed"}': 1,
    });
  });

  it('is never delayed by wrong passwords for its account', async () => {
    const { headers, userId } = await somebody();
    const { authenticator } = await add(headers);
    const browser = new Browser();
    const statuses: number[] = [];
    for (let index = 0; index < 7; index++) {
      const { text } = await browser.get('/sign-in');
      const [, csrf_token = ''] = /name="csrf_token" value="([^"]+)"/.exec(text) ?? [];
      const fields = { email: `passkeys-${people}@example.com`, password: 'wrong', csrf_token };
      statuses.push((await browser.post('/sign-in', fields, 'form')).status);
    }
    expect(statuses.at(-1)).toBe(429);
    const response = authenticator.signIn(await browser.challenge());
    expect((await browser.post('/v1/session/passkey', { response })).status).toBe(200);
    expect(await browser.person()).toBe(userId);
  });

  it('accepts an answer once, also of two at the same time', async () => {
    const { authenticator } = await add((await somebody()).headers);
    const browser = new Browser();
    const response = authenticator.signIn(await browser.challenge());
    const answers = await Promise.all([1, 2].map(() => browser.post('/v1/session/passkey', { response })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
    expect((await browser.post('/v1/session/passkey', { response })).status).toBe(403);
  });

  it('refuses an answer of another browser than the one that was asked', async () => {
    const { authenticator } = await add((await somebody()).headers);
    const response = authenticator.signIn(await new Browser().challenge());
    const other = new Browser();
    await other.challenge();
    expect((await other.post('/v1/session/passkey', { response })).status).toBe(403);
    expect(await other.person()).toBeUndefined();
  });

  it.each<[string, Flaws]>([
    ['of another site', { origin: 'https://evil.example' }],
    ['that did not verify the person', { isVerified: false }],
    ['for another account', { userHandle: Buffer.alloc(16, 1).toString('base64url') }],
  ])('refuses an answer %s', async (_, flaws) => {
    const { authenticator } = await add((await somebody()).headers);
    const browser = new Browser();
    const response = authenticator.signIn(await browser.challenge(), flaws);
    expect((await browser.post('/v1/session/passkey', { response })).status).toBe(403);
  });

  it('refuses a passkey that was never registered, one that was removed, and one of a closed account', async () => {
    const browser = new Browser();
    const unknown = new Authenticator(PUBLIC_URL);
    const { headers, userId } = await somebody();
    const { authenticator } = await add(headers);
    const { authenticator: removed, id } = await add(headers);
    await test.anonymous.delete(`/v1/users/me/passkeys/${id}`, 204, headers);
    for (const by of [unknown, removed]) {
      const response = by.signIn(await browser.challenge());
      expect((await browser.post('/v1/session/passkey', { response })).status).toBe(403);
    }
    await test.dataSource.query(`UPDATE users SET closed_at = now() WHERE id = $1`, [userId]);
    const response = authenticator.signIn(await browser.challenge());
    expect((await browser.post('/v1/session/passkey', { response })).status).toBe(403);
  });

  it('is offered on the page for signing in', async () => {
    const { text } = await new Browser().get('/sign-in');
    expect(text).toContain('data-passkey="sign-in"');
    const [, script = ''] = /<script src="([^"]+)"/.exec(text) ?? [];
    expect((await request(test.url).get(script)).headers['content-type']).toBe('text/javascript; charset=utf-8');
  });
});

describe('Signing in with a recovery code', () => {
  const token = (text: string) => /name="csrf_token" value="([^"]+)"/.exec(text)?.[1] ?? '';
  const use = async (browser: Browser, email: string, code: string) => {
    const { text } = await browser.get('/sign-in/recovery');
    return browser.post('/sign-in/recovery', { email, code, csrf_token: token(text) }, 'form');
  };

  it('works once, however the code is typed', async () => {
    const { headers, userId } = await somebody();
    const { recovery_codes: codes } = await add(headers);
    const email = `passkeys-${people}@example.com`;
    const [first = ''] = codes ?? [];
    const browser = new Browser();
    expect((await use(browser, email, first.toLowerCase().replaceAll('-', ' '))).status).toBe(303);
    expect(await browser.person()).toBe(userId);
    const other = new Browser();
    expect((await use(other, email, first)).status).toBe(422);
    expect(await other.person()).toBeUndefined();
  });

  it('works, and ends the wait, after wrong passwords of strangers', async () => {
    const { recovery_codes: codes } = await add((await somebody()).headers);
    const email = `passkeys-${people}@example.com`;
    const wrong = async () => {
      const browser = new Browser();
      const { text } = await browser.get('/sign-in');
      return (await browser.post('/sign-in', { email, password: 'wrong', csrf_token: token(text) }, 'form')).status;
    };
    for (let n = 0; n < 6; n++) await wrong();
    expect(await wrong()).toBe(429);
    expect((await use(new Browser(), email, codes?.[0] ?? '')).status).toBe(303);
    expect(await wrong()).toBe(422);
  });

  it('answers alike for an unknown account and a wrong code', async () => {
    await add((await somebody()).headers);
    const pages = await Promise.all(
      [`passkeys-${people}@example.com`, 'unknown@example.com'].map(async (email) => {
        const browser = new Browser();
        await use(browser, email, 'AAAA-BBBB-CCCC-DDDD');
        const { text } = await browser.get('/sign-in/recovery');
        const answer = await request(test.url)
          .post('/sign-in/recovery')
          .type('form')
          .set(browser.headers)
          .send({ email, code: 'AAAA-BBBB-CCCC-DDDD', csrf_token: token(text) });
        return [answer.status, answer.text.replaceAll(email, '').replaceAll(token(answer.text), '')];
      }),
    );
    expect(pages[0]).toEqual(pages[1]);
  });
});

describe('The last way to sign in', () => {
  it('cannot be removed, also by two requests at the same time', async () => {
    const { headers } = await somebody();
    const [one, other] = [await add(headers), await add(headers)];
    const answers = await Promise.all(
      [one, other].map(({ id }) =>
        test.anonymous.call('delete', `/v1/users/me/passkeys/${id}`, undefined, undefined, headers),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect(await list(headers)).toHaveLength(1);
  });
});
