import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { execute, many } from '../../database/statements';
import { Listing } from '../listings/listing.entity';

/** The listing that takes the place of a sample listing. */
export interface Heir {
  id: string;
  name: string;
}

/**
 * Lets what refers to a sample listing refer to its heir, in the transaction of the manager. The heir has its versions; it
 * may be the sample listing itself, adopted.
 */
export type Following = (manager: EntityManager, sampleId: string, heir: Heir) => Promise<void>;

/**
 * Lets sample listings give way to real ones of their names. What other modules have of a sample listing follows to its
 * heir; each of them registers how, since this module does not know them.
 */
@Injectable()
export class SampleHeirs {
  private readonly followings: Following[] = [];

  register(following: Following): void {
    this.followings.push(following);
  }

  /**
   * Removes the sample listing of the heir's name, if there is one.
   *
   * @param heir about to become public
   */
  async giveWay(manager: EntityManager, heir: Heir): Promise<void> {
    const samples = await many<{ id: string }>(
      manager,
      `SELECT id FROM listings WHERE lower(name COLLATE "C") = $1 AND is_sample AND id <> $2 FOR UPDATE`,
      [heir.name.toLowerCase(), heir.id],
    );
    for (const { id } of samples) {
      await this.follow(manager, id, heir);
      await manager.getRepository(Listing).delete({ id });
    }
  }

  /** @param heir of a sample listing that was adopted: itself, with its first real versions */
  async settleAdopted(manager: EntityManager, heir: Heir): Promise<void> {
    await this.follow(manager, heir.id, heir);
  }

  private async follow(manager: EntityManager, sampleId: string, heir: Heir): Promise<void> {
    for (const following of this.followings) await following(manager, sampleId, heir);
  }
}

/**
 * Makes sample listings real ones without a version: who calls this adds the first ones in the same transaction, and then
 * calls `settleAdopted`. They keep their ids, so all that refers to them stays.
 *
 * @param ids locked by the caller; those that are no samples are left alone
 * @returns those that were samples
 */
export async function adoptSamples(manager: EntityManager, ids: readonly string[]): Promise<string[]> {
  const adopted = await many<{ id: string }>(
    manager,
    `UPDATE listings SET is_sample = false, updated_at = now() WHERE id = ANY ($1) AND is_sample RETURNING id`,
    [ids],
  );
  if (adopted.length === 0) return [];
  const adoptedIds = adopted.map(({ id }) => id);
  await execute(manager, `DELETE FROM listing_versions WHERE listing_id = ANY ($1)`, [adoptedIds]);
  return adoptedIds;
}
