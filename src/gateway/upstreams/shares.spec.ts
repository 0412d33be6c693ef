import fc from 'fast-check';
import { type Holder, Shares, sharesOf } from './shares';

const tokenOf = (person: string, n: number, organisation?: string): Holder => ({
  principal: `token ${person} ${n}`,
  behind: [`user ${person}`, ...(organisation === undefined ? [] : [`organisation ${organisation}`])],
});

describe('The shares of what a process has', () => {
  const limits = sharesOf(1_024);
  let shares: Shares;

  beforeEach(() => {
    shares = new Shares();
  });

  /** @returns why it got none */
  function take(holder: Holder): string | undefined {
    const refusal = shares.refusal(holder, limits);
    if (refusal === undefined) shares.take(holder);
    return refusal;
  }

  it('are those of the contract', () => {
    expect(limits).toEqual({ process: 1_024, owner: 64, principal: 32, reserve: 128 });
    expect(sharesOf(4_096)).toEqual({ process: 4_096, owner: 256, principal: 128, reserve: 512 });
  });

  it('are of a person, with however many tokens', () => {
    const refusals = Array.from({ length: 34 * 32 }, (_, n) => take(tokenOf('mallory', n % 34)));
    expect(refusals.filter((refusal) => refusal === undefined)).toHaveLength(64);
    expect(take({ principal: 'user mallory' })).toBe('owner');
    expect(take(tokenOf('ada', 1))).toBeUndefined();
  });

  it('are of an organisation, with however many people who create tokens', () => {
    const refusals = Array.from({ length: 100 }, (_, n) => take(tokenOf(`member ${n}`, n, 'acme')));
    expect(refusals.filter((refusal) => refusal === undefined)).toHaveLength(64);
    expect(take({ principal: 'user member 99' })).toBeUndefined();
  });

  it('are smaller for one principal', () => {
    const refusals = Array.from({ length: 33 }, () => take({ principal: 'user ada' }));
    expect(refusals.at(-2)).toBeUndefined();
    expect(refusals.at(-1)).toBe('principal');
  });

  it('keep the last ones for those that have none', () => {
    for (let n = 0; n < 1_024 - 128; n++) take({ principal: `user ${n % 28}` });
    expect(take({ principal: 'user 0' })).toBe('principal');
    const first = Array.from({ length: 128 }, (_, n) => take({ principal: `user new ${n}` }));
    expect(first.every((refusal) => refusal === undefined)).toBe(true);
    expect([take({ principal: 'user new 0' }), take({ principal: 'user late' })]).toEqual(['process', 'process']);
  });

  it('never pass their limits, and are all given back', () => {
    const small = sharesOf(64);
    const step = fc.integer({ min: 0, max: 399 });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const counted = new Shares();
        const held: { person: number; giveBack: () => void }[] = [];
        for (const number of steps) {
          if (number >= 320) held.splice(number % (held.length + 1), 1).forEach(({ giveBack }) => giveBack());
          const person = number % 20;
          const holder = tokenOf(String(person), number % 4);
          const own = held.filter((each) => each.person === person).length;
          if (counted.refusal(holder, small) !== undefined) continue;
          expect(own).toBeLessThan(small.owner);
          expect(held.length).toBeLessThan(own === 0 ? small.process : small.process - small.reserve);
          held.push({ person, giveBack: counted.take(holder) });
          expect(counted.count).toBe(held.length);
        }
        for (const { giveBack } of held) giveBack();
        expect(counted).toEqual(new Shares());
      }),
    );
  });
});
