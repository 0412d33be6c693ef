import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { execute } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { Category } from '../categories/category.entity';
import { Listing } from '../listings/listing.entity';
import { ListingWriter } from '../listings/listing-writer';
import type { ServerDocument } from '../listings/server-document';

interface SampleCatalogueFile {
  categories: { slug: string; name: string; description: string; icon: string; display_order: number }[];
  listings: { category: string; server: ServerDocument }[];
}

/** Fills an empty database with well-known tool servers, so that a new installation has something to show. */
@Injectable()
export class SampleCatalogue {
  private readonly logger = new Logger(SampleCatalogue.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly listings: ListingWriter,
  ) {}

  /** Loads everything or nothing, and only into a database without categories. */
  async loadIfEmpty(): Promise<void> {
    const path = join(__dirname, 'sample-catalogue.json');
    const sample = JSON.parse(await readFile(path, 'utf8')) as SampleCatalogueFile;
    await inTransaction(this.dataSource, async (manager) => {
      // Replicas that start together must not both see an empty table.
      await execute(manager, `LOCK TABLE categories IN SHARE ROW EXCLUSIVE MODE`);
      if (await manager.getRepository(Category).exists()) return;
      const categoryIds = new Map<string, number>();
      for (const { display_order, ...category } of sample.categories) {
        const { id } = await manager.save(manager.create(Category, { ...category, displayOrder: display_order }));
        categoryIds.set(category.slug, id);
      }
      const ids: string[] = [];
      for (const { category, server } of sample.listings) {
        const categoryId = categoryIds.get(category);
        if (categoryId === undefined) throw new Error(`${server.name} is in an unknown category: ${category}.`);
        const draft = { categoryId, server, visibility: 'PUBLIC', orgId: null, ownerId: null, isSample: true } as const;
        ids.push(await this.listings.create(manager, draft));
      }
      await this.listings.publish(manager, ids);
      this.logger.log(
        `Loaded the sample catalogue: ${sample.listings.length} listings in ${categoryIds.size} categories.`,
      );
    });
  }

  /**
   * Removes sample listings that were not adopted. Bundle entries stay, marked unavailable, and so do the categories.
   */
  async remove(): Promise<void> {
    const { affected } = await this.dataSource.getRepository(Listing).delete({ isSample: true });
    if (affected) this.logger.log(`Removed ${affected} listings of the sample catalogue (SAMPLE_CATALOGUE=false).`);
  }
}
