import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Lists } from '../../http/answers/answers';
import { OperationId } from '../../http/openapi/openapi-operations';
import { IdParam } from '../../http/requests/fields';
import { type ActingMember, CurrentMember } from '../../organisations/members/memberships.service';
import { Access } from '../bundle.access';
import { AllowedListingOut, AllowedListingsQuery } from './allowed-listing.dto';
import { AllowedListingsService } from './allowed-listings.service';

@ApiTags('Organisations')
@Controller('organisations/:org_id/allowed-listings')
export class AllowedListingsController {
  constructor(private readonly listings: AllowedListingsService) {}

  @Get()
  @OperationId('allowed_listings_list')
  @Access('organisation-member')
  @IdParam('org_id', 'The organisation.')
  @ApiOperation({
    summary: 'List the listings that an organisation allows',
    description:
      'What is in its allow list (`managed-settings`), each listing with all rules that apply and the bundles that have it, by name.',
  })
  @Lists(AllowedListingOut)
  list(@CurrentMember() member: ActingMember, @Query() query: AllowedListingsQuery) {
    return this.listings.list(member, query);
  }
}
