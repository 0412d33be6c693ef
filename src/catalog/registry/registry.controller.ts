import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator';
import { Gives } from '../../http/answers/answers';
import { OperationId } from '../../http/openapi/openapi-operations';
import { DomainError, ErrorCode } from '../../errors/errors';
import {
  RegistryCategoriesOut,
  RegistryFacetsOut,
  RegistryFacetsQuery,
  RegistryQuery,
  RegistryVersionQuery,
  RegistryVersionsQuery,
  ServerListOut,
  ServerResponseOut,
} from './registry.dto';
import { NameParam, RegistryFails, VersionParam } from './registry-operation.decorator';
import { RegistryService } from './registry.service';

/** The generic MCP registry API, frozen as v0.1. Editors read it without a token (contract, section 10). */
@ApiTags('MCP Registry')
@Controller('v0.1')
export class RegistryController {
  constructor(private readonly registry: RegistryService) {}

  @Get('servers')
  @OperationId('registry_servers_list')
  @Access('open')
  @ApiOperation({ summary: 'List servers', description: 'Lists versions, ordered by server name and version.' })
  @Gives(ServerListOut, 'One page.')
  @RegistryFails(400, 422)
  list(@Query() query: RegistryQuery) {
    return this.registry.list(null, query);
  }

  @Get('servers/:server_name/versions')
  @OperationId('registry_versions_list')
  @Access('open')
  @NameParam()
  @ApiOperation({
    summary: 'List the versions of a server',
    description: 'Newest first. Returns all versions unless they exceed 1 MiB or 1,000 entries.',
  })
  @Gives(ServerListOut, 'All versions, or a page of 1 MiB.')
  @RegistryFails(400, 404, 422)
  versions(@Param('server_name') name: string, @Query() query: RegistryVersionsQuery) {
    return this.registry.versions(null, name, query);
  }

  @Get('servers/:server_name/versions/:version')
  @OperationId('registry_versions_get')
  @Access('open')
  @NameParam()
  @VersionParam()
  @ApiOperation({ summary: 'Read a version of a server' })
  @Gives(ServerResponseOut)
  @RegistryFails(400, 404, 422)
  version(@Param('server_name') name: string, @Param('version') version: string, @Query() query: RegistryVersionQuery) {
    return this.registry.version(null, name, version, query.include_deleted ?? false);
  }

  @Post('publish')
  @Access('open')
  @ApiOperation({ summary: 'Not supported', description: 'Create listings with `POST /v1/mcp/listings` instead.' })
  @RegistryFails(501)
  publish(): never {
    throw new DomainError(
      ErrorCode.NotImplemented,
      'Publishing is not supported here. Create a listing with POST /v1/mcp/listings; see /docs.',
    );
  }

  @Get('x/com.toolyard/categories')
  @OperationId('registry_categories_list')
  @Access('open')
  @ApiOperation({ summary: 'List categories', description: 'In display order.' })
  @Gives(RegistryCategoriesOut)
  @RegistryFails()
  categories() {
    return this.registry.categories();
  }

  @Get('x/com.toolyard/facets')
  @OperationId('registry_facets_get')
  @Access('open')
  @ApiOperation({ summary: 'Count servers by category' })
  @Gives(RegistryFacetsOut)
  @RegistryFails(422)
  facets(@Query() query: RegistryFacetsQuery) {
    return this.registry.facets(query.search);
  }
}
