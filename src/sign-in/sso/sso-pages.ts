import { html, type Html } from '../../pages/html';
import type { WebPage } from '../../pages/web-pages';
import type { SsoProvider } from '../../config/sso-providers';
import type { SsoFailure, SsoFailureKind } from './sso-failure';

interface FailureText {
  status: number;
  title: string;
  text: string;
  /** Whether another try may help. */
  canRetry?: boolean;
}

/** What each failure means for the person, and what they can do. `name` is that of the provider. */
const FAILURES: Record<SsoFailureKind, (name: string, domains: readonly string[]) => FailureText> = {
  unreachable: (name) => ({
    status: 503,
    title: `${name} does not answer`,
    text: `Nothing is wrong with your account. Try again in a minute; if that does not help, tell an administrator of this server.`,
    canRetry: true,
  }),
  cancelled: (name) => ({
    status: 403,
    title: 'You are not signed in',
    text: `The sign-in at ${name} was cancelled, or ${name} does not let you use this application.`,
    canRetry: true,
  }),
  refused: (name) => ({
    status: 403,
    title: 'You are not signed in',
    text: `${name} refused the sign-in. An administrator of this server finds the reason in its log.`,
    canRetry: true,
  }),
  expired: (name) => ({
    status: 400,
    title: 'This sign-in is over',
    text: `It was completed already, or took too long. Start again; ${name} may not even ask you for anything.`,
    canRetry: true,
  }),
  lost: () => ({
    status: 400,
    title: 'This sign-in is over',
    text: 'It did not begin in this browser within the last ten minutes. Start again, and let this site set cookies.',
    canRetry: true,
  }),
  clock: (name) => ({
    status: 503,
    title: 'The clocks differ',
    text: `The time of this server and that of ${name} are too far apart to trust the sign-in. Tell an administrator of this server.`,
    canRetry: true,
  }),
  invalid: (name) => ({
    status: 403,
    title: 'You are not signed in',
    text: `The answer was not one that ${name} made for this sign-in, so it was not accepted. An administrator of this server finds the reason in its log.`,
    canRetry: true,
  }),
  closed: () => ({
    status: 403,
    title: 'This account is closed',
    text: 'It was closed or deleted. An administrator of this server can tell you more.',
  }),
  taken: (name) => ({
    status: 403,
    title: 'There is an account with your address',
    text: `It was made without ${name}, so ${name} does not open it: an address can belong to another person later. Sign in to that account as you usually do, then link ${name} on your account page. If you cannot, ask an administrator of this server.`,
  }),
  domain: (name, domains) => ({
    status: 403,
    title: 'Your address cannot sign in here',
    text: `With ${name}, only people with a verified address at ${domains.join(' or ')} can sign in.`,
  }),
  'not-provisioned': () => ({
    status: 403,
    title: 'You have no account here yet',
    text: 'Your company adds people to this server itself. Ask its administrators to add you, with the address that you sign in with.',
  }),
  'not-invited': () => ({
    status: 403,
    title: 'You have no account here yet',
    text: 'Only people with an invitation can sign in. Ask for one to the address that you sign in with; it must be a verified one.',
  }),
  'linked-elsewhere': (name) => ({
    status: 409,
    title: 'Another account is linked',
    text: `What you are at ${name} is linked to another account here. Sign in with ${name} to use that account.`,
  }),
  'too-many': () => ({
    status: 409,
    title: 'Too many are linked',
    text: 'An account can have 20 identities. Remove one on your account page first.',
  }),
  'signed-out': () => ({
    status: 403,
    title: 'Sign in first',
    text: 'Sign in to the account that you want to link, in this browser, and try again from your account page.',
  }),
  'too-long-ago': () => ({
    status: 403,
    title: 'Sign in again first',
    text: 'Linking needs proof of who you are from the last five minutes. Confirm that it is you on your account page, and try again.',
  }),
  unproved: (name) => ({
    status: 403,
    title: 'You are not confirmed',
    text: `${name} did not say when you proved who you are there, so that nobody can tell whether it asked you now. Confirm with a password or a passkey instead, or ask an administrator of this server.`,
  }),
  'not-again': (name) => ({
    status: 403,
    title: 'You are not confirmed',
    text: `${name} did not ask you again who you are. Sign out at ${name}, and confirm again from your account page.`,
  }),
  'somebody-else': (name) => ({
    status: 403,
    title: 'You signed in as somebody else',
    text: `Who you are at ${name} now does not belong to the account that you are signed in to here. Sign out at ${name}, and confirm again from your account page.`,
  }),
};

/** The way to a provider on the page for signing in. One that is down is still offered: it may be up again by now. */
export function providerButton(provider: SsoProvider, returnTo: string, isDown: boolean): Html {
  return html`<div class="actions">
    <a class="button" href="${startPath(provider, returnTo)}">Sign in with ${provider.name}</a>
    ${isDown && html`<span class="hint">${provider.name} did not answer a moment ago.</span>`}
  </div>`;
}

/** @param returnTo for the link to try again */
export function failurePage(provider: SsoProvider, failure: SsoFailure, returnTo?: string): WebPage {
  const { status, title, text, canRetry } = FAILURES[failure.kind](provider.name, provider.domains);
  return {
    status,
    title,
    body: html`<p>${text}</p>
      ${failure.code !== undefined && html`<p>${provider.name} says: <code>${failure.code}</code></p>`}
      ${canRetry === true && html`<p><a href="${startPath(provider, returnTo)}">Try again with ${provider.name}</a></p>`}
      <p><a href="/sign-in">Other ways to sign in</a></p>`,
  };
}

/** Asks before signing in where another site sent the browser here: it may have signed the person in there as someone else. */
export function continuePage(provider: SsoProvider, returnTo: string): WebPage {
  return {
    title: `Sign in with ${provider.name}`,
    body: html`<p>Another site sent you here to sign in with ${provider.name}.</p>
      <p><a class="button" href="${startPath(provider, returnTo)}">Continue with ${provider.name}</a></p>
      <p><a href="/">Do not sign in</a></p>`,
  };
}

/**
 * Asks before linking.
 *
 * @param token the hidden field of the form
 */
export function linkPage(
  provider: SsoProvider,
  token: Html,
  account: { email: string | null; name: string | null },
): WebPage {
  return {
    title: `Link ${provider.name}`,
    account,
    body: html`<p>
        You sign in at ${provider.name} now. From then on, whoever you are there opens this account here:
        <strong>${account.email ?? account.name ?? 'your account'}</strong>.
      </p>
      <form method="post" action="/sso/${provider.id}/start">
        ${token}
        <button type="submit">Continue to ${provider.name}</button>
      </form>
      <p><a href="/account">Do not link</a></p>`,
  };
}

/**
 * Sends the browser on after the form for linking. Not by a redirect: Chromium checks each address to which the provider
 * sends the browser on against `form-action`, and the provider's own sign-in may be at any.
 */
export function leavingPage(provider: SsoProvider, to: URL): WebPage {
  return {
    title: `Continue to ${provider.name}`,
    body: html`<p><a class="button" href="${to.href}">Continue to ${provider.name}</a></p>`,
  };
}

function startPath({ id }: SsoProvider, returnTo = '/'): string {
  const query = returnTo === '/' ? '' : `?${new URLSearchParams({ return_to: returnTo }).toString()}`;
  return `/sso/${id}/start${query}`;
}
