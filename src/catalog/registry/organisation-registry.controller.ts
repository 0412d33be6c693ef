import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../catalog.access';
import { GivesJson } from '../../http/answers/answers';
import { OperationId } from '../../http/openapi/openapi-operations';
import { IdParam } from '../../http/requests/fields';
import { type ActingMember, CurrentMember } from '../../organisations/members/memberships.service';
import {
  RegistryQuery,
  RegistryVersionQuery,
  RegistryVersionsQuery,
  ServerListOut,
  ServerResponseOut,
} from './registry.dto';
import { NameParam, RegistryFails, VersionParam } from './registry-operation.decorator';
import { RegistryService } from './registry.service';

const OrganisationParam = (): MethodDecorator => IdParam('org_id', 'The organisation.');

/** The registry API for the members of an organisation: public listings and the organisation's private ones. */
@ApiTags('MCP Registry')
@Controller('organisations/:org_id/registry/v0.1')
export class OrganisationRegistryController {
  constructor(private readonly registry: RegistryService) {}

  @Get('servers')
  @OperationId('organisation_registry_servers_list')
  @Access('organisation-member')
  @OrganisationParam()
  @ApiOperation({ summary: 'List servers', description: 'Public servers and those of the organisation.' })
  @GivesJson(ServerListOut, 'One page.')
  @RegistryFails(400, 401, 403, 404, 422)
  list(@CurrentMember() member: ActingMember, @Query() query: RegistryQuery) {
    return this.registry.list(member.orgId, query);
  }

  @Get('servers/:server_name/versions')
  @OperationId('organisation_registry_versions_list')
  @Access('organisation-member')
  @OrganisationParam()
  @NameParam()
  @ApiOperation({ summary: 'List the versions of a server' })
  @GivesJson(ServerListOut, 'Newest first: all versions, or a page of 1 MiB.')
  @RegistryFails(400, 401, 403, 404, 422)
  versions(
    @CurrentMember() member: ActingMember,
    @Param('server_name') name: string,
    @Query() query: RegistryVersionsQuery,
  ) {
    return this.registry.versions(member.orgId, name, query);
  }

  @Get('servers/:server_name/versions/:version')
  @OperationId('organisation_registry_versions_get')
  @Access('organisation-member')
  @OrganisationParam()
  @NameParam()
  @VersionParam()
  @ApiOperation({ summary: 'Read a version of a server' })
  @GivesJson(ServerResponseOut)
  @RegistryFails(400, 401, 403, 404, 422)
  version(
    @CurrentMember() member: ActingMember,
    @Param('server_name') name: string,
    @Param('version') version: string,
    @Query() query: RegistryVersionQuery,
  ) {
    return this.registry.version(member.orgId, name, version, query.include_deleted ?? false);
  }
}
