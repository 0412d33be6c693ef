import type { Client, KoaContextWithOIDC } from 'oidc-provider';
import { isUnavailable } from '../../database/database-errors';
import { html, Html } from '../../pages/html';
import type { WebPage, WebPages } from '../../pages/web-pages';
import { foreignText } from '../../pages/visible-text';
import type { ClientStore } from './client-store';
import { requestContext } from './request-context';
import { SignInRequired } from './sign-in-required';

const RETRY_AFTER_S = 5;

/** What went wrong, in the words of people, by the library's code. */
const SENTENCES: Record<string, string> = {
  invalid_client: 'The program that sent you here is not known to this server.',
  invalid_redirect_uri: 'The program that sent you here asked to be answered at an address that it has not registered.',
  temporarily_unavailable: 'This server cannot be used at the moment. Try again in a few seconds.',
  server_error: 'Something went wrong on this server.',
};

/** The pages that the library needs. */
export class ProtocolPages {
  constructor(
    private readonly pages: WebPages,
    private readonly publicUrl: string,
    private readonly clients: Pick<ClientStore, 'nameToShow'>,
  ) {}

  /** An error that must not be sent to the client, because it may not be the one it claims to be. */
  error(ctx: KoaContextWithOIDC, out: { error: string; error_description?: string }, error: Error): void {
    if (error instanceof SignInRequired) return this.toSignIn(ctx, error);
    const isAway = isUnavailable(error) || requestContext.getStore()?.isBusy === true;
    if (isAway) ctx.set('Retry-After', String(RETRY_AFTER_S));
    const code = isAway ? 'temporarily_unavailable' : out.error;
    this.render(ctx, {
      status: isAway ? 503 : ctx.status,
      title: isAway ? 'Not available right now' : 'You cannot sign in this way',
      body: html`<p>${SENTENCES[code] ?? 'The program that sent you here made a mistake.'}</p>
        <p>Go back to the program and try again. If it happens again, tell its makers:</p>
        <p>
          <code>${code}</code>${out.error_description && !isAway && html` · ${foreignText(out.error_description)}`}
        </p>`,
    });
  }

  /** The form that the library makes has a token against forgery, and nothing else of use. */
  userCode(ctx: KoaContextWithOIDC, form: string, error?: Error): void {
    const code = requestContext.getStore()?.userCode ?? '';
    this.render(ctx, {
      status: error ? 400 : 200,
      title: 'Connect a device',
      body: html`${error && html`<p role="alert">${userCodeSentence(error)}</p>`}
        <form method="post" action="${this.publicUrl}/device">
          ${tokenOf(form)}
          <label for="user_code">The code that the device shows</label>
          <input
            id="user_code"
            name="user_code"
            value="${code}"
            autocomplete="off"
            autocapitalize="characters"
            spellcheck="false"
            maxlength="40"
            required
          />
          <button type="submit">Continue</button>
        </form>`,
    });
  }

  async confirmUserCode(ctx: KoaContextWithOIDC, form: string, client: Client, code: string): Promise<void> {
    const name = await this.clients.nameToShow(client);
    this.render(ctx, {
      title: 'Connect this device?',
      body: html`<p>
          <strong><bdi>${name}</bdi></strong> wants to sign in with your account. Continue only if you have the device
          before you, and it shows this code:
        </p>
        <p><code>${code}</code></p>
        <form method="post" action="${this.publicUrl}/device">
          ${tokenOf(form)}
          <input type="hidden" name="user_code" value="${code}" />
          <button type="submit" name="confirm" value="yes">Continue</button>
          <button type="submit" name="abort" value="yes" class="secondary">Not me</button>
        </form>`,
    });
  }

  deviceDone(ctx: KoaContextWithOIDC): void {
    this.render(ctx, {
      title: 'The device is connected',
      body: html`<p>You can close this page and go back to the device.</p>`,
    });
  }

  async signOut(ctx: KoaContextWithOIDC, form: string): Promise<void> {
    const { client } = ctx.oidc;
    const name = client && (await this.clients.nameToShow(client));
    const target = ctx.oidc.params?.post_logout_redirect_uri;
    this.render(ctx, {
      title: 'Sign out?',
      formTargets: typeof target === 'string' ? [formTarget(target)] : [],
      body: html`<p>
          ${name === undefined ? 'You are asked' : html`<strong><bdi>${name}</bdi></strong> asks`} whether you want to
          sign out of Toolyard in this browser.
        </p>
        <form method="post" action="${this.publicUrl}/oauth2/logout/confirm">
          ${tokenOf(form)}
          <button type="submit" name="logout" value="yes">Sign out</button>
          <button type="submit" class="secondary">Stay signed in</button>
        </form>`,
    });
  }

  signedOut(ctx: KoaContextWithOIDC): void {
    this.render(ctx, { title: 'Signed out', body: html`<p>You can close this page.</p>` });
  }

  private toSignIn(ctx: KoaContextWithOIDC, { isAgain }: SignInRequired): void {
    ctx.status = 303;
    ctx.set('Cache-Control', 'no-store');
    ctx.redirect(signInUrl(this.publicUrl, ctx.req.url ?? '/', isAgain));
  }

  private render(ctx: KoaContextWithOIDC, page: WebPage): void {
    const { status, headers, text } = this.pages.render(page);
    ctx.status = status;
    ctx.body = text;
    ctx.set(headers);
  }
}

/**
 * @param path of ours, to which the sign-in page returns
 * @param isAgain also for a person who is signed in
 */
export function signInUrl(publicUrl: string, path: string, isAgain = false): string {
  const parameters = new URLSearchParams({ return_to: path, ...(isAgain ? { again: '1' } : {}) });
  return `${publicUrl}/sign-in?${parameters.toString()}`;
}

/**
 * @returns what a policy calls the target of a redirect: its origin, or its scheme where it has none or where a policy
 *   cannot name it (IPv6, Content Security Policy level 3, section 2.3.1)
 */
export function formTarget(uri: string): string {
  const url = URL.parse(uri);
  if (!url) return "'self'";
  const hasOrigin = ['http:', 'https:'].includes(url.protocol) && !url.hostname.startsWith('[');
  return hasOrigin ? url.origin : url.protocol;
}

/** @param form of the library, whose hidden field is all that we take */
function tokenOf(form: string): Html {
  const [, token = ''] = /name="xsrf" value="(\w+)"/.exec(form) ?? [];
  return html`<input type="hidden" name="xsrf" value="${token}" />`;
}

function userCodeSentence({ name }: Error): string {
  if (name === 'AbortedError') return 'The device was not connected.';
  if (name === 'ExpiredError') return 'The code has expired. Ask the device for a new one.';
  if (name === 'AlreadyUsedError') return 'The code was used already. Ask the device for a new one.';
  return 'This code is not right. Compare it with the one on the device.';
}
