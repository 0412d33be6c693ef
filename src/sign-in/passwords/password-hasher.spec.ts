import { hash } from '@node-rs/argon2';
import { MAX_STRANGERS, MAX_WAITING, PasswordHasher, unusedHash } from './password-hasher';

describe('Password hashes', () => {
  it('are argon2id with 19 MiB, two passes and a salt of their own', async () => {
    const hasher = new PasswordHasher();
    const [one, other] = [await hasher.hash('secret'), await hasher.hash('secret')];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(one).not.toBe(other);
    expect(await hasher.verify(one, 'secret')).toBe(true);
    expect(await hasher.verify(one, 'Secret')).toBe(false);
    expect(await hasher.verify(undefined, 'secret')).toBe(false);
  });

  it('of accounts that do not exist look like any other, with a new salt each time', () => {
    const [one, other] = [unusedHash(), unusedHash()];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(other.split('$')[4]).not.toBe(one.split('$')[4]);
  });

  it('are outdated once the parameters have risen', async () => {
    const hasher = new PasswordHasher();
    expect(hasher.isOutdated(await hasher.hash('secret'))).toBe(false);
    expect(hasher.isOutdated(await hash('secret', { memoryCost: 8_192, timeCost: 2 }))).toBe(true);
    expect(hasher.isOutdated(await hash('secret', { memoryCost: 19_456, timeCost: 1 }))).toBe(true);
  });

  it('are computed two at a time; those who would wait too long are asked to come back', async () => {
    const hasher = new PasswordHasher();
    const results = await Promise.allSettled(
      Array.from({ length: MAX_WAITING + 5 }, () => hasher.verify(undefined, 'secret')),
    );
    const refused = results.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(3);
    expect(refused[0]).toMatchObject({ reason: { code: 'service_unavailable', retryAfter: 3 } });
    expect(await hasher.verify(undefined, 'secret')).toBe(false);
  }, 60_000);

  it('leave a quarter of the queue to those who have signed in before', async () => {
    const hasher = new PasswordHasher();
    const strangers = Array.from({ length: MAX_WAITING + 2 }, () => hasher.verify(undefined, 'secret', true));
    const known = Array.from({ length: MAX_WAITING - MAX_STRANGERS }, () => hasher.verify(undefined, 'secret'));
    const refused = (await Promise.allSettled(strangers)).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(MAX_WAITING - MAX_STRANGERS);
    expect(await Promise.all(known)).toEqual(known.map(() => false));
  }, 60_000);
});
