import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { createTestApp, FakeClock, PUBLIC_URL, type TestApp } from '../support/app';
import { Authenticator, type Flaws } from '../support/authenticator';
import { consoleSession } from '../support/console-session';
import { idOf } from '../support/factories';

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
    clock.time = new Date(before.getTime() + 299_000);
    await optionsFor(headers);
    clock.time = new Date(before.getTime() + 300_000);
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
