import { DatabaseDeadline, DatabaseDeadlineError, inRequest } from './deadline';
import { DeadlinePool } from './deadline-pool';

describe('The pool', () => {
  it('takes no connection for a request that has used up its time', async () => {
    const pool = new DeadlinePool({ host: '127.0.0.1', port: 1 });
    const used = new DatabaseDeadline(0, () => false);
    const answer = new Promise<Error | undefined>((resolve) =>
      inRequest('of-the-test', used, () => pool.connect((error) => resolve(error))),
    );
    expect(pool.totalCount).toBe(0);
    expect(await answer).toBeInstanceOf(DatabaseDeadlineError);
    await pool.end();
  });
});
