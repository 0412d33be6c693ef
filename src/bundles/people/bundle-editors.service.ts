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
import { isAcquaintedWith } from '../../organisations/members/acquaintance.sql';
import { holdAccount } from '../../users/open-account';
import { BundleFinder } from '../bundle-finder';
import type { BundleRow } from '../bundle.dto';
import { Bundle } from '../bundle.entity';
import { isMemberOf } from '../bundle-insider.sql';
import { bundleUpdated } from '../bundle-updated';
import { BundleEditor } from './bundle-editor.entity';
import { BundleEditorOut, BundleEditorRow, toBundleEditor } from './bundle-people.dto';

const LIST = 'bundle editors';

/** $1 bundle, $2 the last person of the page before, $3 rows, $4 caller. */
const SELECT = `
  SELECT bundle_editors.user_id, CASE WHEN caller.is_acquainted THEN users.email END AS email,
         CASE WHEN caller.is_acquainted THEN users.name END AS name, bundle_editors.created_at,
         bundles.org_id IS NULL OR ${isMemberOf('bundle_editors.user_id')} AS may_modify
  FROM bundle_editors JOIN bundles ON bundles.id = bundle_editors.bundle_id JOIN users ON users.id = bundle_editors.user_id
  CROSS JOIN LATERAL (SELECT ${isAcquaintedWith('$4', 'bundle_editors.user_id')} AS is_acquainted) AS caller
  WHERE bundle_editors.bundle_id = $1 AND ($2::uuid IS NULL OR bundle_editors.user_id > $2)
  ORDER BY bundle_editors.user_id LIMIT $3`;

/** $3 the person to add: an existing editor needs no room. */
const BUNDLE_EDITORS: Cap = {
  name: 'editors of a bundle',
  rows: `bundle_editors WHERE bundle_id = $1
         AND NOT EXISTS (SELECT FROM bundle_editors WHERE bundle_id = $1 AND user_id = $3)`,
  code: ErrorCode.BundleEditorConflict,
  detail: (most) => `The bundle has ${most} editors, which is the limit. Remove one first.`,
};

/** The people who may modify a bundle besides its owner (contract, sections 4 and 6). */
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
   * In the order of their ids, which is roughly the order in which their accounts were created.
   *
   * @throws NotFoundError; ForbiddenError if the caller sees the bundle only because it is public
   */
  async list(caller: Caller, bundleId: string, query: PageQuery): Promise<Page<BundleEditorOut>> {
    const page = this.pages.open(LIST, query, { bundle: bundleId });
    const bundle = await this.finder.findForInsider(this.dataSource.manager, caller, bundleId);
    const rows = await many<BundleEditorRow>(this.dataSource, SELECT, [
      bundle.id,
      page.after,
      page.take,
      caller.userId,
    ]);
    return page.close(rows, toBundleEditor, (row) => row.user_id);
  }

  /**
   * Lets a person modify the bundle. Repeating it, or adding the owner, changes nothing.
   *
   * An editor of a bundle of an organisation must be a member of it, because a non-member would get no rights. An
   * editor of a personal bundle must share an organisation with the caller: otherwise anyone could find out a
   * stranger's name by their id, and put bundles in their list.
   *
   * @throws NotFoundError for a bundle, a person or a member; ForbiddenError; ConflictError if the bundle has as many
   *   editors as allowed
   */
  async add(caller: Caller, bundleId: string, userId: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      // Before the bundle, in the order in which an account is deleted. If it is closed by now, it has no memberships.
      await holdAccount(manager, userId);
      const bundle = await this.finder.lockForEditor(manager, caller, bundleId);
      await this.requirePerson(manager, caller, bundle, userId);
      if (bundle.owner_id === userId.toLowerCase()) return;
      const most = this.environment.limits.editorsPerBundle;
      const parameters = [userId];
      await requireRoom(manager, BUNDLE_EDITORS, { ownerId: bundle.id, most, parameters, isOwnerLocked: true });
      const added = await execute(
        manager,
        `INSERT INTO bundle_editors (bundle_id, user_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
        [bundle.id, userId],
      );
      if (added > 0) await publishChange(manager, bundle);
    });
  }

  /**
   * Editors may also remove themselves.
   *
   * @throws NotFoundError; ForbiddenError
   */
  async remove(caller: Caller, bundleId: string, userId: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const bundle = await this.finder.lockForEditor(manager, caller, bundleId);
      const { affected } = await manager.getRepository(BundleEditor).delete({ bundleId: bundle.id, userId });
      if (affected) await publishChange(manager, bundle);
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

async function publishChange(manager: EntityManager, bundle: BundleRow): Promise<void> {
  await manager.getRepository(Bundle).update({ id: bundle.id }, { updatedAt: () => 'now()' });
  await record(manager, bundleUpdated(bundle, ['editors']));
}
