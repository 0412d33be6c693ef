import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { PASSWORD } from './local-accounts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/** Where Chromium is installed on this machine; undefined: nowhere. */
export const CHROMIUM = [
  ...(process.env['PATH'] ?? '').split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name))),
  MAC,
].find(isExecutable);

/** `describe` with a real browser; without one the suite is skipped, with its reason in the title. */
export const describeInBrowser = (title: string, tests: () => void): void =>
  CHROMIUM === undefined
    ? describe.skip(`${title} (skipped: Chromium is not installed)`, () => {
        // Jest refuses a suite without a test.
        it('needs Chromium', () => undefined);
      })
    : describe(title, tests);

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export interface Look {
  /** In pixels; by default 1280. */
  width?: number;
  theme?: 'light' | 'dark';
  /** `pseudo`: that for tests, whose texts are 40 % longer (`console/src/messages/pseudo.ts`). */
  language?: 'pseudo';
}

/** A real browser. Close it. @param flags for its command line, beside those that it always gets */
export async function openChromium(flags: readonly string[] = []): Promise<Browser> {
  // As root, Chromium has no sandbox; it only sees pages of ours.
  const args = ['--no-sandbox', '--disable-dev-shm-usage', ...flags];
  return chromium.launch({ executablePath: CHROMIUM ?? '', args });
}

/** A person in front of a window, and all that the window complained about. */
export class Visitor {
  /** Errors of the console, violations of the policy, exceptions, requests to another origin, and refused calls of the API. */
  readonly complaints: string[] = [];
  /** What was asked of the API: method, path and query. */
  readonly asked: string[] = [];

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    private readonly origin: string,
  ) {
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.complaints.push(`${message.type()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => this.complaints.push(`exception: ${error.message}`));
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.protocol !== 'data:' && url.origin !== origin) this.complaints.push(`elsewhere: ${request.url()}`);
      if (url.pathname.startsWith('/v1/')) this.asked.push(`${request.method()} ${url.pathname}${url.search}`);
    });
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.startsWith('/v1/') && [401, 403, 404].includes(response.status()))
        this.complaints.push(`refused: ${response.request().method()} ${pathname} ${response.status()}`);
    });
  }

  /** @param origin of the application, such as `http://localhost:3000` */
  static async arrive(
    browser: Browser,
    origin: string,
    { width = 1280, theme = 'light', language }: Look = {},
  ): Promise<Visitor> {
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme: theme,
      reducedMotion: 'reduce',
      locale: 'en-GB',
    });
    context.setDefaultTimeout(30_000);
    if (language) await context.addInitScript(`localStorage.setItem('toolyard.language', '${language}')`);
    const page = await context.newPage();
    return new Visitor(context, page, origin);
  }

  /** Opens a screen, signing in on the way as the page demands it. */
  async signIn(email: string, path = '/console/'): Promise<void> {
    await this.page.goto(`${this.origin}${path}`);
    await this.page.waitForURL('**/sign-in?**');
    await this.page.getByLabel('E-mail address').fill(email);
    await this.page.getByLabel('Password').fill(PASSWORD);
    await this.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await this.page.waitForURL(`${this.origin}${path}`);
    await this.page.waitForLoadState('networkidle');
    // To be told to sign in is no complaint.
    this.complaints.length = 0;
    this.asked.length = 0;
  }

  async open(path: string): Promise<void> {
    await this.page.goto(`${this.origin}${path}`);
  }
}
