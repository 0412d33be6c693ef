import { deviceName } from '../../auth/sessions/device-name';
import type { Session } from '../../auth/sessions/session';
import type { PersonSessionRow } from '../../auth/sessions/session.dto';
import { html, type Html } from '../../pages/html';
import { foreignText } from '../../pages/visible-text';
import { field, type FieldProblems, newPasswordFields } from '../people/link-pages';
import { accessPart, type AccessView } from './access.page';
import type { IdentityRow } from './identity.dto';
import { invitationsPart, type InvitationsView } from './invitations.page';
import { passkeysPart, type PasskeysView } from './passkeys.page';

/** The forms of the page; each has a token of its own. */
export const ACCOUNT_FORMS = [
  'password',
  'remove-password',
  'remove-identity',
  'remove-passkey',
  'accept-invitation',
  'decline-invitation',
  'revoke-grant',
  'revoke-token',
  'end-session',
  'sign-out-everywhere',
] as const;
export type AccountForm = (typeof ACCOUNT_FORMS)[number];

/** What the page of an account shows. */
export interface AccountView {
  session: Session;
  hasPassword: boolean;
  /** Whether people sign in here with passwords at all. */
  usesPasswords: boolean;
  identities: readonly IdentityRow[];
  /** Identity providers at which the account can get an identity. */
  providers: readonly { id: string; name: string; issuer: string }[];
  passkeys: Pick<PasskeysView, 'passkeys' | 'arePossible'>;
  invitations: Pick<InvitationsView, 'invitations' | 'hasMore'>;
  access: Omit<AccessView, 'tokenOf'>;
  sessions: readonly PersonSessionRow[];
  /** Whether ways to sign in can be changed without confirming who one is. */
  isRecent: boolean;
  /** What is wrong with the form for the password. */
  problems?: FieldProblems;
  /** What just happened, or why not. */
  notice?: { text: string | Html; isProblem: boolean };
  /** @returns the hidden field of a form */
  token: (form: AccountForm) => Html;
}

export function accountPage(view: AccountView): Html {
  const { session, notice } = view;
  return html`
    ${notice && html`<p class="${notice.isProblem ? 'error' : 'notice'}" role="status">${notice.text}</p>`}
    <dl>
      <dt>Name</dt>
      <dd>${session.name ?? 'none'}</dd>
      <dt>E-mail address</dt>
      <dd>${session.email ?? 'none'}</dd>
    </dl>
    ${invitationsPart({ ...view.invitations, email: session.email, tokenOf: view.token })} ${waysPart(view)}
    ${
      view.usesPasswords &&
      html`${passkeysPart({ ...view.passkeys, isRecent: view.isRecent, token: view.token('remove-passkey') })}
      ${passwordPart(view)}`
    }
    ${sessionsPart(view)} ${accessPart({ ...view.access, tokenOf: view.token })}
  `;
}

function waysPart({ hasPassword, identities, providers, passkeys, isRecent, token }: AccountView): Html {
  const rows = [
    ...(hasPassword
      ? [
          way(
            'Password',
            html``,
            html`<form method="post" action="/account/remove-password">
              ${token('remove-password')}
              <button class="danger">Remove<span class="unseen"> the password</span></button>
            </form>`,
          ),
        ]
      : []),
    ...identities.map(({ id, issuer, subject, created_at }) =>
      way(
        issuer,
        html`<p class="hint">as ${foreignText(subject)}, since ${moment(created_at)}</p>`,
        html`<form method="post" action="/account/remove-identity">
          ${token('remove-identity')}
          <input type="hidden" name="identity_id" value="${id}" />
          <button class="danger">Remove<span class="unseen"> ${issuer}</span></button>
        </form>`,
      ),
    ),
  ];
  return html`<h2 id="ways">How you sign in</h2>
    ${
      rows.length > 0
        ? html`<ul class="rows">
            ${rows}
          </ul>`
        : passkeys.passkeys.length === 0 && html`<p>You only use access tokens.</p>`
    }
    ${providers
      .filter(({ issuer }) => !identities.some((identity) => identity.issuer === issuer))
      .map(
        ({ id, name }) =>
          html`<p>
            <a class="button quiet" href="${isRecent ? `/sso/${id}/start?link=1` : '/account/confirm'}">Link ${name}</a>
          </p>`,
      )}
    <p class="hint">
      The last way to sign in cannot be removed. Removing one signs you out everywhere else, and ends the access of
      applications and personal tokens.
      ${!isRecent && html`You will be asked to <a href="/account/confirm">confirm that it is you</a> first.`}
    </p>`;
}

function way(name: string, detail: Html, action: Html): Html {
  return html`<li>
    <div><strong>${foreignText(name)}</strong>${detail}</div>
    ${action}
  </li>`;
}

function passwordPart({ hasPassword, session, problems = {}, token }: AccountView): Html {
  const current = html`type="password" autocomplete="current-password" required`;
  return html`<h2 id="password-part">${hasPassword ? 'Change your password' : 'Set a password'}</h2>
    <form method="post" action="/account/password">
      ${token('password')}
      <input type="email" autocomplete="username" value="${session.email ?? ''}" hidden />
      ${hasPassword && field('current_password', 'Current password', current, { problem: problems.current_password })}
      ${newPasswordFields(problems)}
      <p class="hint">Signs you out everywhere else, and ends the access of applications and personal tokens.</p>
      <button>${hasPassword ? 'Change the password' : 'Set the password'}</button>
    </form>`;
}

function sessionsPart({ session, sessions, token }: AccountView): Html {
  const rows = sessions.map(({ id, device, address, signed_in_at, last_seen_at }) =>
    way(
      deviceName(device),
      html`${id === session.id && html` (this browser)`}
        <p class="hint">from ${address}, signed in ${moment(signed_in_at)}, last used ${moment(last_seen_at)}</p>`,
      html`<form method="post" action="/account/end-session">
        ${token('end-session')}
        <input type="hidden" name="session_id" value="${id}" />
        <button class="quiet">
          Sign out<span class="unseen"> ${foreignText(deviceName(device))} at ${address}</span>
        </button>
      </form>`,
    ),
  );
  return html`<h2 id="sessions">Where you are signed in</h2>
    <ul class="rows">
      ${rows}
    </ul>
    <form method="post" action="/account/sign-out-everywhere">
      ${token('sign-out-everywhere')}
      <p class="hint">Also here, and applications and personal tokens with access to your account lose it.</p>
      <button class="danger">Sign out everywhere</button>
    </form>`;
}

/** To the minute, in UTC: the page has no script that knows the time zone. */
function moment(at: Date): Html {
  const text = at.toISOString();
  return html`<time datetime="${text}">${text.slice(0, 10)} ${text.slice(11, 16)} UTC</time>`;
}
