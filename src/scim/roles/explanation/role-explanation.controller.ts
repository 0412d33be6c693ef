import { Controller, Get, Param } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../scim.access';
import { Gives } from '../../../http/answers/answers';
import { Fails } from '../../../http/answers/api-errors';
import { ErrorCode } from '../../scim.errors';
import { IdParam } from '../../../http/requests/fields';
import { type ActingMember, CurrentMember } from '../../../organisations/members/memberships.service';
import { RoleExplanationOut } from './role-explanation.dto';
import { RoleExplanationService } from './role-explanation.service';

@ApiTags('SCIM')
@Controller('organisations/:org_id/members/:user_id/role-explanation')
export class RoleExplanationController {
  constructor(private readonly explanations: RoleExplanationService) {}

  @Get()
  @Access('organisation-admin')
  @IdParam('org_id', 'The organisation.')
  @IdParam(
    'user_id',
    'The member, or a person who is or was in the directory; alternatively the `id` of the directory user, which is required while its `user_id` is null.',
  )
  @ApiOperation({
    summary: 'Explain a role',
    description:
      'Which group and which mapping give a person their role, since when, and which role they would have without that mapping. Also why a person has no access.',
  })
  @Gives(RoleExplanationOut, 'The explanation.')
  @Fails(ErrorCode.MemberNotFound)
  get(@CurrentMember() member: ActingMember, @Param('user_id') userId: string) {
    return this.explanations.get(member, userId);
  }
}
