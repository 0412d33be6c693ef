import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/**
 * What is removed with an account or an organisation, in order: rows that refer to others come first, and all deletions
 * lock rows in the same order. Anything registered under another name comes last.
 */
export const ORDER: readonly string[] = [
  'namespaces',
  'created organisations',
  'SCIM tokens',
  'memberships',
  'credentials',
  'server requests',
  'bundles',
  'reviews',
  'listings',
  'webhook endpoints',
  'directory',
  'invitations',
  'audit log',
  'sign-in',
];

/** What remains to be done once a deletion is committed, such as notifying other servers. Returns at once, and never throws. */
export type Afterwards = () => void;

/** How a module removes its rows of an account or organisation. */
export interface Departure {
  /** A name in `ORDER`. */
  what: string;
  /** Removes the rows of an account, in the transaction that locks and deletes the account. */
  ofAccount?: (manager: EntityManager, userId: string) => Promise<void | Afterwards>;
  /** How many of them an account has, for the preview of its deletion; only where that room alone reads the table. */
  countOfAccount?: (manager: EntityManager, userId: string) => Promise<number>;
  /**
   * Removes the rows of an organisation that users can see or use, in the transaction that locks and deletes it. Runs
   * again later, for rows inserted meanwhile by requests that were already past the permission check.
   */
  ofOrganisation?: (manager: EntityManager, orgId: string) => Promise<void | Afterwards>;
  /**
   * `DELETE … RETURNING` statements, each removing up to $2 remaining rows of a deleted organisation ($1). Run in the
   * background, each until no rows are left, with one transaction per batch.
   */
  batches?: readonly string[];
  /**
   * Removes remaining rows of a deleted organisation once that is allowed; in the background, after all batches.
   *
   * @returns the number of rows that must still be kept; the organisation's row is kept until this is 0
   */
  whenReady?: (manager: EntityManager, orgId: string, deletedAt: Date) => Promise<number>;
}

/**
 * What every module removes when an account or an organisation is deleted. Modules register it at startup, so that
 * nothing here imports them. The services of this module have the transactions and locks.
 */
@Injectable()
export class Departures {
  private departures: Departure[] = [];

  /** Called at startup by the modules that own the rows. */
  register(...departures: readonly Departure[]): void {
    this.departures = [...this.departures, ...departures].toSorted((a, b) => placeOf(a) - placeOf(b));
  }

  /** All registered departures, in order of removal. */
  get all(): readonly Departure[] {
    return this.departures;
  }

  /**
   * @param manager of the transaction that locks and deletes the account
   * @returns what to do once it is committed
   */
  async removeOfAccount(manager: EntityManager, userId: string): Promise<Afterwards> {
    return inOrder(this.departures, ({ ofAccount }) => ofAccount?.(manager, userId));
  }

  /** @returns how many rows of this name an account has; 0 if no module counts them */
  async countOfAccount(what: string, manager: EntityManager, userId: string): Promise<number> {
    let count = 0;
    for (const departure of this.departures)
      if (departure.what === what) count += (await departure.countOfAccount?.(manager, userId)) ?? 0;
    return count;
  }

  /**
   * @param manager of the transaction that locks and deletes the organisation, or of a later one
   * @returns what to do once it is committed
   */
  async removeOfOrganisation(manager: EntityManager, orgId: string): Promise<Afterwards> {
    return inOrder(this.departures, ({ ofOrganisation }) => ofOrganisation?.(manager, orgId));
  }

  /** The statements that remove the remaining rows of a deleted organisation in batches. */
  get batches(): readonly string[] {
    return this.departures.flatMap(({ batches = [] }) => batches);
  }

  /** @returns the number of rows of a deleted organisation that must still be kept */
  async removeWhenReady(manager: EntityManager, orgId: string, deletedAt: Date): Promise<number> {
    let remaining = 0;
    for (const { whenReady } of this.departures) remaining += (await whenReady?.(manager, orgId, deletedAt)) ?? 0;
    return remaining;
  }
}

function placeOf({ what }: Departure): number {
  const place = ORDER.indexOf(what);
  return place === -1 ? ORDER.length : place;
}

async function inOrder(
  departures: readonly Departure[],
  remove: (departure: Departure) => Promise<void | Afterwards> | undefined,
): Promise<Afterwards> {
  const later: Afterwards[] = [];
  for (const departure of departures) {
    const afterwards = await remove(departure);
    if (afterwards) later.push(afterwards);
  }
  return () => {
    for (const work of later) work();
  };
}
