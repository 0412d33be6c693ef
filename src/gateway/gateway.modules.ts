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
 *
 * Four folders are libraries without such parts:
 * - `protocol/` gets messages, definitions and headers as servers and clients send them. It gives them back read, checked or
 *   in the form of another revision of MCP, and knows no bundle.
 * - `settings/` has the table of what a bundle says of its endpoint, and its defaults; `administration/` writes them.
 * - `entries/` gets an entry with its document and configuration, and gives the server behind it. It also has the SQL of the
 *   entries that an endpoint serves.
 * - `search/` gets the tools that a client may use and a query, and gives the tools that match best.
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
