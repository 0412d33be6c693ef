import { createHash, randomBytes } from 'node:crypto';
import type { Adapter, AdapterPayload, Client } from 'oidc-provider';
import type { DataSource, EntityManager } from 'typeorm';
import { newId, STORED_ID } from '../../database/id';
import { execute, maybe, one } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import type { RatePolicy } from '../../errors/errors';
import { type AccountLog, ANONYMOUS } from '../../users/account-log/account-log';
import type { ArtifactCipher } from './artifact-cipher';
import type { ClientMetadata } from './client-rules';
import { visibleText } from '../../pages/visible-text';
import { nameToShow, NO_NAME } from './client-name';
import { clientData, clientSubject } from './clients/oauth-client-changes';
import { protocolErrors } from './library';
import type { ClientSource } from './oauth-client.entity';
import { requestContext } from './request-context';

/** The library's own client for the pages at `/docs`; it has no row. */
export const DOCS_CLIENT_ID = 'toolyard-docs';

const REGISTRATIONS_PER_HOUR = 20;
/** All networks together register at most so many. A client has a row for 30 days, and anyone can have networks. */
const REGISTRATIONS_IN_ALL = 200;
/** For `Retry-After`: registrations are counted by the hour. */
export const REGISTRATION_PERIOD_S = 3_600;
export const REGISTRATION_POLICY: RatePolicy = {
  name: 'client-registrations',
  quota: REGISTRATIONS_PER_HOUR,
  seconds: REGISTRATION_PERIOD_S,
};

/** What we know of a client besides its metadata. */
export interface ClientFacts {
  source: ClientSource;
  isTrusted: boolean;
}

interface ClientRow {
  id: string;
  name: string;
  metadata: ClientMetadata;
  is_stale: boolean;
}

/** $1 client. `last_used_at` is only noted once a day. */
const FIND: { name: string; sql: string } = {
  name: 'find oauth client',
  sql: `
  SELECT id, name, metadata, last_used_at < now() - interval '1 day' AS is_stale FROM oauth_clients WHERE id = $1`,
};

/** $1 client, $2 digest of the secret. */
const HAS_SECRET = {
  name: 'find oauth client secret',
  sql: `
  SELECT id FROM oauth_client_secrets
  WHERE client_id = $1 AND digest = $2 AND (expires_at IS NULL OR expires_at > now())`,
};

/** Counts one more of the hour than are allowed, at most. $1 the most. */
const HAS_ROOM = `
  SELECT count(*) < $1 AS has_room FROM (
    SELECT 1 FROM oauth_clients WHERE registered_from IS NOT NULL AND created_at > now() - interval '1 hour' LIMIT $1
  ) AS recent`;

/** $1 digest of the network, $2 the most, $3 id, $4 name, $5 metadata, $6 digests of the network with each key. */
const REGISTER = `
  INSERT INTO oauth_clients (id, name, source, metadata, registered_from, last_used_at)
  SELECT $3, $4, 'REGISTRATION', $5, $1, now()
  WHERE (SELECT count(*) FROM oauth_clients
         WHERE registered_from = ANY ($6) AND created_at > now() - interval '1 hour') < $2`;

/** @returns what is stored of a client's secret */
export function secretDigest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Inserts a further secret of a client. */
export async function insertSecret(manager: EntityManager, clientId: string, secret: string): Promise<void> {
  await execute(manager, `INSERT INTO oauth_client_secrets (id, client_id, digest) VALUES ($1, $2, $3)`, [
    newId(),
    clientId,
    secretDigest(secret),
  ]);
}

/** Clients with a row, as the library looks them up and registers them. */
export class ClientStore implements Pick<Adapter, 'find' | 'upsert' | 'destroy'> {
  /**
   * The library insists on a secret where one is used; the real ones are compared by `hasSecret`. Nobody knows this one,
   * and no algorithm that would use it as a key is enabled.
   */
  private readonly placeholder = randomBytes(32).toString('base64url');

  constructor(
    private readonly dataSource: DataSource,
    private readonly cipher: ArtifactCipher,
    private readonly accountLog: AccountLog,
  ) {}

  async find(id: string): Promise<AdapterPayload | undefined> {
    if (!STORED_ID.test(id)) return undefined;
    const row = await maybe<ClientRow>(this.dataSource, FIND, [id]);
    if (!row) return undefined;
    if (row.is_stale)
      await execute(this.dataSource, `UPDATE oauth_clients SET last_used_at = now() WHERE id = $1`, [id]);
    const usesSecret = String(row.metadata.token_endpoint_auth_method).startsWith('client_secret');
    const secret = usesSecret ? { client_secret: this.placeholder } : {};
    return { ...row.metadata, ...secret, client_id: row.id, client_name: row.name };
  }

  /**
   * Stores a client that has just registered itself (RFC 7591).
   *
   * @throws an error with status 429 if its network, or all together, have registered too many
   */
  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    const { client_id: _id, client_secret: secret, client_name: name, ...metadata } = payload;
    const address = requestContext.getStore()?.network ?? '';
    const [network, networks] = [this.cipher.addressDigest(address), this.cipher.addressDigests(address)];
    // The same on every replica while SECRETS_KEY changes, as all of them know both keys.
    const [first = network] = networks.toSorted((a, b) => a.compare(b));
    await inTransaction(this.dataSource, async (manager) => {
      // Concurrent registrations are counted, too.
      await execute(manager, `SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [
        `oauth registration ${first.toString('base64')}`,
      ]);
      const shownName = visibleText(name ?? '') ?? NO_NAME;
      const values = [network, REGISTRATIONS_PER_HOUR, id, shownName, metadata, networks];
      // After that of the network, which waits for nobody else.
      await execute(manager, `SELECT pg_advisory_xact_lock(hashtextextended('oauth registrations', 0))`);
      const { has_room } = await one<{ has_room: boolean }>(manager, HAS_ROOM, [REGISTRATIONS_IN_ALL]);
      if (!has_room) throw tooManyRegistrations(`at most ${REGISTRATIONS_IN_ALL} clients can be registered per hour`);
      if ((await execute(manager, REGISTER, values)) === 0)
        throw tooManyRegistrations(
          `at most ${REGISTRATIONS_PER_HOUR} clients can be registered from one network per hour`,
        );
      if (typeof secret === 'string') await insertSecret(manager, id, secret);
      await this.accountLog.record(manager, {
        action: 'oauth_client.created',
        userId: null,
        by: ANONYMOUS,
        subject: clientSubject(id),
        data: clientData({ id, name: shownName, source: 'REGISTRATION' }),
      });
    });
  }

  async destroy(id: string): Promise<void> {
    if (STORED_ID.test(id)) await execute(this.dataSource, `DELETE FROM oauth_clients WHERE id = $1`, [id]);
  }

  /** @returns whether it is one of the client's secrets; two are valid while they are being rotated */
  async hasSecret(clientId: string, secret: string): Promise<boolean> {
    if (!STORED_ID.test(clientId)) return false;
    return (await maybe(this.dataSource, HAS_SECRET, [clientId, secretDigest(secret)])) !== undefined;
  }

  /**
   * @param client of the library
   * @returns what people are shown as its name: only an administrator has checked theirs
   */
  async nameToShow({ clientId, clientName }: Pick<Client, 'clientId' | 'clientName'>): Promise<string> {
    const facts = await this.facts(clientId);
    if (facts?.source === 'ADMINISTRATOR') return clientName ?? clientId;
    // A metadata document without a name still has an address.
    return facts === undefined && clientName === undefined ? clientId : nameToShow(clientName);
  }

  /**
   * @returns whether a client may learn about tokens of others (RFC 7662, section 2.1): one that an administrator made,
   *   and that proves who it is
   */
  async mayIntrospect({ clientId, clientAuthMethod }: Pick<Client, 'clientId' | 'clientAuthMethod'>): Promise<boolean> {
    return clientAuthMethod !== 'none' && (await this.facts(clientId))?.source === 'ADMINISTRATOR';
  }

  /** @returns undefined for a client with a metadata document */
  async facts(clientId: string): Promise<ClientFacts | undefined> {
    if (clientId === DOCS_CLIENT_ID) return { source: 'ADMINISTRATOR', isTrusted: true };
    if (!STORED_ID.test(clientId)) return undefined;
    const row = await maybe<{ source: ClientSource; is_trusted: boolean }>(
      this.dataSource,
      `SELECT source, is_trusted FROM oauth_clients WHERE id = $1`,
      [clientId],
    );
    return row && { source: row.source, isTrusted: row.is_trusted };
  }
}

/** @returns the error when too many clients were registered: 429 */
function tooManyRegistrations(description: string): Error {
  const error = new (protocolErrors().OIDCProviderError)(429, 'temporarily_unavailable');
  error.error_description = description;
  error.expose = true;
  return error;
}
