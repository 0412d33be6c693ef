import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { LIMITS } from './limits';
import { ScimAnswers } from './scim-answers';
import type { ScimClient } from './scim-client';
import { CurrentScimClient } from './scim-exchange';
import { BULK_IN, BULK_OUT } from './scim-openapi';
import { ScimOperation } from './scim-operation.decorator';
import { ScimBulk } from './bulk/scim-bulk.service';

/** RFC 7644, section 3.7. */
@ApiTags('SCIM protocol')
@Controller('organisations/:org_id/scim/v2/Bulk')
export class ScimBulkController {
  constructor(
    private readonly bulk: ScimBulk,
    private readonly answers: ScimAnswers,
  ) {}

  @Post()
  @HttpCode(200)
  @ScimOperation({
    summary: 'Execute many operations',
    description:
      'Each operation succeeds or fails by itself, up to `failOnErrors` failures. `bulkId:…` refers to the id of a resource that another operation creates, in any order.',
    answers: {
      200: { description: 'The result of each operation that was attempted, in order.', schema: BULK_OUT },
    },
    body: BULK_IN,
    bodyLimit: LIMITS.bulkBytes,
    valueLimit: LIMITS.bulkValues,
  })
  run(@CurrentScimClient() client: ScimClient, @Body() body: unknown, @Res() response: Response) {
    return this.answers.bulk(response, this.bulk.run(client, body));
  }
}
