import { InstantField, IntegerField } from '../../http/requests/fields';
import { WebhookEndpointCreatedOut } from './webhook-endpoint.dto';

const MAX_GRACE_SECONDS = 604_800;

export const DEFAULT_GRACE_SECONDS = 86_400;

export class WebhookSecretRotation {
  @IntegerField({
    required: false,
    nullable: true,
    min: 0,
    max: MAX_GRACE_SECONDS,
    description: `How long the former secret keeps signing along with the new one; earlier ones sign at most that long. Default: ${DEFAULT_GRACE_SECONDS} (a day). 0 ends all of them immediately, for a leaked secret.`,
  })
  grace_seconds?: number | null;
}

export class WebhookSecretRotatedOut extends WebhookEndpointCreatedOut {
  @InstantField({
    nullable: true,
    description: 'When the last former secret expires; null if only the new secret signs.',
  })
  former_secrets_expire_at: string | null;
}
