import { html, type Html } from '../../pages/html';
import type { WebPage } from '../../pages/web-pages';
import { foreignText } from '../../pages/visible-text';
import type { SecretNeed } from '../protocol/credential-placements';
import type { ConnectFailure, ConnectFailureKind } from './connect-failure';
import type { ConnectTarget } from './connect-targets';
import type { Authorization } from './authorization-servers';

interface Account {
  readonly email: string | null;
  readonly name: string | null;
}

/** A form, with what protects it. */
export interface ShownForm {
  /** The path of the page. */
  readonly action: string;
  /** The hidden fields of `Forms` and `ConnectFormSeal`. */
  readonly token: Html;
  readonly account: Account;
  /** Whether a former page was about another server, so that nothing was done. */
  readonly hasChanged?: boolean;
}

interface FailureText {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  /** Whether another try may help. */
  readonly canRetry?: boolean;
}

const ASK_EDITOR = 'Whoever manages this bundle can find out more.';

/** What each failure means for the person, and what they can do. `host` is that of the server. */
const FAILURES: Record<ConnectFailureKind, (host: string) => FailureText> = {
  unreachable: (host) => ({
    status: 503,
    title: `${host} does not answer`,
    text: `${host}, or the site where you sign in for it, did not answer in time. Nothing was connected. Try again in a minute.`,
    canRetry: true,
  }),
  unsafe: (host) => ({
    status: 409,
    title: `${host} cannot be connected`,
    text: `It sends people and secrets to an address that is not safe: not encrypted, or not a public one. So nothing was sent there. ${ASK_EDITOR}`,
  }),
  unsupported: (host) => ({
    status: 409,
    title: `${host} cannot be connected`,
    text: `It does not offer what is needed to connect accounts safely. ${ASK_EDITOR}`,
  }),
  mismatch: (host) => ({
    status: 409,
    title: `${host} cannot be connected`,
    text: `What it says about signing in belongs to another server, so it was not accepted. ${ASK_EDITOR}`,
  }),
  unregistered: (host) => ({
    status: 409,
    title: `${host} does not know this server`,
    text: `It accepts only applications that somebody has registered there. An editor of the bundle can register one, and give its client id to the bundle.`,
  }),
  'unknown-client': (host) => ({
    status: 409,
    title: `${host} does not know this server`,
    text: `It does not accept the client id of this server, or no longer. Try again; if that does not help, tell an editor of the bundle.`,
    canRetry: true,
  }),
  denied: (host) => ({
    status: 403,
    title: 'Nothing was connected',
    text: `You did not allow it, or ${host} does not let you. You can try again at any time.`,
    canRetry: true,
  }),
  refused: (host) => ({
    status: 403,
    title: 'Nothing was connected',
    text: `${host} refused it. An administrator of this server finds the reason in its log.`,
    canRetry: true,
  }),
  expired: () => ({
    status: 400,
    title: 'That took too long',
    text: 'What you brought back was used already, or is too old. Try again.',
    canRetry: true,
  }),
  busy: () => ({
    status: 503,
    title: 'Try again in a minute',
    text: 'Too many accounts are being connected at the moment.',
    canRetry: true,
  }),
};

/**
 * @param retry where to try again; undefined: nowhere
 * @param back where the accounts of the bundle are in the console; undefined: there is none
 */
export function failurePage(
  host: string,
  failure: ConnectFailure,
  retry: string | undefined,
  back: string | undefined,
): WebPage {
  const { status, title, text, canRetry } = FAILURES[failure.kind](host);
  return {
    status,
    title,
    body: html`<p>${text}</p>
      ${failure.code !== undefined && html`<p>It says: <code>${foreignText(failure.code)}</code></p>`}
      ${canRetry === true && retry !== undefined && html`<p><a class="button" href="${retry}">Try again</a></p>`}
      ${wayBack(back)}`,
  };
}

/** Asks before the person is sent to an authorization server. */
export function oauthPage(target: ConnectTarget, { issuer, scope }: Authorization, form: ShownForm): WebPage {
  const { host, place } = target;
  const scopes = scope?.split(' ') ?? [];
  const where = new URL(issuer).host;
  return {
    status: form.hasChanged === true ? 409 : 200,
    title: `Connect your account at ${host}`,
    account: form.account,
    body: html`${form.hasChanged === true && CHANGED} ${aboutTarget(target)}
      <p>You sign in at <strong>${where}</strong> and decide there. This server never sees your password.</p>
      ${
        scopes.length > 0
          ? html`<p>It will be asked for:</p>
              <ul>
                ${scopes.map((each) => html`<li><code>${foreignText(each)}</code></li>`)}
              </ul>`
          : html`<p>It will be asked for what ${host} gives by default.</p>`
      }
      ${place.owner === 'BUNDLE' && SHARED_WARNING}
      <form method="post" action="${form.action}">
        ${form.token}
        <button type="submit">Continue to ${where}</button>
      </form>`,
  };
}

const CHANGED = html`<p>
  <strong>The server has changed since the page was shown, so nothing was saved or sent.</strong> Read again where you
  would connect.
</p>`;

const SHARED_WARNING = html`<p>
  <strong>Everyone who uses the bundle</strong> will act there as the account that you connect. Connect one that is
  meant for that.
</p>`;

/**
 * Takes secrets.
 *
 * @param problems by name
 */
export function secretsPage(
  target: ConnectTarget,
  secrets: readonly SecretNeed[],
  form: ShownForm,
  problems: ReadonlyMap<string, string> = new Map(),
): WebPage {
  const { host, place } = target;
  return {
    status: form.hasChanged === true ? 409 : problems.size > 0 ? 422 : 200,
    title: `Connect your account at ${host}`,
    account: form.account,
    body: html`${form.hasChanged === true && CHANGED} ${aboutTarget(target)}
      ${place.owner === 'BUNDLE' && SHARED_WARNING}
      <p>
        What you enter is encrypted, is sent to <strong>${host}</strong> and nowhere else, and is never shown again. It
        replaces what was entered before.
      </p>
      <form method="post" action="${form.action}">
        ${form.token}
        ${secrets.map(
          ({ name, isRequired, description }, index) =>
            html`<div class="field">
              <label for="secret-${index}">${foreignText(name)}${!isRequired && ' (optional)'}</label>
              <input id="secret-${index}" name="${fieldOf(index)}" type="password" autocomplete="off" />
              ${description !== undefined && html`<span class="hint">${foreignText(description)}</span>`}
              ${problems.has(name) && html`<span class="problem">${problems.get(name)}</span>`}
            </div>`,
        )}
        <button type="submit">Save</button>
      </form>`,
  };
}

/** The names of secrets are anybody's; those of the fields are ours. */
export function fieldOf(index: number): string {
  return `secret_${index}`;
}

/** Sends the browser on. Not by a redirect: Chromium checks each address of its way against `form-action` of the page before. */
export function leavingPage(to: string): WebPage {
  const { host } = new URL(to);
  return {
    title: `Continue to ${host}`,
    next: to,
    body: html`<p><a class="button" href="${to}">Continue to ${host}</a></p>`,
  };
}

/** @param back where the accounts of the bundle are in the console; undefined: there is none */
export function connectedPage(host: string, isShared: boolean, back: string | undefined): WebPage {
  return {
    title: 'Connected',
    body: html`<p>
        ${isShared ? 'Everyone who uses the bundle' : 'Your program'} can use <strong>${host}</strong> now. Go back to
        it, and let it go on or try again.
      </p>
      <p>You can close this window.</p>
      ${wayBack(back)}`,
  };
}

const wayBack = (back: string | undefined): Html | false =>
  back !== undefined && html`<p><a href="${back}">See the accounts of the bundle</a></p>`;

/** For an address that is not good any more. */
export function gonePage(): WebPage {
  return {
    status: 404,
    title: 'This address is not good any more',
    body: html`<p>
      It was good for an hour, or is not complete. Go back to your program and try again: it gets a new one.
    </p>`,
  };
}

export function otherPersonPage(account: Account): WebPage {
  return {
    status: 403,
    title: 'This address is for another account',
    account,
    body: html`<p>
        You are signed in as <strong>${account.email ?? account.name ?? 'another person'}</strong>, and this address was
        made for somebody else. If it came from your own program, sign in with the account that the program uses.
      </p>
      <p>If somebody sent it to you: they would use what you connect. Do not go on.</p>`,
  };
}

/** Says nothing about why: who brings a state that is not theirs learns nothing from it. */
export function strayPage(): WebPage {
  return {
    status: 400,
    title: 'That did not work',
    body: html`<p>Nothing was connected. Go back to your program and try again, in this browser.</p>`,
  };
}

/** For an entry that takes no credential. */
export function nothingPage(host: string): WebPage {
  return {
    status: 409,
    title: 'There is nothing to connect',
    body: html`<p>
      <strong>${host}</strong> does not ask for an account. If its tools fail, whoever manages the bundle can find out
      more.
    </p>`,
  };
}

function aboutTarget({ bundleName, entryKey, listingName, host, place }: ConnectTarget): Html {
  return html`<p>
      The bundle <strong>${foreignText(bundleName)}</strong> uses
      <strong>${foreignText(entryKey)}</strong> (<code>${foreignText(listingName)}</code>), which is a server at
      <strong>${host}</strong>.
    </p>
    ${place.owner === 'PERSON' && html`<p>What you connect is used for your own calls only, and for nobody else's.</p>`}`;
}
