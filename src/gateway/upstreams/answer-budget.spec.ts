import { UnavailableError } from '../../errors/errors';
import { AnswerBudget } from './answer-budget';

const MIB = 1_048_576;

describe('The budget of answers', () => {
  const { signal } = new AbortController();

  function budget(fields: Partial<AnswerBudget> = {}): AnswerBudget {
    return Object.assign(new AnswerBudget(), fields);
  }

  /** Whether it is there by now. */
  async function isSettled(promise: Promise<unknown>): Promise<boolean> {
    let settled = false;
    const note = () => (settled = true);
    promise.then(note, note);
    await new Promise(setImmediate);
    return settled;
  }

  it('has 32 MiB for a principal and 96 MiB for all, a copy of the longest answer included', async () => {
    const all = budget({ patienceMs: 60_000 });
    const shares = ['a', 'b', 'c', 'd'].map((name) => all.open(name));
    for (const share of shares.slice(0, 2)) await share.hold(32 * MIB, signal);
    const more = all.open('a').hold(1, signal);
    const rest = shares[2]?.hold(22 * MIB, signal) ?? Promise.reject(new Error('none'));
    const none = shares[3]?.hold(1, signal) ?? Promise.reject(new Error('none'));
    expect(await Promise.all([more, rest, none].map(isSettled))).toEqual([false, true, false]);
    expect(all.bytes).toBe(86 * MIB);
    shares[0]?.release();
    await Promise.all([more, none]);
    for (const share of shares) share.release();
    expect(all.bytes).toBe(1);
  });

  it('lets those that wait go on in their order, and past those whose principal has no room', async () => {
    const all = budget({ mostBytes: 10_485_760 + 10, mostOfPrincipal: 8, patienceMs: 60_000 });
    const [first, second] = [all.open('a'), all.open('b')];
    await first.hold(8, signal);
    const own = all.open('a').hold(1, signal);
    await second.hold(2, signal);
    const large = all.open('c').hold(8, signal);
    const small = all.open('d').hold(1, signal);
    second.release();
    // There is room for the small one, but the large one was there before it.
    expect(await Promise.all([own, large, small].map(isSettled))).toEqual([false, false, false]);
    first.release();
    await Promise.all([own, large, small]);
    expect(all.bytes).toBe(10);
  });

  it('takes room for the longest answer at once where one is not short, so that none waits with a part of its room', async () => {
    const all = budget({ patienceMs: 60_000 });
    const shares = Array.from({ length: 6 }, () => all.open('a'));
    await Promise.all(shares.map((share) => share.hold(262_144, signal)));
    const long = shares.map((share) => share.hold(300_000, signal));
    expect(await Promise.all(long.map(isSettled))).toEqual([true, false, false, false, false, false]);
    for (const [n, share] of shares.entries()) {
      await long[n];
      share.keep(300_000);
    }
    expect(all.bytes).toBe(6 * 300_000);
    for (const share of shares) share.release();
    expect(all.bytes).toBe(0);
  });

  it('refuses after a while, says whether the server was asked, and forgets who has gone', async () => {
    const all = budget({ mostOfPrincipal: 100_000, patienceMs: 20 });
    const share = all.open('a');
    await share.begin(signal);
    await expect(all.open('a').begin(signal)).rejects.toThrow('was not asked');
    await expect(share.hold(100_001, signal)).rejects.toBeInstanceOf(UnavailableError);
    await expect(share.hold(100_001, signal)).rejects.toThrow('may have done');
    const gone = new AbortController();
    const waiting = all.open('a').hold(100_000, gone.signal);
    gone.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    share.release();
    share.release();
    await share.hold(10, signal);
    expect(all.bytes).toBe(0);
  });

  it('lends memory for one long message of a call, counts all of it, and lends it again when the client has the answer', async () => {
    const all = budget();
    const share = all.open('a');
    await share.hold(5 * MIB, signal);
    const memory = share.lend(5 * MIB) ?? Buffer.alloc(0);
    expect(memory.length).toBeGreaterThanOrEqual(10 * MIB);
    expect(share.lend(5 * MIB)).toBeUndefined();
    const answer = memory.subarray(0, 5 * MIB);
    expect(share.moved(answer)).toBe(answer);
    share.keep(answer.length);
    expect(all.bytes).toBe(memory.length);
    const other = all.open('b');
    expect(other.lend(5 * MIB)).not.toBe(memory);
    share.release();
    share.release();
    expect([share.lend(5 * MIB), all.open('c').lend(5 * MIB)]).toEqual([undefined, memory]);
    expect(all.open('c').lend(5 * MIB)).not.toBe(memory);
  });

  it('moves a short message out of the memory of long ones, and lends none for what may stay', async () => {
    const all = budget();
    const share = all.open('a');
    await share.hold(MIB, signal);
    const memory = share.lend(MIB) ?? Buffer.alloc(0);
    memory.write('short');
    const short = share.moved(memory.subarray(0, 5));
    expect(all.open('b').lend(MIB)).toBe(memory);
    memory.write('other');
    expect(short.toString()).toBe('short');
    const apart = Buffer.from('apart');
    expect(share.moved(apart)).toBe(apart);
    share.keep(short.length);
    expect(all.bytes).toBe(5);
    expect(all.openOwn().lend(MIB)).toBeUndefined();
  });
});
