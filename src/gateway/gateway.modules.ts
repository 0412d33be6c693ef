import { AdministrationModule } from './administration/administration.module';
import { CallsModule } from './calls/calls.module';
import { CompileModule } from './compile/compile.module';
import { ConnectBindingModule } from './connect/connect-binding.module';
import { ConnectModule } from './connect/connect.module';
import { CredentialsModule } from './credentials/credentials.module';
import { EdgeModule } from './edge/edge.module';
import { RulesModule } from './rules/rules.module';
import { UpstreamsModule } from './upstreams/upstreams.module';

/**
 * Bundles and deployments as MCP endpoints: a module for each folder that has parts for Nest, in the order in which clients
 * show their operations and events. Each imports only modules of folders before its own (docs/architecture.md), so Nest
 * refuses to inject against that order. A list and no module, because routes of modules that another one imports come last.
 */
export const GATEWAY_MODULES = [
  AdministrationModule,
  CallsModule,
  EdgeModule,
  CredentialsModule,
  ConnectModule,
  ConnectBindingModule,
  UpstreamsModule,
  RulesModule,
  CompileModule,
] as const;
