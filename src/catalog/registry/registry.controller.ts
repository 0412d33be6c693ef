import { Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Access } from '../catalog.access';
import { GivesPrepared } from '../../http/answers/answers';
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
import { RegistryMemory } from './registry-memory';
import { RegistryService } from './registry.service';

/**
 * The generic MCP registry API, frozen as v0.1. Editors read it without a token (contract, section 10). Most requests
 * do not get here: `RegistryMemory` has their answers ready.
 */
@ApiTags('MCP Registry')
@Controller('v0.1')
export class RegistryController {
  constructor(
    private readonly registry: RegistryService,
    private readonly memory: RegistryMemory,
  ) {}

  @Get('servers')
  @OperationId('registry_servers_list')
  @Access('open')
  @ApiOperation({ summary: 'List servers', description: 'Lists versions, ordered by server name and version.' })
  @GivesPrepared(ServerListOut, { isArray: false, description: 'One page.' })
  @RegistryFails(400, 422)
  list(@Query() query: RegistryQuery, @Req() request: Request, @Res() response: Response) {
    return this.memory.answer(request, response, () => this.registry.list(null, query));
  }

  @Get('servers/:server_name/versions')
  @OperationId('registry_versions_list')
  @Access('open')
  @NameParam()
  @ApiOperation({
    summary: 'List the versions of a server',
    description: 'Newest first. Returns all versions unless they exceed 1 MiB or 1,000 entries.',
  })
  @GivesPrepared(ServerListOut, { isArray: false, description: 'All versions, or a page of 1 MiB.' })
  @RegistryFails(400, 404, 422)
  versions(
    @Param('server_name') name: string,
    @Query() query: RegistryVersionsQuery,
    @Req() request: Request,
    @Res() response: Response,
  ) {
    return this.memory.answer(request, response, () => this.registry.versions(null, name, query));
  }

  @Get('servers/:server_name/versions/:version')
  @OperationId('registry_versions_get')
  @Access('open')
  @NameParam()
  @VersionParam()
  @ApiOperation({ summary: 'Read a version of a server' })
  @GivesPrepared(ServerResponseOut, { isArray: false, description: 'The current state.' })
  @RegistryFails(400, 404, 422)
  version(
    @Param('server_name') name: string,
    @Param('version') version: string,
    @Query() { include_deleted = false }: RegistryVersionQuery,
    @Req() request: Request,
    @Res() response: Response,
  ) {
    return this.memory.answer(request, response, () => this.registry.version(null, name, version, include_deleted));
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
  @GivesPrepared(RegistryCategoriesOut, { isArray: false })
  @RegistryFails()
  categories(@Req() request: Request, @Res() response: Response) {
    return this.memory.answer(request, response, () => this.registry.categories());
  }

  @Get('x/com.toolyard/facets')
  @OperationId('registry_facets_get')
  @Access('open')
  @ApiOperation({ summary: 'Count servers by category' })
  @GivesPrepared(RegistryFacetsOut, { isArray: false, description: 'The current counts.' })
  @RegistryFails(422)
  facets(@Query() query: RegistryFacetsQuery, @Req() request: Request, @Res() response: Response) {
    return this.memory.answer(request, response, () => this.registry.facets(query.search));
  }
}
