import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager, IsNull, Not } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { Environment } from '../../config/environment';
import { type Cap, requireRoom } from '../../database/cap';
import { execute, many } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { record } from '../../events/outbox';
import { NotFoundError } from '../../errors/errors';
import { ErrorCode } from '../bundle.errors';
import { Page, PageQuery, Pages } from '../../http/requests/page';
import { Membership } from '../../organisations/members/membership.entity';
import { Memberships } from '../../organisations/members/memberships.service';
import { BundleFinder } from '../bundle-finder';
import type { BundleRow } from '../bundle.dto';
import { Bundle } from '../bundle.entity';
import { BundleEditor } from './bundle-editor.entity';
import { BundleEditorOut, BundleEditorRow, toBundleEditor } from './bundle-people.dto';
import { isKnown } from './known-person.sql';

const LIST = 'bundle editors';

/** $1 bundle, $2 the last person of the page before, $3 rows, $4 the reader. */
const SELECT = `
  SELECT bundle_editors.user_id, CASE WHEN known.is_known THEN users.email END AS email,
         CASE WHEN known.is_known THEN users.name END AS name, bundle_editors.created_at,
         bundles.org_id IS NULL OR EXISTS (
           SELECT 1 FROM memberships WHERE memberships.org_id = bundles.org_id
             AND memberships.user_id = bundle_editors.user_id AND memberships.role IS NOT NULL) AS may_modify
  FROM bundle_editors JOIN bundles ON bundles.id = bundle_editors.bundle_id JOIN users ON users.id = bundle_editors.user_id
  CROSS JOIN LATERAL (SELECT ${isKnown('bundle_editors.user_id', '$4')} AS is_known) AS known
  WHERE bundle_editors.bundle_id = $1 AND ($2::uuid IS NULL OR bundle_editors.user_id > $2)
  ORDER BY bundle_editors.user_id LIMIT $3`;

/** $3 the person to add: who is an editor already takes up no more room. */
const OF_BUNDLE: Cap = {
  name: 'editors of a bundle',
  rows: `bundle_editors WHERE bundle_id = $1
         AND NOT EXISTS (SELECT FROM bundle_editors WHERE bundle_id = $1 AND user_id = $3)`,
  code: ErrorCode.BundleEditorConflict,
  detail: (most) => `The bundle has ${most} editors, which is the limit. Remove one first.`,
};

/** Who may modify a bundle besides its owner (contract, sections 4 and 6). */
@Injectable()
export class BundleEditorsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: BundleFinder,
    private readonly memberships: Memberships,
    private readonly pages: Pages,
    private readonly environment: Environment,
  ) {}

  /**
   * In the order of their ids, which is about the order in which their accounts were made.
   *
   * @throws NotFoundError; ForbiddenError when the caller sees the bundle only because it is public
   */
  async list(caller: Caller, bundleId: string, query: PageQuery): Promise<Page<BundleEditorOut>> {
    const request = this.pages.open(LIST, query, { bundle: bundleId });
    const bundle = await this.finder.insider(this.dataSource.manager, caller, bundleId);
    const rows = await many<BundleEditorRow>(this.dataSource, SELECT, [
      bundle.id,
      request.after ?? null,
      request.take,
      caller.userId,
    ]);
    return this.pages.close(
      LIST,
      request,
      rows.map((row) => ({ ...row, id: row.user_id })),
      toBundleEditor,
    );
  }

  /**
   * Lets a person modify the bundle; again changes nothing, and neither does its owner. For a bundle of an organisation
   * it must be one of its members, since to anyone else it would give no right; for a personal one a person with whom the
   * caller shares an organisation, since a stranger's id must not become a name, nor the bundle appear in their list.
   *
   * @throws NotFoundError for a bundle, a person or a member; ForbiddenError; ConflictError when there are as many as
   *   allowed
   */
  async add(caller: Caller, bundleId: string, userId: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const bundle = await this.finder.modifiable(manager, caller, bundleId);
      await this.requirePerson(manager, caller, bundle, userId);
      if (bundle.owner_id === userId.toLowerCase()) return;
      const most = this.environment.limits.editorsPerBundle;
      const parameters = [userId];
      await requireRoom(manager, OF_BUNDLE, { ownerId: bundle.id, most, parameters, isOwnerLocked: true });
      const added = await execute(
        manager,
        `INSERT INTO bundle_editors (bundle_id, user_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
        [bundle.id, userId],
      );
      if (added > 0) await tell(manager, bundle);
    });
  }

  /**
   * An editor may also leave.
   *
   * @throws NotFoundError; ForbiddenError
   */
  async remove(caller: Caller, bundleId: string, userId: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const bundle = await this.finder.modifiable(manager, caller, bundleId);
      const { affected } = await manager.getRepository(BundleEditor).delete({ bundleId: bundle.id, userId });
      if (affected) await tell(manager, bundle);
    });
  }

  private async requirePerson(
    manager: EntityManager,
    caller: Caller,
    { org_id, owner_id }: BundleRow,
    userId: string,
  ): Promise<void> {
    if (org_id === null) {
      const isOwn = [owner_id, caller.userId].includes(userId.toLowerCase());
      if (isOwn || (await this.memberships.isColleague(manager, caller.userId, userId))) return;
      throw new NotFoundError(ErrorCode.UserNotFound, userId);
    }
    const isMember = await manager.getRepository(Membership).existsBy({ orgId: org_id, userId, role: Not(IsNull()) });
    if (!isMember) throw new NotFoundError(ErrorCode.MemberNotFound, userId);
  }
}

async function tell(manager: EntityManager, bundle: BundleRow): Promise<void> {
  const { id, name, slug, visibility, version, org_id, owner_id } = bundle;
  await manager.getRepository(Bundle).update({ id }, { updatedAt: () => 'now()' });
  await record(manager, {
    type: 'bundle.updated',
    orgId: org_id,
    ownerId: owner_id,
    data: { bundle_id: id, name, slug, visibility, changed: ['editors'], bundle_version: version, org_id },
  });
}
