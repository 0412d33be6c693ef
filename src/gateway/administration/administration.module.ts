import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module';
import { BundlesModule } from '../../bundles/bundles.module';
import { EndpointSwitch } from '../../bundles/deployments/endpoint-switch';
import { VersionParts } from '../../bundles/versions/version-parts';
import { MeModule } from '../../me/me.module';
import { WaitingSources } from '../../me/waiting-sources';
import { CallsModule } from '../calls/calls.module';
import { CompileModule } from '../compile/compile.module';
import { EdgeModule } from '../edge/edge.module';
import { BundleEndpoint } from '../settings/bundle-endpoint.entity';
import { CALL_OUTCOMES } from '../settings/call-outcome';
import {
  DEFAULT_ACCESS,
  ENDPOINT_NAMINGS,
  ENDPOINT_PRESENTATIONS,
  RECORD_MODES,
  RECORDED_ARGUMENTS,
} from '../settings/endpoint-enums';
import { RulesModule } from '../rules/rules.module';
import { readSettings } from '../settings/endpoint-settings';
import { UpstreamsModule } from '../upstreams/upstreams.module';
import { BundlePolicyVersion } from './bundle-policy-version.entity';
import { TOOL_STATES } from './bundle-tool.dto';
import { BundleToolsController } from './bundle-tools.controller';
import { BundleTools } from './bundle-tools.service';
import { ENDPOINT_ENTRY_STATES, PROBLEM_CODES } from './endpoint-report.dto';
import { CLIENT_AUTHENTICATIONS, CONNECTION_PROBLEMS, ENDPOINT_CLIENTS } from './endpoint-client.dto';
import { EndpointClientsController } from './endpoint-clients.controller';
import { EndpointClients } from './endpoint-clients.service';
import { EndpointReports } from './endpoint-reports.service';
import { endpointUse } from './endpoint-use';
import { ENDPOINT_EVENTS } from './endpoint.events';
import { EndpointsController } from './endpoints.controller';
import { EndpointsService } from './endpoints.service';
import { FixedArgumentsCheck } from './fixed-arguments-check';
import { PoliciesController } from './policies.controller';
import { PoliciesService } from './policies.service';
import { PolicyChanges } from './policy-changes';
import { DECISION_REASONS, PREVIEWED_ITEMS, PREVIEWED_KINDS } from './policy-preview.dto';
import { PolicyPreviews } from './policy-previews.service';
import { PolicyVersionPart } from './policy-version-part';
import { POLICY_EVENTS } from './policy.events';
import { ToolEdits } from './tool-edits.service';
import { ToolHistory } from './tool-history';
import { ToolInventory } from './tool-inventory';
import { ToolNewsJob } from './tool-news-job';
import { ToolTrials } from './tool-trials.service';
import { TOOL_ERRORS } from './tool.errors';
import { TOOL_EVENTS } from './tool.events';
import { UpstreamOutages } from './upstream-outages';
import { WaitingTools } from './waiting-tools';

/**
 * The REST side of endpoints, for the people who manage bundles.
 *
 * In come changes of settings, policies and tools, approvals, and questions. Out go reports about the servers of a bundle,
 * previews of what a person would see, calls on trial, and events when a server fails or changes its tools. It writes into
 * the tables of `settings/` and `rules/`, and keeps the policies of earlier versions. Versions of bundles contain policies and
 * tools because they are registered here with `bundles/`.
 */
@Module({
  imports: [AuthModule, BundlesModule, CallsModule, CompileModule, EdgeModule, MeModule, RulesModule, UpstreamsModule],
  controllers: [EndpointsController, EndpointClientsController, PoliciesController, BundleToolsController],
  providers: [
    EndpointsService,
    EndpointClients,
    EndpointReports,
    UpstreamOutages,
    PoliciesService,
    PolicyChanges,
    PolicyPreviews,
    PolicyVersionPart,
    BundleTools,
    FixedArgumentsCheck,
    ToolEdits,
    ToolHistory,
    ToolInventory,
    ToolNewsJob,
    ToolTrials,
    WaitingTools,
  ],
})
export class AdministrationModule {
  /** With what `settings/` has, which is a library without a module. */
  static readonly declares = {
    entities: [BundleEndpoint, BundlePolicyVersion],
    errors: TOOL_ERRORS,
    events: [ENDPOINT_EVENTS, POLICY_EVENTS, TOOL_EVENTS],
    tags: [
      ['MCP Endpoints', 'Bundles and deployments as MCP servers: settings, reports, and where clients get access.'],
    ],
    enums: {
      BundleToolState: TOOL_STATES,
      CallOutcome: CALL_OUTCOMES,
      ClientAuthentication: CLIENT_AUTHENTICATIONS,
      ConnectionProblemReason: CONNECTION_PROBLEMS,
      EndpointClient: ENDPOINT_CLIENTS,
      EndpointEntryState: ENDPOINT_ENTRY_STATES,
      EndpointNaming: ENDPOINT_NAMINGS,
      EndpointPresentation: ENDPOINT_PRESENTATIONS,
      EndpointProblemCode: PROBLEM_CODES,
      EndpointRecord: RECORD_MODES,
      PolicyDecisionReason: DECISION_REASONS,
      PolicyDefaultAccess: DEFAULT_ACCESS,
      PolicyItemKind: PREVIEWED_ITEMS,
      PolicyPreviewedKind: PREVIEWED_KINDS,
      RecordedArguments: RECORDED_ARGUMENTS,
    },
  } as const;

  constructor(
    endpoints: EndpointSwitch,
    versions: VersionParts,
    policies: PolicyVersionPart,
    tools: ToolHistory,
    waiting: WaitingSources,
    held: WaitingTools,
  ) {
    waiting.register('tools', (caller) => held.of(caller));
    endpoints.register(async (manager, bundleId) => (await readSettings(manager, bundleId)).is_enabled, endpointUse);
    versions.register(policies);
    versions.register(tools);
  }
}
