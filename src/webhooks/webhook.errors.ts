import { defineErrors } from '../errors/errors';
import { ErrorCode as OrganisationCode } from '../organisations/organisation.errors';

export const WEBHOOK_ERRORS = defineErrors({
  EventTypeNotFound: {
    code: 'event_type_not_found',
    kind: 'notFound',
    noun: 'Event type',
    example: 'Event type bundle.painted was not found.',
  },
  WebhookEndpointNotFound: { code: 'webhook_endpoint_not_found', kind: 'notFound', noun: 'Webhook endpoint' },
  WebhookDeliveryNotFound: { code: 'webhook_delivery_not_found', kind: 'notFound', noun: 'Webhook delivery' },
  WebhookRecoveryNotFound: { code: 'webhook_recovery_not_found', kind: 'notFound', noun: 'Webhook recovery' },
  WebhookConflict: {
    code: 'webhook_conflict',
    kind: 'conflict',
    example: 'The organisation has 500 webhook endpoints, which is the limit. Delete one first.',
  },
  WebhookEndpointConflict: {
    code: 'webhook_endpoint_conflict',
    kind: 'conflict',
    example:
      'Four former secrets are still valid; the next one expires at 2026-11-21T08:30:00.000Z. Rotate again after that, or use grace_seconds 0.',
  },
  WebhookRecoveryConflict: {
    code: 'webhook_recovery_conflict',
    kind: 'conflict',
    constraints: { webhook_recoveries_running_key: 'A recovery of this webhook endpoint is already running.' },
  },
});

/** The errors of this module. */
export const ErrorCode = { ...OrganisationCode, ...WEBHOOK_ERRORS };
