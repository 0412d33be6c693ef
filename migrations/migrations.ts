import { Accounts1763683200000 } from './1763683200000-accounts';
import { Events1763683210000 } from './1763683210000-events';
import { Organisations1763683220000 } from './1763683220000-organisations';
import { Scim1763683230000 } from './1763683230000-scim';
import { Catalogue1763683240000 } from './1763683240000-catalogue';
import { Bundles1763683250000 } from './1763683250000-bundles';
import { Webhooks1763683260000 } from './1763683260000-webhooks';
import { Deliveries1763770000000 } from './1763770000000-deliveries';
import { ScimProvider1763780000000 } from './1763780000000-scim-provider';
import { RoleResolution1763780010000 } from './1763780010000-role-resolution';
import { LastCalled1763780020000 } from './1763780020000-last-called';
import { BundlesWhole1763790000000 } from './1763790000000-bundles-whole';
import { RegistryRows1763795000000 } from './1763795000000-registry-rows';
import { ListingsWhole1763800000000 } from './1763800000000-listings-whole';
import { Import1763810000000 } from './1763810000000-import';
import { WebhookTenants1763830000000 } from './1763830000000-webhook-tenants';
import { WebhookTargetQueries1763830010000 } from './1763830010000-webhook-target-queries';
import { Invitations1763840000000 } from './1763840000000-invitations';
import { DirectoryConsent1763840010000 } from './1763840010000-directory-consent';
import { OrganisationDomains1763840020000 } from './1763840020000-organisation-domains';
import { ComparedNames1763850000000 } from './1763850000000-compared-names';
import { Deletion1763850010000 } from './1763850010000-deletion';
import { Documents1763860000000 } from './1763860000000-documents';
import { ListingNames1763860010000 } from './1763860010000-listing-names';
import { Namespaces1763860020000 } from './1763860020000-namespaces';
import { OrganisationCreators1763870000000 } from './1763870000000-organisation-creators';
import { OrganisationCalls1763870010000 } from './1763870010000-organisation-calls';
import { RowRetention1763870020000 } from './1763870020000-row-retention';
import { PinnedEntries1763870030000 } from './1763870030000-pinned-entries';
import { ScimLogOfBulk1763880000000 } from './1763880000000-scim-log-of-bulk';
import { OwnersOfTables1795336412434 } from './1795336412434-owners-of-tables';
import { RoomsOfInvitationsAndDomains1795344418389 } from './1795344418389-rooms-of-invitations-and-domains';
import { NameAudiences1795346429968 } from './1795346429968-name-audiences';
import { RegistryChanges1795356246890 } from './1795356246890-registry-changes';
import { Sessions1795367000000 } from './1795367000000-sessions';
import { PersonalAccessTokens1795367000001 } from './1795367000001-personal-access-tokens';
import { SigningKeys1795367000002 } from './1795367000002-signing-keys';
import { AuthorizationServer1795367000003 } from './1795367000003-authorization-server';
import { PasswordsAndSetUp1795367000004 } from './1795367000004-passwords-and-set-up';
import { People1795367000005 } from './1795367000005-people';
import { CompanySignIn1795367000006 } from './1795367000006-company-sign-in';
import { Passkeys1795367000009 } from './1795367000009-passkeys';
import { AccountEvents1795368000000 } from './1795368000000-account-events';
import { SessionProofs1795368000001 } from './1795368000001-session-proofs';
import { Mail1795368000002 } from './1795368000002-mail';
import { Replicas1795368000007 } from './1795368000007-replicas';
import { SecretsKeys1795369000000 } from './1795369000000-secrets-keys';
import { EventTraces1795369100000 } from './1795369100000-event-traces';
import { SchemaRequirements1795369200000 } from './1795369200000-schema-requirements';
import { PeopleWhileServing1795369200001 } from './1795369200001-people-while-serving';
import { WebhookPings1795369300000 } from './1795369300000-webhook-pings';
import { Gateway1795369400000 } from './1795369400000-gateway';
import { GatewayChecks1795369400001 } from './1795369400001-gateway-checks';
import { ClientAnswers1795369400002 } from './1795369400002-client-answers';
import { UpstreamOutages1795369400003 } from './1795369400003-upstream-outages';
import { Credentials1795369410000 } from './1795369410000-credentials';
import { CredentialChecks1795369410001 } from './1795369410001-credential-checks';
import { OAuthConnect1795369410100 } from './1795369410100-oauth-connect';
import { BundlePolicies1795369420000 } from './1795369420000-bundle-policies';
import { ToolRules1795369420001 } from './1795369420001-tool-rules';
import { ToolRulesChecks1795369420002 } from './1795369420002-tool-rules-checks';
import { EndpointCalls1795369430000 } from './1795369430000-endpoint-calls';
import { EndpointUrls1795369450000 } from './1795369450000-endpoint-urls';
import { FormerIndexes1795369460000 } from './1795369460000-former-indexes';
import { SearchStatistics1795369460001 } from './1795369460001-search-statistics';
import { OwnNews1795369460002 } from './1795369460002-own-news';
import { ShownDigests1795369476000 } from './1795369476000-shown-digests';
import { SignInPlaces1795369800000 } from './1795369800000-sign-in-places';
import { RecordChecks1795400000000 } from './1795400000000-record-checks';
import { OnlyEra1795764700000 } from './1795764700000-only-era';
import { EndedAccess1795764900000 } from './1795764900000-ended-access';
import { DocumentAddresses1795764901000 } from './1795764901000-document-addresses';
import { RegistrationTimes1795765100000 } from './1795765100000-registration-times';
import { LogLevels1795765700000 } from './1795765700000-log-levels';
import { NewsToAll1795766200000 } from './1795766200000-news-to-all';
import { CapabilitySets1795766300000 } from './1795766300000-capability-sets';
import { Reviews1795900000000 } from './1795900000000-reviews';
import { RatingOrder1795900000001 } from './1795900000001-rating-order';
import { Documentation1795900100000 } from './1795900100000-documentation';
import { Icons1795900200000 } from './1795900200000-icons';
import { ServerRequests1795910000000 } from './1795910000000-server-requests';
import { Feed1795910100000 } from './1795910100000-feed';
import { ListingBundles1795920000000 } from './1795920000000-listing-bundles';
import { VersionNotes1795930000000 } from './1795930000000-version-notes';
import { MemberWords1795940000000 } from './1795940000000-member-words';
import { MemberIndexes1795940010000 } from './1795940010000-member-indexes';
import { AuditFilters1795950000000 } from './1795950000000-audit-filters';
import { QuarantineDecisions1795970000000 } from './1795970000000-quarantine-decisions';
import { Moderation1795980000000 } from './1795980000000-moderation';
import { ModerationLists1795980000001 } from './1795980000001-moderation-lists';

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
  RoomsOfInvitationsAndDomains1795344418389,
  NameAudiences1795346429968,
  RegistryChanges1795356246890,
  Sessions1795367000000,
  PersonalAccessTokens1795367000001,
  SigningKeys1795367000002,
  AuthorizationServer1795367000003,
  PasswordsAndSetUp1795367000004,
  People1795367000005,
  CompanySignIn1795367000006,
  Passkeys1795367000009,
  AccountEvents1795368000000,
  SessionProofs1795368000001,
  Mail1795368000002,
  Replicas1795368000007,
  SecretsKeys1795369000000,
  EventTraces1795369100000,
  SchemaRequirements1795369200000,
  PeopleWhileServing1795369200001,
  WebhookPings1795369300000,
  Gateway1795369400000,
  GatewayChecks1795369400001,
  ClientAnswers1795369400002,
  UpstreamOutages1795369400003,
  Credentials1795369410000,
  CredentialChecks1795369410001,
  OAuthConnect1795369410100,
  BundlePolicies1795369420000,
  ToolRules1795369420001,
  ToolRulesChecks1795369420002,
  EndpointCalls1795369430000,
  EndpointUrls1795369450000,
  FormerIndexes1795369460000,
  SearchStatistics1795369460001,
  OwnNews1795369460002,
  ShownDigests1795369476000,
  SignInPlaces1795369800000,
  RecordChecks1795400000000,
  OnlyEra1795764700000,
  EndedAccess1795764900000,
  DocumentAddresses1795764901000,
  RegistrationTimes1795765100000,
  LogLevels1795765700000,
  NewsToAll1795766200000,
  CapabilitySets1795766300000,
  Reviews1795900000000,
  RatingOrder1795900000001,
  Documentation1795900100000,
  Icons1795900200000,
  ServerRequests1795910000000,
  Feed1795910100000,
  ListingBundles1795920000000,
  VersionNotes1795930000000,
  MemberWords1795940000000,
  MemberIndexes1795940010000,
  AuditFilters1795950000000,
  QuarantineDecisions1795970000000,
  Moderation1795980000000,
  ModerationLists1795980000001,
];
