import type { Request, Response } from 'express';

/**
 * A form of errors that a foreign specification prescribes below some path, in place of the two bodies of ours. The
 * room that knows the specification makes it, `app.ts` hands it to the error filter and to the OpenAPI document.
 */
export interface ErrorDialect {
  /** @param path whole, of a request or a path template of the OpenAPI document */
  covers(path: string): boolean;

  /** @returns whether it is an error of that specification, which nobody else can classify */
  owns(error: unknown): error is Error;

  /**
   * Writes the answer: status, headers and body.
   *
   * @param error a DomainError, a ValidationError or one that it owns
   */
  answer(error: Error, request: Request, response: Response): void | Promise<void>;
}
