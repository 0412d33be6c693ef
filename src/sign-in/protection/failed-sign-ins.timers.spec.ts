import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import type { DataSource } from 'typeorm';
import type { AccountLog, FailedSignIn } from '../../users/account-log/account-log';
import { FailedSignIns } from './failed-sign-ins';
import type { Protection } from './protection.service';

describe('Failed sign-ins', () => {
  const failure: Omit<FailedSignIn, 'address'> = { userId: 'someone', details: { method: 'password' } };
  const request = { id: 'a-request' } as Request;
  let recorded: FailedSignIn[];
  let response: Response;
  let failures: FailedSignIns;

  beforeEach(() => {
    jest.useFakeTimers();
    recorded = [];
    response = new EventEmitter() as unknown as Response;
    const log: Pick<AccountLog, 'recordFailure'> = {
      recordFailure: (_connection, one) => {
        recorded.push(one);
        return Promise.resolve();
      },
    };
    const protection: Pick<Protection, 'addressOf'> = { addressOf: () => '198.51.100.1' };
    failures = new FailedSignIns({} as DataSource, protection as Protection, log as AccountLog);
  });

  afterEach(() => jest.useRealTimers());

  it('are recorded once the answer is sent, and a little later', () => {
    failures.note(request, response, failure);
    jest.advanceTimersByTime(1_000);
    expect(recorded).toEqual([]);
    response.emit('close');
    jest.advanceTimersByTime(49);
    expect(recorded).toEqual([]);
    jest.advanceTimersByTime(202);
    expect(recorded).toEqual([{ ...failure, address: '198.51.100.1' }]);
  });

  it('are not lost when the process ends, and recorded once', async () => {
    failures.note(request, response, failure);
    response.emit('close');
    await failures.beforeApplicationShutdown();
    expect(recorded).toHaveLength(1);
    // The answer to a request that was in flight.
    const late = new EventEmitter() as unknown as Response;
    failures.note(request, late, failure);
    late.emit('close');
    expect(recorded).toHaveLength(2);
    jest.advanceTimersByTime(1_000);
    expect(recorded).toHaveLength(2);
  });
});
