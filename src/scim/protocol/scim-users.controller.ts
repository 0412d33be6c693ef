import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ScimUsers } from './users/scim-users.service';
import { USER_TYPE } from './schema/user-schema';
import { USER_IN, USER_LIST_OUT, USER_OUT } from './scim-openapi';
import { scimResourceController } from './scim-resource.controller';

/** RFC 7644, section 3, for Users. */
@ApiTags('SCIM protocol')
@Controller('organisations/:org_id/scim/v2/Users')
export class ScimUsersController extends scimResourceController({
  type: USER_TYPE,
  resources: ScimUsers,
  schemas: { sent: USER_IN, shown: USER_OUT, list: USER_LIST_OUT },
}) {}
