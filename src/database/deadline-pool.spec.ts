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
});
