import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { html, type Html } from './html';
import { pageAsset } from './page-assets';

/** A page for people. */
export interface WebPage {
  title: string;
  body: Html;
  /** By default 200. */
  status?: number;
  /** Origins that a form of this page may lead to by redirects, besides this one: Chromium checks them too. */
  formTargets?: readonly string[];
  /** A script of ours, from `pageAsset`; by default none. */
  script?: string;
  /** Who is signed in, for the header. */
  account?: { email: string | null; name: string | null };
  /** Room for tables. */
  isWide?: boolean;
}

const STYLE_PATH = pageAsset('pages', 'css', join(__dirname, 'style.css'));

/** Sends pages for people: rendered here, without script unless one is named, and never stored by anybody. */
@Injectable()
export class WebPages {
  send(response: Response, page: WebPage): void {
    response
      .status(page.status ?? 200)
      .set({
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': policy(page.formTargets ?? []),
        'Cache-Control': 'no-store',
        'Referrer-Policy': 'no-referrer',
        'X-Frame-Options': 'DENY',
        'Cross-Origin-Opener-Policy': 'same-origin',
      })
      .send(document(page).text);
  }

  /** Sends the browser on, after a form was accepted (303: by GET). */
  redirect(response: Response, to: string): void {
    response.status(303).set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }).location(to).end();
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
    ["form-action 'self'", ...formTargets.filter((target) => /^[a-z][\w.:/[\]-]*$/i.test(target))].join(' '),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

function document({ title, body, script, account, isWide }: WebPage): Html {
  const width = isWide ? 'wide' : 'narrow';
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Toolyard</title>
        <link rel="stylesheet" href="${STYLE_PATH}" />
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
