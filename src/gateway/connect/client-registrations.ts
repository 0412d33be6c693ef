import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import type { Keyring } from '../../config/keyring';
import { sealText, unsealText } from '../../config/sealed-text';
import { Secrets } from '../../config/secrets';
import { isLoopback } from '../../config/sso-providers';
import { newId } from '../../database/id';
import type { SealedColumn } from '../../database/sealed-column';
import { execute, maybe } from '../../database/statements';
import type { Authorization } from './authorization-servers';
import { scopeUnion } from '../protocol/challenge';
import { ConnectFailure } from './connect-failure';
import { OAuthClientRegistration } from './oauth-client-registration.entity';
import { OAuthFetch, oauthLibrary } from './oauth-fetch';
import type { RegisteredClient } from './registered-clients';
import { type TokenAuth, tokenAuthOf } from './token-endpoint';

const PURPOSE = 'oauth client registrations';
const REGISTRATION_MS = 15_000;
const MAX_ID_LENGTH = 2_048;
const MAX_SECRET_LENGTH = 8_192;
/** A secret that expires sooner than a person may need to come back is not used any more. */
const LEFT_MS = 15 * 60_000;

/** What it is called where people read it. */
export const CLIENT_NAME = 'Toolyard';
/** The path of our metadata document, and of where people come back to. */
export const CLIENT_DOCUMENT = '/oauth2/clients/mcp.json';
export const CALLBACK = '/connect/callback';

/** With the context of `ClientRegistrations`. */
export const SEALED_REGISTRATION_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'oauth_client_registrations',
    column: 'encrypted_secret',
    key: 'id',
    keyType: 'uuid',
    purpose: PURPOSE,
    context: `convert_to('oauth client ' || id::text, 'UTF8')`,
  },
];

interface RegistrationRow {
  id: string;
  redirect_uri: string;
  client_id: string;
  encrypted_secret: Buffer | null;
  token_auth: string | null;
  expires_at: Date | null;
}

const COLUMNS = `id, redirect_uri, client_id, encrypted_secret, token_auth, expires_at`;

/** $1 issuer, $2 now. */
const USE = `UPDATE oauth_client_registrations SET used_at = $2 WHERE issuer = $1 RETURNING ${COLUMNS}`;

/** An expression: whether someone has tokens that are renewed as this client. @param except a credential that does not count */
const isInUse = (except: string) => `EXISTS (
    SELECT FROM credentials
    WHERE credentials.issuer = oauth_client_registrations.issuer AND credentials.status = 'ACTIVE'
      AND credentials.client_id = oauth_client_registrations.client_id
      AND credentials.id IS DISTINCT FROM ${except}::uuid)`;

/**
 * $1 id, $2 issuer, $3 redirect, $4 client, $5 sealed secret, $6 how it authenticates, $7 when the secret expires, $8 now, $9 when
 * a secret has to be good still, $10 what redirects begin with. One that is there stays, unless it cannot be used: with its
 * secret, the tokens of everybody would be lost.
 */
const STORE = `
  INSERT INTO oauth_client_registrations (id, issuer, redirect_uri, client_id, encrypted_secret, token_auth, expires_at, used_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  ON CONFLICT (issuer) DO UPDATE
  SET id = EXCLUDED.id, redirect_uri = EXCLUDED.redirect_uri, client_id = EXCLUDED.client_id,
      encrypted_secret = EXCLUDED.encrypted_secret, token_auth = EXCLUDED.token_auth, expires_at = EXCLUDED.expires_at,
      used_at = EXCLUDED.used_at
  WHERE oauth_client_registrations.expires_at < $9
    OR oauth_client_registrations.redirect_uri <> $10::text || '/' || oauth_client_registrations.id
      AND NOT ${isInUse('NULL')}`;

/** $1 issuer, $2 client, $3 a credential that does not count, or null. */
const FORGET = `
  DELETE FROM oauth_client_registrations
  WHERE issuer = $1 AND client_id = $2 AND NOT ${isInUse('$3')}`;

/** $1 now, $2 how many at most: those that no one has used for 30 days, and whose tokens no one has. */
export const REMOVE_UNUSED_REGISTRATIONS = `
  DELETE FROM oauth_client_registrations WHERE id IN (
    SELECT unused.id FROM oauth_client_registrations AS unused
    WHERE unused.used_at < $1::timestamptz - interval '30 days'
      AND NOT EXISTS (SELECT FROM credentials WHERE credentials.issuer = unused.issuer)
    ORDER BY unused.used_at LIMIT $2)`;

/** Who we are for an authorization server. */
export interface OwnClient {
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly tokenAuth: TokenAuth;
  readonly redirectUri: string;
  /** The credential it comes from; undefined: it is ours. */
  readonly credentialId?: string;
}

/**
 * Who we are for authorization servers, in the order of the specification (MCP 2026-07-28, "Client Registration"): the client
 * that an editor has given for the entry, our metadata document, a registration of our own. Whatever an authorization server
 * has given is used at that issuer only.
 */
@Injectable()
export class ClientRegistrations {
  private readonly logger = new Logger(ClientRegistrations.name);
  private readonly keys: Keyring;
  private readonly publicUrl: string;

  constructor(
    private readonly dataSource: DataSource,
    private readonly fetch: OAuthFetch,
    private readonly clock: Clock,
    environment: Environment,
    secrets: Secrets,
  ) {
    this.keys = secrets.derive(PURPOSE);
    this.publicUrl = environment.publicUrl;
  }

  /** Where people come back to, unless the authorization server has given us an address of its own. */
  get redirectUri(): string {
    return this.publicUrl + CALLBACK;
  }

  /** The address of our metadata document, which is our id for those who read it. */
  get documentUrl(): string {
    return this.publicUrl + CLIENT_DOCUMENT;
  }

  /**
   * @param given what an editor has registered
   * @param personId who connects an account
   * @throws ConnectFailure
   */
  async of(authorization: Authorization, given: RegisteredClient | undefined, personId: string): Promise<OwnClient> {
    const { issuer, authMethods } = authorization;
    if (given) {
      // Never at another server than the one that has given it, whatever the metadata say now (SEP-2352).
      if (given.issuer !== null && given.issuer !== issuer)
        throw new ConnectFailure('mismatch', 'the client that an editor gave belongs to another issuer');
      const { credentialId, clientId, clientSecret } = given;
      const tokenAuth = tokenAuthOf(clientSecret !== undefined, given.tokenAuth, authMethods);
      return { credentialId, clientId, clientSecret, tokenAuth, redirectUri: this.redirectUri };
    }
    if (authorization.readsClientDocuments && this.publicUrl.startsWith('https:')) {
      return {
        clientId: this.documentUrl,
        clientSecret: undefined,
        tokenAuth: 'none',
        redirectUri: this.redirectUri,
      };
    }
    return (await this.known(issuer)) ?? (await this.register(authorization, personId));
  }

  /** @returns our secret as this client; undefined: it has none, or is none of ours */
  async secretOf(issuer: string, clientId: string): Promise<string | undefined> {
    const registrations = this.dataSource.getRepository(OAuthClientRegistration);
    const known = await registrations.findOneBy({ issuer, clientId });
    return known ? this.opened(known.id, known.encryptedSecret) : undefined;
  }

  /**
   * The token endpoint does not know this client any more: the next person who connects is registered again. Nothing that came
   * by a browser is a reason, and while others have tokens of this client, it stays: they need its secret.
   *
   * @param except a credential that is about to be replaced
   */
  async forget(issuer: string, clientId: string, except?: string): Promise<void> {
    await execute(this.dataSource, FORGET, [issuer, clientId, except ?? null]);
  }

  private async known(issuer: string): Promise<OwnClient | undefined> {
    const now = this.clock.now();
    const row = await maybe<RegistrationRow>(this.dataSource, USE, [issuer, now]);
    if (!row || row.redirect_uri !== this.redirectUriOf(row.id)) return undefined;
    if (row.expires_at && row.expires_at.getTime() < now.getTime() + LEFT_MS) return undefined;
    const clientSecret = this.opened(row.id, row.encrypted_secret);
    const tokenAuth = tokenAuthOf(clientSecret !== undefined, row.token_auth, []);
    return { clientId: row.client_id, clientSecret, tokenAuth, redirectUri: row.redirect_uri };
  }

  /** RFC 7591. Two at once register twice, and the one that is stored first counts. */
  private async register(authorization: Authorization, personId: string): Promise<OwnClient> {
    const { issuer, registrationEndpoint, authMethods } = authorization;
    if (registrationEndpoint === undefined)
      throw new ConnectFailure('unregistered', 'the authorization server takes no registrations');
    const id = newId();
    const redirectUri = this.redirectUriOf(id);
    const { client_id, client_secret, client_secret_expires_at, token_endpoint_auth_method } = await this.ask(
      authorization,
      redirectUri,
      personId,
    );
    if (client_id.length > MAX_ID_LENGTH || (client_secret?.length ?? 0) > MAX_SECRET_LENGTH)
      throw new ConnectFailure('unsupported', 'the authorization server gave a client that is too long');
    const tokenAuth = tokenAuthOf(client_secret !== undefined, token_endpoint_auth_method, authMethods);
    const expiresAt = client_secret_expires_at ? new Date(client_secret_expires_at * 1_000) : null;
    const sealed = client_secret === undefined ? null : sealText(this.keys, contextOf(id), client_secret);
    const now = this.clock.now();
    const isStored = await execute(this.dataSource, STORE, [
      ...[id, issuer, redirectUri, client_id, sealed, tokenAuth],
      Number.isNaN(expiresAt?.getTime()) ? null : expiresAt,
      ...[now, new Date(now.getTime() + LEFT_MS), this.redirectUri],
    ]);
    if (isStored === 0) {
      const stored = await this.known(issuer);
      if (!stored)
        throw new ConnectFailure('unregistered', 'the registration of before is for another address, and in use');
      return stored;
    }
    this.logger.log(`Registered as a client of ${new URL(issuer).host}.`);
    return { clientId: client_id, clientSecret: client_secret, tokenAuth, redirectUri };
  }

  private async ask(authorization: Authorization, redirectUri: string, personId: string) {
    const { issuer, registrationEndpoint, tokenEndpoint, authMethods, scope, knownScopes } = authorization;
    const { registerClient } = oauthLibrary();
    const fetchFn = this.fetch.within(AbortSignal.timeout(REGISTRATION_MS), { of: 'connection', personId });
    // Some give a client no other scopes later than those it has registered with.
    const scopes = scopeUnion(scope, ...knownScopes);
    const wanted = ['client_secret_basic', 'client_secret_post', 'none'];
    try {
      return await registerClient(issuer, {
        metadata: {
          ...{ issuer, authorization_endpoint: authorization.authorizationEndpoint, token_endpoint: tokenEndpoint },
          ...{ registration_endpoint: registrationEndpoint, response_types_supported: ['code'] },
        },
        clientMetadata: {
          client_name: CLIENT_NAME,
          client_uri: this.publicUrl,
          redirect_uris: [redirectUri],
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          token_endpoint_auth_method: wanted.find((method) => authMethods.includes(method)) ?? 'client_secret_basic',
          // OpenID providers take plain http on this machine from native applications only.
          application_type: isLoopback(new URL(this.publicUrl).hostname) ? 'native' : 'web',
          ...(scopes === undefined ? {} : { scope: scopes }),
        },
        fetchFn,
      });
    } catch (error) {
      if (error instanceof ConnectFailure) throw error;
      const { RegistrationRejectedError } = oauthLibrary();
      const status = error instanceof RegistrationRejectedError ? error.status : undefined;
      if (status !== undefined && status >= 500)
        throw new ConnectFailure('unreachable', `the registration was answered with status ${status}`);
      throw new ConnectFailure('unregistered', `the registration was refused (status ${status ?? 'of success'})`);
    }
  }

  private opened(id: string, sealed: Buffer | null): string | undefined {
    return sealed === null ? undefined : unsealText(this.keys, contextOf(id), sealed);
  }

  private redirectUriOf(id: string): string {
    return `${this.redirectUri}/${id}`;
  }
}

function contextOf(id: string): string {
  return `oauth client ${id}`;
}
