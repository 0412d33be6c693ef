import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../auth/caller';
import { maybe } from '../database/statements';
import { ErrorCode } from './bundle.errors';
import { ForbiddenError, NotFoundError } from '../errors/errors';
import { bundlesSeenBy } from './bundle-view.sql';
import type { BundleRow } from './bundle.dto';

/** $1 bundle, $2 person. */
const FIND = `${bundlesSeenBy('$2')} WHERE bundles.id = $1`;

const LOCKED = 'FOR UPDATE OF bundles';

/** The only way to a bundle by its id: with the caller. */
@Injectable()
export class BundleFinder {
  /** @throws NotFoundError, also for one that the caller may not see */
  async readable(manager: EntityManager, caller: Caller, id: string): Promise<BundleRow> {
    return this.find(manager, caller, id, '');
  }

  /**
   * For what is not public in a public bundle, such as who edits it and where it runs.
   *
   * @throws NotFoundError; ForbiddenError when the caller sees the bundle only because it is public
   */
  async insider(manager: EntityManager, caller: Caller, id: string): Promise<BundleRow> {
    const found = await this.find(manager, caller, id, '');
    if (!found.is_insider) {
      throw new ForbiddenError(
        'Only the owner, an editor or a member of the organisation can do this with this bundle.',
      );
    }
    return found;
  }

  /**
   * The same as `modifiable`, without the lock: for what editors may read.
   *
   * @throws NotFoundError; ForbiddenError when the caller sees the bundle but may not modify it
   */
  async editable(manager: EntityManager, caller: Caller, id: string): Promise<BundleRow> {
    return requireEditor(await this.find(manager, caller, id, ''));
  }

  /**
   * Also locks the bundle until the end of the transaction, so that changes to it follow one another.
   *
   * @throws NotFoundError; ForbiddenError when the caller sees the bundle but may not modify it
   */
  async modifiable(manager: EntityManager, caller: Caller, id: string): Promise<BundleRow> {
    return requireEditor(await this.find(manager, caller, id, LOCKED));
  }

  private async find(manager: EntityManager, caller: Caller, id: string, lock: '' | typeof LOCKED): Promise<BundleRow> {
    const row = await maybe<BundleRow>(manager, `${FIND} ${lock}`, [id, caller.userId]);
    const isHidden = !row || !(row.visibility === 'PUBLIC' || row.is_insider);
    if (isHidden || isElsewhere(caller, row)) throw new NotFoundError(ErrorCode.BundleNotFound, id);
    // A token reads what its maker sees; what its maker may do and follows is not the token's.
    return caller.confinedTo === undefined ? row : { ...row, may_modify: false, is_followed: false };
  }
}

/** The guard lets a token of another bundle not come as far as this. */
function isElsewhere({ confinedTo: bundleId }: Caller, { id }: BundleRow): boolean {
  return bundleId !== undefined && bundleId !== id;
}

function requireEditor(bundle: BundleRow): BundleRow {
  if (bundle.may_modify) return bundle;
  throw new ForbiddenError('Only the owner, an editor or an ADMIN of the organisation can change this bundle.');
}
