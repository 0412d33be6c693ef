import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Client, Interaction, InteractionResults } from 'oidc-provider';
import { Environment } from '../../config/environment';
import { DomainError, ErrorCode } from '../../errors/errors';
import { Forms } from '../../pages/forms';
import { html, type Html } from '../../pages/html';
import { WebPages } from '../../pages/web-pages';
import { foreignText } from '../../pages/visible-text';
import { Resources } from '../resources';
import { isScope, OFFLINE_ACCESS, SCOPES } from '../scopes';
import type { Session } from '../sessions/session';
import { Sessions } from '../sessions/sessions.service';
import { AuthorizationServer } from './authorization-server';
import { isLoopback, isPrivateUse } from './client-rules';
import { addScopes, knownScopes } from './consents';
import { protocolErrors } from './library';
import { type MembershipOffer, MembershipOffers } from './membership-offers';
import { formTarget, signInUrl } from './protocol-pages';
import { CONSENT_PATH } from './provider-settings';
import { requestContext } from './request-context';

/** What scopes of OpenID Connect mean, in words. */
const IDENTITY_SENTENCES: ReadonlyMap<string, string> = new Map([
  ['openid', 'Know that it is you'],
  ['email', 'See your e-mail address'],
  ['profile', 'See your name'],
  [OFFLINE_ACCESS, 'Keep this access after you have signed out, until you take it away'],
]);

/** Where the library stopped an authorization request, and for whom. */
interface Pending {
  session: Session;
  interaction: Interaction;
}

/**
 * Between the library and the person: tells it who is signed in, and asks the person whether the client may act for
 * them. Consent is given by a form with a token of its own (`Forms`), and the page cannot be framed.
 */
@Injectable()
export class ConsentPage {
  private readonly resources: Resources;

  constructor(
    private readonly server: AuthorizationServer,
    private readonly sessions: Sessions,
    private readonly pages: WebPages,
    private readonly forms: Forms,
    private readonly offers: MembershipOffers,
    private readonly environment: Environment,
  ) {
    this.resources = new Resources(environment.publicUrl);
  }

  /** Shows the page, or goes on if the library only wants to know who is signed in. */
  async show(request: Request, response: Response, uid: string): Promise<void> {
    const pending = await this.pendingOf(request, response, uid);
    if (!pending) return;
    const { session, interaction } = pending;
    if (interaction.prompt.name === 'login') return this.signIn(request, response, pending);
    const client = await this.clientOf(interaction);
    const clientName = await this.server.clients.nameToShow(client);
    const redirectUri = textOf(interaction.params.redirect_uri);
    const offer = await this.offerOf(pending);
    this.pages.send(response, {
      title: 'Allow access?',
      account: session,
      formTargets: redirectUri === '' ? [] : [formTarget(redirectUri)],
      body: html`
        <p>
          <strong><bdi>${clientName}</bdi></strong> wants to use Toolyard in your name,
          ${session.email ?? session.name ?? 'this account'}.
        </p>
        ${hostSentence(client, redirectUri)} ${partSentence(this.resources, interaction)}
        <p>If you allow it, the program can:</p>
        <ul>
          ${this.scopesOf(interaction).map((scope) => html`<li>${sentenceOf(scope)}</li>`)}
        </ul>
        <p>It can never do more than you can. You can take this back on the page of your account.</p>
        <form method="post" action="${this.environment.publicUrl}${CONSENT_PATH}/${uid}">
          ${this.forms.token(request, response, `consent ${uid}`)} ${offer && offerPart(offer)}
          <button type="submit" name="decision" value="allow">Allow</button>
          <button type="submit" name="decision" value="deny" class="secondary">Do not allow</button>
        </form>
      `,
    });
  }

  /** @throws FormError for a form that this server did not show to this browser */
  async answer(request: Request, response: Response, uid: string): Promise<void> {
    const { decision, membership } = await this.forms.read(request, response, `consent ${uid}`);
    const pending = await this.pendingOf(request, response, uid);
    if (!pending) return;
    if (pending.interaction.prompt.name !== 'consent') return this.signIn(request, response, pending);
    if (decision !== 'allow') {
      const result = { error: 'access_denied', error_description: 'the person did not allow it' };
      return this.pages.redirect(response, await this.finish(request, response, result));
    }
    const offer = membership === undefined ? undefined : await this.offerOf(pending);
    if (offer && offer.id === membership) await this.offers.accept(pending.session, request.id, offer);
    const grantId = await this.grant(pending);
    this.pages.redirect(response, await this.finish(request, response, { consent: { grantId } }));
  }

  /** Notes the consent, and gives the library the grant. */
  private async grant({ session, interaction }: Pending): Promise<string> {
    const { Grant } = this.server.provider;
    const client = await this.clientOf(interaction);
    const existing = interaction.grantId === undefined ? undefined : await Grant.find(interaction.grantId);
    const isSame = existing?.accountId === session.userId && existing.clientId === client.clientId;
    const grant = isSame ? existing : new Grant({ accountId: session.userId, clientId: client.clientId });
    const resources = resourcesOf(interaction);
    // All that were asked for, or the library would ask again; each resource takes those that mean something there.
    addScopes(grant, resources, requestedScopes(interaction));
    // Not in the library's own request: where the grant ends with the session, it has to know which one.
    const grantId = await requestContext.run({ session, network: '' }, () => grant.save());
    const shown = this.scopesOf(interaction);
    await this.server.consents.remember(session.userId, client.clientId, resources, shown);
    return grantId;
  }

  /**
   * Tells the library who is signed in. Goes on by a page rather than by a redirect: the form for signing in may lead
   * only to this server, and Chromium applies that to all redirects after it.
   */
  private async signIn(request: Request, response: Response, { session }: Pending): Promise<void> {
    await this.server.people.ensureIdentity(session.userId);
    const ts = Math.floor(session.signedInAt.getTime() / 1_000);
    const login = { accountId: session.userId, ts, amr: session.methods };
    const next = await this.finish(request, response, { login });
    this.pages.send(response, {
      title: 'Signing you in',
      next,
      body: html`<p><a href="${next}">Continue</a></p>`,
    });
  }

  /** @returns undefined if the response was sent, because nobody is signed in */
  private async pendingOf(request: Request, response: Response, uid: string): Promise<Pending | undefined> {
    this.requireHere();
    const session = await this.sessions.current(request, response);
    if (!session) {
      this.pages.redirect(response, signInUrl(this.environment.publicUrl, `${CONSENT_PATH}/${uid}`));
      return undefined;
    }
    const interaction = await this.interaction(request, response);
    const isOther = interaction.prompt.name === 'consent' && interaction.session?.accountId !== session.userId;
    if (interaction.uid !== uid || isOther) throw gone();
    return { session, interaction };
  }

  private async interaction(request: Request, response: Response): Promise<Interaction> {
    try {
      return await this.server.provider.interactionDetails(request, response);
    } catch (error) {
      throw error instanceof protocolErrors().SessionNotFound ? gone() : error;
    }
  }

  /** @returns where the browser goes on */
  private finish(request: Request, response: Response, result: InteractionResults): Promise<string> {
    return this.server.provider.interactionResult(request, response, result);
  }

  private async clientOf({ params }: Interaction): Promise<Client> {
    const client = await this.server.provider.Client.find(String(params.client_id));
    if (!client) throw gone();
    return client;
  }

  private offerOf({ session, interaction }: Pending): Promise<MembershipOffer | undefined> {
    const endpoints = resourcesOf(interaction).flatMap((resource) => this.resources.endpointOf(resource) ?? []);
    return this.offers.find(session, endpoints);
  }

  /** Without those that give nothing at the resources for which the token is. */
  private scopesOf(interaction: Interaction): string[] {
    const meant = new Set<string>(resourcesOf(interaction).flatMap((resource) => this.resources.scopesOf(resource)));
    return requestedScopes(interaction).filter((scope) => !isScope(scope) || meant.has(scope));
  }

  private requireHere(): void {
    if (!this.server.isHere) throw new DomainError(ErrorCode.NotFound, 'People sign in at another server.');
  }
}

function gone(): DomainError {
  return new DomainError(
    ErrorCode.NotFound,
    'This request has ended, or was begun in another browser or by another account. Go back to the program and start again.',
  );
}

/** Without those that do not exist: they give nothing, and would put a program's own words on the page. */
function requestedScopes({ params }: Interaction): string[] {
  return knownScopes(textOf(params.scope).split(' '));
}

function resourcesOf({ params }: Interaction): string[] {
  return [params.resource ?? []].flat().map(String);
}

/** @returns a parameter that was sent once */
function textOf(parameter: unknown): string {
  return typeof parameter === 'string' ? parameter : '';
}

function sentenceOf(scope: string): string | undefined {
  return isScope(scope) ? SCOPES[scope] : IDENTITY_SENTENCES.get(scope);
}

/** For a token that is not for the whole of this service: where it can be used. */
function partSentence(resources: Resources, interaction: Interaction): Html | undefined {
  const parts = resourcesOf(interaction).filter((resource) => resources.pathOf(resource) !== '/');
  if (parts.length === 0) return undefined;
  return html`<p>It can use that only at ${parts.map((part) => html`<code>${part}</code> `)}.</p>`;
}

/** Not chosen beforehand: nobody becomes a member by allowing a program something. */
function offerPart({ id, name }: MembershipOffer): Html {
  return html`<p>
      The directory of <strong>${foreignText(name)}</strong> lists you. Until you are a member, the program sees nothing
      here that is for members only, and nor do you.
    </p>
    <p>
      <label>
        <input type="checkbox" name="membership" value="${id}" />
        Become a member of ${foreignText(name)}. Its members then see your name and your address.
      </label>
    </p>`;
}

/** Where the answer goes, which is the only thing that a false program cannot choose freely. */
function hostSentence({ clientId }: Client, redirectUri: string): Html {
  if (redirectUri === '') return html`<p>You confirmed the code of a device.</p>`;
  if (isLoopback(redirectUri) || isPrivateUse(redirectUri))
    return html`<p>
      The answer goes to a program on this computer (<code>${formTarget(redirectUri)}</code>). Any program on this
      computer could be asking, under any name. Allow it only if you have just started this yourself.
    </p>`;
  const own = URL.parse(clientId)?.hostname;
  return html`<p>
    The answer goes to <strong>${URL.parse(redirectUri)?.host ?? redirectUri}</strong>.
    ${own !== undefined && html`The program is described at <code>${own}</code>.`}
  </p>`;
}
