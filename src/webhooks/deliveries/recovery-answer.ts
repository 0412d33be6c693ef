import { applyDecorators } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse } from '@nestjs/swagger';
import { ShapesAnswer } from '../../http/answers/answer-shape';
import { WebhookRecoveryOut, WebhookRecoveryPreviewOut } from './recovery.dto';

/** 201 with the new recovery and its address in `Location`; 200 with the counts of a dry run. */
export function CreatesUnlessDry(): MethodDecorator {
  return applyDecorators(
    ShapesAnswer<WebhookRecoveryOut | WebhookRecoveryPreviewOut>((answer, request, response) => {
      if ('id' in answer) {
        response.setHeader('Location', `/v1/webhooks/${String(request.params['endpoint_id'])}/recoveries/${answer.id}`);
      } else {
        request.answerStatus = 200;
      }
      return answer;
    }),
    ApiOkResponse({ type: WebhookRecoveryPreviewOut, description: 'With `dry_run`: what the recovery would do.' }),
    ApiCreatedResponse({
      type: WebhookRecoveryOut,
      description: 'Created.',
      headers: {
        Location: {
          description: 'The address of the new resource.',
          schema: { type: 'string', format: 'uri-reference' },
        },
      },
    }),
  );
}
