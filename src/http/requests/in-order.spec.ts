import type { Request, RequestHandler, Response } from 'express';
import { inOrder } from './in-order';

const request = {} as Request;
const response = {} as Response;
const neverAnswer = (error: unknown): never => {
  throw error;
};

/** @returns how the chain ends, once for each time: with nothing for its own `next`, or the error to answer */
async function run(handlers: readonly RequestHandler[]): Promise<unknown[]> {
  const ends: unknown[] = [];
  await new Promise<void>((resolve) => {
    const end = (error?: unknown): void => {
      ends.push(error);
      resolve();
    };
    void inOrder(end, handlers)(request, response, (...passed: unknown[]) => {
      expect(passed).toEqual([]);
      end();
    });
  });
  return ends;
}

describe('Middlewares in order', () => {
  it('are called one after the other, synchronously', () => {
    const seen: string[] = [];
    const noting =
      (name: string): RequestHandler =>
      (_request, _response, next) => {
        seen.push(name);
        next();
      };
    void inOrder(neverAnswer, [noting('first'), noting('second')])(request, response, () => seen.push('after'));
    expect(seen).toEqual(['first', 'second', 'after']);
  });

  it('go on after one that calls next later', async () => {
    const later: RequestHandler = (_request, _response, next) => setImmediate(next);
    expect(await run([later, later])).toEqual([undefined]);
  });

  it('end at one that answers', () => {
    const next = jest.fn();
    void inOrder(neverAnswer, [() => undefined, () => void next('reached')])(request, response, next);
    expect(next).not.toHaveBeenCalled();
  });

  it.each<[string, RequestHandler]>([
    ['passes an error to next', (_request, _response, next) => next(new Error('bad'))],
    [
      'throws',
      () => {
        throw new Error('bad');
      },
    ],
    ['rejects', () => Promise.reject(new Error('bad'))],
    ['throws after a pause', (_request, _response, next) => setImmediate(() => next(new Error('bad')))],
  ])('end with the error of one that %s', async (_name, failing) => {
    const never = jest.fn();
    const passing: RequestHandler = (_request, _response, next) => next();
    expect(await run([passing, failing, never])).toEqual([new Error('bad')]);
    expect(never).not.toHaveBeenCalled();
  });

  it('go on after one that passes null, as in Express', async () => {
    const reached = jest.fn<void, Parameters<RequestHandler>>((_request, _response, next) => void next());
    expect(await run([(_request, _response, next) => next(null), reached])).toEqual([undefined]);
    expect(reached).toHaveBeenCalledTimes(1);
  });

  it('end at one that rejects with nothing', async () => {
    expect(await run([() => Promise.reject(undefined as unknown as Error)])).toEqual([expect.any(Error)]);
  });

  it('end with the error of one that throws after another called next later', async () => {
    const later: RequestHandler = (_request, _response, next) => setImmediate(next);
    const failing: RequestHandler = () => {
      throw new Error('bad');
    };
    expect(await run([later, failing])).toEqual([new Error('bad')]);
  });
});
