import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import { currentRequestId } from '../../database/deadline';
import { firstIdAt, newId } from '../../database/id';
import { type Connection, execute } from '../../database/statements';
import { causingTrace } from '../../events/outbox';
import type { EventType, EventTypes } from '../../events/event-types';
import { adminsOf } from '../account-administration.sql';
import type { AccountAction, AccountActorType, AccountSubject } from './account-actions';
import { FORGET_ADDRESSES, RECORD_CHANGES, RECORD_FAILURE } from './account-log.sql';

const MINUTE_MS = 60_000;

/** Who did it. */
export interface AccountActor {
  type: AccountActorType;
  /** Null unless it is a user. */
  id: string | null;
}

export const ANONYMOUS: AccountActor = { type: 'anonymous', id: null };
export const SYSTEM: AccountActor = { type: 'system', id: null };

/** @returns the person of an account, as the one who did it */
export function byUser(id: string): AccountActor {
  return { type: 'user', id };
}

/** Something that happened to an account or to an OAuth client. */
export interface AccountChange<T extends AccountAction & EventType> {
  action: T;
  /** The change is about this account; null for an OAuth client. */
  userId: string | null;
  by: AccountActor;
  subject: { type: AccountSubject; id: string | null };
  /** The network address of the client, in canonical form: only of sign-ins. */
  address?: string;
  data: EventTypes[T];
}

/** Any of them, with data that matches its action. */
export type AnyAccountChange = { [T in AccountAction & EventType]: AccountChange<T> }[AccountAction & EventType];

/** A sign-in that failed. */
export interface FailedSignIn {
  /** The person meant this account, if it exists. */
  userId?: string;
  /** Kept only if the account exists. */
  address: string;
  /** `issuer`: the provider's, for the others who are someone there. */
  details: { method: 'password' | 'passkey' | 'recovery_code' | 'provider'; issuer?: string; failure?: string };
}

/**
 * Writes what happens to accounts into their audit log, and records the events of it. An account has no organisation, so
 * `audit()` and `record()` do not fit: only the person and the platform administrators may know (ADR 31).
 */
@Injectable()
export class AccountLog {
  private readonly admins: readonly unknown[];

  constructor(
    private readonly clock: Clock,
    environment: Environment,
  ) {
    this.admins = adminsOf(environment);
  }

  /**
   * One statement for any number of changes.
   *
   * @param manager of the transaction of the change, so that neither exists without the other
   */
  async record(manager: EntityManager, ...changes: readonly AnyAccountChange[]): Promise<void> {
    const [first] = changes;
    if (!first) return;
    if (!manager.queryRunner?.isTransactionActive)
      throw new Error(`${first.action} was recorded outside a transaction.`);
    await execute(manager, RECORD_CHANGES, [...this.admins, JSON.stringify(changes.map(toRow)), causingTrace()]);
  }

  /**
   * Takes the same time for an account that does not exist. Of people who are not known, only so many in a minute are
   * recorded, and neither what they typed nor where they are.
   */
  async recordFailure(connection: Connection, { userId, address, details }: FailedSignIn): Promise<void> {
    const aMinuteAgo = new Date(this.clock.now().getTime() - MINUTE_MS);
    await execute(connection, RECORD_FAILURE, [
      newId(),
      userId ?? null,
      details,
      userId === undefined ? null : address,
      currentRequestId() ?? null,
      firstIdAt(aMinuteAgo),
    ]);
  }

  /** Makes the entries of an account anonymous. @param manager of the transaction that deletes the account */
  async forget(manager: EntityManager, userId: string): Promise<void> {
    await execute(manager, FORGET_ADDRESSES, [userId]);
  }
}

function toRow({ action, userId, by, subject, address, data }: AnyAccountChange): object {
  // The entry has these itself.
  const details = Object.entries(data).filter(([name]) => name !== 'org_id' && name !== 'user_id');
  return {
    id: newId(),
    action,
    user_id: userId,
    actor_type: by.type,
    actor_id: by.id,
    subject_type: subject.type,
    subject_id: subject.id,
    details: Object.fromEntries<unknown>(details),
    address: address ?? null,
    request_id: currentRequestId() ?? null,
    // What happens to no account is still known to the one who did it.
    owner_id: userId ?? by.id,
    data,
  };
}
