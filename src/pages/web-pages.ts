import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { html, type Html } from './html';
import { ICON_PATH, pageAsset } from './page-assets';

/** A page for people. */
export interface WebPage {
  title: string;
  body: Html;
  /** By default 200. */
  status?: number;
  /** Origins that a form of this page may lead to by redirects, besides this one: Chromium checks them too. */
  formTargets?: readonly string[];
  /** Where the browser goes on by itself at once. Unlike a redirect, `form-action` of the page before does not matter. */
  next?: string;
  /** A script of ours, from `pageAsset`; by default none. */
  script?: string;
  /** Who is signed in, for the header. */
  account?: { email: string | null; name: string | null };
  /** Room for tables. */
  isWide?: boolean;
}

const STYLE_PATH = pageAsset('pages', 'css', join(__dirname, 'tokens.css'), join(__dirname, 'style.css'));

/** A page as it is sent. */
export interface RenderedPage {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** Sends pages for people: rendered here, without script unless one is named, and never stored by anybody. */
@Injectable()
export class WebPages {
  send(response: Response, page: WebPage): void {
    const { status, headers, text } = this.render(page);
    response.status(status).set(headers).send(text);
  }

  /** @returns what `send` sends, for those who have no response of Express */
  render(page: WebPage): RenderedPage {
    return {
      status: page.status ?? 200,
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': policy(page.formTargets ?? []),
        'Cache-Control': 'no-store',
        'Referrer-Policy': 'no-referrer',
        'X-Frame-Options': 'DENY',
        'Cross-Origin-Opener-Policy': 'same-origin',
      },
      text: document(page).text,
    };
  }

  /** Sends the browser on, after a form was accepted (303: by GET). */
  redirect(response: Response, to: string): void {
    // Like the pages: a redirect without this policy would cut a window off from the one that has opened it.
    const headers = { 'Referrer-Policy': 'no-referrer', 'Cross-Origin-Opener-Policy': 'same-origin' };
    response
      .status(303)
      .set({ 'Cache-Control': 'no-store', ...headers })
      .location(to)
      .end();
  }
}

/** @param formTargets origins, or schemes with a colon */
function policy(formTargets: readonly string[]): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    ["form-action 'self'", ...formTargets.filter((target) => /^[a-z][\w.+:/[\]-]*$/i.test(target))].join(' '),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

function document({ title, body, next, script, account, isWide }: WebPage): Html {
  const width = isWide ? 'wide' : 'narrow';
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Toolyard</title>
        <link rel="icon" type="image/svg+xml" href="${ICON_PATH}" />
        <link rel="stylesheet" href="${STYLE_PATH}" />
        ${next !== undefined && html`<meta http-equiv="refresh" content="0; url=${next}" />`}
        ${script !== undefined && html`<script src="${script}" defer></script>`}
      </head>
      <body>
        <header class="${width}">
          <a class="brand" href="/">Toolyard</a>
          ${account && html`<a href="/account">${account.name ?? account.email ?? 'Your account'}</a>`}
        </header>
        <main class="${width}">
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html>`;
}
