import { ApiProperty } from '@nestjs/swagger';

/** A category, with exactly the fields of the specification. */
export class CategoryOut {
  @ApiProperty({ type: 'integer', example: 3 })
  id: number;

  @ApiProperty({ example: 'Databases' })
  name: string;

  @ApiProperty({ example: 'databases' })
  slug: string;

  @ApiProperty({ example: 'Query and manage databases.' })
  description: string;

  @ApiProperty({ example: 'database', description: 'The name of a Lucide icon.' })
  icon: string;

  @ApiProperty({
    type: 'integer',
    example: 7,
    description:
      'Published, public listings of the category; refreshed at most once every 8 hours, so it may briefly lag a just-published or just-archived listing.',
  })
  mcp_count: number;
}
