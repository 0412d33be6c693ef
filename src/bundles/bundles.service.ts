import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../auth/caller';
import { newId } from '../database/id';
import { inTransaction } from '../database/transaction';
import { record } from '../events/outbox';
import { ValidationError } from '../http/errors';
import { Page, Pages } from '../http/page';
import { slugOf } from '../http/slug';
import { Memberships } from '../organisations/memberships.service';
import { BundleFinder } from './bundle-finder';
import { BundleCreate, BundleOut, BundleQuery, BundleRow, toBundle } from './bundle.dto';

const LIST = 'bundles';

/** Both newest first; $1 person or organisation, $2 the last id of the page before, $3 rows. */
const LIST_OF_ORGANISATION = `
  SELECT * FROM bundles WHERE org_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`;

/**
 * What the caller owns, edits or sees as a member. Each branch reads its own index and no more rows than a page has;
 * UNION takes out what more than one of them gives.
 */
const LIST_OF_CALLER = `
  SELECT bundles.* FROM bundles JOIN (
    (SELECT id FROM bundles WHERE owner_id = $1 AND org_id IS NULL AND ($2::uuid IS NULL OR id < $2)
     ORDER BY id DESC LIMIT $3)
    UNION
    (SELECT bundles.id FROM bundle_editors JOIN bundles ON bundles.id = bundle_editors.bundle_id
     WHERE bundle_editors.user_id = $1 AND bundles.org_id IS NULL AND ($2::uuid IS NULL OR bundles.id < $2)
     ORDER BY bundles.id DESC LIMIT $3)
    UNION
    (SELECT theirs.id FROM memberships CROSS JOIN LATERAL (
       SELECT id FROM bundles WHERE org_id = memberships.org_id AND ($2::uuid IS NULL OR id < $2)
       ORDER BY id DESC LIMIT $3) AS theirs
     WHERE memberships.user_id = $1 AND memberships.role IS NOT NULL)
  ) AS visible USING (id)
  ORDER BY bundles.id DESC LIMIT $3`;

@Injectable()
export class BundlesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: BundleFinder,
    private readonly memberships: Memberships,
    private readonly pages: Pages,
  ) {}

  /**
   * Every member may create bundles of an organisation, everybody personal ones.
   *
   * @throws NotFoundError for an organisation of which the caller is no member; ConflictError when the slug is taken;
   *   ValidationError when none can be made from the name
   */
  async create(caller: Caller, input: BundleCreate): Promise<BundleOut> {
    const slug = input.slug ?? slugOf(input.name);
    if (slug === undefined) {
      throw new ValidationError([
        { loc: ['body', 'slug'], msg: 'No slug can be made from this name; give one.', type: 'missing' },
      ]);
    }
    return inTransaction(this.dataSource, async (manager) => {
      if (input.org_id) await this.memberships.require(caller, input.org_id, 'MEMBER', manager);
      const [row] = await manager.query<BundleRow[]>(
        `INSERT INTO bundles (id, name, slug, description, visibility, org_id, owner_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING *`,
        [
          newId(),
          input.name,
          slug,
          input.description ?? '',
          input.visibility ?? 'PRIVATE',
          input.org_id ?? null,
          caller.userId,
        ],
      );
      const bundle = toBundle(row as BundleRow);
      await record(manager, {
        type: 'bundle.created',
        orgId: bundle.org_id,
        ownerId: bundle.owner_id,
        data: {
          bundle_id: bundle.id,
          name: bundle.name,
          slug: bundle.slug,
          visibility: bundle.visibility,
          org_id: bundle.org_id,
        },
      });
      return bundle;
    });
  }

  /**
   * Newest first: what the caller owns, edits or sees as a member; with `org_id` the bundles of that organisation.
   *
   * @throws NotFoundError for an organisation of which the caller is no member
   */
  async list(caller: Caller, { org_id, ...query }: BundleQuery): Promise<Page<BundleOut>> {
    const request = this.pages.open(LIST, query, { org_id });
    const orgId = request.filter.org_id;
    if (orgId) await this.memberships.require(caller, orgId, 'MEMBER');
    const rows = await this.dataSource.query<BundleRow[]>(orgId ? LIST_OF_ORGANISATION : LIST_OF_CALLER, [
      orgId ?? caller.userId,
      request.after ?? null,
      request.take,
    ]);
    return this.pages.close(LIST, request, rows, toBundle);
  }

  /** @throws NotFoundError */
  async get(caller: Caller, id: string): Promise<BundleOut> {
    return toBundle(await this.finder.readable(this.dataSource.manager, caller, id));
  }

  /**
   * Deletes the bundle; foreign keys take its entries, access tokens, follow links, deployments and editors with it.
   * Three statements in one transaction: find and lock, delete, record.
   *
   * @throws NotFoundError; ForbiddenError when the caller sees the bundle but may not modify it
   */
  async remove(caller: Caller, id: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const bundle = await this.finder.modifiable(manager, caller, id);
      await manager.query(`DELETE FROM bundles WHERE id = $1`, [bundle.id]);
      await record(manager, {
        type: 'bundle.deleted',
        orgId: bundle.org_id,
        ownerId: bundle.owner_id,
        data: {
          bundle_id: bundle.id,
          name: bundle.name,
          slug: bundle.slug,
          org_id: bundle.org_id,
          deleted_by: caller.userId,
        },
      });
    });
  }
}
