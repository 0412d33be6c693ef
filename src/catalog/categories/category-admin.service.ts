import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { type Cap, requireRoom } from '../../database/cap';
import { execute, many, maybe, one } from '../../database/statements';
import { record } from '../../events/outbox';
import { ConflictError, ForbiddenError, ValidationError, requireFound } from '../../errors/errors';
import { ErrorCode } from '../catalog.errors';
import { slugOf } from '../../http/requests/slug';
import { RegistryChanges } from '../registry-changes';
import type { CategoryAdminOut, CategoryCreate, CategoryUpdate } from './category.dto';
import { Category } from './category.entity';
import { CategoryList } from './category-list.service';

const COLUMNS = `id, name, slug, description, icon, display_order,
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

/**
 * Lets platform administrators manage categories (contract, section 5). A database notification informs the replicas.
 */
@Injectable()
export class CategoryAdmin {
  constructor(
    private readonly registry: RegistryChanges,
    private readonly list: CategoryList,
  ) {}

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
      return one<CategoryAdminOut>(
        manager,
        `INSERT INTO categories (name, slug, description, icon, display_order)
         VALUES ($1, $2, $3, $4, COALESCE($5, (SELECT COALESCE(max(display_order), 0) + 10 FROM categories)))
         RETURNING ${COLUMNS}`,
        [input.name, slug, input.description ?? '', input.icon ?? 'box', input.display_order ?? null],
      );
    });
  }

  /**
   * An absent or null field keeps its value. @throws ForbiddenError, NotFoundError; ConflictError if the slug is taken
   */
  async update(caller: Caller, id: number, input: CategoryUpdate): Promise<CategoryAdminOut> {
    requireAdmin(caller);
    return this.change(async (manager) => {
      await execute(
        manager,
        `UPDATE categories SET name = COALESCE($2, name), slug = COALESCE($3, slug), description = COALESCE($4, description),
           icon = COALESCE($5, icon), display_order = COALESCE($6, display_order), updated_at = now()
         WHERE id = $1 AND (name, slug, description, icon, display_order) IS DISTINCT FROM
           (COALESCE($2, name), COALESCE($3, slug), COALESCE($4, description), COALESCE($5, icon), COALESCE($6, display_order))`,
        [
          id,
          input.name ?? null,
          input.slug ?? null,
          input.description ?? null,
          input.icon ?? null,
          input.display_order ?? null,
        ],
      );
      return find(manager, id);
    });
  }

  /** @throws ForbiddenError, NotFoundError; ConflictError if the category has listings, whatever their status */
  async remove(caller: Caller, id: number): Promise<void> {
    requireAdmin(caller);
    await this.change(async (manager) => {
      const { name } = await find(manager, id, 'FOR UPDATE');
      const { count } = await one<{ count: number }>(manager, COUNT_LISTINGS, [id]);
      if (count > 0) {
        throw new ConflictError(
          ErrorCode.CategoryConflict,
          `${name} has ${count} listing${count === 1 ? '' : 's'}, including drafts and archived ones. Move them to another category first.`,
        );
      }
      await manager.getRepository(Category).delete({ id });
    });
  }

  /**
   * Moves all listings of a category to another one and emits `listing.updated` for each.
   *
   * @returns the number of moved listings
   * @throws ForbiddenError, NotFoundError; ValidationError if the target category does not exist
   */
  async moveListings(caller: Caller, id: number, to: string): Promise<number> {
    requireAdmin(caller);
    return this.change(async (manager) => {
      const from = await find(manager, id);
      const target = await maybe<{ id: number }>(manager, `SELECT id FROM categories WHERE slug = $1 FOR KEY SHARE`, [
        to,
      ]);
      if (!target || target.id === from.id) {
        const msg = target ? 'Must be a different category.' : `The category "${to}" does not exist.`;
        throw new ValidationError([{ loc: ['body', 'to'], msg, type: 'value_error' }]);
      }
      const rows = await many<MovedListing>(
        manager,
        `UPDATE listings SET category_id = $2, updated_at = now() FROM listing_versions AS latest
         WHERE category_id = $1 AND latest.listing_id = listings.id AND latest.is_latest
         RETURNING listings.id, name, listings.org_id, owner_id, latest.version`,
        [from.id, target.id],
      );
      for (const { id: listing_id, name, org_id, owner_id, version } of rows) {
        const data = { listing_id, name, version, changed: ['category' as const], org_id };
        await record(manager, { type: 'listing.updated', orgId: org_id, ownerId: owner_id, data });
      }
      return rows.length;
    });
  }

  /** In a transaction; the next request to this process sees it, even before the notification arrives. */
  private async change<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const result = await this.registry.change(work);
    this.list.readAgain();
    return result;
  }
}

function requireAdmin({ isPlatformAdmin }: Caller): void {
  if (!isPlatformAdmin)
    throw new ForbiddenError('Only platform administrators can change categories (PLATFORM_ADMINS).');
}

async function find(manager: EntityManager, id: number, lock: '' | 'FOR UPDATE' = ''): Promise<CategoryAdminOut> {
  const row = await maybe<CategoryAdminOut>(manager, `SELECT ${COLUMNS} FROM categories WHERE id = $1 ${lock}`, [id]);
  return requireFound(row, ErrorCode.CategoryNotFound, id);
}
