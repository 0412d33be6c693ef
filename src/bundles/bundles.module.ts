import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CatalogModule } from '../catalog/catalog.module';
import { SampleHeirs } from '../catalog/listings/sample-heirs';
import { AuthModule } from '../auth/auth.module';
import { MembershipOffers } from '../auth/authorization-server/membership-offers';
import { Departures } from '../deletion/departures';
import { OrganisationsModule } from '../organisations/organisations.module';
import { AllowedListingsController } from './allow-list/allowed-listings.controller';
import { AllowedListingsService } from './allow-list/allowed-listings.service';
import { BundleAccessTokensController } from './access-tokens/bundle-access-tokens.controller';
import { BundleAccessTokensService } from './access-tokens/bundle-access-tokens.service';
import { BundleTokenGuard } from './access-tokens/bundle-token.guard';
import { deleteBundlesOfOrganisation, deletePersonalBundles } from './bundle-departure';
import { BundleFinder } from './bundle-finder';
import { BundlesController } from './bundles.controller';
import { BundlesService } from './bundles.service';
import { DeploymentUrlCheck } from './deployments/deployment-url';
import { DeploymentsController } from './deployments/deployments.controller';
import { DeploymentsService } from './deployments/deployments.service';
import { CREDENTIAL_MODES } from './entries/credential-mode';
import { BundleEntriesController } from './entries/bundle-entries.controller';
import { BundleEntriesService } from './entries/bundle-entries.service';
import { EntryConfigChecks } from './entries/entry-config';
import { EntryReader } from './entries/entry-reader';
import { followHeir } from './entries/follow-heir';
import { PINNINGS } from './entries/pinning';
import { BundleExportController } from './export/bundle-export.controller';
import { BundleExportService } from './export/bundle-export.service';
import { FeedController } from './feed/feed.controller';
import { FeedService } from './feed/feed.service';
import { LINK_ENCODINGS } from './install/client-install';
import { ListingInstallController } from './install/listing-install.controller';
import { ListingInstallService } from './install/listing-install.service';
import { ALLOWANCE_RULES } from './listings/listing-allowance.dto';
import { ListingBundlesController } from './listings/listing-bundles.controller';
import { ListingBundlesService } from './listings/listing-bundles.service';
import { BundleEditorsService } from './people/bundle-editors.service';
import { BundleFollowersService } from './people/bundle-followers.service';
import { ManagedSettingsController } from './managed-settings/managed-settings.controller';
import { ManagedSettingsService } from './managed-settings/managed-settings.service';
import { BundlePeopleController } from './people/bundle-people.controller';
import { RegistryBundlesController } from './registry/registry-bundles.controller';
import { RegistryBundlesService } from './registry/registry-bundles.service';
import { BundleVersionReader } from './versions/bundle-version-reader';
import { BundleVersionsController } from './versions/bundle-versions.controller';
import { BundleVersionsService } from './versions/bundle-versions.service';
import { Bundle } from './bundle.entity';
import { BundleEntry } from './entries/bundle-entry.entity';
import { BundleAccessToken } from './access-tokens/bundle-access-token.entity';
import { BundleFollow } from './people/bundle-follow.entity';
import { BundleDeployment } from './deployments/bundle-deployment.entity';
import { BundleEditor } from './people/bundle-editor.entity';
import { BundleVersion } from './versions/bundle-version.entity';
import { BUNDLE_ERRORS } from './bundle.errors';
import { BUNDLE_EVENTS } from './bundle.events';
import { DEPLOYMENT_EVENTS } from './deployments/deployment.events';
import { BUNDLE_TOKEN_SCHEME } from './bundle.access';
import { BUNDLE_SCOPES } from './bundle.dto';
import { VERSION_ACTIONS } from './versions/version-action';
import { VersionParts } from './versions/version-parts';
import { BUNDLE_TOKEN_SCOPES } from './access-tokens/token-scope';
import { DEPLOYMENT_KINDS } from './deployments/deployment-kind';
import { ownerOfEndpoint } from './deployments/endpoint-owner';
import { EndpointSwitch } from './deployments/endpoint-switch';
import { DEPLOYMENT_STATUSES } from './deployments/deployment-status';
import { EDITORS, EXPORT_CLIENTS } from './export/export-client';
import { EXPORT_FORMATS } from './export/export.dto';
import { SKIP_REASONS } from './launch/skip';

@Module({
  imports: [AuthModule, CatalogModule, OrganisationsModule],
  controllers: [
    BundlesController,
    BundleEntriesController,
    BundleVersionsController,
    BundleExportController,
    BundleAccessTokensController,
    BundlePeopleController,
    FeedController,
    DeploymentsController,
    ManagedSettingsController,
    RegistryBundlesController,
    ListingInstallController,
    ListingBundlesController,
    AllowedListingsController,
  ],
  providers: [
    BundlesService,
    BundleFinder,
    BundleEntriesService,
    EntryReader,
    EntryConfigChecks,
    BundleVersionsService,
    BundleVersionReader,
    BundleExportService,
    BundleAccessTokensService,
    BundleTokenGuard,
    BundleFollowersService,
    BundleEditorsService,
    FeedService,
    DeploymentsService,
    ManagedSettingsService,
    RegistryBundlesService,
    ListingInstallService,
    ListingBundlesService,
    AllowedListingsService,
    DeploymentUrlCheck,
    EndpointSwitch,
    VersionParts,
  ],
  exports: [BundleFinder, EntryReader, BundleVersionReader, DeploymentsService, EndpointSwitch, VersionParts],
})
export class BundlesModule {
  static readonly declares = {
    entities: [Bundle, BundleEntry, BundleAccessToken, BundleFollow, BundleDeployment, BundleEditor, BundleVersion],
    errors: BUNDLE_ERRORS,
    events: [BUNDLE_EVENTS, DEPLOYMENT_EVENTS],
    credentials: [BUNDLE_TOKEN_SCHEME],
    tags: [
      ['Bundles', 'Sets of listings for a purpose, with versions, editors, followers and access tokens.'],
      ['Deployments', 'Where bundles run, and which version of them.'],
    ],
    enums: {
      AllowanceRule: ALLOWANCE_RULES,
      BundleScope: BUNDLE_SCOPES,
      BundleTokenScope: BUNDLE_TOKEN_SCOPES,
      BundleVersionAction: VERSION_ACTIONS,
      CredentialMode: CREDENTIAL_MODES,
      DeploymentKind: DEPLOYMENT_KINDS,
      DeploymentStatus: DEPLOYMENT_STATUSES,
      ExportClient: EXPORT_CLIENTS,
      ExportFormat: EXPORT_FORMATS,
      InstallClient: EDITORS,
      LinkEncoding: LINK_ENCODINGS,
      Pinning: PINNINGS,
      SkipReason: SKIP_REASONS,
    },
  } as const;

  constructor(departures: Departures, heirs: SampleHeirs, offers: MembershipOffers, { manager }: DataSource) {
    offers.registerOwners((endpoint) => ownerOfEndpoint(manager, endpoint));
    departures.register({
      what: 'bundles',
      ofAccount: deletePersonalBundles,
      ofOrganisation: deleteBundlesOfOrganisation,
    });
    heirs.register(followHeir);
  }
}
