import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../bundle.access';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { Creates, Gives, GivesNothing, Lists } from '../../http/answers/answers';
import { Fails } from '../../http/answers/api-errors';
import { ErrorCode } from '../bundle.errors';
import { BundleParam } from '../bundle-param';
import { IdParam } from '../../http/requests/fields';
import { DeploymentCreate, DeploymentOut, DeploymentQuery, DeploymentUpdate } from './deployment.dto';
import { DeploymentsService } from './deployments.service';

const { BundleVersionNotFound, DeploymentConflict, DeploymentNotFound } = ErrorCode;

@ApiTags('Deployments')
@Controller('bundles/:bundle_id/deployments')
export class DeploymentsController {
  constructor(private readonly deployments: DeploymentsService) {}

  @Post()
  @Access('bundle-editor')
  @BundleParam()
  @ApiOperation({
    summary: 'Bind a deployment to a bundle',
    description:
      'To one of its versions, by default the latest. `is_outdated` shows when there is a newer one. An `ENDPOINT` runs here: MCP clients connect to its `url`.',
  })
  @Creates(DeploymentOut, ({ id, bundle_id }) => `/v1/bundles/${bundle_id}/deployments/${id}`)
  @Fails(BundleVersionNotFound, DeploymentConflict)
  create(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string, @Body() body: DeploymentCreate) {
    return this.deployments.create(caller, bundleId, body);
  }

  @Get()
  @Access('bundle-insider')
  @BundleParam()
  @ApiOperation({ summary: 'List the deployments of a bundle', description: 'Newest first.' })
  @Lists(DeploymentOut)
  list(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string, @Query() query: DeploymentQuery) {
    return this.deployments.list(caller, bundleId, query);
  }

  @Get(':deployment_id')
  @Access('bundle-insider')
  @BundleParam()
  @IdParam('deployment_id', 'The deployment.')
  @ApiOperation({ summary: 'Read a deployment' })
  @Gives(DeploymentOut)
  @Fails(DeploymentNotFound)
  get(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string, @Param('deployment_id') id: string) {
    return this.deployments.get(caller, bundleId, id);
  }

  @Patch(':deployment_id')
  @Access('bundle-editor')
  @BundleParam()
  @IdParam('deployment_id', 'The deployment.')
  @ApiOperation({
    summary: 'Change a deployment',
    description:
      'Its status, its address, the version that it runs. A field that is absent or null keeps its value. Clients of an `ENDPOINT` get the other version at once.',
  })
  @Gives(DeploymentOut)
  @Fails(DeploymentNotFound, BundleVersionNotFound)
  update(
    @CurrentCaller() caller: Caller,
    @Param('bundle_id') bundleId: string,
    @Param('deployment_id') id: string,
    @Body() body: DeploymentUpdate,
  ) {
    return this.deployments.update(caller, bundleId, id, body);
  }

  @Delete(':deployment_id')
  @Access('bundle-editor')
  @BundleParam()
  @IdParam('deployment_id', 'The deployment.')
  @ApiOperation({ summary: 'Remove a deployment from its bundle' })
  @GivesNothing('The deployment was removed.')
  @Fails(DeploymentNotFound)
  remove(@CurrentCaller() caller: Caller, @Param('bundle_id') bundleId: string, @Param('deployment_id') id: string) {
    return this.deployments.remove(caller, bundleId, id);
  }
}
