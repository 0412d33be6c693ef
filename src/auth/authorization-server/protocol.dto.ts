import { ApiProperty } from '@nestjs/swagger';

/** An error of the protocol (RFC 6749, section 5.2). */
export class ProtocolErrorOut {
  @ApiProperty({ example: 'invalid_request' })
  error: string;

  @ApiProperty({ required: false, description: 'For developers.' })
  error_description?: string;
}
