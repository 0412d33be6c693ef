import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { execute, many } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { record } from '../../events/outbox';
import { Page, PageQuery, Pages } from '../../http/requests/page';
import { isAcquaintedWith } from '../../organisations/members/acquaintance.sql';
import { requireOpenAccount } from '../../users/open-account';
import { BundleFinder } from '../bundle-finder';
import type { BundleRow } from '../bundle.dto';
import { Bundle } from '../bundle.entity';
import { ownerOf } from '../bundle-owner';
import { BundleFollow } from './bundle-follow.entity';
import { BundleFollowerOut, BundleFollowerRow, toBundleFollower } from './bundle-people.dto';

const LIST = 'bundle followers';

/** $1 bundle, $2 and $3 time and person of the last row of the page before, $4 rows, $5 caller. */
const NEWEST_FIRST = `
  SELECT bundle_follows.user_id, CASE WHEN ${isAcquaintedWith('$5', 'bundle_follows.user_id')} THEN users.name END AS name,
         bundle_follows.created_at AS followed_at
  FROM bundle_follows JOIN users ON users.id = bundle_follows.user_id
  WHERE bundle_follows.bundle_id = $1
    AND ($2::timestamptz IS NULL OR (bundle_follows.created_at, bundle_follows.user_id) < ($2, $3::uuid))
  ORDER BY bundle_follows.created_at DESC, bundle_follows.user_id DESC LIMIT $4`;

/** $1 bundle, $2 person. No row if the bundle is deleted at this moment. */
const INSERT = `
  INSERT INTO bundle_follows (bundle_id, user_id)
  SELECT id, $2::uuid FROM bundles WHERE id = $1 FOR KEY SHARE ON CONFLICT DO NOTHING`;

/** Who follows which bundle (contract, section 6). A trigger counts the followers of each. */
@Injectable()
export class BundleFollowersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: BundleFinder,
    private readonly pages: Pages,
  ) {}

  /**
   * Everyone who may see a bundle may follow it. Repeating it changes nothing.
   *
   * @throws NotFoundError
   */
  async follow(caller: Caller, bundleId: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      await requireOpenAccount(manager, caller.userId);
      const bundle = await this.finder.findForReader(manager, caller, bundleId);
      const added = await execute(manager, INSERT, [bundle.id, caller.userId]);
      if (added > 0) await publish(manager, 'bundle.followed', bundle, caller);
    });
  }

  /**
   * Also for a bundle that the caller may no longer see. Repeating it changes nothing.
   *
   * @throws NotFoundError for a bundle that the caller neither follows nor may see
   */
  async unfollow(caller: Caller, bundleId: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const follow = { bundleId, userId: caller.userId };
      const { affected } = await manager.getRepository(BundleFollow).delete(follow);
      if (!affected) {
        await this.finder.findForReader(manager, caller, bundleId);
        return;
      }
      const bundle = await manager.getRepository(Bundle).findOneBy({ id: bundleId });
      if (!bundle) return;
      const { id, orgId: org_id, ownerId: owner_id } = bundle;
      await publish(manager, 'bundle.unfollowed', { id, org_id, owner_id }, caller);
    });
  }

  /**
   * Newest first.
   *
   * @throws NotFoundError; ForbiddenError if the caller sees the bundle only because it is public
   */
  async list(caller: Caller, bundleId: string, query: PageQuery): Promise<Page<BundleFollowerOut>> {
    const page = this.pages.open(LIST, query, { bundle: bundleId });
    const bundle = await this.finder.findForInsider(this.dataSource.manager, caller, bundleId);
    const [time = null, userId = null] = page.after?.split(' ') ?? [];
    const rows = await many<BundleFollowerRow>(this.dataSource, NEWEST_FIRST, [
      bundle.id,
      time,
      userId,
      page.take,
      caller.userId,
    ]);
    return page.close(rows, toBundleFollower, (row) => `${row.followed_at.toISOString()} ${row.user_id}`);
  }
}

async function publish(
  manager: EntityManager,
  type: 'bundle.followed' | 'bundle.unfollowed',
  bundle: Pick<BundleRow, 'id' | 'org_id' | 'owner_id'>,
  { userId }: Caller,
): Promise<void> {
  const { id: bundle_id, org_id } = bundle;
  await record(manager, { type, ...ownerOf(bundle), data: { bundle_id, user_id: userId, org_id } });
}
