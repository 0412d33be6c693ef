import { currentRequestId, DatabaseDeadline, databaseDeadline, inRequest } from '../../database/deadline';
import { SingleFlights } from './single-flights';

describe('Work that is done once for many', () => {
  const { signal } = new AbortController();

  it('is begun by the first who asks, and again after it has ended', async () => {
    const flights = new SingleFlights<number>();
    let begun = 0;
    const work = () => Promise.resolve(++begun);
    const ask = () => flights.join('one', signal, work);
    expect(await Promise.all([ask(), ask(), flights.join('other', signal, work)])).toEqual([1, 1, 2]);
    expect(await ask()).toBe(3);
  });

  it('has a deadline of its own for the database, not that of the request that has begun it', async () => {
    const flights = new SingleFlights<unknown>();
    const usedUp = new DatabaseDeadline(0, () => false);
    const seen = await inRequest('first', usedUp, () =>
      flights.join('one', signal, () =>
        Promise.resolve([currentRequestId(), (databaseDeadline()?.remainingAt(performance.now()) ?? 0) > 1_000]),
      ),
    );
    expect(seen).toEqual(['first', true]);
  });

  it('goes on where one of those who wait for it has gone', async () => {
    const flights = new SingleFlights<string>();
    let end: (value: string) => void = () => {};
    const work = () => new Promise<string>((resolve) => (end = resolve));
    const gone = new AbortController();
    const first = flights.join('one', gone.signal, work);
    const second = flights.join('one', signal, work);
    gone.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    end('done');
    expect(await second).toBe('done');
  });
});
