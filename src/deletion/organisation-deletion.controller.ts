import { Controller, Delete, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../organisations/organisation.access';
import { NeedsRecentSignIn } from '../auth/recent-sign-in';
import { Gives, GivesNothing } from '../http/answers/answers';
import { IdParam } from '../http/requests/fields';
import { type ActingMember, CurrentMember } from '../organisations/members/memberships.service';
import { OrganisationDeletionPreviewOut } from './organisation-deletion.dto';
import { OrganisationDeletion } from './organisation-deletion.service';

@ApiTags('Organisations')
@Controller('organisations/:org_id')
export class OrganisationDeletionController {
  constructor(private readonly deletion: OrganisationDeletion) {}

  @Get('deletion-preview')
  @Access('organisation-owner')
  @IdParam('org_id', 'The organisation.')
  @ApiOperation({
    summary: 'Preview the deletion of an organisation',
    description: 'Counts everything that would be deleted with the organisation.',
  })
  @Gives(OrganisationDeletionPreviewOut, 'What would be deleted.')
  preview(@CurrentMember() member: ActingMember) {
    return this.deletion.preview(member);
  }

  @Delete()
  @Access('organisation-owner')
  @NeedsRecentSignIn('organisations:delete')
  @IdParam('org_id', 'The organisation.')
  @ApiOperation({
    summary: 'Delete an organisation',
    description:
      'Deletes its memberships, bundles, drafts, private listings, tokens, directory and logs. Published listings are archived and lose their owner. Its webhook endpoints receive `organisation.deleted` and are then deleted. This cannot be undone. Takes a sign-in that is at most five minutes old, in a browser or by `auth_time` in a token of `OIDC_ISSUER`; a token of `npm run token`; or the scope `organisations:delete`, which a program has only if the person allowed exactly that.',
  })
  @GivesNothing('The organisation was deleted.')
  remove(@CurrentMember() member: ActingMember) {
    return this.deletion.remove(member);
  }
}
