import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { ErrorDialect } from '../http/answers/error-dialect';
import { httpStatus } from '../http/answers/error-status';
import { DomainError, ValidationError } from '../errors/errors';
import { FormError } from './forms';
import { html } from './html';
import { WebPages } from './web-pages';

/** The first parts of the paths at which there are pages for people, besides `/`. */
const ROOMS = ['account', 'connect', 'device', 'invitations', 'password-reset', 'setup', 'sign-in', 'sign-out', 'sso'];

/** The same as routes, which have no `/v1` before them. */
export const PAGE_ROUTES = ['/', ...ROOMS.flatMap((room) => [room, `${room}/{*path}`])];

const TITLES: Partial<Record<number, string>> = {
  400: 'That did not work',
  401: 'Sign in first',
  403: 'Not allowed',
  404: 'Page not found',
  409: 'That did not work',
  413: 'Too long',
  422: 'That did not work',
  429: 'Too many tries',
  503: 'Not available right now',
};

/** Errors of the pages for people: a page, in words. */
@Injectable()
export class PageErrors implements ErrorDialect {
  constructor(private readonly pages: WebPages) {}

  covers(path: string): boolean {
    return path === '/' || ROOMS.includes(path.split('/')[1] ?? '');
  }

  owns(error: unknown): error is FormError {
    return error instanceof FormError;
  }

  answer(error: Error, request: Request, response: Response): void {
    const status = statusOf(error);
    // `/` is also what programs ask for; they get what they get at any other path.
    if (request.path === '/' && !wantsPage(request) && error instanceof DomainError) {
      response.status(status).json({ detail: error.message, code: error.code });
      return;
    }
    const text =
      error instanceof ValidationError ? error.faults.map(({ msg }) => msg).join(' ') : error.message || 'Try again.';
    this.pages.send(response, {
      status,
      title: TITLES[status] ?? 'Something went wrong',
      body: html`<p>${text}</p>
        <p><a href="/">Back to the start</a></p>`,
    });
  }
}

/** @returns whether the client prefers a page to JSON, as browsers say; one that accepts anything does not */
export function wantsPage(request: Request): boolean {
  return request.headers.accept?.includes('text/html') === true && request.accepts('html', 'json') === 'html';
}

function statusOf(error: Error): number {
  if (error instanceof FormError) return error.status;
  return error instanceof DomainError ? httpStatus(error) : 422;
}
