import { join } from 'node:path';
import { Injectable, Logger } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Sessions } from '../auth/sessions/sessions.service';
import { Environment } from '../config/environment';
import { sendPrepared } from '../http/answers/prepared-answer';
import { wantsPage } from '../pages/page-errors';
import { type ConsoleFile, readConsoleFiles } from './console-files';

const ROOT = '/console';
/** Below it, each name contains the digest of its file. */
const HASHED = 'files/';
const PAGE = 'index.html';
/** dist/console, seen from dist/src/console. */
const BUILT = join(__dirname, '../../console');

/** Nothing comes from elsewhere, and no text becomes script or style. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const PAGE_HEADERS = {
  'Content-Security-Policy': POLICY,
  'Permissions-Policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=(), xr-spatial-tracking=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
};

/** Serves the console, the page for people. It calls the API like any other client, so this is only files. */
@Injectable()
export class ConsoleServer {
  private readonly files: ReadonlyMap<string, ConsoleFile>;
  private readonly page: ConsoleFile | undefined;

  constructor(
    environment: Environment,
    private readonly sessions: Sessions,
  ) {
    this.files = environment.console ? readConsoleFiles(BUILT) : new Map<string, ConsoleFile>();
    this.page = this.files.get(PAGE);
    if (environment.console && !this.page)
      new Logger('Console').warn('The console is not served: it was not built. Run `npm run build`.');
  }

  /** Whether there is a console to send people to. */
  get isServed(): boolean {
    return this.page !== undefined;
  }

  /** A middleware: sends a file by its name in memory, so that no path of the disk is made from a request. */
  readonly serveFile = (request: Request, response: Response, next: NextFunction): void => {
    const { path } = request;
    if (!isBelowRoot(path) || !isRead(request)) return next();
    const name = path.slice(ROOT.length + 1);
    const file = this.files.get(name);
    if (!file || file === this.page) return next();
    response.setHeader('Content-Type', file.type);
    const cacheControl = name.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'no-cache';
    sendPrepared(request, response, file.answer, cacheControl);
  };

  /** A middleware: the screens have addresses of their own, for which a browser gets the page; programs get 404. */
  readonly servePage = (request: Request, response: Response, next: NextFunction): void => {
    const { path } = request;
    if (!this.page || !isBelowRoot(path) || !isRead(request)) return next();
    if (path === ROOT) return response.redirect(308, `${ROOT}/`);
    const isOpened = isEntrance(path) ? Boolean(request.accepts('html')) : wantsPage(request);
    if (path.startsWith(`${ROOT}/${HASHED}`) || !isOpened) return next();
    this.sendPage(this.page, request, response).catch(next);
  };

  /** Only to people who are signed in: others first get the page for that, and come back. */
  private async sendPage(page: ConsoleFile, request: Request, response: Response): Promise<void> {
    for (const [header, value] of Object.entries(PAGE_HEADERS)) response.setHeader(header, value);
    if (await this.sessions.current(request, response)) {
      response.setHeader('Content-Type', page.type);
      sendPrepared(request, response, page.answer, 'no-cache');
      return;
    }
    const returnTo = encodeURIComponent(request.originalUrl);
    response.status(303).set('Cache-Control', 'no-store').location(`/sign-in?return_to=${returnTo}`).end();
  }
}

function isBelowRoot(path: string): boolean {
  return path === ROOT || path.startsWith(`${ROOT}/`);
}

/** Only the page is here, so a client that takes anything, such as curl, gets it as well. */
function isEntrance(path: string): boolean {
  return path === `${ROOT}/` || path === `${ROOT}/${PAGE}`;
}

const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';
