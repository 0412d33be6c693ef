import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import { isLoopback } from '../../config/sso-providers';
import { withCredentials } from '../protocol/credential-placements';
import { UpstreamFailure } from '../protocol/upstream-failure';
import { ACCESS_TOKEN } from './credential-kinds';
import { CredentialStore, type DecryptedCredential } from './credential-store';
import { isAuthorization } from './entry-credential';
import { TokenRenewal } from './oauth-ports';
import type { UpstreamCredential } from './upstream-credential';

/** Unsealed values in the memory of this process: not for long, and not many. */
const MEMORY_MS = 60_000;
/** Values of a person are kept for less: the person may leave, and background work asks for them without admission. */
const PERSONAL_MEMORY_MS = 5_000;
const MEMORY_BYTES = 8_388_608;
/** Access tokens are renewed so long before they expire. */
const RENEW_BEFORE_MS = 60_000;
/** After a token that was just renewed was refused, too, no other one is asked for because of a refusal. */
const REFUSED_MS = 60_000;
/** A renewal that has failed is not tried again sooner. */
const RENEW_EVERY_MS = 10_000;
const MAX_REMEMBERED = 10_000;

const NO_VALUES: ReadonlyMap<string, string> = new Map();

/** RFC 9110, section 5.5, without what is no ASCII. */
const HEADER_VALUE = /^[\t\x20-\x7e]*$/;

/** The server that a credential is sent to. */
interface SecretTarget {
  /** Its address; without secrets, which have their places in the `fills` of the credential. */
  readonly url: string;
}

/** A request with the values of a credential in it. Goes to the wire, and nowhere else. */
export interface SecretRequest {
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The access token in it. */
  readonly token: string | undefined;
}

/**
 * Puts the values of credentials into requests to the servers that they were given for. They go to the origin of the
 * credential only, by https, or by http within this machine where the operator allows that.
 */
@Injectable()
export class CredentialSecrets {
  private readonly opened = new LRUCache<string, DecryptedCredential>({
    maxSize: MEMORY_BYTES,
    sizeCalculation: ({ values }) =>
      [...values].reduce((sum, [name, value]) => sum + name.length + value.length, 1_024),
    ttl: MEMORY_MS,
  });
  /** Credentials whose tokens could not be renewed a moment ago. */
  private readonly failed = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: RENEW_EVERY_MS });

  /** Versions of credentials that were refused with a new token, too. */
  private readonly refused = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: REFUSED_MS });

  constructor(
    private readonly dataSource: DataSource,
    private readonly store: CredentialStore,
    private readonly renewal: TokenRenewal,
    private readonly environment: Environment,
    private readonly clock: Clock,
  ) {}

  /** @throws UpstreamFailure `credential_required` if it must not, or cannot, be sent there */
  async fill(server: SecretTarget, credential: UpstreamCredential): Promise<SecretRequest> {
    let opened = await this.open(credential);
    // Before anything is asked for with it: where the server is says where a client gets its tokens.
    this.requireOrigin(new URL(server.url), opened.credential.origin);
    if (this.isExpiring(opened) && (await this.renew(server, credential, tokenOf(opened))))
      opened = await this.open(credential);
    const { kind, expires_at: expiresAt } = opened.credential;
    const token = tokenOf(opened);
    const hasExpired = expiresAt !== null && expiresAt <= this.clock.now();
    if (kind !== 'SECRETS' && (token === undefined || hasExpired))
      throw refusal('Its credential has expired and could not be renewed.');
    // What a server.json names is filled from what was given for it: tokens and secrets of clients are not.
    const values = kind === 'SECRETS' ? opened.values : NO_VALUES;
    const request = requestOf(server, credential, values, token);
    this.requireOrigin(request.url, opened.credential.origin);
    return request;
  }

  /**
   * After a server has refused a request.
   *
   * @returns whether there is another token now, with which it can be sent once more
   */
  async renewRefused(server: SecretTarget, credential: UpstreamCredential, { token }: SecretRequest): Promise<boolean> {
    if (token === undefined) return false;
    this.opened.delete(keyOf(credential));
    // Another process may have renewed it.
    if (tokenOf(await this.open(credential)) !== token) return true;
    if (this.refused.has(keyOf(credential))) return false;
    return this.renew(server, credential, token);
  }

  /** After a server has refused the request that was sent once more with another token, too. */
  noteRefused(credential: UpstreamCredential): void {
    this.refused.set(keyOf(credential), true);
  }

  /** @throws UpstreamFailure if a credential cannot be sent to an origin whatever it is */
  requireSendable(origin: string): void {
    const { protocol, hostname } = new URL(origin);
    if (protocol === 'https:') return;
    if (protocol === 'http:' && isLoopback(hostname) && this.environment.credentialsOverLoopbackHttp) return;
    throw refusal('Its server is reached by http, and credentials are sent by https only.');
  }

  private requireOrigin({ origin }: URL, given: string): void {
    if (origin !== given) throw refusal('Its server has moved to where its credential was not given for.');
    this.requireSendable(origin);
  }

  private async open(credential: UpstreamCredential): Promise<DecryptedCredential> {
    const key = keyOf(credential);
    const known = this.opened.get(key);
    if (known) return known;
    const opened = await this.store.open(this.dataSource, credential.id);
    if (opened?.credential.status !== 'ACTIVE')
      throw refusal('Its credential was deleted, or has to be connected again.');
    if (opened.hasLeft) throw refusal('Its credential is of somebody who does not use the bundle any more.');
    // What was decided for a request that was admitted before a change does not hold for the present values.
    if (opened.credential.version !== credential.version)
      throw refusal('Its credential was changed a moment ago. Send the request again.');
    const ttl = opened.credential.owner === 'PERSON' ? PERSONAL_MEMORY_MS : MEMORY_MS;
    this.opened.set(key, opened, { ttl });
    return opened;
  }

  private isExpiring({ credential, values }: DecryptedCredential): boolean {
    const { kind, expires_at: expiresAt, updated_at: storedAt } = credential;
    if (kind === 'SECRETS') return false;
    if (!values.has(ACCESS_TOKEN)) return true;
    if (expiresAt === null) return false;
    // One that is good for a minute only would be renewed with every request else.
    const early = Math.min(RENEW_BEFORE_MS, Math.max(0, expiresAt.getTime() - storedAt.getTime()) / 2);
    return expiresAt.getTime() - early <= this.clock.now().getTime();
  }

  private async renew(
    server: SecretTarget,
    credential: UpstreamCredential,
    used: string | undefined,
  ): Promise<boolean> {
    this.opened.delete(keyOf(credential));
    if (this.failed.has(keyOf(credential))) return false;
    const isRenewed = await this.renewal.renew(credential.id, used, server.url);
    if (!isRenewed) this.failed.set(keyOf(credential), true);
    this.opened.delete(keyOf(credential));
    return isRenewed;
  }
}

function requestOf(
  server: SecretTarget,
  { placements }: UpstreamCredential,
  values: ReadonlyMap<string, string>,
  token: string | undefined,
): SecretRequest {
  const url = placements.url ? withCredentials(placements.url, values, encodeURIComponent) : server.url;
  if (url === undefined) throw refusal('Its credential lacks a value of its address.');
  const headers: Record<string, string> = {};
  for (const [name, text] of Object.entries(placements.headers ?? {})) {
    const value = withCredentials(text, values);
    if (value !== undefined) headers[name] = value;
  }
  const given = [...values].find(([name]) => isAuthorization(name))?.[1];
  if (token !== undefined) headers.authorization = `Bearer ${token}`;
  else if (given !== undefined) headers.authorization ??= given;
  for (const [name, value] of Object.entries(headers))
    if (!HEADER_VALUE.test(value)) throw refusal(`Its credential has characters that the header ${name} cannot have.`);
  return { url: new URL(url), headers, token };
}

function tokenOf({ credential: { kind }, values }: DecryptedCredential): string | undefined {
  return kind === 'SECRETS' ? undefined : values.get(ACCESS_TOKEN);
}

function keyOf({ id, version }: UpstreamCredential): string {
  return `${id} ${version}`;
}

function refusal(detail: string): UpstreamFailure {
  return new UpstreamFailure('credential_required', detail, false);
}
