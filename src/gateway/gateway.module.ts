import { Module } from '@nestjs/common';
import { AdministrationModule } from './administration/administration.module';
import { CallsModule } from './calls/calls.module';
import { CompileModule } from './compile/compile.module';
import { ConnectBindingModule } from './connect/connect-binding.module';
import { ConnectModule } from './connect/connect.module';
import { CredentialsModule } from './credentials/credentials.module';
import { EdgeModule } from './edge/edge.module';
import { RulesModule } from './rules/rules.module';
import { BundleEndpoint } from './settings/bundle-endpoint.entity';
import { CALL_OUTCOMES } from './settings/call-outcome';
import { DEFAULT_ACCESS, ENDPOINT_NAMINGS, ENDPOINT_PRESENTATIONS } from './settings/endpoint-enums';
import { RECORD_MODES } from './settings/record-settings';
import { RECORDED_ARGUMENTS } from './settings/recorded-arguments';
import { UpstreamsModule } from './upstreams/upstreams.module';

/** What `settings/` declares, which has no parts for Nest and so no module. */
const SETTINGS = {
  entities: [BundleEndpoint],
  enums: {
    CallOutcome: CALL_OUTCOMES,
    EndpointNaming: ENDPOINT_NAMINGS,
    EndpointPresentation: ENDPOINT_PRESENTATIONS,
    EndpointRecord: RECORD_MODES,
    PolicyDefaultAccess: DEFAULT_ACCESS,
    RecordedArguments: RECORDED_ARGUMENTS,
  },
} as const;

/**
 * Bundles and deployments as MCP endpoints: a module for each folder that has parts for Nest. Each of them imports only
 * those of folders before it (docs/architecture.md), so Nest refuses to inject against that order.
 */
@Module({
  imports: [
    AdministrationModule,
    CallsModule,
    CompileModule,
    ConnectBindingModule,
    ConnectModule,
    CredentialsModule,
    EdgeModule,
    RulesModule,
    UpstreamsModule,
  ],
})
export class GatewayModule {
  /** In the order in which clients show tags and groups of events. */
  static readonly declares = [
    SETTINGS,
    AdministrationModule.declares,
    CredentialsModule.declares,
    UpstreamsModule.declares,
    RulesModule.declares,
    CompileModule.declares,
    CallsModule.declares,
    EdgeModule.declares,
    ConnectModule.declares,
  ] as const;
}
