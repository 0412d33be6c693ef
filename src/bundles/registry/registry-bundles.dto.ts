import { ApiProperty } from '@nestjs/swagger';
import { ServerListMetadata } from '../../catalog/registry/registry.dto';
import { FormatField, IdField, InstantField, IntegerField } from '../../http/requests/fields';
import { CURSOR_FORMAT } from '../../http/requests/page';

export class RegistryBundlesQuery {
  @FormatField(CURSOR_FORMAT, {
    required: false,
    description: '`metadata.nextCursor` of the page before. Empty: the first page.',
  })
  cursor?: string;

  @IntegerField({ min: 1, max: 100, default: 30, required: false })
  limit: number;
}

class RegistryBundleEntryOut {
  @ApiProperty({ example: 'io.github.acme/weather' })
  name: string;

  @ApiProperty({ example: '1.2.0', description: 'The version to which the bundle pins it, else its newest.' })
  version: string;
}

export class RegistryBundleOut {
  @IdField()
  id: string;

  @ApiProperty()
  name: string;

  @ApiProperty()
  slug: string;

  @ApiProperty()
  description: string;

  @ApiProperty({ type: [String], description: 'The names of its servers, in order.' })
  servers: string[];

  @ApiProperty({
    type: [RegistryBundleEntryOut],
    description: 'The same with their versions, as in `/v0.1/servers/{serverName}/versions/{version}`.',
  })
  entries: RegistryBundleEntryOut[];

  @InstantField()
  updatedAt: string;
}

export class RegistryBundlesOut {
  @ApiProperty({ type: [RegistryBundleOut] })
  bundles: RegistryBundleOut[];

  @ApiProperty({ type: ServerListMetadata })
  metadata: ServerListMetadata;
}
