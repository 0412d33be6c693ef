import type { MyInvitationOut } from '../../invitations/my-invitation.dto';
import { html, type Html } from '../../pages/html';
import { foreignText } from '../../pages/visible-text';

/** What the person can answer. */
export interface InvitationsView {
  /** The address to which invitations are sent. */
  email: string | null;
  invitations: readonly MyInvitationOut[];
  /** Whether there are more than are shown. */
  hasMore: boolean;
  tokenOf: (form: 'accept-invitation' | 'decline-invitation') => Html;
}

/** The part of the account page about invitations, and about memberships that directories offer. */
export function invitationsPart({ email, invitations, hasMore, tokenOf }: InvitationsView): Html {
  if (invitations.length === 0)
    return html`<h2 id="invitations">Invitations</h2>
      ${nothing(email)}`;
  return html`<h2 id="invitations">Invitations</h2>
    <ul class="rows">
      ${invitations.map((invitation) => row(invitation, tokenOf))}
    </ul>
    ${hasMore && html`<p class="hint">These are the newest ${invitations.length}; answer them to see the others.</p>`}
    <p class="hint">
      You become a member only by accepting. Then the members of the organisation see your name and your address.
      Decline what you do not expect.
    </p>`;
}

function nothing(email: string | null): Html {
  if (email === null) return html`<p>None. Your account has no address to which an invitation could be sent.</p>`;
  return html`<p>None for <bdi>${email}</bdi>.</p>
    <p class="hint">
      If yours was sent to another address, <a href="/sign-out">sign out</a> and sign in with that one.
    </p>`;
}

function row(invitation: MyInvitationOut, tokenOf: InvitationsView['tokenOf']): Html {
  const { id, name, slug, status } = invitation;
  const organisation = foreignText(name);
  // Who left an organisation whose directory still lists them can come back; there is nothing left to decline.
  const isPending = status === 'PENDING';
  return html`<li>
    <div>
      <strong>${organisation}</strong> (${slug})
      <p class="hint">${explanation(invitation)}</p>
    </div>
    <div class="actions">
      <form method="post" action="/account/accept-invitation">
        ${tokenOf('accept-invitation')}
        <input type="hidden" name="invitation_id" value="${id}" />
        <button class="${isPending ? '' : 'quiet'}">
          ${isPending ? 'Accept' : 'Join again'}<span class="unseen"> ${organisation}</span>
        </button>
      </form>
      ${
        isPending &&
        html`<form method="post" action="/account/decline-invitation">
          ${tokenOf('decline-invitation')}
          <input type="hidden" name="invitation_id" value="${id}" />
          <button class="quiet">Decline<span class="unseen"> ${organisation}</span></button>
        </form>`
      }
    </div>
  </li>`;
}

function explanation({ kind, role, status, expires_at, created_at }: MyInvitationOut): Html {
  if (kind === 'DIRECTORY') {
    return status === 'PENDING'
      ? html`Its directory lists you, since ${day(created_at)}, and determines your role.`
      : html`You left or declined. Its directory still lists you.`;
  }
  return html`As ${role ?? 'MEMBER'}${expires_at !== null && html`, until ${day(expires_at)}`}.`;
}

function day(instant: string): Html {
  return html`<time datetime="${instant}">${instant.slice(0, 10)}</time>`;
}
