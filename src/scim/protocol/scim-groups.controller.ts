import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { LIMITS } from './limits';
import { ScimGroups } from './groups/scim-groups.service';
import { GROUP_TYPE } from './schema/group-schema';
import { GROUP_IN, GROUP_LIST_OUT, GROUP_OUT } from './scim-openapi';
import { scimResourceController } from './scim-resource.controller';

/** RFC 7644, section 3, for Groups. */
@ApiTags('SCIM protocol')
@Controller('organisations/:org_id/scim/v2/Groups')
export class ScimGroupsController extends scimResourceController({
  type: GROUP_TYPE,
  resources: ScimGroups,
  schemas: { sent: GROUP_IN, shown: GROUP_OUT, list: GROUP_LIST_OUT },
  valueLimit: LIMITS.groupValues,
}) {}
