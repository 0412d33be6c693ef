import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { Pages } from '../requests/page';

declare module 'express-serve-static-core' {
  interface Request {
    /** Makes the body of what the handler returns, and sets headers; undefined: it is the body. */
    shapeAnswer?: (returned: unknown) => unknown;
    /** In place of the status of the route, where an answer of its has another one. */
    answerStatus?: number;
  }
}

/**
 * What a route makes of the value that its handler returns.
 *
 * @returns the body
 */
export type AnswerShape<T> = (returned: T, request: Request, response: Response, pages: Pages) => unknown;

const ANSWER_SHAPE = 'toolyard:answer-shape';

/** The route sends what `shape` makes of the handler's value. */
export function ShapesAnswer<T>(shape: AnswerShape<T>): MethodDecorator {
  return SetMetadata(ANSWER_SHAPE, shape);
}

/**
 * Finds the shape of a route's answers; `ToolyardExpressAdapter` applies it. This is a guard because Nest tells guards which
 * handler will run. It is not an interceptor because Nest passes the answer of a route with one through RxJS, which was a
 * twelfth of the CPU time of a creation (ADR 60).
 */
@Injectable()
export class AnswerShapes implements CanActivate {
  private readonly shapes = new Map<unknown, AnswerShape<unknown> | undefined>();

  constructor(
    private readonly reflector: Reflector,
    private readonly pages: Pages,
  ) {}

  canActivate(context: ExecutionContext): true {
    const shape = this.of(context.getHandler());
    if (shape) {
      const http = context.switchToHttp();
      const request = http.getRequest<Request>();
      request.shapeAnswer = (returned) => shape(returned, request, http.getResponse<Response>(), this.pages);
    }
    return true;
  }

  private of(handler: ReturnType<ExecutionContext['getHandler']>): AnswerShape<unknown> | undefined {
    if (!this.shapes.has(handler)) this.shapes.set(handler, this.reflector.get(ANSWER_SHAPE, handler));
    return this.shapes.get(handler);
  }
}
