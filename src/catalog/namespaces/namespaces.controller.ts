import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../catalog.access';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Creates, Gives, GivesNothing, Lists } from '../../http/answers/answers';
import { Fails } from '../../http/answers/api-errors';
import { ErrorCode } from '../catalog.errors';
import { IdParam } from '../../http/requests/fields';
import type { Cause } from '../../organisations/audit/audit-trail';
import { CurrentCause } from '../../organisations/audit/cause';
import { NamespaceCreate, NamespaceOut, NamespaceQuery } from './namespace.dto';
import { NamespacesService } from './namespaces.service';

const NamespaceParam = (): MethodDecorator => IdParam('namespace_id', 'The namespace of one holder.');

@ApiTags('MCP Listings')
@Controller('mcp/namespaces')
export class NamespacesController {
  constructor(private readonly namespaces: NamespacesService) {}

  @Post()
  @Access('account')
  @ApiOperation({
    summary: 'Claim or grant a namespace',
    description:
      'A public listing can be published only under a namespace that its owner holds. The response to a claim contains the TXT record that proves it. Platform administrators can grant a namespace instead.',
  })
  @Creates(NamespaceOut, ({ id }) => `/v1/mcp/namespaces/${id}`)
  @Fails(
    ErrorCode.OrganisationNotFound,
    ErrorCode.UserNotFound,
    ErrorCode.InsufficientRole,
    ErrorCode.Forbidden,
    ErrorCode.NamespaceConflict,
  )
  create(@CurrentCaller() caller: Caller, @CurrentCause() cause: Cause, @Body() body: NamespaceCreate) {
    return this.namespaces.create(caller, cause, body);
  }

  @Get()
  @Access('account')
  @ApiOperation({ summary: 'List namespaces', description: 'Newest first.' })
  @Lists(NamespaceOut)
  @Fails(ErrorCode.OrganisationNotFound, ErrorCode.Forbidden)
  list(@CurrentCaller() caller: Caller, @Query() query: NamespaceQuery) {
    return this.namespaces.list(caller, query);
  }

  @Get(':namespace_id')
  @Access('namespace-reader')
  @NamespaceParam()
  @ApiOperation({ summary: 'Read a namespace' })
  @Gives(NamespaceOut)
  get(@CurrentCaller() caller: Caller, @Param('namespace_id') id: string) {
    return this.namespaces.get(caller, id);
  }

  @Post(':namespace_id/verify')
  @HttpCode(200)
  @Access('namespace-manager')
  @NamespaceParam()
  @ApiOperation({
    summary: 'Verify a namespace',
    description:
      'Looks up the TXT record in the DNS, at most every 5 seconds. A verified namespace stays verified even if its record is gone; this operation then returns an error.',
  })
  @Gives(NamespaceOut)
  @Fails(ErrorCode.NamespaceConflict, ErrorCode.RateLimited)
  verify(@CurrentCaller() caller: Caller, @CurrentCause() cause: Cause, @Param('namespace_id') id: string) {
    return this.namespaces.verify(caller, cause, id);
  }

  @Delete(':namespace_id')
  @Access('namespace-manager')
  @NamespaceParam()
  @ApiOperation({
    summary: 'Give up or withdraw a namespace',
    description:
      'Listings published under it stay published, but no new ones can be published. Platform administrators can archive listings that have to be removed.',
  })
  @GivesNothing()
  remove(@CurrentCaller() caller: Caller, @CurrentCause() cause: Cause, @Param('namespace_id') id: string) {
    return this.namespaces.remove(caller, cause, id);
  }
}
