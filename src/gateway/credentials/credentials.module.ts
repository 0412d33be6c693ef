import { Module } from '@nestjs/common';
import { BundlesModule } from '../../bundles/bundles.module';
import { RowRetention } from '../../database/row-retention';
import { Departures } from '../../deletion/departures';
import { MeModule } from '../../me/me.module';
import { WaitingSources } from '../../me/waiting-sources';
import { OrganisationsModule } from '../../organisations/organisations.module';
import { CREDENTIAL_KINDS, CREDENTIAL_OWNERS, CREDENTIAL_STATUSES } from './credential-kinds';
import { CredentialNeedsController } from './credential-needs.controller';
import { CredentialOrigins } from './credential-origins';
import { CredentialSeal, SEALED_CREDENTIAL_COLUMNS } from './credential-seal';
import { CredentialSecrets } from './credential-secrets';
import { CredentialStore } from './credential-store';
import { CredentialTargets } from './credential-targets';
import { CredentialValue } from './credential-value.entity';
import { CredentialValueChecks } from './credential-values';
import { GIVEN_KINDS } from './credential.dto';
import { Credential } from './credential.entity';
import { CREDENTIAL_ERRORS } from './credential.errors';
import { CREDENTIAL_EVENTS } from './credential.events';
import { CredentialsController } from './credentials.controller';
import { CredentialsService } from './credentials.service';
import { CredentialsOfDeletedOwners } from './credentials-of-deleted-owners';
import { CREDENTIAL_STATES } from './entry-credential';
import { EntryNeeds } from './entry-needs.service';
import { CredentialsWithoutAccess } from './credentials-without-access';
import { WaitingAccounts } from './waiting-accounts';

/**
 * What servers are given to know who calls: secrets, and tokens that people got by connecting an account.
 *
 * In come values, from people by the REST operations and from `connect/` once an account is connected. Out go requests with
 * the values in them (`CredentialSecrets`), for the wire and nothing else; no operation returns a value. It keeps the values
 * sealed in `credentials` and `credential_values`, and removes those of people who left. Tokens are renewed and given back by
 * `connect/`, which implements `TokenRenewal` and `Revocations`.
 */
@Module({
  imports: [BundlesModule, MeModule, OrganisationsModule],
  controllers: [CredentialsController, CredentialNeedsController],
  providers: [
    CredentialSeal,
    CredentialStore,
    CredentialOrigins,
    CredentialSecrets,
    CredentialTargets,
    CredentialValueChecks,
    CredentialsService,
    CredentialsOfDeletedOwners,
    EntryNeeds,
    CredentialsWithoutAccess,
    WaitingAccounts,
  ],
  exports: [CredentialOrigins, CredentialSecrets, CredentialStore],
})
export class CredentialsModule {
  static readonly declares = {
    entities: [Credential, CredentialValue],
    sealed: SEALED_CREDENTIAL_COLUMNS,
    errors: CREDENTIAL_ERRORS,
    events: [CREDENTIAL_EVENTS],
    tags: [
      ['Credentials', 'What servers behind MCP endpoints are given to know who calls. Values go in, and never out.'],
    ],
    enums: {
      CredentialKind: CREDENTIAL_KINDS,
      CredentialOwner: CREDENTIAL_OWNERS,
      CredentialState: CREDENTIAL_STATES,
      CredentialStatus: CREDENTIAL_STATUSES,
      GivenCredentialKind: GIVEN_KINDS,
    },
  } as const;

  constructor(
    departures: Departures,
    retention: RowRetention,
    departed: CredentialsOfDeletedOwners,
    left: CredentialsWithoutAccess,
    waiting: WaitingSources,
    accounts: WaitingAccounts,
  ) {
    waiting.register('accounts', (caller) => accounts.of(caller));
    departures.register({
      what: 'credentials',
      ofAccount: (manager, userId) => departed.removeOfAccount(manager, userId),
      ofOrganisation: (manager, orgId) => departed.removeOfOrganisation(manager, orgId),
    });
    retention.registerEnding({ name: 'credentials of people who left', removeSome: () => left.removeSome() });
  }
}
