import { Pool } from 'pg';
import { DatabaseDeadline, DatabaseDeadlineError, inRequest } from './deadline';
import { DeadlinePool } from './deadline-pool';

describe('The connection pool with deadlines', () => {
  it('opens no connection for a request whose time is used up', async () => {
    const pool = new DeadlinePool({ host: '127.0.0.1', port: 1 });
    const used = new DatabaseDeadline(0, () => false);
    const answer = new Promise<Error | undefined>((resolve) =>
      inRequest('of-the-test', used, () => pool.connect((error) => resolve(error))),
    );
    expect(pool.totalCount).toBe(0);
    expect(await answer).toBeInstanceOf(DatabaseDeadlineError);
    await pool.end();
  });

  it('survives a pg-pool timeout, an error without a client, after its own deadline', async () => {
    const pool = new DeadlinePool({ host: '127.0.0.1', port: 1 });
    let timeOut: (error: Error) => void = () => undefined;
    const connect = jest.spyOn(Pool.prototype, 'connect').mockImplementation((callback: unknown) => {
      timeOut = callback as typeof timeOut;
    });
    const answer = new Promise<Error | undefined>((resolve) =>
      inRequest('of-the-test', new DatabaseDeadline(10, () => false), () => pool.connect((error) => resolve(error))),
    );
    expect(await answer).toBeInstanceOf(DatabaseDeadlineError);
    expect(() => timeOut(new Error('timeout exceeded when trying to connect'))).not.toThrow();
    connect.mockRestore();
    await pool.end();
  });

  describe('before a database that does not answer', () => {
    /** Connections that were asked for and not given yet. */
    const waiting: ((error: undefined, client: unknown, release: () => void) => void)[] = [];
    let pool: DeadlinePool;

    beforeEach(() => {
      jest.useFakeTimers();
      waiting.length = 0;
      jest.spyOn(Pool.prototype, 'connect').mockImplementation((callback: unknown) => {
        waiting.push(callback as (typeof waiting)[number]);
      });
      pool = new DeadlinePool({ host: '127.0.0.1', port: 1, max: 2 });
    });

    afterEach(() => {
      jest.restoreAllMocks();
      jest.useRealTimers();
    });

    /** A request with four seconds for the database. */
    function ask() {
      const asked: { error?: Error; release?: () => void } = {};
      inRequest('of-the-test', new DatabaseDeadline(4_000, () => false), () =>
        pool.connect((error, _client, release) => Object.assign(asked, { error, release })),
      );
      return asked;
    }

    const give = () =>
      waiting.shift()?.(undefined, { connection: { stream: { destroy: () => undefined } } }, () => undefined);

    it('lets the first requests wait for their deadline, and later ones for a second', () => {
      const first = ask();
      jest.advanceTimersByTime(3_999);
      expect(first.error).toBeUndefined();
      jest.advanceTimersByTime(1);
      expect(first.error).toBeInstanceOf(DatabaseDeadlineError);
      const second = ask();
      jest.advanceTimersByTime(999);
      expect(second.error).toBeUndefined();
      jest.advanceTimersByTime(1);
      expect(second.error).toBeInstanceOf(DatabaseDeadlineError);
    });

    it('leaves a statement its time, and after it has succeeded all requests', () => {
      ask();
      jest.advanceTimersByTime(4_000);
      waiting.length = 0;
      const next = ask();
      jest.advanceTimersByTime(500);
      give();
      jest.advanceTimersByTime(3_000);
      expect(next.error).toBeUndefined();
      next.release?.();
      const after = ask();
      jest.advanceTimersByTime(3_999);
      expect(after.error).toBeUndefined();
    });

    it('refuses at once what would be the 201st to wait for two connections', async () => {
      Object.defineProperty(pool, 'waitingCount', { value: 200 });
      const asked = ask();
      await jest.advanceTimersByTimeAsync(0);
      expect(asked.error).toMatchObject({ code: '53300' });
    });
  });
});
