import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { BundlesModule } from '../bundles/bundles.module';
import { EndpointSwitch } from '../bundles/deployments/endpoint-switch';
import { VersionParts } from '../bundles/versions/version-parts';
import { RowRetention } from '../database/row-retention';
import { Departures } from '../deletion/departures';
import { OrganisationsModule } from '../organisations/organisations.module';
import { CALL_OUTCOMES } from './settings/call-outcome';
import { CALL_PROVIDERS } from './calls/call.providers';
import { CallsController } from './calls/calls.controller';
import { EndpointCall } from './calls/endpoint-call.entity';
import {
  DEFAULT_ACCESS,
  ENDPOINT_NAMINGS,
  ENDPOINT_PRESENTATIONS,
  RECORD_MODES,
  RECORDED_ARGUMENTS,
} from './settings/endpoint-enums';
import { BundleCompiler } from './compile/bundle-compiler';
import { DefinitionSizes } from './compile/definition-sizes';
import { EndpointAlias } from './compile/endpoint-alias.entity';
import { EndpointAliases } from './compile/endpoint-aliases';
import { EndpointUpstream } from './compile/endpoint-upstream.entity';
import { EndpointUpstreams } from './compile/endpoint-upstreams';
import { EntrySources } from './compile/entry-sources';
import { ClientDocumentController } from './connect/client-document.controller';
import { REMOVE_UNUSED_REGISTRATIONS, SEALED_REGISTRATION_COLUMNS } from './connect/client-registrations';
import { ConnectFlow } from './connect/connect-flow.entity';
import { REMOVE_ABANDONED_FLOWS } from './connect/connect-flows';
import { ConnectPageController } from './connect/connect-page.controller';
import { ConnectController } from './connect/connect.controller';
import { CONNECT_PROVIDERS } from './connect/connect.providers';
import { OAuthClientRegistration } from './connect/oauth-client-registration.entity';
import { CREDENTIAL_KINDS, CREDENTIAL_OWNERS, CREDENTIAL_STATUSES } from './credentials/credential-kinds';
import { CredentialNeedsController } from './credentials/credential-needs.controller';
import { SEALED_CREDENTIAL_COLUMNS } from './credentials/credential-seal';
import { CredentialValue } from './credentials/credential-value.entity';
import { GIVEN_KINDS } from './credentials/credential.dto';
import { Credential } from './credentials/credential.entity';
import { CREDENTIAL_ERRORS } from './credentials/credential.errors';
import { CREDENTIAL_EVENTS } from './credentials/credential.events';
import { CREDENTIAL_PROVIDERS } from './credentials/credential.providers';
import { CredentialsController } from './credentials/credentials.controller';
import { CREDENTIAL_STATES } from './credentials/entry-credential';
import { CredentialsOfDeletedOwners } from './credentials/credentials-of-deleted-owners';
import { CredentialsWithoutAccess } from './credentials/credentials-without-access';
import { Admissions } from './edge/admission';
import { CallMessages } from './edge/call-messages';
import { CallRates } from './edge/call-rates';
import { CallRoutes } from './edge/call-routes';
import { CallSlots } from './edge/call-slots';
import { CallSteps } from './edge/call-steps';
import { CallsInFlight } from './edge/calls-in-flight';
import { ChangeStreams } from './edge/change-streams';
import { ClientAnswer } from './edge/client-answer.entity';
import { ClientLogLevel } from './edge/client-log-level.entity';
import { EdgeNews } from './edge/edge-news';
import { InputResponses, REMOVE_FORGOTTEN_ANSWERS } from './edge/input-responses';
import { LegacySessions } from './edge/legacy-sessions';
import { LogLevels, REMOVE_LOG_LEVELS } from './edge/log-levels';
import { SubscriptionStreams } from './edge/subscription-streams';
import { McpErrors } from './edge/mcp-errors';
import { McpGate } from './edge/mcp-gate';
import { McpMessages } from './edge/mcp-messages';
import { OwnMethods } from './edge/own-methods';
import { RequestStates } from './edge/request-states';
import { SealedSessions } from './edge/sealed-session';
import { ServerRequests } from './edge/server-requests';
import { ServerLists } from './edge/server-lists';
import { SessionSubscriptions } from './edge/session-subscriptions';
import { UpstreamRequestIds } from './edge/upstream-request-ids';
import { UnreadResponses } from './edge/unread-responses';
import { BundleEndpoint } from './settings/bundle-endpoint.entity';
import { EndpointMetadata } from './administration/endpoint-metadata';
import { EndpointMetadataController } from './administration/endpoint-metadata.controller';
import { ENDPOINT_ENTRY_STATES, PROBLEM_CODES } from './administration/endpoint-report.dto';
import { EndpointReports } from './administration/endpoint-reports.service';
import { readSettings } from './settings/endpoint-settings';
import { endpointUse } from './administration/endpoint-use';
import { ENDPOINT_EVENTS } from './administration/endpoint.events';
import { EndpointsController } from './administration/endpoints.controller';
import { EndpointsService } from './administration/endpoints.service';
import { UpstreamOutages } from './administration/upstream-outages';
import { GatewayCounters } from './edge/gateway-counters';
import { GatewayGauges } from './edge/gateway-gauges';
import { BundlePolicyVersion } from './administration/bundle-policy-version.entity';
import { BundlePolicy } from './rules/bundle-policy.entity';
import { PoliciesController } from './administration/policies.controller';
import { PoliciesService } from './administration/policies.service';
import { PolicyChanges } from './administration/policy-changes';
import { DECISION_REASONS, PREVIEWED_ITEMS, PREVIEWED_KINDS } from './administration/policy-preview.dto';
import { PolicyPreviews } from './administration/policy-previews.service';
import { POLICY_EFFECTS, POLICY_FINDINGS, POLICY_HINTS, POLICY_ROLES, SUBJECT_KINDS } from './rules/policy-rule';
import { PrincipalPolicies } from './rules/policy-store';
import { PolicyVersionPart } from './administration/policy-version-part';
import { POLICY_EVENTS } from './administration/policy.events';
import { TOOL_STATES } from './administration/bundle-tool.dto';
import { BundleToolsController } from './administration/bundle-tools.controller';
import { FINDINGS } from './rules/definition-findings';
import { ToolHistory } from './administration/tool-history';
import { REMOVE_GONE, REMOVE_UNUSED_DEFINITIONS } from './rules/tool-inventory.sql';
import { TOOL_KINDS } from './rules/tool-kinds';
import { TOOL_ERRORS } from './administration/tool.errors';
import { TOOL_EVENTS } from './administration/tool.events';
import { TOOL_ENTITIES, TOOL_PROVIDERS } from './administration/tool.providers';
import { UpstreamCapabilitySet } from './upstreams/upstream-capability-set.entity';
import { UpstreamDefinition } from './upstreams/upstream-definition.entity';
import { UpstreamSession } from './upstreams/upstream-session.entity';
import { UpstreamRow } from './upstreams/upstream.entity';
import { UPSTREAM_PROVIDERS } from './upstreams/upstream.providers';

@Module({
  imports: [AuthModule, OrganisationsModule, BundlesModule],
  controllers: [
    EndpointsController,
    PoliciesController,
    BundleToolsController,
    CallsController,
    EndpointMetadataController,
    ClientDocumentController,
    CredentialsController,
    CredentialNeedsController,
    ConnectController,
    ConnectPageController,
  ],
  providers: [
    ...UPSTREAM_PROVIDERS,
    ...CREDENTIAL_PROVIDERS,
    ...CONNECT_PROVIDERS,
    ...TOOL_PROVIDERS,
    ...CALL_PROVIDERS,
    EndpointsService,
    EndpointReports,
    EndpointMetadata,
    BundleCompiler,
    DefinitionSizes,
    EntrySources,
    EndpointAliases,
    EndpointUpstreams,
    UpstreamOutages,
    GatewayCounters,
    GatewayGauges,
    McpGate,
    McpErrors,
    McpMessages,
    OwnMethods,
    CallSteps,
    CallRoutes,
    Admissions,
    CallRates,
    CallMessages,
    CallSlots,
    CallsInFlight,
    ChangeStreams,
    EdgeNews,
    InputResponses,
    LegacySessions,
    LogLevels,
    SubscriptionStreams,
    RequestStates,
    SealedSessions,
    ServerRequests,
    ServerLists,
    SessionSubscriptions,
    UpstreamRequestIds,
    UnreadResponses,
    PoliciesService,
    PolicyChanges,
    PolicyPreviews,
    PolicyVersionPart,
    PrincipalPolicies,
  ],
})
export class GatewayModule {
  static readonly declares = {
    entities: [
      BundleEndpoint,
      EndpointAlias,
      EndpointUpstream,
      UpstreamRow,
      UpstreamDefinition,
      UpstreamCapabilitySet,
      UpstreamSession,
      ClientAnswer,
      ClientLogLevel,
      Credential,
      CredentialValue,
      OAuthClientRegistration,
      ConnectFlow,
      BundlePolicy,
      BundlePolicyVersion,
      ...TOOL_ENTITIES,
      EndpointCall,
    ],
    sealed: [...SEALED_CREDENTIAL_COLUMNS, ...SEALED_REGISTRATION_COLUMNS],
    errors: { ...CREDENTIAL_ERRORS, ...TOOL_ERRORS },
    events: [ENDPOINT_EVENTS, POLICY_EVENTS, TOOL_EVENTS, CREDENTIAL_EVENTS],
    tags: [
      ['MCP Endpoints', 'Bundles and deployments as MCP servers: settings, reports, and where clients get access.'],
      ['Credentials', 'What servers behind MCP endpoints are given to know who calls. Values go in, and never out.'],
    ],
    enums: {
      EndpointEntryState: ENDPOINT_ENTRY_STATES,
      CallOutcome: CALL_OUTCOMES,
      EndpointNaming: ENDPOINT_NAMINGS,
      EndpointRecord: RECORD_MODES,
      RecordedArguments: RECORDED_ARGUMENTS,
      EndpointProblemCode: PROBLEM_CODES,
      CredentialKind: CREDENTIAL_KINDS,
      CredentialOwner: CREDENTIAL_OWNERS,
      CredentialState: CREDENTIAL_STATES,
      CredentialStatus: CREDENTIAL_STATUSES,
      GivenCredentialKind: GIVEN_KINDS,
      EndpointPresentation: ENDPOINT_PRESENTATIONS,
      PolicyDecisionReason: DECISION_REASONS,
      PolicyDefaultAccess: DEFAULT_ACCESS,
      PolicyEffect: POLICY_EFFECTS,
      PolicyFindingCode: POLICY_FINDINGS,
      PolicyHint: POLICY_HINTS,
      PolicyPreviewedKind: PREVIEWED_KINDS,
      PolicyItemKind: PREVIEWED_ITEMS,
      PolicyRole: POLICY_ROLES,
      PolicySubjectKind: SUBJECT_KINDS,
      BundleToolFindingCode: FINDINGS,
      BundleToolKind: TOOL_KINDS,
      BundleToolState: TOOL_STATES,
    },
  } as const;

  constructor(
    endpoints: EndpointSwitch,
    retention: RowRetention,
    departures: Departures,
    departed: CredentialsOfDeletedOwners,
    left: CredentialsWithoutAccess,
    versions: VersionParts,
    policies: PolicyVersionPart,
    tools: ToolHistory,
  ) {
    departures.register({
      what: 'credentials',
      ofAccount: (manager, userId) => departed.removeOfAccount(manager, userId),
      ofOrganisation: (manager, orgId) => departed.removeOfOrganisation(manager, orgId),
    });
    retention.registerEnding({ name: 'credentials of people who left', removeSome: () => left.removeSome() });
    endpoints.register(async (manager, bundleId) => (await readSettings(manager, bundleId)).is_enabled, endpointUse);
    versions.register(policies);
    versions.register(tools);
    retention.registerExpiring({ name: 'answers of clients', remove: REMOVE_FORGOTTEN_ANSWERS });
    retention.registerExpiring({ name: 'log levels of sessions that are over', remove: REMOVE_LOG_LEVELS });
    retention.registerExpiring(
      { name: 'people at authorization servers', remove: REMOVE_ABANDONED_FLOWS },
      { name: 'unused OAuth client registrations', remove: REMOVE_UNUSED_REGISTRATIONS },
      { name: 'tools that no server lists', remove: REMOVE_GONE },
      { name: 'definitions that are not approved any more', remove: REMOVE_UNUSED_DEFINITIONS },
    );
  }
}
