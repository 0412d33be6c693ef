import { Module } from '@nestjs/common';
import { CatalogModule } from '../catalog/catalog.module';
import { SampleHeirs } from '../catalog/sample/sample-heirs';
import { Departures } from '../deletion/departures';
import { OrganisationsModule } from '../organisations/organisations.module';
import { BundleAccessTokensController } from './access-tokens/bundle-access-tokens.controller';
import { BundleAccessTokensService } from './access-tokens/bundle-access-tokens.service';
import { BundleTokenGuard } from './access-tokens/bundle-token.guard';
import { removeBundlesOf, removePersonalBundles } from './bundle-departure';
import { BundleFinder } from './bundle-finder';
import { BundlesController } from './bundles.controller';
import { BundlesService } from './bundles.service';
import { DeploymentUrlCheck } from './deployments/deployment-url';
import { DeploymentsController } from './deployments/deployments.controller';
import { DeploymentsService } from './deployments/deployments.service';
import { BundleEntriesController } from './entries/bundle-entries.controller';
import { BundleEntriesService } from './entries/bundle-entries.service';
import { EntryConfigChecks } from './entries/entry-config';
import { followHeir } from './entries/follow-heir';
import { BundleExportController } from './export/bundle-export.controller';
import { BundleExportService } from './export/bundle-export.service';
import { BundleEditorsService } from './people/bundle-editors.service';
import { BundleFollowersService } from './people/bundle-followers.service';
import { ManagedSettingsController } from './managed-settings/managed-settings.controller';
import { ManagedSettingsService } from './managed-settings/managed-settings.service';
import { BundlePeopleController } from './people/bundle-people.controller';
import { RegistryBundlesController } from './registry/registry-bundles.controller';
import { RegistryBundles } from './registry/registry-bundles.service';
import { BundleVersionReader } from './versions/bundle-version-reader';
import { BundleVersionsController } from './versions/bundle-versions.controller';
import { BundleVersionsService } from './versions/bundle-versions.service';

@Module({
  imports: [CatalogModule, OrganisationsModule],
  controllers: [
    BundlesController,
    BundleEntriesController,
    BundleVersionsController,
    BundleExportController,
    BundleAccessTokensController,
    BundlePeopleController,
    DeploymentsController,
    ManagedSettingsController,
    RegistryBundlesController,
  ],
  providers: [
    BundlesService,
    BundleFinder,
    BundleEntriesService,
    EntryConfigChecks,
    BundleVersionsService,
    BundleVersionReader,
    BundleExportService,
    BundleAccessTokensService,
    BundleTokenGuard,
    BundleFollowersService,
    BundleEditorsService,
    DeploymentsService,
    ManagedSettingsService,
    RegistryBundles,
    DeploymentUrlCheck,
  ],
})
export class BundlesModule {
  constructor(departures: Departures, heirs: SampleHeirs) {
    departures.register({ what: 'bundles', ofAccount: removePersonalBundles, ofOrganisation: removeBundlesOf });
    heirs.register(followHeir);
  }
}
