import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { inTransaction } from '../../database/transaction';
import { record } from '../../events/outbox';
import { Page, PageQuery, Pages } from '../../http/requests/page';
import { BundleFinder } from '../bundle-finder';
import type { BundleRow } from '../bundle.dto';
import { BundleFollowerOut, BundleFollowerRow, toBundleFollower } from './bundle-people.dto';
import { isKnown } from './known-person.sql';

const LIST = 'bundle followers';

/** $1 bundle, $2 and $3 time and person of the last row of the page before, $4 rows, $5 the reader. */
const NEWEST_FIRST = `
  SELECT bundle_follows.user_id, CASE WHEN ${isKnown('bundle_follows.user_id', '$5')} THEN users.name END AS name,
         bundle_follows.created_at AS followed_at
  FROM bundle_follows JOIN users ON users.id = bundle_follows.user_id
  WHERE bundle_follows.bundle_id = $1
    AND ($2::timestamptz IS NULL OR (bundle_follows.created_at, bundle_follows.user_id) < ($2, $3::uuid))
  ORDER BY bundle_follows.created_at DESC, bundle_follows.user_id DESC LIMIT $4`;

/** Who follows which bundle (contract, section 6). A trigger counts them. */
@Injectable()
export class BundleFollowersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: BundleFinder,
    private readonly pages: Pages,
  ) {}

  /**
   * Whoever may see a bundle may follow it; again changes nothing.
   *
   * @throws NotFoundError
   */
  async follow(caller: Caller, bundleId: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const bundle = await this.finder.readable(manager, caller, bundleId);
      const rows = await manager.query<object[]>(
        // Not an error if the bundle is deleted at this moment: then there is nothing to follow.
        `INSERT INTO bundle_follows (bundle_id, user_id)
         SELECT id, $2::uuid FROM bundles WHERE id = $1 FOR KEY SHARE ON CONFLICT DO NOTHING RETURNING user_id`,
        [bundle.id, caller.userId],
      );
      if (rows.length > 0) await tell(manager, 'bundle.followed', bundle, caller);
    });
  }

  /**
   * Also ends the following of a bundle that one may not see any more.
   *
   * @throws NotFoundError for a bundle that the caller neither follows nor may see
   */
  async unfollow(caller: Caller, bundleId: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const [, count] = await manager.query<[object[], number]>(
        `DELETE FROM bundle_follows WHERE bundle_id = $1 AND user_id = $2`,
        [bundleId, caller.userId],
      );
      if (count === 0) {
        await this.finder.readable(manager, caller, bundleId);
        return;
      }
      const [bundle] = await manager.query<BundleRow[]>(`SELECT * FROM bundles WHERE id = $1`, [bundleId]);
      if (bundle) await tell(manager, 'bundle.unfollowed', bundle, caller);
    });
  }

  /**
   * Newest first.
   *
   * @throws NotFoundError; ForbiddenError when the caller sees the bundle only because it is public
   */
  async list(caller: Caller, bundleId: string, query: PageQuery): Promise<Page<BundleFollowerOut>> {
    const request = this.pages.open(LIST, query, { bundle: bundleId });
    const bundle = await this.finder.insider(this.dataSource.manager, caller, bundleId);
    const [time = null, userId = null] = request.after?.split(' ') ?? [];
    const rows = await this.dataSource.query<BundleFollowerRow[]>(NEWEST_FIRST, [
      bundle.id,
      time,
      userId,
      request.take,
      caller.userId,
    ]);
    return this.pages.close(
      LIST,
      request,
      rows.map((row) => ({ ...row, id: row.user_id })),
      toBundleFollower,
      (row) => `${row.followed_at.toISOString()} ${row.user_id}`,
    );
  }
}

async function tell(
  manager: EntityManager,
  type: 'bundle.followed' | 'bundle.unfollowed',
  { id, org_id, owner_id }: BundleRow,
  { userId }: Caller,
): Promise<void> {
  await record(manager, { type, orgId: org_id, ownerId: owner_id, data: { bundle_id: id, user_id: userId, org_id } });
}
