import { Metrics } from '../../metrics/metrics';
import { CallCounters } from './call-counters';
import type { CallRow } from './call-writes.sql';
import type { CallStore } from './call-store';
import { CallWriter } from './call-writer';

const row = (id: string) => ({ id }) as CallRow;
const rows = (from: number, until: number) => Array.from({ length: until - from }, (_, n) => row(String(from + n)));
const AWAY = new Error('away');

describe('The writer of the record', () => {
  let written: string[][];
  let write: jest.Mock<Promise<readonly CallRow[]>, [readonly CallRow[]]>;
  let metrics: Metrics;
  let writer: CallWriter;

  beforeEach(() => {
    jest.useFakeTimers();
    written = [];
    write = jest.fn((group: readonly CallRow[]) => {
      written.push(group.map(({ id }) => id));
      return Promise.resolve([]);
    });
    metrics = new Metrics();
    writer = new CallWriter({ write } as unknown as CallStore, new CallCounters(metrics));
  });

  afterEach(() => jest.useRealTimers());

  const count = async (result: string) => {
    const line = (await metrics.text())
      .split('\n')
      .find((text) => text.includes(`call_rows_total{result="${result}"}`));
    return Number(line?.split(' ')[1]);
  };

  it('waits for others, but not for long', async () => {
    for (const one of rows(0, 3)) writer.add(one);
    await jest.advanceTimersByTimeAsync(200);
    expect(written).toEqual([]);
    await jest.advanceTimersByTimeAsync(200);
    expect(written).toEqual([['0', '1', '2']]);
    expect([writer.waiting, await count('written')]).toEqual([0, 3]);
  });

  it('writes a full group at once, and large amounts in several', async () => {
    for (const one of rows(0, 1_200)) writer.add(one);
    await jest.advanceTimersByTimeAsync(0);
    expect(written.map(({ length }) => length)).toEqual([500, 500, 200]);
    expect(written.flat()).toEqual(rows(0, 1_200).map(({ id }) => id));
  });

  it('keeps the newest while the database is away, counts what is lost, and goes on', async () => {
    write.mockRejectedValue(AWAY);
    for (const one of rows(0, 500)) writer.add(one);
    await jest.advanceTimersByTimeAsync(0);
    for (const one of rows(500, 21_000)) writer.add(one);
    expect(writer.waiting).toBe(20_500);
    expect(await count('lost')).toBe(500);
    write.mockImplementation((group) => {
      written.push(group.map(({ id }) => id));
      return Promise.resolve([]);
    });
    await jest.advanceTimersByTimeAsync(1_500);
    expect(writer.waiting).toBe(0);
    // The group that was under way is not in the queue, so it is not driven out.
    expect(written.flat()).toEqual([...rows(0, 500), ...rows(1_000, 21_000)].map(({ id }) => id));
    expect(await count('written')).toBe(20_500);
  });

  it('does not try more often than once a second', async () => {
    write.mockRejectedValue(AWAY);
    for (let n = 0; n < 50; n++) {
      writer.add(row(String(n)));
      await jest.advanceTimersByTimeAsync(100);
    }
    expect(write.mock.calls.length).toBeLessThanOrEqual(6);
  });

  it('writes rows that have to be there first together, and says which was refused', async () => {
    write.mockImplementation((group) => Promise.resolve(group.filter(({ id }) => id === '1')));
    const results = await Promise.allSettled(rows(0, 3).map((one) => writer.write(one)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(write).toHaveBeenCalledTimes(1);
    write.mockRejectedValueOnce(AWAY);
    await expect(writer.write(row('4'))).rejects.toThrow('away');
    await expect(writer.write(row('5'))).resolves.toBeUndefined();
  });

  it('lets so many calls wait, and no more', async () => {
    write.mockReturnValue(new Promise(() => undefined));
    void writer.write(row('first'));
    await Promise.resolve();
    await Promise.resolve();
    for (const one of rows(0, 2_000)) void writer.write(one);
    await expect(writer.write(row('last'))).rejects.toThrow('too many rows');
  });

  it('writes at its end what waits, and gives up what the database does not take then', async () => {
    writer.add(row('0'));
    await writer.onApplicationShutdown();
    expect(written).toEqual([['0']]);
    write.mockRejectedValue(AWAY);
    writer.add(row('1'));
    await writer.onApplicationShutdown();
    expect(await count('lost')).toBe(1);
  });
});
