import { Injectable } from '@nestjs/common';
import { type EntityManager, In, Not } from 'typeorm';
import { type Cap, requireRoom } from '../../database/cap';
import { newId } from '../../database/id';
import { type Connection, execute, maybe, one } from '../../database/statements';
import { ConflictError } from '../../errors/errors';
import { tellOfCredential } from './credential-news';
import { CredentialSeal } from './credential-seal';
import { ACCESS_TOKEN, CLIENT_SECRET, type CredentialKind } from './credential-kinds';
import {
  CHANGE,
  type CredentialRow,
  FIND,
  FORGET_UPSTREAMS,
  INSERT,
  LOCK,
  LOCK_IN_PLACE,
  MARK_RECONNECT,
  OPEN,
  REMOVE,
  RENEW,
  REPLACE,
  WRITE_VALUES,
} from './credential-store.sql';
import { CredentialValue } from './credential-value.entity';
import { ErrorCode } from './credential.errors';

/** One owner has at most so many credentials: everything that an owner can enlarge has a bound. */
export const MAX_CREDENTIALS = 1_000;
/** One credential has at most so many values, with so many bytes each. */
export const MAX_VALUES = 32;
export const MAX_VALUE_BYTES = 8_192;

/** A place says who owns a credential, and what it is for. */
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
export interface NewCredential extends TokenFacts {
  readonly kind: CredentialKind;
  /** It is sent to this scheme, host and port only. */
  readonly origin: string;
  readonly values: ReadonlyMap<string, string>;
}

/** What of a credential is changed. */
export interface CredentialChange extends Pick<TokenFacts, 'clientId' | 'scopes'> {
  readonly values: ReadonlyMap<string, string | null>;
  readonly origin?: string;
}

/** A credential with its values. For the wire, and for who renews its tokens; for no one else. */
export interface DecryptedCredential {
  readonly credential: CredentialRow;
  /** Whether the person who owns it may not use its bundle any more: then it is only given back. */
  readonly hasLeft: boolean;
  readonly values: ReadonlyMap<string, string>;
}

type OpenedRow = CredentialRow & { has_left: boolean; names: string[]; sealed: Buffer[] };

const OF_PERSON: Cap = {
  name: 'credentials of a person',
  rows: `credentials WHERE person_id = $1 AND owner = 'PERSON'`,
  code: ErrorCode.CredentialConflict,
  detail: (most) => `You have ${most} credentials, which is the limit. Delete one first.`,
};

const OF_BUNDLE: Cap = {
  name: 'credentials of a bundle',
  rows: `credentials WHERE bundle_id = $1 AND owner = 'BUNDLE'`,
  code: ErrorCode.CredentialConflict,
  detail: (most) => `The bundle has ${most} credentials, which is the limit. Delete one first.`,
};

const OF_ORGANISATION: Cap = {
  name: 'credentials of an organisation',
  rows: `credentials WHERE organisation_id = $1 AND owner = 'ORGANISATION'`,
  code: ErrorCode.CredentialConflict,
  detail: (most) => `The organisation has ${most} credentials, which is the limit. Delete one first.`,
};

const CAPS = { PERSON: OF_PERSON, BUNDLE: OF_BUNDLE, ORGANISATION: OF_ORGANISATION };

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
    given: NewCredential,
    by: string,
  ): Promise<CredentialRow> {
    await requireRoom(manager, CAPS[place.owner], { ownerId: ownerIdOf(place), most: MAX_CREDENTIALS });
    const values = [...columnsOf(place), newId(), given.kind, given.origin, ...factsOf(given), by];
    const row = await one<CredentialRow>(manager, INSERT, values);
    await this.write(manager, row.id, given.values);
    await tellOfCredential(manager, row, { type: 'credential.connected', by });
    return row;
  }

  /**
   * Replaces everything of a credential: its values, kind, origin and tokens. Sessions and lists of before end with its former
   * version.
   *
   * @param id of one that is locked
   */
  async replace(manager: EntityManager, id: string, given: NewCredential, by: string): Promise<CredentialRow> {
    const row = await one<CredentialRow>(manager, REPLACE, [id, given.kind, given.origin, ...factsOf(given)]);
    await execute(manager, FORGET_UPSTREAMS, [id]);
    await manager.getRepository(CredentialValue).delete({ credentialId: id, name: Not(In([...given.values.keys()])) });
    await this.write(manager, id, given.values);
    await tellOfCredential(manager, row, { type: 'credential.connected', by });
    return row;
  }

  /** `create`, or `replace` where there is one. */
  async put(manager: EntityManager, place: CredentialPlace, given: NewCredential, by: string): Promise<CredentialRow> {
    const known = await this.lockInPlace(manager, place);
    return known ? this.replace(manager, known.id, given, by) : this.create(manager, place, given, by);
  }

  /**
   * Changes some of a credential that is locked: its values, and the origin that it is for.
   *
   * @param values name → value; null removes it
   * @param origin where it may be sent from now on; undefined: as before
   */
  async change(
    manager: EntityManager,
    id: string,
    { values, origin, ...facts }: CredentialChange,
    by: string,
  ): Promise<CredentialRow> {
    const { clientId, scopes } = facts;
    const change = [id, origin ?? null, clientId ?? null, scopes ?? null, values.has(CLIENT_SECRET)];
    const row = await one<CredentialRow>(manager, CHANGE, change);
    await execute(manager, FORGET_UPSTREAMS, [id]);
    const gone = [...values].flatMap(([name, value]) => (value === null ? name : []));
    // The next use gets one of the client as it is now.
    if (row.kind === 'OAUTH_CLIENT') gone.push(ACCESS_TOKEN);
    await this.removeValues(manager, id, gone);
    const given = [...values].flatMap(([name, value]): [string, string][] => (value === null ? [] : [[name, value]]));
    await this.write(manager, id, new Map(given));
    await tellOfCredential(manager, row, { type: 'credential.connected', by });
    return row;
  }

  /**
   * Tokens that were renewed: the same right of the same person at the same server, so the version stays, and with it the
   * sessions. Other processes have the former ones in memory for up to a minute (`CredentialSecrets`).
   *
   * @param version whose tokens were renewed: one that was given since is not touched
   * @returns false if it is gone, was given again, or has to be connected again
   */
  async renew(
    manager: EntityManager,
    id: string,
    version: number,
    {
      values,
      expiresAt,
      scopes,
    }: { values: ReadonlyMap<string, string>; expiresAt?: Date; scopes?: readonly string[] },
  ): Promise<boolean> {
    if ((await execute(manager, RENEW, [id, scopes ?? null, expiresAt ?? null, version])) === 0) return false;
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
    await tellOfCredential(manager, row, { type: 'credential.reconnect_needed' });
    return true;
  }

  /** Deletes it with its values. @param by null: its owner has left @returns whether it was there */
  async remove(manager: EntityManager, id: string, by: string | null): Promise<boolean> {
    const row = await maybe<CredentialRow>(manager, REMOVE, [id]);
    if (!row) return false;
    await tellOfCredential(manager, row, { type: 'credential.revoked', by });
    return true;
  }

  /**
   * With its values. Only for the wire, and for who renews or revokes tokens.
   *
   * @throws Error if no key opens a value
   */
  async open(connection: Connection, id: string): Promise<DecryptedCredential | undefined> {
    const row = await maybe<OpenedRow>(connection, OPEN, [id]);
    if (!row) return undefined;
    const { names, sealed, has_left: hasLeft, ...credential } = row;
    const values = names.map((name, index): [string, string] => {
      return [name, this.seal.open(id, name, sealed[index] ?? Buffer.alloc(0))];
    });
    return { credential, hasLeft, values: new Map(values) };
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
    const count = await manager.getRepository(CredentialValue).countBy({ credentialId: id });
    if (count > MAX_VALUES)
      throw new ConflictError(ErrorCode.CredentialConflict, `A credential can have at most ${MAX_VALUES} values.`);
  }

  /** @param names of the values to remove */
  async removeValues(manager: EntityManager, id: string, names: readonly string[]): Promise<void> {
    await manager.getRepository(CredentialValue).delete({ credentialId: id, name: In(names) });
  }
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
