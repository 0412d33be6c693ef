import { html, type Html } from '../../pages/html';

/** What the page for signing in shows. */
export interface SignInPage {
  returnTo: string;
  /** The hidden field of the form for a password; undefined if people do not sign in with one. */
  token: Html | undefined;
  /** Other ways. */
  ways: readonly Html[];
  /** Whether people can ask for a link to set a new password. */
  canReset: boolean;
  /** As it was typed before. */
  email?: string;
  /** What went wrong. */
  problem?: string;
}

export function signInPage({ returnTo, token, ways, canReset, email, problem }: SignInPage): Html {
  return html`
    ${problem !== undefined && html`<p class="error" role="alert" id="problem">${problem}</p>`}
    ${
      token &&
      html`<form method="post" action="/sign-in">
        ${token}
        <input type="hidden" name="return_to" value="${returnTo}" />
        <div class="field">
          <label for="email">E-mail address</label>
          <input
            id="email"
            name="email"
            type="email"
            autocomplete="username webauthn"
            required
            maxlength="320"
            value="${email ?? ''}"
            ${described(problem)}
          />
        </div>
        <div class="field">
          <label for="password">Password</label>
          <input
            id="password"
            name="password"
            type="password"
            autocomplete="current-password"
            required
            maxlength="1024"
            ${described(problem)}
          />
        </div>
        <div class="actions"><button>Sign in</button></div>
        ${canReset && html`<p><a href="/password-reset">Forgot your password?</a></p>`}
      </form>`
    }
    ${ways.length > 0 && token && html`<h2>Other ways to sign in</h2>`} ${ways}
    ${
      !token &&
      ways.length === 0 &&
      html`<p>
        People of this instance sign in at another issuer, and this page cannot send them there. The operator can change
        that: set <code>OIDC_CLIENT_ID</code>, and restart the service.
      </p>`
    }
    <p class="hint">You have no account? Ask an administrator of this instance for an invitation.</p>
  `;
}

function described(problem: string | undefined): Html | undefined {
  return problem === undefined ? undefined : html`aria-invalid="true" aria-describedby="problem"`;
}
