import { Module } from '@nestjs/common';
import { OrganisationsModule } from '../organisations/organisations.module';
import { CategoriesController } from './categories.controller';
import { CategoryCountsScheduler } from './category-counts.scheduler';
import { CategoryCounts } from './category-counts.service';
import { CategoryList } from './category-list.service';
import { ListingsController } from './listings.controller';
import { ListingsService } from './listings.service';
import { SampleCatalogue } from './sample/sample-catalogue';

@Module({
  imports: [OrganisationsModule],
  controllers: [CategoriesController, ListingsController],
  providers: [CategoryList, CategoryCounts, CategoryCountsScheduler, ListingsService, SampleCatalogue],
  exports: [ListingsService],
})
export class CatalogModule {}
