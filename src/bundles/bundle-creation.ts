import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from '../auth/caller';
import { Environment } from '../config/environment';
import { lockKey, lockRoom } from '../database/cap';
import { newId } from '../database/id';
import { prepared } from '../database/prepared';
import { SharedTurns } from '../database/shared-turns';
import { firstErrorOf } from '../database/transaction';
import { inTurn } from '../database/turns';
import { ConflictError, ValidationError } from '../errors/errors';
import { causingTrace } from '../events/outbox';
import { slugOf } from '../http/requests/slug';
import { Memberships } from '../organisations/members/memberships.service';
import { requireOpenAccount } from '../users/open-account';
import { ORGANISATION_BUNDLES, PERSONAL_BUNDLES } from './bundle-caps';
import {
  CREATE_OF_ORGANISATION,
  CREATE_PERSONAL,
  CREATE_SEVERAL_OF_ORGANISATION,
  CREATE_SEVERAL_PERSONAL,
  LOCK_FOR_MEMBER,
  type NewBundleRow,
} from './bundle-create.sql';
import { BundleCreate, BundleOut, BundleRow, toBundle } from './bundle.dto';
import { NO_CHANGES } from './entries/entry-changes';

/** A bundle to create. */
interface Creation {
  caller: Caller;
  /** Null: a personal one. */
  orgId: string | null;
  row: Omit<NewBundleRow, 'place'>;
}

/**
 * Creates bundles. The requests of one caller that wait for the cap of one owner share a transaction (`SharedTurns`), and
 * only one of these at a time takes a connection. Callers do not wait for each other before the lock of the cap, which
 * only members get.
 */
@Injectable()
export class BundleCreation {
  private readonly turns = new SharedTurns<Creation, BundleOut>({
    together: (first, close) => this.createTogether(first, close),
    alone: (creation) => this.inTurn(creation, (manager) => this.createOne(manager, creation)),
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly memberships: Memberships,
    private readonly environment: Environment,
  ) {}

  /**
   * As `BundlesService.create`. Three statements in one round trip before that of COMMIT: hold the account, take the lock
   * of the cap, and create.
   */
  async create(caller: Caller, input: BundleCreate): Promise<BundleOut> {
    const creation = creationOf(caller, input);
    return this.turns.make(keyOf(creation), creation);
  }

  /** @returns those that were created, in the order given */
  private createTogether(first: Creation, close: () => readonly Creation[]): Promise<(BundleOut | undefined)[]> {
    return this.inTurn(first, async (manager) => {
      const creations = close();
      if (creations.length === 1) return [await this.createOne(manager, first)];
      const created = new Map((await this.insert(manager, creations)).map((row) => [row.id, row]));
      return creations.map(({ row: { id } }) => {
        const row = created.get(id);
        return row && toBundle(row);
      });
    });
  }

  private async createOne(manager: EntityManager, creation: Creation): Promise<BundleOut> {
    const { caller, orgId } = creation;
    const [row] = await this.insert(manager, [creation]);
    if (row) return toBundle(row);
    if (orgId !== null) await this.memberships.require(caller, orgId, 'MEMBER', manager);
    const { cap, most } = this.capOf(creation);
    throw new ConflictError(cap.code, cap.detail(most));
  }

  /**
   * @param creations of one caller and one owner, at least one; a slug that is taken is an error if it is only one
   * @returns the new bundles, in any order; fewer if there is no room for more, or slugs are taken
   */
  private async insert(manager: EntityManager, creations: readonly Creation[]): Promise<BundleRow[]> {
    const [first] = creations as readonly [Creation];
    const { caller, orgId } = first;
    const { cap, most } = this.capOf(first);
    const { userId } = caller;
    const rows = creations.map(({ row }, index): NewBundleRow => ({ ...row, place: index + 1 }));
    const values = [orgId ?? userId, most, orgId, userId, JSON.stringify(rows), JSON.stringify(NO_CHANGES)];
    const [, , created] = await firstErrorOf([
      requireOpenAccount(manager, userId),
      orgId === null
        ? lockRoom(manager, cap, userId)
        : prepared(manager, LOCK_FOR_MEMBER, [lockKey(cap, orgId), orgId, userId]),
      rows.length === 1
        ? prepared<BundleRow>(manager, orgId === null ? CREATE_PERSONAL : CREATE_OF_ORGANISATION, values)
        : prepared<BundleRow>(
            manager,
            orgId === null ? CREATE_SEVERAL_PERSONAL : CREATE_SEVERAL_OF_ORGANISATION,
            values,
          ),
    ]);
    return created;
  }

  private inTurn<T>(creation: Creation, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return inTurn(this.dataSource, keyOf(creation), work);
  }

  private capOf({ orgId }: Creation) {
    const { bundlesPerOrganisation, bundlesPerPerson } = this.environment.limits;
    return orgId === null
      ? { cap: PERSONAL_BUNDLES, most: bundlesPerPerson }
      : { cap: ORGANISATION_BUNDLES, most: bundlesPerOrganisation };
  }
}

/** @throws ValidationError if no slug can be derived from the name */
function creationOf(caller: Caller, { org_id, name, slug: given, description, visibility }: BundleCreate): Creation {
  const slug = given ?? slugOf(name);
  if (slug === undefined) {
    throw new ValidationError([
      { loc: ['body', 'slug'], msg: 'No slug can be derived from this name; provide one.', type: 'missing' },
    ]);
  }
  const row = {
    id: newId(),
    name,
    slug,
    description: description ?? '',
    visibility: visibility ?? 'PRIVATE',
    event_id: newId(),
    traceparent: causingTrace(),
  };
  return { caller, orgId: org_id ?? null, row };
}

/** Of one caller and one owner. */
function keyOf({ caller: { userId }, orgId }: Creation): string {
  return `bundles ${userId} ${orgId ?? ''}`;
}
