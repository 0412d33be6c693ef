import { InstantField, IntegerField } from '../../http/requests/fields';
import { WebhookEndpointCreatedOut } from './webhook-endpoint.dto';

const LONGEST_GRACE_SECONDS = 604_800;

export const DEFAULT_GRACE_SECONDS = 86_400;

export class WebhookSecretRotation {
  @IntegerField({
    required: false,
    nullable: true,
    min: 0,
    max: LONGEST_GRACE_SECONDS,
    description: `How long the former secret goes on signing besides the new one, and earlier ones at most; ${DEFAULT_GRACE_SECONDS} (a day) when it is left out. 0 ends all of them at once, for a secret that leaked.`,
  })
  grace_seconds?: number | null;
}

export class WebhookSecretRotatedOut extends WebhookEndpointCreatedOut {
  @InstantField({
    nullable: true,
    description: 'When the last former secret expires; null: only the new secret signs.',
  })
  former_secrets_expire_at: string | null;
}
