import { Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth/caller';
import type { Session } from '../../auth/sessions/session';
import { Sessions } from '../../auth/sessions/sessions.service';
import { inTransaction } from '../../database/transaction';
import { Forms } from '../../pages/forms';
import { html } from '../../pages/html';
import { type WebPage, WebPages } from '../../pages/web-pages';
import { CredentialSecrets } from '../credentials/credential-secrets';
import { CredentialStore } from '../credentials/credential-store';
import { UpstreamFailure } from '../protocol/upstream-failure';
import { ConnectFailure } from './connect-failure';
import { ConnectLinks, type ConnectLinkRequest, pagePath } from './connect-links';
import { type ConnectNeed, ConnectNeeds } from './connect-needs';
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
import { ConnectFormSeal } from './connect-form-seal';
import type { SecretNeed } from '../protocol/credential-placements';
import { valueFault } from '../credentials/credential-values';

const FORM = 'connect';
const RETRY_AFTER_S = 30;

/** A page that its person has opened. */
interface OpenedPage {
  readonly session: Session;
  readonly caller: Caller;
  readonly wish: ConnectLinkRequest;
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
    private readonly wire: CredentialSecrets,
    private readonly formSeal: ConnectFormSeal,
  ) {}

  /** Says what would be connected, and asks. */
  show(request: Request, response: Response, token: string): Promise<void> {
    return this.opening(request, response, token, async (opened) => {
      const { target, wish } = opened;
      const need = await this.needs.of(target, wish);
      return this.pageOf(target, need, this.formOf(request, response, opened, need));
    });
  }

  private async pageOf(target: ConnectTarget, need: ConnectNeed, form: ShownForm): Promise<WebPage> {
    if (need.kind === 'nothing') return nothingPage(target.host);
    if (need.kind === 'oauth')
      return oauthPage(target, await this.start.withFormerScopes(target, need.authorization), form);
    this.requireSendable(target);
    return secretsPage(target, need.secrets, form);
  }

  /** The button was pressed. */
  submit(request: Request, response: Response, token: string): Promise<void> {
    return this.opening(request, response, token, async (opened) => {
      const { target, wish, session } = opened;
      const fields = await this.forms.read(request, response, FORM);
      const need = await this.needs.of(target, wish);
      if (need.kind === 'nothing') return nothingPage(target.host);
      const form = this.formOf(request, response, opened, need);
      // What was typed and agreed to was for the server that the person has seen.
      if (!this.formSeal.matches(fields, opened.path, target, need))
        return this.pageOf(target, need, { ...form, hasChanged: true });
      if (need.kind === 'secrets') return this.saveSecrets(opened, need, fields, form);
      const holder = { personId: session.userId, sessionId: session.id };
      return leavingPage(await this.start.begin(holder, wish, target, need.authorization));
    });
  }

  private async saveSecrets(
    { target, caller, wish }: OpenedPage,
    { secrets }: Extract<ConnectNeed, { kind: 'secrets' }>,
    fields: Readonly<Record<string, string>>,
    form: ShownForm,
  ): Promise<WebPage> {
    this.requireSendable(target);
    const { values, problems } = readEnteredSecrets(secrets, (index) => fields[fieldOf(index)] ?? '');
    if (problems.size > 0) return secretsPage(target, secrets, form, problems);
    const given = { kind: 'SECRETS' as const, origin: target.upstream.origin, values };
    await inTransaction(this.dataSource, (manager) => this.store.put(manager, target.place, given, caller.userId));
    return connectedPage(target.host, target.place.owner === 'BUNDLE', this.links.accountsPath(wish));
  }

  /** @throws ConnectFailure for a server that is never sent a secret */
  private requireSendable({ upstream }: ConnectTarget): void {
    try {
      this.wire.requireSendable(upstream.origin);
    } catch (error) {
      if (error instanceof UpstreamFailure) throw new ConnectFailure('unsafe', 'the server is not https');
      throw error;
    }
  }

  /** Opens the page for the person it is for, and shows what has failed in words. */
  private async opening(
    request: Request,
    response: Response,
    token: string,
    work: (opened: OpenedPage) => Promise<WebPage>,
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
      this.pages.send(response, failurePage(target.host, error, path, this.links.accountsPath(wish)));
    }
  }

  private formOf(
    request: Request,
    response: Response,
    { path, session, target }: OpenedPage,
    need: ConnectNeed,
  ): ShownForm {
    const token = html`${this.forms.token(request, response, FORM)} ${this.formSeal.field(path, target, need)}`;
    return { action: path, token, account: session };
  }
}

/** @returns the caller that a session stands for, as far as bundles ask */
export function callerOf({ userId, email, name, isPlatformAdmin }: Session): Caller {
  return { userId, email, name, isPlatformAdmin };
}

/** The secrets that a person has entered. */
export interface EnteredSecrets {
  /** By name; those that were left empty are not there. */
  readonly values: ReadonlyMap<string, string>;
  /** What is wrong, by name, in words. */
  readonly problems: ReadonlyMap<string, string>;
}

/** @param entered gives what was entered for a secret */
export function readEnteredSecrets(secrets: readonly SecretNeed[], entered: (index: number) => string): EnteredSecrets {
  const [values, problems] = [new Map<string, string>(), new Map<string, string>()];
  for (const [index, { name, isRequired }] of secrets.entries()) {
    // What is copied often has a line break at its end.
    const value = entered(index).trim();
    const fault = valueFault(value);
    if (fault) problems.set(name, fault.msg);
    else if (value !== '') values.set(name, value);
    else if (isRequired) problems.set(name, 'Enter a value.');
  }
  const isNothing = values.size === 0 && problems.size === 0;
  if (isNothing && secrets[0]) problems.set(secrets[0].name, 'Enter at least one value.');
  return { values, problems };
}
