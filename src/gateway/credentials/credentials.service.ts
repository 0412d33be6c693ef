import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { BundleFinder } from '../../bundles/bundle-finder';
import { many, maybe } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { ConflictError, type Fault, ValidationError, requireFound } from '../../errors/errors';
import { type Page, Pages } from '../../http/requests/page';
import { Memberships } from '../../organisations/members/memberships.service';
import { requireOpenAccount } from '../../users/open-account';
import type { CredentialedUpstream } from '../entries/entry-upstream';
import { Revocations } from './oauth-ports';
import { UpstreamFailure } from '../protocol/upstream-failure';
import { CLIENT_SECRET } from './credential-kinds';
import {
  FIND_MANAGED,
  LOCK_MANAGED,
  PAGE_OF_BUNDLE,
  PAGE_OF_ORGANISATION,
  PAGE_OF_PERSON,
} from './credential-list.sql';
import { CredentialSecrets } from './credential-secrets';
import { type CredentialPlace, CredentialStore, type NewCredential } from './credential-store';
import { CredentialTargets, placeOf } from './credential-targets';
import {
  type CredentialCreate,
  type CredentialOut,
  type CredentialQuery,
  type CredentialUpdate,
  type ListedCredentialRow,
  toCredential,
} from './credential.dto';
import { ErrorCode } from './credential.errors';
import { valuesByDeclaredName } from './declared-names';

const LIST = 'credentials';

/** Credentials as those who may manage them see them: without their values. */
@Injectable()
export class CredentialsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly store: CredentialStore,
    private readonly targets: CredentialTargets,
    private readonly secrets: CredentialSecrets,
    private readonly finder: BundleFinder,
    private readonly memberships: Memberships,
    private readonly revocations: Revocations,
    private readonly pages: Pages,
  ) {}

  /**
   * Lists the credentials that the caller manages, in the order in which they were given.
   *
   * @throws NotFoundError for a bundle or an organisation; InsufficientRoleError
   */
  async list(caller: Caller, query: CredentialQuery): Promise<Page<CredentialOut>> {
    const page = this.pages.open(LIST, query, { bundle: query.bundle_id, org: query.org_id });
    const { bundle, org } = page.filter;
    if (bundle && org) throw new ValidationError([onlyOne('query', 'org_id')]);
    const asked = [caller.userId, page.after, page.take];
    let rows: ListedCredentialRow[];
    if (bundle) {
      const { id, may_modify } = await this.finder.findForReader(this.dataSource.manager, caller, bundle);
      rows = await many<ListedCredentialRow>(this.dataSource, PAGE_OF_BUNDLE, [...asked, id, may_modify]);
    } else if (org) {
      await this.memberships.require(caller, org, 'ADMIN');
      rows = await many<ListedCredentialRow>(this.dataSource, PAGE_OF_ORGANISATION, [...asked, org]);
    } else rows = await many<ListedCredentialRow>(this.dataSource, PAGE_OF_PERSON, asked);
    return page.close(rows, toCredential);
  }

  /**
   * @throws NotFoundError; ForbiddenError; InsufficientRoleError; ConflictError if there is one already, or too many, or the
   *   entry uses none like it; ValidationError for values that the server does not ask for
   */
  async create(caller: Caller, input: CredentialCreate): Promise<CredentialOut> {
    const place = placeIn(caller, input);
    return inTransaction(this.dataSource, async (manager) => {
      await requireOpenAccount(manager, caller.userId);
      const target = await this.targets.find(manager, caller, place, input.kind ?? undefined);
      this.requireSendable(target);
      const { id } = await this.store.create(manager, place, givenIn(input, target), caller.userId);
      return this.show(manager, caller, id);
    });
  }

  /**
   * Changes the fields that are not absent or null. Where the server has moved, nothing is changed without the origin.
   *
   * @throws NotFoundError; ConflictError if the server is at another origin; ValidationError
   */
  async update(caller: Caller, id: string, input: CredentialUpdate): Promise<CredentialOut> {
    return inTransaction(this.dataSource, async (manager) => {
      const row = await this.lock(manager, caller, id);
      const { values, client_id: clientId, client_secret: secret, scopes, origin } = input;
      if (values == null && clientId == null && secret == null && scopes == null && origin == null)
        return toCredential(row);
      const target = await this.targets.find(manager, caller, placeOf(row), row.kind);
      requireOrigin(row, target, origin ?? undefined);
      this.requireSendable(target);
      requireFields(row.kind, input);
      const changed = new Map<string, string | null>(Object.entries(valuesByDeclaredName(values ?? {}, target)));
      if (secret != null) changed.set(CLIENT_SECRET, secret);
      await this.store.change(
        manager,
        id,
        {
          values: changed,
          ...(origin == null ? {} : { origin: target.origin }),
          ...(clientId == null ? {} : { clientId }),
          ...(scopes == null ? {} : { scopes }),
        },
        caller.userId,
      );
      return this.show(manager, caller, id);
    });
  }

  /** Deletes it here at once; its tokens are given back to their issuer in the background. @throws NotFoundError */
  async remove(caller: Caller, id: string): Promise<void> {
    const revocation = await inTransaction(this.dataSource, async (manager) => {
      await this.lock(manager, caller, id);
      const given = await this.revocations.of(manager, id);
      await this.store.remove(manager, id, caller.userId);
      return given;
    });
    revocation?.();
  }

  private async lock(manager: EntityManager, caller: Caller, id: string): Promise<ListedCredentialRow> {
    const row = await maybe<ListedCredentialRow>(manager, LOCK_MANAGED, [id, caller.userId]);
    return requireFound(row, ErrorCode.CredentialNotFound, id);
  }

  private async show(manager: EntityManager, caller: Caller, id: string): Promise<CredentialOut> {
    const row = await maybe<ListedCredentialRow>(manager, FIND_MANAGED, [id, caller.userId]);
    return toCredential(requireFound(row, ErrorCode.CredentialNotFound, id));
  }

  /** @throws ConflictError */
  private requireSendable({ origin }: CredentialedUpstream): void {
    try {
      this.secrets.requireSendable(origin);
    } catch (error) {
      if (error instanceof UpstreamFailure) throw new ConflictError(ErrorCode.CredentialConflict, error.message);
      throw error;
    }
  }
}

/** @throws ValidationError unless it is an entry of a bundle, or a listing of an organisation */
function placeIn({ userId }: Caller, input: CredentialCreate): CredentialPlace {
  const { bundle_id: bundleId, entry_id: entryId, is_personal, org_id: organisationId, listing_id: listingId } = input;
  if (organisationId || listingId) {
    const faults = [
      ...missingIn({ org_id: organisationId, listing_id: listingId }),
      ...[bundleId && 'bundle_id', entryId && 'entry_id', is_personal && 'is_personal'].flatMap((name) =>
        name ? onlyOne('body', name) : [],
      ),
    ];
    if (faults.length > 0 || !organisationId || !listingId) throw new ValidationError(faults);
    return { owner: 'ORGANISATION', organisationId, listingId };
  }
  if (!bundleId || !entryId) throw new ValidationError(missingIn({ bundle_id: bundleId, entry_id: entryId }));
  return is_personal
    ? { owner: 'PERSON', personId: userId, bundleId, entryId }
    : { owner: 'BUNDLE', bundleId, entryId };
}

function missingIn(fields: Record<string, string | null | undefined>): Fault[] {
  return Object.entries(fields).flatMap(([name, value]): Fault[] =>
    value ? [] : [{ loc: ['body', name], msg: 'This field is required.', type: 'missing' }],
  );
}

function onlyOne(where: string, name: string): Fault {
  return {
    loc: [where, name],
    msg: 'Either an entry of a bundle, or a listing of an organisation.',
    type: 'value_error',
  };
}

/** @throws ValidationError */
function givenIn(input: CredentialCreate, target: CredentialedUpstream): NewCredential {
  const kind = input.kind ?? 'SECRETS';
  requireFields(kind, input);
  const { origin } = target;
  if (kind === 'SECRETS') {
    const values = valuesByDeclaredName(input.values ?? {}, target);
    if (Object.keys(values).length === 0) throw new ValidationError(missingIn({ values: undefined }));
    return { kind, origin, values: new Map(Object.entries(values)) };
  }
  if (!input.client_id) throw new ValidationError(missingIn({ client_id: undefined }));
  const secret = input.client_secret;
  return {
    ...{ kind, origin, clientId: input.client_id },
    ...(input.scopes ? { scopes: input.scopes } : {}),
    values: new Map(secret ? [[CLIENT_SECRET, secret]] : []),
  };
}

/** @throws ValidationError for a field that credentials of this kind do not have */
function requireFields(kind: string, input: CredentialUpdate): void {
  const { values, client_id, client_secret, scopes } = input;
  const given =
    kind === 'SECRETS'
      ? { client_id, client_secret, scopes }
      : kind === 'OAUTH_CLIENT'
        ? { values }
        : { values, client_id, client_secret, scopes };
  const faults = Object.entries(given).flatMap(([name, value]): Fault[] =>
    value == null
      ? []
      : [{ loc: ['body', name], msg: `A credential of kind ${kind} does not have it.`, type: 'value_error' }],
  );
  if (faults.length > 0) throw new ValidationError(faults);
}

/** @throws ConflictError if the server is somewhere else than the credential is for, or than the caller confirms */
function requireOrigin(row: ListedCredentialRow, target: CredentialedUpstream, confirmed: string | undefined): void {
  if (confirmed !== undefined && confirmed !== target.origin)
    throw conflict(
      `The server is at ${target.origin}, not at the origin that you have confirmed. Nothing was changed.`,
    );
  if (row.origin === target.origin) return;
  if (row.kind === 'OAUTH')
    throw conflict(`The server is now at ${target.origin}, for which these tokens are not. Connect the account again.`);
  if (confirmed === undefined)
    throw conflict(
      `The server is now at ${target.origin}, and the credential was given for ${row.origin}. Send "origin" with the new one to confirm that it may have it.`,
    );
}

function conflict(detail: string): ConflictError {
  return new ConflictError(ErrorCode.CredentialConflict, detail);
}
