import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../config/environment';
import type { Keyring } from '../config/keyring';
import { Secrets } from '../config/secrets';
import { HostCookie } from '../http/host-cookie';
import { hasBody, readBytes, UnreadableBodyError } from '../http/requests/body-bytes';
import { html, type Html } from './html';

const LIMIT_BYTES = 65_536;
const MAX_FIELDS = 100;
const TOKEN_FIELD = 'csrf_token';
const TOKEN_BYTES = 32;

/** A form that cannot be accepted as it was sent; the message is for the person. */
export class FormError extends Error {
  constructor(
    message: string,
    readonly status: 400 | 403 | 413,
  ) {
    super(message);
    this.name = 'FormError';
  }
}

/**
 * Reads forms, and protects them against other sites (CSRF): each form has a token bound to its name, to the browser (a
 * cookie of its own, so that the form for signing in is protected too) and to the session it was shown in.
 */
@Injectable()
export class Forms {
  private readonly keys: Keyring;
  private readonly browser: HostCookie;
  private readonly session: HostCookie;
  private readonly origin: string;

  constructor(secrets: Secrets, { publicUrl }: Environment) {
    this.keys = secrets.derive('forms');
    this.browser = new HostCookie('toolyard-form', publicUrl);
    this.session = new HostCookie('toolyard', publicUrl);
    this.origin = new URL(publicUrl).origin;
  }

  /**
   * @param form its name: the token of one form is not that of another
   * @returns the hidden field with the token; also sets the cookie of the browser if it has none
   */
  token(request: Request, response: Response, form: string): Html {
    const browser = this.browserOf(request, response);
    const token = this.keys.mac(signed(browser, this.session.read(request) ?? '', form)).toString('base64url');
    return html`<input type="hidden" name="${TOKEN_FIELD}" value="${token}" />`;
  }

  /** @returns a secret that only this browser has, by a cookie that is set if it has none */
  browserOf(request: Request, response: Response): string {
    const known = this.browser.read(request);
    if (known !== undefined) return known;
    const browser = randomBytes(32).toString('base64url');
    this.browser.write(response, browser);
    // The next form of the same page gets the same one.
    request.headers.cookie = [request.headers.cookie, `${this.browser.name}=${browser}`].filter(Boolean).join('; ');
    return browser;
  }

  /**
   * Reads the body of a form and checks that this server showed the form to this browser.
   *
   * @returns its fields by name, without the token
   * @throws FormError for a body that is not a form, a repeated field, characters that cannot be stored, or a form of
   *   another site; DomainError `payload_too_large`
   */
  async read(request: Request, response: Response, form: string): Promise<Record<string, string>> {
    const fields = await readFields(request, response);
    const { [TOKEN_FIELD]: token = '', ...rest } = fields;
    const browser = this.browser.read(request);
    const sent = Buffer.from(token, 'base64url');
    const expected = signed(browser ?? '', this.session.read(request) ?? '', form);
    const isOurs = browser !== undefined && sent.length === TOKEN_BYTES && this.keys.isMac(sent, expected);
    if (this.isForeign(request) || !isOurs)
      throw new FormError('This form is no longer valid, or was not shown by this server. Go back and try again.', 403);
    return rest;
  }

  /**
   * By what the browser says of where the form was. `Origin` is `null` with forms of our own pages: that is what their
   * `Referrer-Policy: no-referrer` makes of it (Fetch, section 3.2).
   */
  private isForeign({ headers }: Request): boolean {
    const { origin = 'null', 'sec-fetch-site': site = 'same-origin' } = headers;
    return site !== 'same-origin' || (origin !== 'null' && origin !== this.origin);
  }
}

function signed(browser: string, session: string, form: string): string {
  return `${browser}\n${session}\n${form}`;
}

async function readFields(request: Request, response: Response): Promise<Record<string, string>> {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (!hasBody(request) || type !== 'application/x-www-form-urlencoded')
    throw new FormError('The form did not arrive.', 400);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(await readBytes(request, response, LIMIT_BYTES));
  } catch (error) {
    if (error instanceof UnreadableBodyError || error instanceof TypeError)
      throw new FormError('The form did not arrive completely.', 400);
    throw error;
  }
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    // Percent-encoded bytes that are not UTF-8 become U+FFFD.
    if (value.includes('\0') || value.includes('\uFFFD'))
      throw new FormError(`The field ${name} contains characters that are not text.`, 400);
    if (fields.has(name)) throw new FormError(`The field ${name} was sent twice.`, 400);
    fields.set(name, value);
    if (fields.size > MAX_FIELDS) throw new FormError('The form has too many fields.', 400);
  }
  return Object.fromEntries(fields);
}
