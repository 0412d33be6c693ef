import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth/caller';
import type { TokenMarks } from '../../auth/issuer';
import { allows } from '../../auth/scopes';
import { BUNDLE_TOKEN_KIND } from '../../bundles/access-tokens/bundle-token-kind';
import { Clock } from '../../config/clock';
import { QueryBatcher } from '../../database/query-batcher';
import { many, maybe, one } from '../../database/statements';
import { AuthenticationError, ErrorCode } from '../../errors/errors';
import type { RecordSettings } from '../settings/recording';
import { policyDigest } from '../rules/policy-store';
import type { Holder } from '../upstreams/shares';
import { ADMIT, type AdmittedRow, type EndpointScope, FIND_ACTIVE, FIND_TOKEN } from './admission.sql';

import type { EndpointPath } from './endpoint-path';
import { RpcFailure } from '../protocol/json-rpc';
import type { KeyedTarget } from '../compile/compiled-bundle';

/** How many requests one statement decides about. */
const ASKED_TOGETHER = 64;

/** What a client proves who it is with. */
export type ClientCredential =
  | {
      readonly kind: 'person';
      readonly caller: Caller;
      /** By what their token is found among revoked ones; absent if only its issuer knows them. */
      readonly marks?: TokenMarks;
      /** Milliseconds since the epoch. */
      readonly expiresAt: number;
    }
  | { readonly kind: 'token'; readonly token: string };

/** Who may use which endpoint now. */
export interface Admission extends Holder {
  /** What is compiled for them. */
  readonly target: KeyedTarget;
  /** Who calls: sessions with servers and limits are theirs. */
  readonly principal: string;
  readonly scopes: ReadonlySet<EndpointScope>;
  readonly record: RecordSettings;
  /** When the credential expires; milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Which credential asks for which endpoint. */
export interface AdmissionQuery {
  readonly path: EndpointPath;
  readonly credential: ClientCredential;
}

/**
 * Decides who may use an endpoint, by one statement for each request: what changes in a role, a directory, a bundle or a
 * token counts from the next request on, in every process.
 */
@Injectable()
export class Admissions {
  private readonly together = new QueryBatcher<AdmissionQuery, AdmittedRow>((asks) => this.ask(asks), ASKED_TOGETHER);

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** @throws AuthenticationError for a token that opens nothing; RpcFailure 404, also if the endpoint is not enabled */
  async admit(ask: AdmissionQuery): Promise<Admission> {
    const row = await this.together.ask(ask);
    if (row) {
      if (!row.is_active) throw revoked();
      await this.noteUse(row);
      return admissionOf(ask, row);
    }
    if (ask.credential.kind === 'token') await this.requireUsable(ask.credential.token, ask.path);
    else if (ask.credential.marks) await this.requireActive(ask.credential.marks);
    throw notFound(ask.path);
  }

  /** @returns for each what is admitted now; undefined: nothing any more */
  async again(asks: readonly AdmissionQuery[]): Promise<(Admission | undefined)[]> {
    const now = this.clock.now().getTime();
    // One principal may have many streams.
    const different = new Map(asks.map((ask) => [keyOf(ask), ask]));
    const found = await this.ask([...different.values()]);
    const rows = new Map([...different.keys()].map((key, index) => [key, found[index]]));
    return asks.map((ask) => {
      const row = rows.get(keyOf(ask));
      const admission = row?.is_active ? admissionOf(ask, row) : undefined;
      return admission && admission.expiresAt > now ? admission : undefined;
    });
  }

  private async ask(asks: readonly AdmissionQuery[]): Promise<(AdmittedRow | undefined)[]> {
    const rows = await many<AdmittedRow>(this.dataSource, ADMIT, [
      asks.map(({ path }) => (path.kind === 'bundle' ? path.id : null)),
      asks.map(({ path }) => (path.kind === 'deployment' ? path.id : null)),
      asks.map(({ credential }) => (credential.kind === 'person' ? credential.caller.userId : null)),
      asks.map(({ credential }) => (credential.kind === 'token' ? hash('sha256', credential.token, 'buffer') : null)),
      this.clock.now(),
      asks.map(({ credential }) => marksOf(credential)?.grant ?? null),
      asks.map(({ credential }) => marksOf(credential)?.denied ?? null),
      asks.map(({ credential }) => marksOf(credential)?.clientId ?? null),
    ]);
    const byPlace = new Map(rows.map((row) => [row.place, row]));
    return asks.map((_, index) => byPlace.get(index + 1));
  }

  private async noteUse({ token_id: id, last_used_at }: AdmittedRow): Promise<void> {
    if (id !== null) await BUNDLE_TOKEN_KIND.noteUse(this.dataSource, { id, last_used_at }, this.clock.now());
  }

  /** A token that was revoked is refused wherever it is shown. */
  private async requireActive({ grant, denied, clientId }: TokenMarks): Promise<void> {
    const values = [grant, denied, clientId];
    const { is_active } = await one<{ is_active: boolean }>(this.dataSource, FIND_ACTIVE, values);
    if (!is_active) throw revoked();
  }

  /** Tells a token that opens nothing from a bundle that is not served. */
  private async requireUsable(token: string, { kind, id }: EndpointPath): Promise<void> {
    const values = [hash('sha256', token, 'buffer'), this.clock.now()];
    const row = await maybe<{ bundle_id: string }>(this.dataSource, FIND_TOKEN, values);
    if (!row)
      throw invalid('The access token was revoked or has expired, or its creator has lost access to the bundle.');
    if (kind === 'bundle' && row.bundle_id !== id) throw invalid('The access token belongs to another bundle.');
  }
}

/** An access token of a person may have been revoked, alone or with its grant. Those of bundles have no row then. */
function marksOf(credential: ClientCredential): TokenMarks | undefined {
  return credential.kind === 'person' ? credential.marks : undefined;
}

/** Two tokens of one person may differ in whether they were revoked. */
function keyOf({ path, credential }: AdmissionQuery): string {
  if (credential.kind === 'token') return `${path.path} ${credential.token}`;
  const { grant, denied } = credential.marks ?? {};
  return `${path.path} ${credential.caller.userId} ${grant?.toString('base64') ?? ''} ${denied?.toString('base64') ?? ''}`;
}

function admissionOf({ credential }: AdmissionQuery, row: AdmittedRow): Admission {
  const { bundle_id, name, slug, bound_version, version, naming, name_budget, stamp, person_id, entries } = row;
  const isPerson = credential.kind === 'person';
  const { presentation, rules } = row;
  const settings = [bundle_id, bound_version, version, stamp, name, slug, entries, isPerson, rules];
  return {
    target: {
      bundleId: bundle_id,
      name,
      slug,
      boundVersion: bound_version,
      version,
      personId: person_id,
      usesPersonal: isPerson,
      tokenId: row.token_id,
      presentation,
      policyDigest: policyDigest(stamp, rules),
      naming,
      nameBudget: name_budget,
      key: JSON.stringify(settings),
      entriesDigest: entries,
    },
    principal: isPerson ? `user ${person_id}` : `token ${row.token_id}`,
    behind: isPerson ? [`user ${person_id}`] : behindToken(row),
    scopes: isPerson ? scopesOf(credential.caller) : new Set(row.token_scopes),
    record: { mode: row.record, arguments: row.record_arguments },
    expiresAt: isPerson ? credential.expiresAt : (row.token_expires_at?.getTime() ?? Infinity),
  };
}

/** Who has created a token, and who owns its bundle: neither gets more by more tokens, or by more people who create them. */
function behindToken({ person_id, org_id, owner_id }: AdmittedRow): string[] {
  return [...new Set([`user ${person_id}`, org_id === null ? `user ${owner_id}` : `organisation ${org_id}`])];
}

function scopesOf({ scopes }: Caller): Set<EndpointScope> {
  const granted: EndpointScope[] = [];
  if (allows(scopes, 'mcp:read')) granted.push('read');
  if (allows(scopes, 'mcp:call')) granted.push('call');
  return new Set(granted);
}

/** The same for an endpoint that does not exist, is not enabled, or must not be seen. */
function notFound({ kind, id }: EndpointPath): RpcFailure {
  const noun = kind === 'bundle' ? 'Bundle' : 'Deployment';
  return new RpcFailure(404, 404, `${noun} ${id} was not found, or its endpoint is not enabled.`);
}

function revoked(): AuthenticationError {
  return invalid('The access token was revoked.');
}

function invalid(detail: string): AuthenticationError {
  return new AuthenticationError(ErrorCode.InvalidToken, detail);
}
