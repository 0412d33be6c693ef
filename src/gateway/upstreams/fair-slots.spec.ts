import { FairSlots } from './fair-slots';

describe('FairSlots', () => {
  let begun: string[];
  let ends: Map<string, () => void>;

  const start = async (slots: FairSlots, name: string, owners: ReadonlySet<string> = new Set([name[0] ?? ''])) => {
    void slots.run(owners, () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
    await settled();
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await settled();
  };
  const settled = () => new Promise(setImmediate);

  beforeEach(() => {
    begun = [];
    ends = new Map();
  });

  it('give a free slot to who has none, before the many that wait of another', async () => {
    const slots = new FairSlots(2);
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2']) await start(slots, name);
    expect([begun, slots.free]).toEqual([['a1', 'a2'], 0]);
    await end('a1');
    await end('a2');
    await end('b1');
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'b2']);
  });

  it('are taken in turn by more owners than there are slots', async () => {
    const slots = new FairSlots(1);
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1', 'c2']) await start(slots, name);
    for (const name of ['a1', 'b1', 'c1', 'a2', 'b2']) await end(name);
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2']);
  });

  it('stay free for others where one owner has as many as are free', async () => {
    const slots = new FairSlots(5, true);
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) await start(slots, name);
    expect([begun, slots.free]).toEqual([['a1', 'a2', 'a3', 'b1', 'c1'], 0]);
    await end('c1');
    expect([begun.length, slots.free]).toEqual([5, 1]);
    await end('a1');
    expect([begun.at(-1), slots.free]).toEqual(['b2', 1]);
    await start(slots, 'd1');
    expect([begun.at(-1), slots.free]).toEqual(['d1', 0]);
  });

  it('run what several wait for when it is the turn of any of them', async () => {
    const slots = new FairSlots(1);
    for (const name of ['a1', 'a2', 'a3']) await start(slots, name);
    const owners = new Set(['a']);
    await start(slots, 'shared', owners);
    owners.add('b');
    await end('a1');
    expect(begun).toEqual(['a1', 'shared']);
  });

  it('are given back by work that fails, and are taken at once by work that cannot wait', async () => {
    const slots = new FairSlots(1);
    await expect(slots.run(new Set(['a']), () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    let stop = () => {};
    const now = slots.runNow(() => new Promise<void>((resolve) => (stop = resolve)));
    await start(slots, 'a1');
    expect([begun, slots.free]).toEqual([[], 0]);
    stop();
    await now;
    await settled();
    expect(begun).toEqual(['a1']);
  });
});
