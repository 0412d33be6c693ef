import { ApiProperty } from '@nestjs/swagger';

class InstanceSignInOut {
  @ApiProperty({ description: 'Whether people sign in on a page of this service.' })
  is_here: boolean;

  @ApiProperty({
    type: 'string',
    format: 'uri',
    nullable: true,
    example: 'https://tools.example.com/sign-in',
    description: 'That page; it takes a path of this service as `return_to`. Null: they do not.',
  })
  url: string | null;

  @ApiProperty({
    example: 'https://tools.example.com',
    description: 'The authorization server whose access tokens count here.',
  })
  issuer: string;
}

/** What anyone may know of an installation before they sign in. */
export class InstanceOut {
  @ApiProperty({ example: '1', description: 'Of the API, as in this document.' })
  version: string;

  @ApiProperty({ type: InstanceSignInOut })
  sign_in: InstanceSignInOut;

  @ApiProperty({ description: 'Whether it serves a page for people at `/console/`.' })
  has_console: boolean;
}
