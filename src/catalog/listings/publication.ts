import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { Environment } from '../../config/environment';
import { execute } from '../../database/statements';
import { DomainError } from '../../errors/errors';
import { ErrorCode } from '../catalog.errors';
import type { ListingRow } from './listing.dto';
import { coveringNamespaces, namespaceOf } from '../namespaces/namespace-name';
import { SampleHeirs } from './sample-heirs';

/** $1 a namespace and its parents, $2 the listing's organisation or null, $3 its owner. */
const HOLDS = `
  SELECT FROM namespaces
  WHERE namespace = ANY ($1) AND verified_at IS NOT NULL
    AND CASE WHEN $2::uuid IS NULL THEN user_id = $3 ELSE org_id = $2 END
  LIMIT 1`;

/**
 * What a listing needs in order to be public (PUBLIC, and published or archived): its owner holds the namespace of its
 * name (contract, section 12.3). Drafts and private listings can have any name.
 */
@Injectable()
export class Publication {
  constructor(
    private readonly environment: Environment,
    private readonly heirs: SampleHeirs,
  ) {}

  /**
   * Called whenever a listing becomes public. A sample listing with the same name is replaced.
   *
   * @param listing locked by the caller; not public yet, or archived
   * @throws DomainError `namespace_required`
   */
  async admit(manager: EntityManager, caller: Caller, listing: ListingRow): Promise<void> {
    await this.requireNamespace(manager, caller, listing);
    await this.heirs.giveWay(manager, listing);
  }

  /**
   * Called whenever something new is published under a public name.
   *
   * @throws DomainError `namespace_required`
   */
  async requireNamespace(manager: EntityManager, caller: Caller, listing: ListingRow): Promise<void> {
    if (this.environment.publicListings === 'anybody' || caller.isPlatformAdmin) return;
    const namespace = namespaceOf(listing.name);
    const values = [coveringNamespaces(namespace), listing.org_id, listing.owner_id];
    if ((await execute(manager, HOLDS, values)) > 0) return;
    const holder = listing.org_id === null ? 'its owner needs' : 'its organisation needs';
    throw new DomainError(
      ErrorCode.NamespaceRequired,
      `To publish ${listing.name} for everyone, ${holder} the namespace ${namespace}. Claim it with POST /v1/mcp/namespaces, or publish it as PRIVATE.`,
    );
  }
}

/** @returns whether a listing is in the public catalogue or was archived from it */
export function isPublic({ status, visibility }: Pick<ListingRow, 'status' | 'visibility'>): boolean {
  return visibility === 'PUBLIC' && status !== 'DRAFT';
}
