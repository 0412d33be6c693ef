import { Module } from '@nestjs/common';
import { OrganisationsModule } from '../organisations/organisations.module';
import { DOMAIN_ERRORS } from './domain.errors';
import { DomainsController } from './domains.controller';
import { DomainsService } from './domains.service';
import { OrganisationDomain } from './organisation-domain.entity';

/** The domains of an organisation, which it proves or is vouched for (contract, section 12.1). */
@Module({
  imports: [OrganisationsModule],
  controllers: [DomainsController],
  providers: [DomainsService],
})
export class DomainsModule {
  static readonly declares = { entities: [OrganisationDomain], errors: DOMAIN_ERRORS } as const;
}
