import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { execute, many } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { record } from '../../events/outbox';
import { Page, PageQuery, Pages } from '../../http/requests/page';
import { BundleFinder } from '../bundle-finder';
import { Bundle } from '../bundle.entity';
import { BundleFollow } from './bundle-follow.entity';
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
      const added = await execute(
        manager,
        // Not an error if the bundle is deleted at this moment: then there is nothing to follow.
        `INSERT INTO bundle_follows (bundle_id, user_id)
         SELECT id, $2::uuid FROM bundles WHERE id = $1 FOR KEY SHARE ON CONFLICT DO NOTHING`,
        [bundle.id, caller.userId],
      );
      if (added > 0) {
        const { id, org_id: orgId, owner_id: ownerId } = bundle;
        await tell(manager, 'bundle.followed', { id, orgId, ownerId }, caller);
      }
    });
  }

  /**
   * Also ends the following of a bundle that one may not see any more.
   *
   * @throws NotFoundError for a bundle that the caller neither follows nor may see
   */
  async unfollow(caller: Caller, bundleId: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const follow = { bundleId, userId: caller.userId };
      const { affected } = await manager.getRepository(BundleFollow).delete(follow);
      if (!affected) {
        await this.finder.readable(manager, caller, bundleId);
        return;
      }
      const bundle = await manager.getRepository(Bundle).findOneBy({ id: bundleId });
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
    const rows = await many<BundleFollowerRow>(this.dataSource, NEWEST_FIRST, [
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
  { id, orgId, ownerId }: Pick<Bundle, 'id' | 'orgId' | 'ownerId'>,
  { userId }: Caller,
): Promise<void> {
  await record(manager, { type, orgId, ownerId, data: { bundle_id: id, user_id: userId, org_id: orgId } });
}
