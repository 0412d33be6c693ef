import { Module } from '@nestjs/common';
import { Environment } from '../config/environment';
import { RowRetention } from '../database/row-retention';
import { Departures } from '../deletion/departures';
import { TextChecks } from '../http/requests/text-checks';
import { OrganisationsModule } from '../organisations/organisations.module';
import { CategoriesController } from './categories/categories.controller';
import { CategoryCountsScheduler } from './categories/category-counts.scheduler';
import { CategoryCounts } from './categories/category-counts.service';
import { CategoryList } from './categories/category-list.service';
import { CategoryAdmin } from './categories/category-admin.service';
import { ImportPage } from './import/import-page';
import { Import } from './import/import.service';
import { ImportRecords } from './import/import-records.service';
import { retainedImportRuns } from './import/retained-import-runs';
import { ImportScheduler } from './import/import.scheduler';
import { ImportsController } from './import/imports.controller';
import { RegistryReader } from './import/registry-reader';
import { releaseListings } from './listings/listing-departure';
import { ListingFinder } from './listings/listing-finder';
import { ListingSearch } from './listings/listing-search.service';
import { ListingVersionsController } from './listings/listing-versions.controller';
import { ListingWriter } from './listings/listing-writer';
import { ListingsController } from './listings/listings.controller';
import { ListingsService } from './listings/listings.service';
import { OrganisationRegistryController } from './registry/organisation-registry.controller';
import { RegistryController } from './registry/registry.controller';
import { RegistryErrors } from './registry/registry-errors';
import { RegistryService } from './registry/registry.service';
import { NAMESPACE_FORMAT } from './namespaces/namespace.dto';
import { removeNamespaces } from './namespaces/namespace-departure';
import { NamespaceFinder } from './namespaces/namespace-finder';
import { namespaceFault } from './namespaces/namespace-name';
import { NamespacesController } from './namespaces/namespaces.controller';
import { NamespacesService } from './namespaces/namespaces.service';
import { Publication } from './listings/publication';
import { documentFaults, SERVER_CHECK } from './listings/server-schema';
import { SampleHeirs } from './sample/sample-heirs';
import { SampleCatalogue } from './sample/sample-catalogue';

@Module({
  imports: [OrganisationsModule],
  controllers: [
    CategoriesController,
    ListingsController,
    ListingVersionsController,
    NamespacesController,
    ImportsController,
    RegistryController,
    OrganisationRegistryController,
  ],
  providers: [
    CategoryList,
    CategoryCounts,
    CategoryCountsScheduler,
    CategoryAdmin,
    ListingFinder,
    ListingWriter,
    ListingSearch,
    ListingsService,
    Publication,
    NamespaceFinder,
    NamespacesService,
    RegistryService,
    RegistryErrors,
    RegistryReader,
    ImportPage,
    Import,
    ImportScheduler,
    ImportRecords,
    SampleCatalogue,
    SampleHeirs,
  ],
  exports: [ListingsService, SampleHeirs],
})
export class CatalogModule {
  constructor(checks: TextChecks, departures: Departures, retention: RowRetention, { limits }: Environment) {
    departures.register(
      { what: 'namespaces', ofAccount: removeNamespaces },
      {
        what: 'listings',
        ofAccount: (manager, userId) => releaseListings(manager, { userId }),
        ofOrganisation: (manager, orgId) => releaseListings(manager, { orgId }),
      },
    );
    retention.register(retainedImportRuns(limits));
    checks.registerObject(SERVER_CHECK, documentFaults);
    checks.register(NAMESPACE_FORMAT, (text) => {
      const msg = namespaceFault(text.toLowerCase());
      return msg === undefined ? undefined : { msg, type: 'value_error' };
    });
  }
}
