import { Module } from '@nestjs/common';
import { CatalogModule } from '../catalog/catalog.module';
import { OrganisationsModule } from '../organisations/organisations.module';
import { BundleEntriesController } from './bundle-entries.controller';
import { BundleEntriesService } from './bundle-entries.service';
import { BundleFinder } from './bundle-finder';
import { BundlesController } from './bundles.controller';
import { BundlesService } from './bundles.service';

@Module({
  imports: [OrganisationsModule, CatalogModule],
  controllers: [BundlesController, BundleEntriesController],
  providers: [BundlesService, BundleEntriesService, BundleFinder],
})
export class BundlesModule {}
