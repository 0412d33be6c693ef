import { ApiProperty } from '@nestjs/swagger';
import { BooleanField, Field, FormatField, IntegerField, TextField } from '../../http/requests/fields';
import { formatted, instant, type Kind } from '../../http/requests/kinds';
import { CURSOR_FORMAT } from '../../http/requests/page';

/** Some clients send an empty one for the first page; the document says so. */
const CURSOR: Kind = {
  ...formatted(CURSOR_FORMAT),
  schema: { type: 'string', anyOf: [{ format: CURSOR_FORMAT }, { maxLength: 0 }] },
};

/** The query of `/servers`. */
export class RegistryQuery {
  @Field(CURSOR, {
    required: false,
    description: '`metadata.nextCursor` of the page before; carries the filter. Empty: the first page.',
  })
  cursor?: string;

  @IntegerField({ min: 1, max: 100, default: 30, required: false })
  limit: number;

  @TextField({ required: false, max: 200, description: 'A part of the name, ignoring case.' })
  search?: string;

  @Field(instant(), {
    required: false,
    description: 'Only what changed strictly after; deleted ones are included then.',
  })
  updated_since?: string;

  @TextField({ required: false, max: 255, description: '`latest`, or one version. Default: all versions.' })
  version?: string;

  @BooleanField({ required: false, description: 'Also versions that are deleted or no longer listed.' })
  include_deleted?: boolean;
}

/** The query of one version. */
export class RegistryVersionQuery {
  @BooleanField({ required: false, description: 'Also versions that are deleted or no longer listed.' })
  include_deleted?: boolean;
}

export class RegistryVersionsQuery extends RegistryVersionQuery {
  @FormatField(CURSOR_FORMAT, {
    required: false,
    description: '`metadata.nextCursor` of the page before. Empty: the first page.',
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
      '`io.modelcontextprotocol.registry/official`: status and times; `com.toolyard/listing`: id and category (also as `toolyard/listing`, which is its former name).',
  })
  _meta: object;
}

export class ServerListMetadata {
  @ApiProperty({ type: 'integer', description: 'Entries in this page.' })
  count: number;

  @ApiProperty({
    type: 'string',
    required: false,
    description: 'Absent on the last page. A page ends at `limit` or at 1 MiB.',
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
        count: { type: 'integer', description: 'Servers in it, as of the last refresh: at most 8 hours ago.' },
      },
    },
  })
  categories: { slug: string; name: string; description: string; icon: string; count: number }[];
}

export class RegistryFacetsQuery {
  @TextField({ required: false, max: 200, description: 'A part of the name, ignoring case.' })
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
