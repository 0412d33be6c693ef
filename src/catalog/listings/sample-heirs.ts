import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { execute, many } from '../../database/statements';
import { Listing } from './listing.entity';

/** The listing that replaces a sample listing. */
export interface Heir {
  id: string;
  name: string;
}

/**
 * Repoints references from a sample listing to its heir, in the transaction of the manager. The heir already has its
 * versions; it may be the sample listing itself, adopted.
 */
export type Following = (manager: EntityManager, sampleId: string, heir: Heir) => Promise<void>;

/**
 * Replaces sample listings by real ones with the same name. Other modules register here how their references move to
 * the heir, since this module does not know them.
 */
@Injectable()
export class SampleHeirs {
  private readonly followings: Following[] = [];

  register(following: Following): void {
    this.followings.push(following);
  }

  /**
   * Removes the sample listing with the heir's name, if there is one.
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

  /** @param heir the adopted sample listing itself, with its first real versions */
  async settleAdopted(manager: EntityManager, heir: Heir): Promise<void> {
    await this.follow(manager, heir.id, heir);
  }

  private async follow(manager: EntityManager, sampleId: string, heir: Heir): Promise<void> {
    for (const following of this.followings) await following(manager, sampleId, heir);
  }
}

/**
 * Turns sample listings into real ones without versions: the caller adds the first versions in the same transaction and
 * then calls `settleAdopted`. The listings keep their ids, so references to them stay valid.
 *
 * @param ids locked by the caller; listings that are not samples are ignored
 * @returns the ids of those that were samples
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
