import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Cap, requireRoom } from '../../database/cap';
import { newId } from '../../database/id';
import { type Connection, execute, maybe, one } from '../../database/statements';
import { ConflictError } from '../../errors/errors';
import { record } from '../../events/outbox';
import { CredentialSeal } from './credential-seal';
import type { CredentialKind } from './credential-kinds';
import {
  COUNT_VALUES,
  type CredentialRow,
  FIND,
  INSERT,
  LOCK,
  LOCK_IN_PLACE,
  MARK_RECONNECT,
  OPEN,
  REMOVE,
  REMOVE_THESE,
  REMOVE_VALUES,
  RENEW,
  REPLACE,
  WRITE_VALUES,
} from './credential-store.sql';
import { ErrorCode } from './credential.errors';

/** Of one owner: everything that they can enlarge has a bound. */
export const MOST_CREDENTIALS = 1_000;
/** Of one credential. */
export const MOST_VALUES = 32;
export const MOST_VALUE_BYTES = 8_192;

/** Whose a credential is, and what it is for. */
export type CredentialPlace =
  | { readonly owner: 'PERSON'; readonly personId: string; readonly bundleId: string; readonly entryId: string }
  | { readonly owner: 'BUNDLE'; readonly bundleId: string; readonly entryId: string }
  | { readonly owner: 'ORGANISATION'; readonly organisationId: string; readonly listingId: string };

/** What is known of the tokens of a credential. */
export interface TokenFacts {
  readonly issuer?: string;
  readonly clientId?: string;
  readonly tokenEndpoint?: string;
  readonly resource?: string;
  readonly scopes?: readonly string[];
  readonly expiresAt?: Date;
  readonly revocationEndpoint?: string;
  /** How the client authenticates at these endpoints. */
  readonly tokenAuth?: string;
}

/** A credential that is given. */
export interface GivenCredential extends TokenFacts {
  readonly kind: CredentialKind;
  /** It is sent to this scheme, host and port only. */
  readonly origin: string;
  readonly values: ReadonlyMap<string, string>;
}

/** A credential with its values. For the wire, and for who renews its tokens; for nobody else. */
export interface OpenedCredential {
  readonly credential: CredentialRow;
  readonly values: ReadonlyMap<string, string>;
}

/** How many credentials one owner has. */
const caps: Record<CredentialPlace['owner'], Cap> = {
  PERSON: capOf(`credentials WHERE person_id = $1 AND owner = 'PERSON'`, 'You have'),
  BUNDLE: capOf(`credentials WHERE bundle_id = $1 AND owner = 'BUNDLE'`, 'The bundle has'),
  ORGANISATION: capOf(`credentials WHERE organisation_id = $1 AND owner = 'ORGANISATION'`, 'The organisation has'),
};

/**
 * The only way to credentials and their values: seals and opens them, raises their version, and records their events in the
 * transaction of the change. Knows nothing of who may do that.
 */
@Injectable()
export class CredentialStore {
  constructor(private readonly seal: CredentialSeal) {}

  find(connection: Connection, id: string): Promise<CredentialRow | undefined> {
    return maybe<CredentialRow>(connection, FIND, [id]);
  }

  /** @param manager of a transaction */
  lock(manager: EntityManager, id: string): Promise<CredentialRow | undefined> {
    return maybe<CredentialRow>(manager, LOCK, [id]);
  }

  /** The one that is there for this owner and this entry or listing, locked. */
  lockInPlace(manager: EntityManager, place: CredentialPlace): Promise<CredentialRow | undefined> {
    return maybe<CredentialRow>(manager, LOCK_IN_PLACE, columnsOf(place));
  }

  /**
   * Gives a credential where there is none. Two at once: one of them fails.
   *
   * @param by the person who gives it
   * @throws ConflictError if there is one already, or the owner has too many
   */
  async create(
    manager: EntityManager,
    place: CredentialPlace,
    given: GivenCredential,
    by: string,
  ): Promise<CredentialRow> {
    await requireRoom(manager, caps[place.owner], { ownerId: ownerIdOf(place), most: MOST_CREDENTIALS });
    const values = [...columnsOf(place), newId(), given.kind, given.origin, ...factsOf(given), by];
    const row = await one<CredentialRow>(manager, INSERT, values);
    await this.write(manager, row.id, given.values);
    await recordConnected(manager, row, by);
    return row;
  }

  /**
   * Replaces everything of a credential: its values, kind, origin and tokens. Sessions and lists of before end with its former
   * version.
   *
   * @param id of one that is locked
   */
  async replace(manager: EntityManager, id: string, given: GivenCredential, by: string): Promise<CredentialRow> {
    const row = await one<CredentialRow>(manager, REPLACE, [id, given.kind, given.origin, ...factsOf(given)]);
    await execute(manager, REMOVE_VALUES, [id, [...given.values.keys()]]);
    await this.write(manager, id, given.values);
    await recordConnected(manager, row, by);
    return row;
  }

  /** `create`, or `replace` where there is one. */
  async put(manager: EntityManager, place: CredentialPlace, given: GivenCredential, by: string): Promise<CredentialRow> {
    const known = await this.lockInPlace(manager, place);
    return known ? this.replace(manager, known.id, given, by) : this.create(manager, place, given, by);
  }

  /**
   * Tokens that were renewed: the same right of the same person at the same server, so the version stays, and with it the
   * sessions. Other processes have the former ones in memory for up to a minute (`CredentialSecrets`).
   *
   * @returns false if it is gone, or has to be connected again
   */
  async renew(
    manager: EntityManager,
    id: string,
    {
      values,
      expiresAt,
      scopes,
    }: { values: ReadonlyMap<string, string>; expiresAt?: Date; scopes?: readonly string[] },
  ): Promise<boolean> {
    if ((await execute(manager, RENEW, [id, scopes ?? null, expiresAt ?? null])) === 0) return false;
    await this.write(manager, id, values);
    return true;
  }

  /**
   * Its issuer refuses it: it is not used until it is given again. Records the event once.
   *
   * @param version that was refused: one that was given since is not touched
   * @returns whether it was marked now
   */
  async markReconnect(manager: EntityManager, id: string, version: number): Promise<boolean> {
    const row = await maybe<CredentialRow>(manager, MARK_RECONNECT, [id, version]);
    if (!row) return false;
    await record(manager, {
      type: 'credential.reconnect_needed',
      ...tenantOf(row),
      data: { ...eventDataOf(row), org_id: row.tenant_org_id },
    });
    return true;
  }

  /** Deletes it with its values. @returns whether it was there */
  async remove(manager: EntityManager, id: string, by: string): Promise<boolean> {
    // The tenant is read by the same statement, while the row is there.
    const row = await maybe<CredentialRow>(manager, REMOVE, [id]);
    if (!row) return false;
    await record(manager, {
      type: 'credential.revoked',
      ...tenantOf(row),
      data: { ...eventDataOf(row), revoked_by: by, org_id: row.tenant_org_id },
    });
    return true;
  }

  /**
   * With its values. Only for the wire, and for who renews or revokes tokens.
   *
   * @throws Error if no key opens a value
   */
  async open(connection: Connection, id: string): Promise<OpenedCredential | undefined> {
    const row = await maybe<CredentialRow & { names: string[]; sealed: Buffer[] }>(connection, OPEN, [id]);
    if (!row) return undefined;
    const { names, sealed, ...credential } = row;
    const values = names.map((name, index): [string, string] => {
      return [name, this.seal.open(id, name, sealed[index] ?? Buffer.alloc(0))];
    });
    return { credential, values: new Map(values) };
  }

  /**
   * Writes values beside those that are there.
   *
   * @throws ConflictError if it has too many then
   */
  async write(manager: EntityManager, id: string, values: ReadonlyMap<string, string>): Promise<void> {
    const given = [...values];
    if (given.length === 0) return;
    await execute(manager, WRITE_VALUES, [
      id,
      given.map(() => newId()),
      given.map(([name]) => name),
      given.map(([name, value]) => this.seal.seal(id, name, value)),
    ]);
    const { number } = await one<{ number: number }>(manager, COUNT_VALUES, [id]);
    if (number > MOST_VALUES)
      throw new ConflictError(ErrorCode.CredentialConflict, `A credential can have at most ${MOST_VALUES} values.`);
  }

  /** @param names of the values to remove */
  async removeValues(manager: EntityManager, id: string, names: readonly string[]): Promise<void> {
    await execute(manager, REMOVE_THESE, [id, names]);
  }
}

/** Who gets its events: its organisation, or the person who owns it or its bundle. */
export function tenantOf({ tenant_org_id, tenant_person_id }: CredentialRow) {
  return { orgId: tenant_org_id, ownerId: tenant_person_id };
}

/** What an event says of it. */
export function eventDataOf({ id, kind, owner, person_id, bundle_id, entry_id, listing_id, origin }: CredentialRow) {
  return { credential_id: id, kind, owner, person_id, bundle_id, entry_id, listing_id, origin };
}

async function recordConnected(manager: EntityManager, row: CredentialRow, by: string): Promise<void> {
  await record(manager, {
    type: 'credential.connected',
    ...tenantOf(row),
    data: { ...eventDataOf(row), connected_by: by, org_id: row.tenant_org_id },
  });
}

function capOf(rows: string, subject: string): Cap {
  return {
    name: rows,
    rows,
    code: ErrorCode.CredentialConflict,
    detail: (most) => `${subject} ${most} credentials, which is the limit. Delete one first.`,
  };
}

function ownerIdOf(place: CredentialPlace): string {
  if (place.owner === 'PERSON') return place.personId;
  return place.owner === 'BUNDLE' ? place.bundleId : place.organisationId;
}

function columnsOf(place: CredentialPlace): (string | null)[] {
  return [
    place.owner,
    place.owner === 'PERSON' ? place.personId : null,
    place.owner === 'ORGANISATION' ? null : place.bundleId,
    place.owner === 'ORGANISATION' ? null : place.entryId,
    place.owner === 'ORGANISATION' ? place.organisationId : null,
    place.owner === 'ORGANISATION' ? place.listingId : null,
  ];
}

function factsOf(given: TokenFacts): unknown[] {
  const { issuer, clientId, tokenEndpoint, resource, scopes, expiresAt, revocationEndpoint, tokenAuth } = given;
  return [issuer, clientId, tokenEndpoint, resource, scopes, expiresAt, revocationEndpoint, tokenAuth].map(
    (fact) => fact ?? null,
  );
}
