import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../../auth/access.decorator';
import { RegistryFails } from '../../catalog/registry/registry-operation.decorator';
import { Gives } from '../../http/answers/answers';
import { RegistryBundlesOut, RegistryBundlesQuery } from './registry-bundles.dto';
import { RegistryBundlesService } from './registry-bundles.service';

@ApiTags('MCP Registry')
@Controller('v0.1/x/com.toolyard/bundles')
export class RegistryBundlesController {
  constructor(private readonly bundles: RegistryBundlesService) {}

  @Get()
  @Access('open')
  @ApiOperation({ summary: 'List public bundles', description: 'Newest first, with the names of their servers.' })
  @Gives(RegistryBundlesOut, 'One page.')
  @RegistryFails(400, 422)
  list(@Query() query: RegistryBundlesQuery) {
    return this.bundles.list(query);
  }
}
