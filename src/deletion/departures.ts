import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/**
 * What goes with an account or an organisation, in the order in which it goes: what refers to other rows precedes them,
 * and all deletions lock rows in the same order. What a room registers under another name goes last.
 */
export const ORDER: readonly string[] = [
  'namespaces',
  'created organisations',
  'SCIM tokens',
  'memberships',
  'bundles',
  'listings',
  'webhook endpoints',
  'directory',
  'invitations',
  'audit log',
];

/** What a room has of accounts and organisations, and how it goes with them. */
export interface Departure {
  /** In the words of `ORDER`. */
  what: string;
  /** Removes what an account has; in the transaction that deletes the account and holds it. */
  ofAccount?: (manager: EntityManager, userId: string) => Promise<void>;
  /**
   * Removes what users can see or use of an organisation; in the transaction that deletes it and holds its lock. Runs
   * again afterwards, for what a request that was let in before has created meanwhile.
   */
  ofOrganisation?: (manager: EntityManager, orgId: string) => Promise<void>;
  /**
   * `DELETE … RETURNING`, each of some ($2) of what a deleted organisation ($1) has left. Run in the background, one after
   * the other until nothing is left, each batch in a transaction of its own.
   */
  batches?: readonly string[];
  /**
   * Removes what a deleted organisation has left and what may go by now; in the background, after all batches.
   *
   * @returns how many rows have to stay for now; the row of the organisation stays as long as they do
   */
  whenReady?: (manager: EntityManager, orgId: string, deletedAt: Date) => Promise<number>;
}

/**
 * What every room removes when an account or an organisation ends. The rooms register it at start, so that nothing here
 * imports them; `AccountDeletion`, `OrganisationDeletion` and `OrganisationPurge` have the transactions and the locks.
 */
@Injectable()
export class Departures {
  private departures: Departure[] = [];

  /** For the modules whose rows they are, at start. */
  register(...departures: readonly Departure[]): void {
    this.departures = [...this.departures, ...departures].toSorted((a, b) => placeOf(a) - placeOf(b));
  }

  /** What is registered, in the order in which it goes. */
  get all(): readonly Departure[] {
    return this.departures;
  }

  /** @param manager of the transaction that deletes the account and holds it */
  async removeOfAccount(manager: EntityManager, userId: string): Promise<void> {
    for (const { ofAccount } of this.departures) await ofAccount?.(manager, userId);
  }

  /** @param manager of the transaction that deletes the organisation and holds its lock, or of one after it */
  async removeOfOrganisation(manager: EntityManager, orgId: string): Promise<void> {
    for (const { ofOrganisation } of this.departures) await ofOrganisation?.(manager, orgId);
  }

  /** The statements that remove in batches what a deleted organisation has left. */
  get batches(): readonly string[] {
    return this.departures.flatMap(({ batches = [] }) => batches);
  }

  /** @returns how many rows of a deleted organisation have to stay for now */
  async removeWhenReady(manager: EntityManager, orgId: string, deletedAt: Date): Promise<number> {
    let left = 0;
    for (const { whenReady } of this.departures) left += (await whenReady?.(manager, orgId, deletedAt)) ?? 0;
    return left;
  }
}

function placeOf({ what }: Departure): number {
  const place = ORDER.indexOf(what);
  return place === -1 ? ORDER.length : place;
}
