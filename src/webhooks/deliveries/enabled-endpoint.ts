import { ConflictError } from '../../errors/errors';
import { ErrorCode } from '../webhook.errors';

/** @throws ConflictError if the endpoint is disabled, so that nothing can be sent to it */
export function requireEnabled({ is_active }: { is_active: boolean }): void {
  if (is_active) return;
  throw new ConflictError(ErrorCode.WebhookEndpointConflict, 'The webhook endpoint is disabled. Enable it first.');
}
