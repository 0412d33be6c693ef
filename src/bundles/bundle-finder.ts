import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../auth/caller';
import type { PreparedStatement } from '../database/prepared';
import { execute, maybe } from '../database/statements';
import { ErrorCode } from './bundle.errors';
import { ForbiddenError, NotFoundError } from '../errors/errors';
import { bundlesSeenBy } from './bundle-view.sql';
import type { BundleRow } from './bundle.dto';

/** $1 bundle, $2 person. */
const FIND: PreparedStatement = { name: 'bundle by id', sql: `${bundlesSeenBy('$2')} WHERE bundles.id = $1` };

/** $1 bundle. */
const LOCK = `SELECT FROM bundles WHERE id = $1 FOR UPDATE`;

/** The only way to get a bundle by its id: each method takes the caller and checks what they may do with it. */
@Injectable()
export class BundleFinder {
  /** @throws NotFoundError, also for a bundle that the caller may not see */
  async findForReader(manager: EntityManager, caller: Caller, id: string): Promise<BundleRow> {
    const bundle = await maybe<BundleRow>(manager, FIND, [id, caller.userId]);
    const isVisible = bundle !== undefined && (bundle.visibility === 'PUBLIC' || bundle.is_insider);
    if (!isVisible || isOutOfScope(caller, bundle)) throw new NotFoundError(ErrorCode.BundleNotFound, id);
    // An access token reads what its creator sees; it does not follow bundles or change them.
    return caller.confinedTo === undefined ? bundle : { ...bundle, may_modify: false, is_followed: false };
  }

  /**
   * For what is not public in a public bundle, such as its editors and deployments.
   *
   * @throws NotFoundError; ForbiddenError if the caller sees the bundle only because it is public
   */
  async findForInsider(manager: EntityManager, caller: Caller, id: string): Promise<BundleRow> {
    const bundle = await this.findForReader(manager, caller, id);
    if (!bundle.is_insider) {
      throw new ForbiddenError(
        'Only the owner, an editor or a member of the organisation can do this with this bundle.',
      );
    }
    return bundle;
  }

  /**
   * For what only editors may read.
   *
   * @throws NotFoundError; ForbiddenError if the caller sees the bundle but may not modify it
   */
  async findForEditor(manager: EntityManager, caller: Caller, id: string): Promise<BundleRow> {
    return requireEditor(await this.findForReader(manager, caller, id));
  }

  /**
   * For changes: also locks the bundle until the end of the transaction, so that changes to it follow one another.
   *
   * @throws NotFoundError; ForbiddenError if the caller sees the bundle but may not modify it
   */
  async lockForEditor(manager: EntityManager, caller: Caller, id: string): Promise<BundleRow> {
    // In a statement of its own: one that had to wait sees the locked row as it is now, but editors and members as they
    // were before the wait.
    await execute(manager, LOCK, [id]);
    return this.findForEditor(manager, caller, id);
  }
}

/** Whether the caller's token belongs to another bundle; `BundleTokenGuard` rejects such a request before this. */
function isOutOfScope({ confinedTo: bundleId }: Caller, { id }: BundleRow): boolean {
  return bundleId !== undefined && bundleId !== id;
}

function requireEditor(bundle: BundleRow): BundleRow {
  if (bundle.may_modify) return bundle;
  throw new ForbiddenError('Only the owner, an editor or an ADMIN of the organisation can change this bundle.');
}
