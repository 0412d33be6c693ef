import { ApiProperty } from '@nestjs/swagger';
import { BooleanField, Field, FormatField, IntegerField, TextField } from '../../http/requests/fields';
import { formatted, instant, type Kind } from '../../http/requests/kinds';
import { CURSOR_FORMAT } from '../../http/requests/page';

/** Some clients send an empty cursor for the first page; the schema allows it. */
const CURSOR: Kind = {
  ...formatted(CURSOR_FORMAT),
  schema: { type: 'string', anyOf: [{ format: CURSOR_FORMAT }, { maxLength: 0 }] },
};

/** The query of `/servers`. */
export class RegistryQuery {
  @Field(CURSOR, {
    required: false,
    description: '`metadata.nextCursor` of the previous page; it contains the filter. Empty: the first page.',
  })
  cursor?: string;

  @IntegerField({ min: 1, max: 100, default: 30, required: false })
  limit: number;

  @TextField({ required: false, max: 200, description: 'Part of the name, ignoring case.' })
  search?: string;

  @Field(instant(), {
    required: false,
    description: 'Only versions that changed after this time, including deleted ones.',
  })
  updated_since?: string;

  @TextField({ required: false, max: 255, description: '`latest` or a version. Default: all versions.' })
  version?: string;

  @BooleanField({ required: false, description: 'Include versions that are deleted or no longer listed.' })
  include_deleted?: boolean;
}

/** The query of one version. */
export class RegistryVersionQuery {
  @BooleanField({ required: false, description: 'Include versions that are deleted or no longer listed.' })
  include_deleted?: boolean;
}

export class RegistryVersionsQuery extends RegistryVersionQuery {
  @FormatField(CURSOR_FORMAT, {
    required: false,
    description: '`metadata.nextCursor` of the previous page. Empty: the first page.',
  })
  cursor?: string;
}

export class ServerResponseOut {
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'The `server.json` of the version.' })
  server: object;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      '`io.modelcontextprotocol.registry/official`: status and times; `com.toolyard/listing`: id and category (also under its former name `toolyard/listing`).',
  })
  _meta: object;
}

export class ServerListMetadata {
  @ApiProperty({ type: 'integer', description: 'The number of entries on this page.' })
  count: number;

  @ApiProperty({
    type: 'string',
    required: false,
    description: 'Absent on the last page. A page ends at `limit` entries or 1 MiB.',
  })
  nextCursor?: string;
}

export class ServerListOut {
  @ApiProperty({ type: [ServerResponseOut] })
  servers: ServerResponseOut[];

  @ApiProperty({ type: ServerListMetadata })
  metadata: ServerListMetadata;
}

export class RegistryCategoriesOut {
  @ApiProperty({
    type: 'array',
    items: {
      type: 'object',
      required: ['slug', 'name', 'description', 'icon', 'count'],
      additionalProperties: false,
      properties: {
        slug: { type: 'string' },
        name: { type: 'string' },
        description: { type: 'string' },
        icon: { type: 'string', description: 'The name of a Lucide icon.' },
        count: { type: 'integer', description: 'The number of servers, as of the last refresh at most 8 hours ago.' },
      },
    },
  })
  categories: { slug: string; name: string; description: string; icon: string; count: number }[];
}

export class RegistryFacetsQuery {
  @TextField({ required: false, max: 200, description: 'Part of the name, ignoring case.' })
  search?: string;
}

export class RegistryFacetsOut {
  @ApiProperty({ type: 'integer' })
  total: number;

  @ApiProperty({
    type: 'array',
    items: {
      type: 'object',
      required: ['category', 'count'],
      additionalProperties: false,
      properties: { category: { type: 'string' }, count: { type: 'integer' } },
    },
    description: 'Servers by category, in display order.',
  })
  facets: { category: string; count: number }[];
}
