import { Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth/caller';
import type { Session } from '../../auth/sessions/session';
import { Sessions } from '../../auth/sessions/sessions.service';
import { inTransaction } from '../../database/transaction';
import { Forms } from '../../pages/forms';
import type { WebPage } from '../../pages/web-pages';
import { WebPages } from '../../pages/web-pages';
import { CredentialStore } from '../credentials/credential-store';
import type { SecretNeed } from '../credentials/secret-need';
import { ConnectFailure } from './connect-failure';
import { ConnectLinks, type ConnectWish, pagePath } from './connect-links';
import { ConnectNeeds } from './connect-needs';
import {
  connectedPage,
  failurePage,
  fieldOf,
  gonePage,
  leavingPage,
  nothingPage,
  oauthPage,
  otherPersonPage,
  secretsPage,
  type ShownForm,
} from './connect-pages';
import { type ConnectTarget, ConnectTargets } from './connect-targets';
import { ConnectStart } from './connect-start.service';
import { givenSecrets } from './given-secrets';

const FORM = 'connect';
const RETRY_AFTER_S = 30;

/** A page that its person has opened. */
interface Opened {
  readonly session: Session;
  readonly caller: Caller;
  readonly wish: ConnectWish;
  readonly target: ConnectTarget;
  readonly path: string;
}

/** The page on which a person connects an account, or enters secrets. */
@Injectable()
export class ConnectPage {
  private readonly logger = new Logger(ConnectPage.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: Sessions,
    private readonly forms: Forms,
    private readonly pages: WebPages,
    private readonly links: ConnectLinks,
    private readonly targets: ConnectTargets,
    private readonly needs: ConnectNeeds,
    private readonly start: ConnectStart,
    private readonly store: CredentialStore,
  ) {}

  /** Says what would be connected, and asks. */
  show(request: Request, response: Response, token: string): Promise<void> {
    return this.opening(request, response, token, async (opened) => {
      const { target, wish } = opened;
      const need = await this.needs.of(target, wish);
      if (need.kind === 'nothing') return nothingPage(target.host);
      const form = this.formOf(request, response, opened);
      if (need.kind === 'secrets') return secretsPage(target, need.secrets, form);
      return oauthPage(target, await this.start.withFormerScopes(target, need.authorization), form);
    });
  }

  /** The button was pressed. */
  submit(request: Request, response: Response, token: string): Promise<void> {
    return this.opening(request, response, token, async (opened) => {
      const { target, wish, session } = opened;
      const fields = await this.forms.read(request, response, FORM);
      const need = await this.needs.of(target, wish);
      if (need.kind === 'nothing') return nothingPage(target.host);
      if (need.kind === 'secrets') return this.saveSecrets(request, response, opened, need.secrets, fields);
      const holder = { personId: session.userId, sessionId: session.id };
      return leavingPage(await this.start.begin(holder, wish, target, need.authorization));
    });
  }

  private async saveSecrets(
    request: Request,
    response: Response,
    opened: Opened,
    secrets: readonly SecretNeed[],
    fields: Readonly<Record<string, string>>,
  ): Promise<WebPage> {
    const { target, caller } = opened;
    const { values, problems } = givenSecrets(secrets, (index) => fields[fieldOf(index)] ?? '');
    if (problems.size > 0) return secretsPage(target, secrets, this.formOf(request, response, opened), problems);
    const given = { kind: 'SECRETS' as const, origin: target.upstream.origin, values };
    await inTransaction(this.dataSource, (manager) => this.store.put(manager, target.place, given, caller.userId));
    return connectedPage(target.host, target.place.owner === 'BUNDLE');
  }

  /** Opens the page for the person it is for, and shows what has failed in words. */
  private async opening(
    request: Request,
    response: Response,
    token: string,
    work: (opened: Opened) => Promise<WebPage>,
  ): Promise<void> {
    const path = pagePath(token);
    const wish = this.links.open(token);
    if (!wish) return this.pages.send(response, gonePage());
    const session = await this.sessions.current(request, response);
    if (!session)
      return this.pages.redirect(response, `/sign-in?${new URLSearchParams({ return_to: path }).toString()}`);
    if (session.userId !== wish.personId) return this.pages.send(response, otherPersonPage(session));
    const caller = callerOf(session);
    const target = await this.targets.find(caller, wish);
    try {
      this.pages.send(response, await work({ session, caller, wish, target, path }));
    } catch (error) {
      if (!(error instanceof ConnectFailure)) throw error;
      this.logger.warn(`Entry ${wish.entryId} was not connected (${error.kind}): ${error.message}`);
      if (error.isTransient) response.set('Retry-After', String(RETRY_AFTER_S));
      this.pages.send(response, failurePage(target.host, error, path));
    }
  }

  private formOf(request: Request, response: Response, { path, session }: Opened): ShownForm {
    return { action: path, token: this.forms.token(request, response, FORM), account: session };
  }
}

/** @returns the caller that a session stands for, as far as bundles ask */
export function callerOf({ userId, email, name, isPlatformAdmin }: Session): Caller {
  return { userId, email, name, isPlatformAdmin };
}
