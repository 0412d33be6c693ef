import { ICON_SLOTS, IconSlots, NoIconSlotError } from './icon-slots';

const OPEN = new AbortController().signal;

/** Lets everything that can go on do so. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('The slots for fetching icons', () => {
  /** Takes a slot for each host, and notes who has one in which order. */
  function stage(hosts: string[]) {
    const slots = new IconSlots();
    const started: string[] = [];
    const releases = new Map<string, () => void>();
    hosts.forEach((host, place) => {
      void slots.take(host, OPEN).then((release) => {
        started.push(`${host} ${place}`);
        releases.set(`${host} ${place}`, release);
      });
    });
    return { slots, started, release: (name: string) => releases.get(name)?.() };
  }

  it('are four, one for each host; those for a busy host let others pass', async () => {
    const { started, release } = stage(['a', 'a', 'b', 'c', 'd', 'e']);
    await settle();
    expect(started).toEqual(['a 0', 'b 2', 'c 3', 'd 4']);
    release('a 0');
    await settle();
    expect(started.slice(4)).toEqual(['a 1']);
    release('a 1');
    await settle();
    expect(started.slice(5)).toEqual(['e 5']);
  });

  it('are refused to those who come when too many wait, and to those whose time is over', async () => {
    const { slots } = stage(Array.from({ length: ICON_SLOTS.waiting }, () => 'a'));
    await settle();
    const late = new AbortController();
    const last = slots.take('a', late.signal);
    await expect(slots.take('a', OPEN)).rejects.toThrow(NoIconSlotError);
    late.abort();
    await expect(last).rejects.toThrow(NoIconSlotError);
    // Its place is free again.
    const next = new AbortController();
    const waiting = slots.take('a', next.signal);
    next.abort();
    await expect(waiting).rejects.toThrow(NoIconSlotError);
    await expect(slots.take('b', OPEN)).resolves.toEqual(expect.any(Function));
  });
});
