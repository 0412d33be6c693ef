import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { newId } from '../../../database/id';
import { execute, many, maybe } from '../../../database/statements';
import { inTransaction } from '../../../database/transaction';
import { ConflictError, ForbiddenError, ValidationError, requireFound } from '../../../errors/errors';
import type { EventTypes } from '../../../events/event-types';
import { type Page, type PageQuery, Pages } from '../../../http/requests/page';
import { AccountLog, type AnyAccountChange, byUser } from '../../../users/account-log/account-log';
import { Accounts } from '../../../users/accounts.service';
import type { Caller } from '../../caller';
import { EndedTokens } from '../../ended-tokens';
import { Environment } from '../../../config/environment';
import { AuthorizationServer } from '../authorization-server';
import { type ClientMetadata, isLoopback, isPrivateUse, redirectUrisOf } from '../client-rules';
import { insertSecret } from '../client-store';
import { protocolErrors } from '../library';
import {
  type OAuthClientCreate,
  type OAuthClientCreatedOut,
  type OAuthClientOut,
  type OAuthClientRow,
  type OAuthClientSecretRotation,
  type OAuthClientUpdate,
  toOAuthClient,
} from './oauth-client.dto';
import { ErrorCode } from './oauth-client.errors';
import { changedFields, clientData, clientSubject, type OAuthClientAction } from './oauth-client-changes';

const LIST = 'oauth clients';
const DAY_S = 86_400;

/** Columns of `OAuthClientRow`. */
const SELECT = `
  SELECT clients.id, clients.name, clients.source, clients.metadata, clients.is_trusted, clients.last_used_at,
    clients.created_at, clients.updated_at,
    coalesce((SELECT json_agg(json_build_object('id', secrets.id, 'expires_at', secrets.expires_at,
                'created_at', secrets.created_at) ORDER BY secrets.id DESC)
              FROM oauth_client_secrets AS secrets
              WHERE secrets.client_id = clients.id AND (secrets.expires_at IS NULL OR secrets.expires_at > now())),
      '[]') AS secrets
  FROM oauth_clients AS clients`;

const INSERT = `
  INSERT INTO oauth_clients (id, name, source, metadata, is_trusted, created_by, last_used_at)
  VALUES ($1, $2, 'ADMINISTRATOR', $3, $4, $5, now())`;

/** $1 client. The newest secret stays, older ones go at once: at most two are valid. */
const DROP_FORMER_SECRETS = `
  DELETE FROM oauth_client_secrets WHERE client_id = $1 AND id <> (
    SELECT id FROM oauth_client_secrets WHERE client_id = $1 ORDER BY id DESC LIMIT 1)`;

/** Clients of the authorization server, for platform administrators. */
@Injectable()
export class OAuthClientsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly server: AuthorizationServer,
    private readonly ended: EndedTokens,
    private readonly accounts: Accounts,
    private readonly accountLog: AccountLog,
    private readonly pages: Pages,
    private readonly environment: Environment,
  ) {}

  /** Newest first, with those that have registered themselves. @throws ForbiddenError; ValidationError */
  async list(caller: Caller, query: PageQuery): Promise<Page<OAuthClientOut>> {
    requireAdmin(caller);
    const page = this.pages.open(LIST, query, {});
    const rows = await many<OAuthClientRow>(
      this.dataSource,
      `${SELECT} WHERE ($1::uuid IS NULL OR clients.id < $1) ORDER BY clients.id DESC LIMIT $2`,
      [page.after, page.take],
    );
    return page.close(rows, toOAuthClient);
  }

  /** @throws ForbiddenError; NotFoundError */
  async get(caller: Caller, id: string): Promise<OAuthClientOut> {
    requireAdmin(caller);
    return toOAuthClient(await find(this.dataSource.manager, id));
  }

  /** @throws ForbiddenError; ValidationError for metadata that contradict each other */
  async create(caller: Caller, { name, is_trusted, ...input }: OAuthClientCreate): Promise<OAuthClientCreatedOut> {
    requireAdmin(caller);
    const id = newId();
    const metadata = this.checked(withDefaults(input));
    const secret = usesSecret(metadata) ? randomBytes(32).toString('base64url') : null;
    const row = await inTransaction(this.dataSource, async (manager) => {
      await execute(manager, INSERT, [id, name, metadata, is_trusted ?? false, caller.userId]);
      if (secret !== null) await insertSecret(manager, id, secret);
      const created = await find(manager, id);
      await this.note(manager, caller, 'oauth_client.created', clientData(created));
      return created;
    });
    if (isMachine(metadata))
      await this.accounts.resolve({
        issuer: this.environment.publicUrl,
        subject: id,
        name,
        saidAt: Date.now() / 1_000,
      });
    return { ...toOAuthClient(row), client_secret: secret };
  }

  /** @throws ForbiddenError; NotFoundError; ValidationError */
  async update(caller: Caller, id: string, { name, is_trusted, ...input }: OAuthClientUpdate): Promise<OAuthClientOut> {
    requireAdmin(caller);
    return inTransaction(this.dataSource, async (manager) => {
      const before = await find(manager, id, true);
      const metadata = this.checked(merged(before.metadata, input));
      await execute(
        manager,
        `UPDATE oauth_clients SET name = coalesce($2, name), metadata = $3, is_trusted = coalesce($4, is_trusted),
           updated_at = now()
         WHERE id = $1`,
        [id, name ?? null, metadata, is_trusted ?? null],
      );
      const after = await find(manager, id);
      const changed = changedFields(before, after);
      if (changed.length > 0)
        await this.note(manager, caller, 'oauth_client.updated', { ...clientData(after), changed });
      return toOAuthClient(after);
    });
  }

  /** Deletes the client with everything that it was allowed. @throws ForbiddenError; NotFoundError */
  async remove(caller: Caller, id: string): Promise<void> {
    requireAdmin(caller);
    await inTransaction(this.dataSource, async (manager) => {
      const client = await find(manager, id, true);
      await execute(manager, `DELETE FROM oauth_clients WHERE id = $1`, [id]);
      await execute(manager, `DELETE FROM oauth_artifacts WHERE client_id = $1`, [id]);
      await this.note(manager, caller, 'oauth_client.deleted', clientData(client));
    });
    this.ended.byClient(id);
  }

  /**
   * Gives the client a new secret; the present one stays valid for a while, older ones end.
   *
   * @throws ForbiddenError; NotFoundError; ConflictError for a client without secrets
   */
  async rotateSecret(
    caller: Caller,
    id: string,
    { grace_seconds: grace = DAY_S }: OAuthClientSecretRotation,
  ): Promise<OAuthClientCreatedOut> {
    requireAdmin(caller);
    const secret = randomBytes(32).toString('base64url');
    const row = await inTransaction(this.dataSource, async (manager) => {
      const { metadata } = await find(manager, id, true);
      if (!usesSecret(metadata))
        throw new ConflictError(ErrorCode.OAuthClientConflict, 'This client authenticates itself without a secret.');
      await execute(manager, DROP_FORMER_SECRETS, [id]);
      await execute(
        manager,
        `UPDATE oauth_client_secrets SET expires_at = now() + make_interval(secs => $2) WHERE client_id = $1`,
        [id, grace],
      );
      await insertSecret(manager, id, secret);
      const rotated = await find(manager, id);
      const data = { ...clientData(rotated), grace_seconds: grace };
      await this.note(manager, caller, 'oauth_client.secret_rotated', data);
      return rotated;
    });
    return { ...toOAuthClient(row), client_secret: secret };
  }

  /** Writes the log and the event. */
  private note<T extends OAuthClientAction>(
    manager: EntityManager,
    { userId }: Caller,
    action: T,
    data: EventTypes[T],
  ): Promise<void> {
    const change = { action, userId: null, by: byUser(userId), subject: clientSubject(data.client_id), data };
    return this.accountLog.record(manager, change as AnyAccountChange);
  }

  /**
   * The library knows which metadata go together.
   *
   * @throws ValidationError
   */
  private checked(metadata: ClientMetadata): ClientMetadata {
    const secret = usesSecret(metadata) ? { client_secret: 'x'.repeat(43) } : {};
    try {
      redirectUrisOf(metadata);
      const { Client } = this.server.provider;
      new (Client as unknown as new (metadata: object) => object)({ ...metadata, ...secret, client_id: newId() });
      return metadata;
    } catch (error) {
      if (!(error instanceof protocolErrors().OIDCProviderError)) throw error;
      const msg = error.error_description ?? error.message;
      const [field = ''] = /^\w+/.exec(msg) ?? [];
      throw new ValidationError([{ loc: ['body', ...(field in metadata ? [field] : [])], msg, type: 'value_error' }]);
    }
  }
}

/** @throws NotFoundError */
async function find(manager: EntityManager, id: string, isLocked = false): Promise<OAuthClientRow> {
  const row = await maybe<OAuthClientRow>(
    manager,
    `${SELECT} WHERE clients.id = $1 ${isLocked ? 'FOR NO KEY UPDATE OF clients' : ''}`,
    [id],
  );
  return requireFound(row, ErrorCode.OAuthClientNotFound, id);
}

function requireAdmin({ isPlatformAdmin }: Caller): void {
  if (!isPlatformAdmin) throw new ForbiddenError('Only platform administrators can manage OAuth clients.');
}

function withDefaults(input: Omit<OAuthClientCreate, 'name' | 'is_trusted'>): ClientMetadata {
  const { redirect_uris = [], grant_types = ['authorization_code', 'refresh_token'] } = input;
  const isNative = redirect_uris.some((uri) => isLoopback(uri) || isPrivateUse(uri));
  return {
    ...input,
    redirect_uris,
    grant_types,
    response_types: grant_types.includes('authorization_code') ? ['code'] : [],
    token_endpoint_auth_method: input.token_endpoint_auth_method ?? 'client_secret_basic',
    application_type: input.application_type ?? (isNative ? 'native' : 'web'),
  };
}

/** What is null is removed. */
function merged(before: ClientMetadata, changes: object): ClientMetadata {
  const all = Object.entries({
    ...before,
    ...Object.fromEntries(Object.entries(changes).filter(([, v]) => v !== undefined)),
  });
  return Object.fromEntries(all.filter(([, value]) => value !== null));
}

function usesSecret({ token_endpoint_auth_method: method }: ClientMetadata): boolean {
  return method === 'client_secret_basic' || method === 'client_secret_post';
}

function isMachine({ grant_types: types }: ClientMetadata): boolean {
  return Array.isArray(types) && types.includes('client_credentials');
}
