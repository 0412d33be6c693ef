import { html, type Html } from '../../pages/html';
import type { Passkey } from '../passkeys/passkey.entity';
import { MAX_PASSKEYS } from '../passkeys/passkeys.service';

/** The part of the account page about passkeys. */
export interface PasskeysView {
  passkeys: readonly Passkey[];
  /** Whether browsers allow passkeys for `PUBLIC_URL`. */
  arePossible: boolean;
  /** Whether the person proved who they are in the last five minutes. */
  isRecent: boolean;
  token: Html;
}

export function passkeysPart({ passkeys, arePossible, isRecent, token }: PasskeysView): Html {
  const add = isRecent
    ? // Shown by the script once it has found that the browser can do it.
      html`<form data-passkey="register" hidden>
          <div class="field">
            <label for="passkey-name">Name of the new passkey</label>
            <input id="passkey-name" name="name" required maxlength="100" value="This device" />
          </div>
          <div role="status" class="notice" hidden></div>
          <button>Add a passkey</button>
        </form>
        <noscript><p class="hint">Adding a passkey needs JavaScript.</p></noscript>`
    : html`<p><a href="/account/confirm">Confirm that it is you</a> to add a passkey.</p>`;
  return html`<h2 id="passkeys">Passkeys</h2>
    ${
      passkeys.length === 0
        ? html`<p>None. A passkey signs you in with your fingerprint, your face or the lock of your device.</p>`
        : html`<ul class="rows">
            ${passkeys.map(
              ({ id, name, createdAt, lastUsedAt }) =>
                html`<li>
                  <div>
                    <strong>${name}</strong>
                    <p class="hint">
                      since ${day(createdAt)}, ${lastUsedAt ? html`last used ${day(lastUsedAt)}` : 'never used'}
                    </p>
                  </div>
                  <form method="post" action="/account/remove-passkey">
                    ${token}
                    <input type="hidden" name="passkey_id" value="${id}" />
                    <button class="danger">Remove<span class="unseen"> the passkey ${name}</span></button>
                  </form>
                </li>`,
            )}
          </ul>`
    }
    ${
      arePossible
        ? passkeys.length < MAX_PASSKEYS && add
        : html`<p class="hint">
            Browsers allow passkeys for host names only: an administrator has to set <code>PUBLIC_URL</code> to one,
            such as <code>http://localhost:3000</code>.
          </p>`
    }`;
}

function day(instant: Date): Html {
  const text = instant.toISOString();
  return html`<time datetime="${text}">${text.slice(0, 10)}</time>`;
}
