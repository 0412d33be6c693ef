import type { Request, Response } from 'express';

/**
 * An error format that an external specification prescribes below some path, instead of our two bodies. The module that
 * implements the specification creates it, `app.ts` passes it to the error filter and to the OpenAPI document.
 */
export interface ErrorDialect {
  /** @param path the whole path of a request, or a path template of the OpenAPI document */
  covers(path: string): boolean;

  /** @returns whether it is an error of that specification, which nothing else can classify */
  owns(error: unknown): error is Error;

  /**
   * Writes the response: status, headers and body.
   *
   * @param error a DomainError, a ValidationError or one that it owns
   */
  answer(error: Error, request: Request, response: Response): void | Promise<void>;
}
