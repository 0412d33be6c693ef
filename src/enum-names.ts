import { DEPLOYMENT_STATUSES } from './bundles/deployments/deployment-status';
import { BUNDLE_SCOPES } from './bundles/bundle.dto';
import { EXPORT_CLIENTS } from './bundles/export/client-formats';
import { EXPORT_FORMATS } from './bundles/export/export.dto';
import { SKIP_REASONS } from './bundles/export/skip';
import { VERSION_ACTIONS } from './bundles/versions/version-action';
import { LISTING_STATUSES } from './catalog/listings/listing.entity';
import { LISTING_SCOPES, LISTING_SORTS } from './catalog/listings/listing-query';
import { NAMESPACE_METHODS } from './catalog/namespaces/namespace.entity';
import { VISIBILITIES } from './catalog/listings/visibility';
import { EVENT_TYPES } from './events/event-catalogue';
import { PING_EVENT } from './events/event-schemas';
import { ErrorCode } from './errors/errors';
import { FAULT_TYPES } from './http/openapi/openapi-errors';
import type { EnumNames } from './http/openapi/openapi-schemas';
import { AUDIT_ACTIONS, AUDIT_SUBJECTS } from './organisations/audit/audit-trail';
import { INVITATION_STATUSES } from './organisations/invitations/invitation-status.sql';
import { ROLES } from './organisations/members/role';
import { ACCOUNT_NOTES } from './scim/directory/account-note';
import { DELIVERY_STATUSES } from './webhooks/deliveries/delivery-status';
import { RESPONSE_CLASSES } from './webhooks/deliveries/delivery.dto';
import { SEND_ERROR_CODES } from './webhooks/sending/send-error';

/**
 * The names of enumerations in the OpenAPI document, and so in generated clients. An enumeration that is not here is
 * called after the only place that has it: `RoleMappingOut.state` is `RoleMappingState`.
 */
export const ENUM_NAMES: EnumNames = {
  AccountNote: ACCOUNT_NOTES,
  AnyEventType: [...EVENT_TYPES, PING_EVENT.event_type],
  AuditAction: AUDIT_ACTIONS,
  AuditSubjectType: AUDIT_SUBJECTS,
  BundleScope: BUNDLE_SCOPES,
  BundleVersionAction: VERSION_ACTIONS,
  DefaultRole: ['MEMBER', 'ADMIN'],
  DeploymentStatus: DEPLOYMENT_STATUSES,
  ErrorCode: Object.values(ErrorCode),
  EventType: EVENT_TYPES,
  ExportClient: EXPORT_CLIENTS,
  ExportFormat: EXPORT_FORMATS,
  FaultType: FAULT_TYPES,
  InvitationStatus: INVITATION_STATUSES,
  LastOwnerPolicy: ['retain', 'refuse'],
  ListingScope: LISTING_SCOPES,
  ListingSort: LISTING_SORTS,
  ListingStatus: LISTING_STATUSES,
  ListingVersionStatus: ['active', 'deprecated', 'deleted'],
  NamespaceMethod: NAMESPACE_METHODS,
  Role: ROLES,
  ScimLogConsent: ['pending', 'opted_out'],
  ScimResourceType: ['User', 'Group'],
  SkipReason: SKIP_REASONS,
  SyncChangeKind: ['joined', 'promoted', 'demoted', 'removed', 'retained'],
  Transport: ['stdio', 'streamable-http', 'sse'],
  Visibility: VISIBILITIES,
  WebhookAttemptStatus: ['SUCCEEDED', 'FAILED'],
  WebhookDeliveryStatus: DELIVERY_STATUSES,
  WebhookResponseClass: RESPONSE_CLASSES,
  WebhookSendError: SEND_ERROR_CODES,
};
