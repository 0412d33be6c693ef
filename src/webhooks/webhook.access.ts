import { accessBy, type AccessRules } from '../auth/access.decorator';
import { ORGANISATION_RULES } from '../organisations/organisation.access';
import { ErrorCode } from './webhook.errors';

const { InsufficientRole, WebhookEndpointNotFound } = ErrorCode;

/** `endpoints/webhook-endpoint-finder.ts` enforces these rules, because they depend on the row. */
const OWN_RULES = {
  'endpoint-reader': {
    text: 'The owner of the endpoint, or the members of its organisation.',
    fails: [WebhookEndpointNotFound],
  },
  'endpoint-manager': {
    text: 'The owner of the endpoint, or an ADMIN or OWNER of its organisation.',
    fails: [WebhookEndpointNotFound, InsufficientRole],
  },
} satisfies AccessRules;

/** Declares who may call a route of this module. */
export const Access = accessBy(
  { ...ORGANISATION_RULES, ...OWN_RULES },
  { read: 'webhooks:read', write: 'webhooks:write' },
);
