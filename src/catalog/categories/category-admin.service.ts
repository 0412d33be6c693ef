import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { type Cap, requireRoom } from '../../database/cap';
import { execute, many, maybe, one } from '../../database/statements';
import type { EventTypes } from '../../events/event-types';
import { recordAll } from '../../events/outbox';
import { ConflictError, ForbiddenError, ValidationError, requireFound } from '../../errors/errors';
import { AccountLog, type AnyAccountChange, byUser } from '../../users/account-log/account-log';
import { ErrorCode } from '../catalog.errors';
import { slugOf } from '../../http/requests/slug';
import { RegistryChanges } from '../registry-changes';
import { CategoryCounts, COUNTED_EVERY_MS } from './category-counts.service';
import {
  type CategoryAdminOut,
  type CategoryCreate,
  type CategoryMove,
  type CategoryMovedOut,
  type CategoryOverviewOut,
  type CategoryReorder,
  type CategoryRow,
  type CategoryUpdate,
  type MovedListingOut,
  toCategory,
} from './category.dto';
import { Category } from './category.entity';
import { CategoryList } from './category-list.service';
import { COUNT_MOVABLE, FIRST_MOVABLE, MAX_FIRST, MOVE_LISTINGS, OVERVIEW, REORDER } from './category-move.sql';

const COLUMNS = `id, name, slug, description, icon, display_order, updated_at,
  COALESCE((SELECT mcp_count FROM category_counts WHERE category_id = categories.id), 0) AS mcp_count`;

/** $1 category. */
const COUNT_LISTINGS = `SELECT count(*)::int AS count FROM listings WHERE category_id = $1`;

/** What the event about a listing that was moved says of it. */
interface MovedListing {
  id: string;
  name: string;
  org_id: string | null;
  owner_id: string | null;
  version: string;
}

/** The list returns all categories in one response, which every process keeps in memory. */
const MAX_CATEGORIES = 1_000;

/** Categories belong to the platform, so all of them count towards one cap. */
const CATEGORIES: Cap = {
  name: 'categories',
  rows: 'categories WHERE $1::text IS NOT NULL',
  code: ErrorCode.CategoryConflict,
  detail: (most) => `There are ${most} categories, which is the limit. Delete one first.`,
};

const FIELDS = ['name', 'slug', 'description', 'icon', 'display_order'] as const;

type Action = Extract<keyof EventTypes, `category.${string}`>;

/**
 * Lets platform administrators manage categories (contract, section 5). A database notification informs the replicas.
 */
@Injectable()
export class CategoryAdmin {
  constructor(
    private readonly dataSource: DataSource,
    private readonly registry: RegistryChanges,
    private readonly list: CategoryList,
    private readonly counts: CategoryCounts,
    private readonly log: AccountLog,
  ) {}

  /** All categories as administrators see them, with the age of the counts. @throws ForbiddenError */
  async overview(caller: Caller): Promise<CategoryOverviewOut> {
    requireAdmin(caller);
    const rows = await many<CategoryRow & { listings: number }>(this.dataSource, OVERVIEW);
    const countedAt = await this.counts.countedAt();
    return {
      counted_at: countedAt?.toISOString() ?? null,
      next_count_at: countedAt === null ? null : new Date(countedAt.getTime() + COUNTED_EVERY_MS).toISOString(),
      categories: rows.map((row) => ({ ...toCategory(row), listings: row.listings })),
    };
  }

  /**
   * @throws ForbiddenError; ConflictError if the slug is taken or the cap is reached; ValidationError if no slug can be
   *   derived from the name
   */
  async create(caller: Caller, input: CategoryCreate): Promise<CategoryAdminOut> {
    requireAdmin(caller);
    const slug = input.slug ?? slugOf(input.name);
    if (slug === undefined) {
      throw new ValidationError([
        { loc: ['body', 'slug'], msg: 'No slug can be derived from this name; provide one.', type: 'missing' },
      ]);
    }
    return this.change(async (manager) => {
      await requireRoom(manager, CATEGORIES, { ownerId: 'platform', most: MAX_CATEGORIES });
      const row = await one<CategoryRow>(
        manager,
        `INSERT INTO categories (name, slug, description, icon, display_order)
         VALUES ($1, $2, $3, $4, COALESCE($5, (SELECT COALESCE(max(display_order), 0) + 10 FROM categories)))
         RETURNING ${COLUMNS}`,
        [input.name, slug, input.description ?? '', input.icon ?? 'box', input.display_order ?? null],
      );
      await this.note(manager, caller, 'category.created', subjectOf(row));
      return toCategory(row);
    });
  }

  /**
   * An absent or null field keeps its value.
   *
   * @throws ForbiddenError, NotFoundError; ConflictError if the slug is taken, or the category has changed since
   *   `unchanged_since`
   */
  async update(caller: Caller, id: number, input: CategoryUpdate): Promise<CategoryAdminOut> {
    requireAdmin(caller);
    return this.change(async (manager) => {
      const before = await find(manager, id, 'FOR UPDATE');
      const { unchanged_since: known } = input;
      if (known && new Date(known).getTime() !== before.updated_at.getTime()) {
        throw conflict(`${before.name} was changed by another administrator meanwhile.`);
      }
      const changed = FIELDS.filter((field) => (input[field] ?? before[field]) !== before[field]);
      if (changed.length === 0) return toCategory(before);
      const after = await one<CategoryRow>(
        manager,
        `UPDATE categories SET name = COALESCE($2, name), slug = COALESCE($3, slug), description = COALESCE($4, description),
           icon = COALESCE($5, icon), display_order = COALESCE($6, display_order), updated_at = clock_timestamp()
         WHERE id = $1 RETURNING ${COLUMNS}`,
        [id, ...FIELDS.map((field) => input[field] ?? null)],
      );
      await this.note(manager, caller, 'category.updated', { ...subjectOf(after), changed });
      return toCategory(after);
    });
  }

  /**
   * Gives all categories a new order.
   *
   * @throws ForbiddenError; ValidationError if it does not have the same categories as the former order; ConflictError if the
   *   order is another one than the caller knows
   */
  async reorder(caller: Caller, { order, former_order: known }: CategoryReorder): Promise<CategoryOverviewOut> {
    requireAdmin(caller);
    if (!isPermutation(order, known)) {
      const msg = 'Must have each category of former_order once.';
      throw new ValidationError([{ loc: ['body', 'order'], msg, type: 'value_error' }]);
    }
    await this.change(async (manager) => {
      // Two who reorder wait for each other, and so does one who creates a category; readers do not.
      await execute(manager, `LOCK TABLE categories IN SHARE ROW EXCLUSIVE MODE`);
      const rows = await many<{ id: number }>(manager, `SELECT id FROM categories ORDER BY display_order, id`);
      const current = rows.map(({ id }) => id);
      if (current.join() !== known.join()) {
        throw conflict('The categories or their order were changed by another administrator meanwhile.');
      }
      if (order.join() === current.join()) return;
      await execute(manager, REORDER, [order]);
      await this.note(manager, caller, 'category.reordered', { org_id: null, order });
    });
    return this.overview(caller);
  }

  /** @throws ForbiddenError, NotFoundError; ConflictError if the category has listings, whatever their status */
  async remove(caller: Caller, id: number): Promise<void> {
    requireAdmin(caller);
    await this.change((manager) => this.removeEmpty(manager, caller, id));
  }

  /**
   * Moves all listings of a category to another one and emits `listing.updated` for each. With `preview`, it only says what
   * would be moved; with `remove`, it deletes the category afterwards.
   *
   * @throws ForbiddenError, NotFoundError; ValidationError if the target category does not exist; ConflictError if it has
   *   another number of listings than expected
   */
  async moveListings(caller: Caller, id: number, input: CategoryMove): Promise<CategoryMovedOut> {
    requireAdmin(caller);
    return this.change(async (manager) => {
      const from = await find(manager, id, input.preview ? '' : 'FOR UPDATE');
      const target = await this.target(manager, from, input.to);
      const counts = await one<Omit<CategoryMovedOut, 'first'>>(manager, COUNT_MOVABLE, [from.id]);
      const first = await many<MovedListingOut>(manager, FIRST_MOVABLE, [from.id, MAX_FIRST]);
      if (input.preview) return { ...counts, first };
      if (typeof input.expected === 'number' && input.expected !== counts.moved) {
        throw conflict(`${from.name} has ${counts.moved} listings by now. Look at them again before you move them.`);
      }
      const rows = await many<MovedListing>(manager, MOVE_LISTINGS, [from.id, target.id]);
      await recordAll(
        manager,
        rows.map(({ id: listing_id, name, org_id, owner_id, version }) => ({
          type: 'listing.updated' as const,
          orgId: org_id,
          ownerId: owner_id,
          data: { listing_id, name, version, changed: ['category' as const], org_id },
        })),
      );
      const moved = { ...subjectOf(from), to: input.to, moved: rows.length };
      if (rows.length > 0) await this.note(manager, caller, 'category.merged', moved);
      if (input.remove) await this.removeEmpty(manager, caller, id);
      return { ...counts, moved: rows.length, first };
    });
  }

  private async target(manager: EntityManager, from: CategoryRow, slug: string): Promise<{ id: number }> {
    const sql = `SELECT id FROM categories WHERE slug = $1 FOR KEY SHARE`;
    const target = await maybe<{ id: number }>(manager, sql, [slug]);
    if (target && target.id !== from.id) return target;
    const msg = target ? 'Must be a different category.' : `The category "${slug}" does not exist.`;
    throw new ValidationError([{ loc: ['body', 'to'], msg, type: 'value_error' }]);
  }

  private async removeEmpty(manager: EntityManager, caller: Caller, id: number): Promise<void> {
    const row = await find(manager, id, 'FOR UPDATE');
    const { count } = await one<{ count: number }>(manager, COUNT_LISTINGS, [id]);
    if (count > 0) {
      throw conflict(
        `${row.name} has ${count} listing${count === 1 ? '' : 's'}, including drafts and archived ones. Move them to another category first.`,
      );
    }
    await manager.getRepository(Category).delete({ id });
    await this.note(manager, caller, 'category.deleted', subjectOf(row));
  }

  /** In a transaction; the next request to this process sees it, even before the notification arrives. */
  private async change<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const result = await this.registry.change(work);
    this.list.readAgain();
    return result;
  }

  private note<T extends Action>(
    manager: EntityManager,
    { userId }: Caller,
    action: T,
    data: EventTypes[T],
  ): Promise<void> {
    const subject = { type: 'category', id: null };
    return this.log.record(manager, { action, userId: null, by: byUser(userId), subject, data } as AnyAccountChange);
  }
}

function requireAdmin({ isPlatformAdmin }: Caller): void {
  if (!isPlatformAdmin)
    throw new ForbiddenError('Only platform administrators can change categories (PLATFORM_ADMINS).');
}

async function find(manager: EntityManager, id: number, lock: '' | 'FOR UPDATE' = ''): Promise<CategoryRow> {
  const row = await maybe<CategoryRow>(manager, `SELECT ${COLUMNS} FROM categories WHERE id = $1 ${lock}`, [id]);
  return requireFound(row, ErrorCode.CategoryNotFound, id);
}

function subjectOf({ id, name, slug }: CategoryRow) {
  return { org_id: null, category_id: id, name, slug };
}

function isPermutation(order: readonly number[], known: readonly number[]): boolean {
  return (
    new Set(order).size === order.length && [...order].sort(asNumbers).join() === [...known].sort(asNumbers).join()
  );
}

const asNumbers = (one: number, other: number): number => one - other;

function conflict(detail: string): ConflictError {
  return new ConflictError(ErrorCode.CategoryConflict, detail);
}
