import { Module } from '@nestjs/common';
import { Environment } from '../config/environment';
import { RowRetention } from '../database/row-retention';
import { Departures } from '../deletion/departures';
import { TextChecks } from '../http/requests/text-checks';
import { OrganisationsModule } from '../organisations/organisations.module';
import { UsersModule } from '../users/users.module';
import { CategoriesController } from './categories/categories.controller';
import { CategoryCountsScheduler } from './categories/category-counts.scheduler';
import { CategoryCounts } from './categories/category-counts.service';
import { CategoryList } from './categories/category-list.service';
import { CategoryAdmin } from './categories/category-admin.service';
import { FetchedIcon } from './icons/fetched-icon.entity';
import { REMOVE_FORGOTTEN_ICONS } from './icons/fetched-icon.sql';
import { IconFetch } from './icons/icon-fetch';
import { IconsController } from './icons/icons.controller';
import { Icons } from './icons/icons.service';
import { ImportPage } from './import/import-page';
import { Import } from './import/import.service';
import { ImportRecords } from './import/import-records.service';
import { retainedImportRuns } from './import/retained-import-runs';
import { ImportHealth } from './import/import-health';
import { ImportScheduler } from './import/import.scheduler';
import { ImportsController } from './import/imports.controller';
import { editFaults } from './import/imported-document';
import { QUARANTINE_KINDS } from './import/incoming';
import { QuarantineController } from './import/quarantine.controller';
import { IMPORT_CHECK } from './import/quarantine.dto';
import { QUARANTINE_EVENTS } from './import/quarantine.events';
import { Quarantine } from './import/quarantine.service';
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
import { RegistryChanges } from './registry-changes';
import { RegistryMemory } from './registry/registry-memory';
import { RegistryService } from './registry/registry.service';
import { NAMESPACE_FORMAT } from './namespaces/namespace.dto';
import { removeNamespaces } from './namespaces/namespace-departure';
import { NamespaceFinder } from './namespaces/namespace-finder';
import { namespaceFault } from './namespaces/namespace-name';
import { NamespacesController } from './namespaces/namespaces.controller';
import { NamespacesService } from './namespaces/namespaces.service';
import { Publication } from './listings/publication';
import { DOCUMENTATION, documentationFault } from './listings/documentation';
import { documentFaults, SERVER_CHECK } from './listings/server-schema';
import { SampleHeirs } from './listings/sample-heirs';
import { REVIEW_EVENTS } from './reviews/review.events';
import { ListingReview } from './reviews/review.entity';
import { countReviews, moveReviews, removeReviews } from './reviews/review-departure';
import { ModeratedReviewsController } from './reviews/moderated-reviews.controller';
import { ModeratedReviews } from './reviews/moderated-reviews.service';
import { ReviewsController } from './reviews/reviews.controller';
import { ReviewsService } from './reviews/reviews.service';
import { SampleCatalogue } from './sample/sample-catalogue';
import { CATEGORY_EVENTS } from './categories/category.events';
import { Category } from './categories/category.entity';
import { CategoryCount } from './categories/category-count.entity';
import { CategoryCountRefresh } from './categories/category-count-refresh.entity';
import { Listing, LISTING_STATUSES } from './listings/listing.entity';
import { ListingVersion } from './listings/listing-version.entity';
import { ListingVersionClock } from './listings/listing-version-clock.entity';
import { Namespace, NAMESPACE_METHODS } from './namespaces/namespace.entity';
import { ImportSource } from './import/import-source.entity';
import { ImportRunRow } from './import/import-run.entity';
import { QUARANTINE_STATES, QuarantinedDocument } from './import/import-quarantine.entity';
import { CATALOG_ERRORS } from './catalog.errors';
import { ARCHIVERS } from './listings/listing.dto';
import { LISTING_EVENTS } from './listings/listing.events';
import { LISTING_SCOPES, LISTING_SORTS } from './listings/listing-query';
import { VISIBILITIES } from './listings/visibility';

@Module({
  imports: [OrganisationsModule, UsersModule],
  controllers: [
    CategoriesController,
    ListingsController,
    ListingVersionsController,
    IconsController,
    ReviewsController,
    ModeratedReviewsController,
    NamespacesController,
    ImportsController,
    QuarantineController,
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
    IconFetch,
    Icons,
    ReviewsService,
    ModeratedReviews,
    NamespaceFinder,
    NamespacesService,
    RegistryService,
    RegistryMemory,
    { provide: RegistryChanges, useExisting: RegistryMemory },
    RegistryErrors,
    RegistryReader,
    ImportPage,
    Import,
    ImportHealth,
    ImportScheduler,
    ImportRecords,
    Quarantine,
    SampleCatalogue,
    SampleHeirs,
  ],
  exports: [ListingFinder, ListingsService, SampleHeirs],
})
export class CatalogModule {
  static readonly declares = {
    entities: [
      Category,
      CategoryCount,
      CategoryCountRefresh,
      Listing,
      ListingVersion,
      ListingVersionClock,
      FetchedIcon,
      ListingReview,
      Namespace,
      ImportSource,
      ImportRunRow,
      QuarantinedDocument,
    ],
    errors: CATALOG_ERRORS,
    events: [LISTING_EVENTS, REVIEW_EVENTS, CATEGORY_EVENTS, QUARANTINE_EVENTS],
    tags: [
      ['Catalog', 'Categories of tool servers, and imports from other registries.'],
      ['MCP Listings', 'Tool servers: create, publish, search.'],
      ['Reviews', 'What people think of listings, and what owners answer.'],
      ['MCP Registry', 'The generic MCP registry API, version 0.1, for editors and other clients.'],
    ],
    enums: {
      ListingScope: LISTING_SCOPES,
      ListingSort: LISTING_SORTS,
      ImportRunStatus: ['running', 'finished', 'failed'],
      ListingArchiver: ARCHIVERS,
      ListingStatus: LISTING_STATUSES,
      ListingVersionStatus: ['active', 'deprecated', 'deleted'],
      NamespaceMethod: NAMESPACE_METHODS,
      QuarantineKind: QUARANTINE_KINDS,
      QuarantineState: QUARANTINE_STATES,
      Transport: ['stdio', 'streamable-http', 'sse'],
      Visibility: VISIBILITIES,
    },
  } as const;

  constructor(
    checks: TextChecks,
    departures: Departures,
    retention: RowRetention,
    heirs: SampleHeirs,
    { limits }: Environment,
  ) {
    departures.register(
      { what: 'namespaces', ofAccount: removeNamespaces },
      { what: 'reviews', ofAccount: removeReviews, countOfAccount: countReviews },
      {
        what: 'listings',
        ofAccount: (manager, userId) => releaseListings(manager, { userId }),
        ofOrganisation: (manager, orgId) => releaseListings(manager, { orgId }),
      },
    );
    heirs.register(moveReviews);
    retention.register(retainedImportRuns(limits));
    retention.registerExpiring({ name: 'the icons', remove: REMOVE_FORGOTTEN_ICONS });
    checks.registerObject(SERVER_CHECK, documentFaults);
    checks.registerObject(IMPORT_CHECK, editFaults);
    checks.register(DOCUMENTATION, documentationFault);
    checks.register(NAMESPACE_FORMAT, (text) => {
      const msg = namespaceFault(text.toLowerCase());
      return msg === undefined ? undefined : { msg, type: 'value_error' };
    });
  }
}
