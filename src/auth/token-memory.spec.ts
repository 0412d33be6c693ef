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
  return { identity: { issuer: 'https://issuer.example', subject }, caller, expiresAt };
}

describe('The memory of verified tokens', () => {
  it('recalls a token until the moment at which it expires', () => {
    const clock = new StandingClock();
    const memory = new TokenMemory(clock);
    memory.remember('a', verified('alice'));
    clock.time = 1_999;
    expect(memory.recall('a')).toEqual(verified('alice'));
    clock.time = 2_000;
    expect(memory.recall('a')).toBeUndefined();
    clock.time = 1_000;
    expect(memory.recall('a')).toBeUndefined(); // it is gone, not hidden
  });

  it('recalls no other token, and none that it was told to forget', () => {
    const memory = new TokenMemory(new StandingClock());
    memory.remember('a', verified('alice'));
    expect(memory.recall('A')).toBeUndefined();
    memory.forget('a');
    expect(memory.recall('a')).toBeUndefined();
  });

  it('is bounded: what was not used for longest goes first', () => {
    const memory = new TokenMemory(new StandingClock(), 100);
    memory.remember('kept', verified('kept'));
    for (let index = 0; index < 1_000; index++) {
      memory.remember(`token-${index}`, verified(String(index)));
      memory.recall('kept');
    }
    const left = Array.from({ length: 1_000 }, (_, index) => `token-${index}`).filter((token) => memory.recall(token));
    expect(left).toHaveLength(99);
    expect(memory.recall('kept')).toBeDefined();
  });

  it('holds no token', () => {
    const memory = new TokenMemory(new StandingClock());
    memory.remember('header.claims.signature', verified('alice'));
    const { verified: held } = memory as unknown as { verified: Map<string, VerifiedToken> };
    expect(JSON.stringify([...held.entries()])).not.toContain('signature');
  });
});
