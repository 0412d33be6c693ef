import type { NextFunction, Request, RequestHandler, Response } from 'express';

/** Answers a request whose chain has failed. */
export type FailureAnswer = (error: unknown, request: Request, response: Response) => void;

/**
 * Several middlewares as one. Express parses the path, matches and allocates for each of its layers, also for those of
 * every path: about 1 µs per layer, and a request passes all of them.
 *
 * @param answer is given the error that ended the chain; Express would first compare the path with all of its routes
 * @param handlers each is called when the one before it calls `next`, like layers of Express: what it throws, its
 *   rejection and what it passes to `next` end the chain
 */
export function inOrder(answer: FailureAnswer, handlers: readonly RequestHandler[]): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    let index = 0;
    const fail = (error: unknown): void =>
      answer(error ?? new Error('A middleware failed without an error.'), request, response);
    const step = (error?: unknown): void => {
      if (error) return fail(error);
      const handler = handlers[index++];
      if (handler === undefined) return next();
      try {
        const result = handler(request, response, step);
        if (result instanceof Promise) result.catch(fail);
      } catch (thrown) {
        fail(thrown);
      }
    };
    step();
  };
}
