import { DynamicModule, Module, type Type } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { DataSource } from 'typeorm';
import { AuthModule } from './auth/auth.module';
import { BundlesModule } from './bundles/bundles.module';
import { CatalogModule } from './catalog/catalog.module';
import { Clock } from './config/clock';
import { ConfigModule } from './config/config.module';
import { Environment } from './config/environment';
import { ConsoleModule } from './console/console.module';
import { DatabaseModule } from './database/database.module';
import { type Declarations, Declared } from './declarations';
import { DeletionModule } from './deletion/deletion.module';
import { DomainsModule } from './domains/domains.module';
import { EventsModule } from './events/events.module';
import { GATEWAY_MODULES } from './gateway/gateway.modules';
import { HttpModule } from './http/http.module';
import { InvitationsModule } from './invitations/invitations.module';
import { MailModule } from './mail/mail.module';
import { MeModule } from './me/me.module';
import { MetricsModule } from './metrics/metrics.module';
import { OperationsModule } from './operations/operations.module';
import { SecretsKeysModule } from './operations/secrets-keys/secrets-keys.module';
import { OrganisationsModule } from './organisations/organisations.module';
import { PagesModule } from './pages/pages.module';
import { DirectoryBindingModule } from './scim/directory-binding.module';
import { ScimModule } from './scim/scim.module';
import { AccountModule } from './sign-in/account/account.module';
import { PeopleModule } from './sign-in/people/people.module';
import { ServerRequestsModule } from './server-requests/server-requests.module';
import { SignInModule } from './sign-in/sign-in.module';
import { UsersModule } from './users/users.module';
import { DnsResolver } from './outbound/dns-resolver';
import { OutboundModule } from './outbound/outbound.module';
import { WebhooksModule } from './webhooks/webhooks.module';

/**
 * The feature modules. Everything they declare is composed from this list, so a new one is a single line here. Clients
 * show the groups of operations and of events in this order (contract, section 8). The catalogue precedes all other
 * modules with routes: Express tries routes in registration order, and catalogue requests are the most frequent.
 */
const ROOMS: readonly (Type & { readonly declares?: Declarations })[] = [
  UsersModule,
  EventsModule,
  CatalogModule,
  BundlesModule,
  ...GATEWAY_MODULES,
  DirectoryBindingModule,
  MeModule,
  AccountModule,
  PeopleModule,
  OrganisationsModule,
  InvitationsModule,
  ServerRequestsModule,
  DomainsModule,
  ScimModule,
  WebhooksModule,
  DeletionModule,
  MailModule,
  SignInModule,
  AuthModule,
  OperationsModule,
  SecretsKeysModule,
];

/** What all modules declare, combined. */
export const DECLARED = new Declared(ROOMS.map(({ declares = {} }) => declares));

/** What a process needs besides its modules. */
export interface AppParts {
  environment: Environment;
  /** Connected and migrated. */
  dataSource: DataSource;
  /** The connection string of the same database. */
  databaseUrl: string;
  clock?: Clock;
  dns?: DnsResolver;
}

@Module({})
export class AppModule {
  static of({
    environment,
    dataSource,
    databaseUrl,
    clock = new Clock(),
    dns = new DnsResolver(),
  }: AppParts): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.with(environment, clock),
        DatabaseModule.over(dataSource, databaseUrl, DECLARED.databaseErrors),
        ScheduleModule.forRoot(),
        MetricsModule,
        HttpModule,
        PagesModule,
        ConsoleModule,
        OutboundModule.with(dns),
        EventsModule.with(DECLARED.events),
        ...ROOMS,
      ],
    };
  }
}
