import { ApiProperty } from '@nestjs/swagger';
import { IdField } from '../../http/requests/fields';

/** A place where two definitions differ. */
export class BundleToolChangeOut {
  @ApiProperty({ example: '/inputSchema/properties/path/description', description: 'A JSON pointer (RFC 6901).' })
  pointer: string;

  @ApiProperty({ oneOf: [{}], description: 'Absent: it was not there.', required: false })
  before?: unknown;

  @ApiProperty({ oneOf: [{}], description: 'Absent: it is not there any more.', required: false })
  after?: unknown;

  @ApiProperty({
    type: [String],
    nullable: true,
    description:
      'For texts: the lines that differ and those around them, beginning with `-`, `+` or a space. Characters that cannot be seen are written as their code points. Null: it is no text.',
  })
  lines: string[] | null;
}

export class BundleToolChangesOut {
  @IdField()
  id: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description:
      'The digest of the definition before: the approved one, else the one before the present one. Null: there is none.',
  })
  before_digest: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'The digest of the present one. Null: it is gone.' })
  after_digest: string | null;

  @ApiProperty({ type: [BundleToolChangeOut], description: 'At most 200.' })
  changes: BundleToolChangeOut[];

  @ApiProperty({ type: 'integer', description: 'How many there are, also those that are left out.' })
  change_count: number;
}
