import { Accounts1763683200000 } from '../migrations/1763683200000-accounts';
import { Events1763683210000 } from '../migrations/1763683210000-events';
import { Organisations1763683220000 } from '../migrations/1763683220000-organisations';
import { Scim1763683230000 } from '../migrations/1763683230000-scim';
import { Catalogue1763683240000 } from '../migrations/1763683240000-catalogue';
import { Bundles1763683250000 } from '../migrations/1763683250000-bundles';
import { Webhooks1763683260000 } from '../migrations/1763683260000-webhooks';
import { Deliveries1763770000000 } from '../migrations/1763770000000-deliveries';
import { ScimProvider1763780000000 } from '../migrations/1763780000000-scim-provider';
import { LastCalled1763780020000 } from '../migrations/1763780020000-last-called';
import { RoleResolution1763780010000 } from '../migrations/1763780010000-role-resolution';
import { BundlesWhole1763790000000 } from '../migrations/1763790000000-bundles-whole';
import { ComparedNames1763850000000 } from '../migrations/1763850000000-compared-names';
import { Deletion1763850010000 } from '../migrations/1763850010000-deletion';
import { Import1763810000000 } from '../migrations/1763810000000-import';
import { WebhookTargetQueries1763830010000 } from '../migrations/1763830010000-webhook-target-queries';
import { WebhookTenants1763830000000 } from '../migrations/1763830000000-webhook-tenants';
import { ListingsWhole1763800000000 } from '../migrations/1763800000000-listings-whole';
import { RegistryRows1763795000000 } from '../migrations/1763795000000-registry-rows';
import { OrganisationCalls1763870010000 } from '../migrations/1763870010000-organisation-calls';
import { PinnedEntries1763870030000 } from '../migrations/1763870030000-pinned-entries';
import { RowRetention1763870020000 } from '../migrations/1763870020000-row-retention';
import { OrganisationCreators1763870000000 } from '../migrations/1763870000000-organisation-creators';
import { ScimLogOfBulk1763880000000 } from '../migrations/1763880000000-scim-log-of-bulk';
import { DirectoryConsent1763840010000 } from '../migrations/1763840010000-directory-consent';
import { Invitations1763840000000 } from '../migrations/1763840000000-invitations';
import { OrganisationDomains1763840020000 } from '../migrations/1763840020000-organisation-domains';
import { Documents1763860000000 } from '../migrations/1763860000000-documents';
import { ListingNames1763860010000 } from '../migrations/1763860010000-listing-names';
import { Namespaces1763860020000 } from '../migrations/1763860020000-namespaces';
import { OwnersOfTables1795336412434 } from '../migrations/1795336412434-owners-of-tables';
import { BundleAccessToken } from './bundles/access-tokens/bundle-access-token.entity';
import { BundleDeployment } from './bundles/deployments/bundle-deployment.entity';
import { BundleEditor } from './bundles/people/bundle-editor.entity';
import { BundleEntry } from './bundles/entries/bundle-entry.entity';
import { BundleFollow } from './bundles/people/bundle-follow.entity';
import { Bundle } from './bundles/bundle.entity';
import { BundleVersion } from './bundles/versions/bundle-version.entity';
import { Category } from './catalog/categories/category.entity';
import { CategoryCount } from './catalog/categories/category-count.entity';
import { CategoryCountRefresh } from './catalog/categories/category-count-refresh.entity';
import { QuarantinedDocument } from './catalog/import/import-quarantine.entity';
import { ImportRunRow } from './catalog/import/import-run.entity';
import { ImportSource } from './catalog/import/import-source.entity';
import { Listing } from './catalog/listings/listing.entity';
import { ListingVersion } from './catalog/listings/listing-version.entity';
import { ListingVersionClock } from './catalog/listings/listing-version-clock.entity';
import { Namespace } from './catalog/namespaces/namespace.entity';
import { EventRow } from './events/event.entity';
import { AuditEntry } from './organisations/audit/audit-entry.entity';
import { OrganisationDomain } from './organisations/domains/organisation-domain.entity';
import { Invitation } from './organisations/invitations/invitation.entity';
import { Membership } from './organisations/members/membership.entity';
import { Organisation } from './organisations/organisation.entity';
import { OrganisationCalls } from './scim/roles/organisation-calls.entity';
import { ScimGroup } from './scim/directory/scim-group.entity';
import { ScimGroupMember } from './scim/directory/scim-group-member.entity';
import { ScimRoleMapping } from './scim/roles/scim-role-mapping.entity';
import { ScimSettingsRow } from './scim/roles/scim-settings.entity';
import { ScimSyncChange } from './scim/roles/scim-sync-change.entity';
import { ScimSyncRun } from './scim/roles/scim-sync-run.entity';
import { ScimUser } from './scim/directory/scim-user.entity';
import { ScimLogEntry } from './scim/log/scim-log-entry.entity';
import { RevokedScimToken } from './scim/tokens/revoked-scim-token.entity';
import { ScimToken } from './scim/tokens/scim-token.entity';
import { DeletedIdentity } from './users/deleted-identity.entity';
import { Identity } from './users/identity.entity';
import { User } from './users/user.entity';
import { WebhookAttempt } from './webhooks/deliveries/webhook-attempt.entity';
import { WebhookDelivery } from './webhooks/deliveries/webhook-delivery.entity';
import { WebhookHour } from './webhooks/deliveries/webhook-hour.entity';
import { WebhookRecovery } from './webhooks/deliveries/webhook-recovery.entity';
import { WebhookLane } from './webhooks/engine/webhook-lane.entity';
import { WebhookNewEvent } from './webhooks/engine/webhook-new-event.entity';
import { WebhookQueueRow } from './webhooks/engine/webhook-queue.entity';
import { WebhookTenant } from './webhooks/engine/webhook-tenant.entity';
import { WebhookRemovedEndpoint } from './webhooks/engine/webhook-removed-endpoint.entity';
import { WebhookEndpoint } from './webhooks/endpoints/webhook-endpoint.entity';
import { WebhookFormerSecret } from './webhooks/endpoints/webhook-former-secret.entity';

/** Every table that the code knows; `test/migrations.e2e-spec.ts` holds it against the migrations. */
export const ENTITIES = [
  User,
  Identity,
  DeletedIdentity,
  EventRow,
  Organisation,
  Membership,
  Invitation,
  OrganisationDomain,
  ScimUser,
  ScimGroup,
  ScimGroupMember,
  ScimRoleMapping,
  ScimSettingsRow,
  OrganisationCalls,
  ScimSyncRun,
  ScimSyncChange,
  ScimToken,
  RevokedScimToken,
  ScimLogEntry,
  AuditEntry,
  Category,
  CategoryCount,
  CategoryCountRefresh,
  Listing,
  ListingVersion,
  ListingVersionClock,
  Namespace,
  ImportSource,
  ImportRunRow,
  QuarantinedDocument,
  Bundle,
  BundleEntry,
  BundleAccessToken,
  BundleFollow,
  BundleDeployment,
  BundleEditor,
  BundleVersion,
  WebhookEndpoint,
  WebhookFormerSecret,
  WebhookLane,
  WebhookTenant,
  WebhookNewEvent,
  WebhookDelivery,
  WebhookQueueRow,
  WebhookAttempt,
  WebhookHour,
  WebhookRecovery,
  WebhookRemovedEndpoint,
];

/** In the order in which they run. */
export const MIGRATIONS = [
  Accounts1763683200000,
  Events1763683210000,
  Organisations1763683220000,
  Scim1763683230000,
  Catalogue1763683240000,
  Bundles1763683250000,
  Webhooks1763683260000,
  Deliveries1763770000000,
  ScimProvider1763780000000,
  RoleResolution1763780010000,
  LastCalled1763780020000,
  BundlesWhole1763790000000,
  RegistryRows1763795000000,
  ListingsWhole1763800000000,
  Import1763810000000,
  WebhookTenants1763830000000,
  WebhookTargetQueries1763830010000,
  Invitations1763840000000,
  DirectoryConsent1763840010000,
  OrganisationDomains1763840020000,
  ComparedNames1763850000000,
  Deletion1763850010000,
  Documents1763860000000,
  ListingNames1763860010000,
  Namespaces1763860020000,
  OrganisationCreators1763870000000,
  OrganisationCalls1763870010000,
  RowRetention1763870020000,
  PinnedEntries1763870030000,
  ScimLogOfBulk1763880000000,
  OwnersOfTables1795336412434,
];
