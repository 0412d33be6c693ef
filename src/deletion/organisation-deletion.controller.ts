import { Controller, Delete, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../organisations/organisation.access';
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
    description: 'Counts what would go with it now.',
  })
  @Gives(OrganisationDeletionPreviewOut, 'What would go.')
  preview(@CurrentMember() member: ActingMember) {
    return this.deletion.preview(member);
  }

  @Delete()
  @Access('organisation-owner')
  @IdParam('org_id', 'The organisation.')
  @ApiOperation({
    summary: 'Delete an organisation',
    description:
      'Its memberships, bundles, drafts and private listings, tokens, directory and logs go; what was published stays, archived and without an owner. Its webhook endpoints get `organisation.deleted`, and go when they have. It cannot be undone.',
  })
  @GivesNothing('The organisation is gone.')
  remove(@CurrentMember() member: ActingMember) {
    return this.deletion.remove(member);
  }
}
