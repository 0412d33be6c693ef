import { ApiProperty } from '@nestjs/swagger';
import { JsonField } from '../../http/requests/fields';
import type { JsonObject } from '../protocol/json-rpc';
import { FIXED_ARGUMENTS_CHECK } from './fixed-arguments-check';

export class BundleToolCall {
  @JsonField({
    required: false,
    nullable: true,
    schema: { additionalProperties: true },
    check: FIXED_ARGUMENTS_CHECK,
    description: 'As a client would send them; at most 16 KiB.',
  })
  arguments?: JsonObject | null;
}

export class BundleToolAnswerOut {
  @ApiProperty({
    type: 'object',
    nullable: true,
    additionalProperties: true,
    description: 'The result of the tool, also where it says that it failed (`isError`).',
  })
  result: JsonObject | null;

  @ApiProperty({
    type: 'object',
    nullable: true,
    additionalProperties: true,
    description: 'The JSON-RPC error in place of a result.',
  })
  error: JsonObject | null;
}
