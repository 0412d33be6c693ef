import type { GrantOut } from '../../auth/authorization-server/grants/grant.dto';
import type { PersonalAccessTokenOut } from '../../auth/personal-tokens/personal-access-token.dto';
import { isScope, SCOPES } from '../../auth/scopes';
import { html, type Html } from '../../pages/html';

/** What has access to the account without the person being there. */
export interface AccessView {
  grants: readonly GrantOut[];
  personalTokens: readonly PersonalAccessTokenOut[];
  /** Whether there are more than are shown. */
  hasMore: boolean;
  tokenOf: (form: 'revoke-grant' | 'revoke-token') => Html;
}

/** The part of the account page about applications and personal access tokens. */
export function accessPart({ grants, personalTokens, hasMore, tokenOf }: AccessView): Html {
  return html`<h2 id="applications">Applications with access</h2>
    ${
      grants.length === 0
        ? html`<p>None.</p>`
        : html`<ul class="rows">
            ${grants.map((grant) =>
              row(
                grant.client_name ?? hostOf(grant.client_id),
                html`<p class="hint">${wordsOf(grant.scopes)}. Since ${day(grant.created_at)}.</p>`,
                html`<form method="post" action="/account/revoke-grant">
                  ${tokenOf('revoke-grant')}
                  <input type="hidden" name="grant_id" value="${grant.id}" />
                  <button class="quiet">
                    End access<span class="unseen"> of <bdi>${grant.client_name ?? hostOf(grant.client_id)}</bdi></span>
                  </button>
                </form>`,
              ),
            )}
          </ul>`
    }
    <h2 id="tokens">Personal access tokens</h2>
    ${
      personalTokens.length === 0
        ? html`<p>None.</p>`
        : html`<ul class="rows">
            ${personalTokens.map((token) =>
              row(
                token.name,
                html`<p class="hint">
                  ${token.prefix}…, until ${day(token.expires_at)},
                  ${token.last_used_at === null ? 'never used' : html`last used ${day(token.last_used_at)}`}.
                  ${wordsOf(token.scopes)}.
                </p>`,
                html`<form method="post" action="/account/revoke-token">
                  ${tokenOf('revoke-token')}
                  <input type="hidden" name="token_id" value="${token.id}" />
                  <button class="quiet">
                    Revoke<span class="unseen"> <bdi>${token.name}</bdi></span>
                  </button>
                </form>`,
              ),
            )}
          </ul>`
    }
    ${hasMore && html`<p class="hint">These are the newest 100 of each; <a href="/docs">the API</a> lists all.</p>`}
    <p class="hint">
      You create a personal access token with the API: <code>POST /v1/users/me/access-tokens</code> in
      <a href="/docs">its documentation</a>.
    </p>`;
}

function row(name: string, detail: Html, action: Html): Html {
  return html`<li>
    <div>
      <strong><bdi>${name}</bdi></strong
      >${detail}
    </div>
    ${action}
  </li>`;
}

/** In the words of the consent page. */
function wordsOf(scopes: readonly string[]): string {
  const words = scopes.filter(isScope).map((scope) => SCOPES[scope]);
  return words.length === 0 ? 'Who you are' : words.join('; ');
}

/** A client with a metadata document is known by its address. */
function hostOf(clientId: string): string {
  return URL.parse(clientId)?.host ?? clientId;
}

function day(instant: string): Html {
  return html`<time datetime="${instant}">${instant.slice(0, 10)}</time>`;
}
