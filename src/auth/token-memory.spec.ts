import { Clock } from '../config/clock';
import { TokenMemory, VerifiedToken } from './token-memory';

class StandingClock extends Clock {
  time = 1_000;

  override now(): Date {
    return new Date(this.time);
  }
}

function verified(subject: string, expiresAt = 2_000): VerifiedToken {
  const caller = { userId: subject, email: null, name: null, isPlatformAdmin: false };
  return { identity: { issuer: 'https://issuer.example', subject }, caller, key: 'key', expiresAt };
}

describe('The cache of verified tokens', () => {
  it('returns a token until the moment it expires', () => {
    const clock = new StandingClock();
    const memory = new TokenMemory(clock);
    memory.remember('a', verified('alice'), memory.epoch);
    clock.time = 1_999;
    expect(memory.recall('a')).toEqual(verified('alice'));
    clock.time = 2_000;
    expect(memory.recall('a')).toBeUndefined();
    clock.time = 1_000;
    expect(memory.recall('a')).toBeUndefined(); // it is removed, not hidden
  });

  it('returns a token for at most ten minutes, and not after the keys of its issuer lapse', () => {
    const clock = new StandingClock();
    const memory = new TokenMemory(clock);
    memory.remember('a', verified('alice', Infinity), memory.epoch);
    memory.remember('b', verified('alice', Infinity), memory.epoch, 301_000);
    clock.time = 300_999;
    expect(memory.recall('b')).toBeDefined();
    clock.time = 301_000;
    expect(memory.recall('b')).toBeUndefined();
    clock.time = 600_999;
    expect(memory.recall('a')).toBeDefined();
    clock.time = 601_000;
    expect(memory.recall('a')).toBeUndefined();
  });

  it('keeps no entry for an account once all of its tokens are gone', () => {
    const clock = new StandingClock();
    const memory = new TokenMemory(clock, 10);
    const { digestsOf } = memory as unknown as { digestsOf: Map<string, unknown> };
    for (let n = 0; n < 100; n++) memory.remember(`token-${n}`, verified(`account-${n}`), memory.epoch);
    expect(digestsOf.size).toBe(10);
    memory.remember('token-99', verified('account-98'), memory.epoch);
    expect([digestsOf.size, digestsOf.has('account-99')]).toEqual([9, false]);
    memory.forget('token-99');
    clock.time = 2_000;
    for (let n = 90; n < 95; n++) memory.recall(`token-${n}`);
    memory.forgetAll();
    expect(digestsOf.size).toBe(0);
  });

  it('drops all tokens of one account, and none of another', () => {
    const memory = new TokenMemory(new StandingClock());
    for (const token of ['a', 'b']) memory.remember(token, verified('alice'), memory.epoch);
    memory.remember('c', verified('bob'), memory.epoch);
    memory.forgetAccount('alice');
    expect(['a', 'b', 'c'].map((token) => memory.recall(token)?.caller.userId)).toEqual([undefined, undefined, 'bob']);
  });

  it.each([
    ['a token', (memory: TokenMemory) => memory.forget('other')],
    ['an account', (memory: TokenMemory) => memory.forgetAccount('somebody')],
    ['everything', (memory: TokenMemory) => memory.forgetAll()],
  ])('does not store a verification that was in progress while %s was dropped', (_, forget) => {
    const memory = new TokenMemory(new StandingClock());
    const { epoch } = memory;
    forget(memory);
    memory.remember('a', verified('alice'), epoch);
    expect(memory.recall('a')).toBeUndefined();
    memory.remember('a', verified('alice'), memory.epoch);
    expect(memory.recall('a')).toBeDefined();
  });

  it('returns no other token, and none that was dropped', () => {
    const memory = new TokenMemory(new StandingClock());
    memory.remember('a', verified('alice'), memory.epoch);
    expect(memory.recall('A')).toBeUndefined();
    memory.forget('a');
    expect(memory.recall('a')).toBeUndefined();
  });

  it('is bounded: the least recently used token goes first', () => {
    const memory = new TokenMemory(new StandingClock(), 100);
    memory.remember('kept', verified('kept'), memory.epoch);
    for (let index = 0; index < 1_000; index++) {
      memory.remember(`token-${index}`, verified(String(index)), memory.epoch);
      memory.recall('kept');
    }
    const left = Array.from({ length: 1_000 }, (_, index) => `token-${index}`).filter((token) => memory.recall(token));
    expect(left).toHaveLength(99);
    expect(memory.recall('kept')).toBeDefined();
  });

  it('stores digests, not tokens', () => {
    const memory = new TokenMemory(new StandingClock());
    memory.remember('header.claims.signature', verified('alice'), memory.epoch);
    const { remembered: held } = memory as unknown as { remembered: Map<string, unknown> };
    expect(JSON.stringify([...held.entries()])).not.toContain('signature');
  });

  it('forgets the tokens of a grant, of a client, and one that was revoked, by their marks', () => {
    const memory = new TokenMemory(new StandingClock());
    const marked = (grant: string, denied: string, clientId: string) => ({
      ...verified('alice'),
      marks: { grant: Buffer.from(grant, 'hex'), denied: Buffer.from(denied, 'hex'), clientId },
    });
    const remember = () => {
      memory.remember('a', marked('01', 'aa', 'x'), memory.epoch);
      memory.remember('b', marked('01', 'bb', 'x'), memory.epoch);
      memory.remember('c', marked('02', 'cc', 'x'), memory.epoch);
      memory.remember('d', verified('alice'), memory.epoch);
    };
    const left = () => ['a', 'b', 'c', 'd'].filter((token) => memory.recall(token)).join('');
    for (const [mark, expected] of [
      ['01', 'cd'],
      ['bb', 'acd'],
      ['x', 'd'],
      ['alice', ''],
      ['unknown', 'abcd'],
    ] as const) {
      remember();
      memory.forgetMark(mark);
      expect([mark, left()]).toEqual([mark, expected]);
    }
    memory.forgetAll();
    expect((memory as unknown as { digestsOf: Map<string, unknown> }).digestsOf.size).toBe(0);
  });

  it('rejects a token that was called inactive for a minute, then doubts it until it is remembered again', () => {
    const clock = new StandingClock();
    const memory = new TokenMemory(clock);
    memory.remember('a', verified('alice', Infinity), memory.epoch);
    memory.refuse('a');
    expect([memory.recall('a'), memory.doubtAbout('a'), memory.doubtAbout('b')]).toEqual([
      undefined,
      'rejected',
      undefined,
    ]);
    clock.time += 59_999;
    expect(memory.doubtAbout('a')).toBe('rejected');
    clock.time += 1;
    expect(memory.doubtAbout('a')).toBe('doubtful');
    memory.remember('a', verified('alice', Infinity), memory.epoch);
    expect([memory.recall('a'), memory.doubtAbout('a')]).toEqual([verified('alice', Infinity), undefined]);
  });
});
