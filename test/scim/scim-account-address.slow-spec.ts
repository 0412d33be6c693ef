import { decodeJwt, SignJWT } from 'jose';
import { SigningKeys } from '../../src/auth/signing-keys/signing-keys.service';
import { Api } from '../support/api';
import { createTestApp, type TestApp } from '../support/app';
import { idOf, unique } from '../support/factories';
import { Directory } from '../support/scim-directory';

/** Issuers reassign addresses over time, while older tokens are still valid. */
describe('An address that belonged to several accounts over time', () => {
  let test: TestApp;
  let address: string;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
  });

  afterAll(() => test.close());

  beforeEach(() => {
    address = `${unique('shared')}@example.com`;
  });

  /** Signs in with a new token. @returns the account */
  const signIn = async (subject: string, claims: { email: string; name?: string }): Promise<string> =>
    idOf(new Api(test.url, test.document, await test.token(subject, claims)));

  /** The same with a token from another time. @param iat undefined: no iat */
  async function signInAsOf(iat: number | undefined, subject: string, email: string): Promise<string> {
    const { kid, privateKey } = test.app.get(SigningKeys).current();
    const { iat: _, ...claims } = decodeJwt(await test.token(subject, { email }));
    const token = await new SignJWT({ ...claims, ...(iat === undefined ? {} : { iat }) })
      .setProtectedHeader({ alg: 'ES256', kid })
      .sign(privateKey);
    return idOf(new Api(test.url, test.document, token));
  }

  /** @returns the account to which the address belongs, as a new directory links it */
  async function holder(): Promise<string> {
    const directory = await Directory.create(test);
    return directory.accountOf((await directory.createUser({ userName: address })).id);
  }

  async function emailOf(id: string): Promise<string | null> {
    const [row] = await test.dataSource.query<{ email: string | null }[]>(`SELECT email FROM users WHERE id = $1`, [
      id,
    ]);
    return row?.email ?? null;
  }

  const now = () => Math.floor(Date.now() / 1_000);

  it('belongs to the account to which the issuer assigned it last', async () => {
    const [ada, eve] = [unique('ada'), unique('eve')];
    const first = await signIn(ada, { email: address });
    expect(await holder()).toBe(first);
    const second = await signIn(eve, { email: address });
    expect(second).not.toBe(first);
    expect(await holder()).toBe(second);
    // A changed name says nothing about the address.
    await signIn(ada, { email: address, name: 'Ada' });
    expect(await holder()).toBe(second);
    // Leaving the address and returning to it does.
    await signIn(ada, { email: `former-${address}` });
    await signIn(ada, { email: address });
    expect(await holder()).toBe(first);
  });

  it('does not return to the former account through an older token', async () => {
    const [ada, eve] = [unique('ada'), unique('eve')];
    const renamed = `renamed-${address}`;
    const first = await signInAsOf(now() - 600, ada, renamed);
    const second = await signInAsOf(now() - 300, eve, address);
    expect(await signInAsOf(now() - 900, ada, address)).toBe(first);
    expect(await emailOf(first)).toBe(renamed);
    expect(await holder()).toBe(second);
    // A token newer than both counts.
    await signInAsOf(now() - 200, ada, address);
    expect(await emailOf(first)).toBe(address);
    expect(await holder()).toBe(first);
  });

  it('is dated by the token’s iat, not by the time of its arrival', async () => {
    const later = await signInAsOf(now() - 100, unique('ada'), address);
    await signInAsOf(now() - 200, unique('eve'), address);
    expect(await holder()).toBe(later);
  });

  it('of an unclaimed account is dated by the iat of the token that claims it', async () => {
    const waiting = await holder();
    expect(await signInAsOf(now() - 200, unique('ada'), address)).toBe(waiting);
    const later = await signInAsOf(now() - 100, unique('eve'), address);
    expect(await holder()).toBe(later);
  });

  it.each<[string, number | undefined]>([
    ['no iat', undefined],
    ['an iat in the future', 4e9],
    ['an iat that is not a date', 1e300],
  ])('is dated now if the token has %s', async (_, iat) => {
    const ada = unique('ada');
    const first = await signInAsOf(now() - 100, ada, `former-${address}`);
    await signInAsOf(iat, ada, address);
    expect(await emailOf(first)).toBe(address);
    expect(await holder()).toBe(first);
    // Only until the next one.
    await signIn(ada, { email: `next-${address}` });
    expect(await emailOf(first)).toBe(`next-${address}`);
  });

  it('is not changed by a token with an absurdly early iat', async () => {
    const ada = unique('ada');
    const first = await signIn(ada, { email: address });
    await signInAsOf(-1e300, ada, `former-${address}`);
    expect(await emailOf(first)).toBe(address);
  });
});
