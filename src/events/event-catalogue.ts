/** One event type to which a webhook endpoint can subscribe. */
export interface EventTypeEntry {
  readonly event_type: string;
  readonly group: string;
  readonly label: string;
  readonly description: string;
}

type Declaration<T extends string> = readonly [eventType: T, label: string, description: string];

function group<T extends string>(name: string, declarations: readonly Declaration<T>[]) {
  return declarations.map(([event_type, label, description]) => ({
    event_type,
    group: name,
    label,
    description,
  }));
}

/**
 * Every event that the service emits, declared once. The order is the order in which clients show it (contract,
 * section 8), so a new type goes to the end of its group.
 */
export const EVENT_CATALOGUE = [
  ...group('Listings', [
    ['listing.published', 'Listing published', 'A listing became visible to those who may see it.'],
    ['listing.updated', 'Listing updated', 'A listing was changed, or got a new version.'],
    ['listing.archived', 'Listing archived', 'A listing was taken out of the catalogue.'],
  ]),
  ...group('Bundles', [
    ['bundle.created', 'Bundle created', 'A bundle was created.'],
    [
      'bundle.updated',
      'Bundle updated',
      'Name, slug, description, visibility or editors of a bundle changed, or the order or the settings of its entries.',
    ],
    ['bundle.deleted', 'Bundle deleted', 'A bundle was deleted, with everything that belonged to it.'],
    ['bundle.entry_added', 'Bundle entry added', 'A listing was put into a bundle.'],
    ['bundle.entry_removed', 'Bundle entry removed', 'A listing was taken out of a bundle.'],
    ['bundle.followed', 'Bundle followed', 'A person began to follow a bundle.'],
    ['bundle.unfollowed', 'Bundle unfollowed', 'A person stopped following a bundle.'],
    ['bundle.access_token_created', 'Bundle access token created', 'A bundle got a new access token.'],
    ['bundle.access_token_revoked', 'Bundle access token revoked', 'An access token of a bundle was revoked.'],
  ]),
  ...group('Deployments', [
    ['deployment.created', 'Deployment created', 'A deployment was bound to a bundle.'],
    [
      'deployment.updated',
      'Deployment updated',
      'The status, the address or the bundle version of a deployment changed.',
    ],
    ['deployment.deleted', 'Deployment deleted', 'A deployment was removed from its bundle.'],
  ]),
  ...group('Organisations', [
    ['organisation.updated', 'Organisation updated', 'An organisation was renamed.'],
    ['member.added', 'Member added', 'A person became a member of an organisation.'],
    ['member.role_changed', 'Member role changed', 'The role of a member in force became another.'],
    ['member.removed', 'Member removed', 'A person lost access to an organisation.'],
    [
      'organisation.deleted',
      'Organisation deleted',
      'An organisation was deleted; this is the last event that its endpoints get.',
    ],
    ['member.invited', 'Member invited', 'A person was invited to an organisation, and has not answered yet.'],
  ]),
  ...group('SCIM', [
    ['scim.user_provisioned', 'Directory user provisioned', 'The identity provider created a user.'],
    ['scim.user_updated', 'Directory user updated', 'The identity provider changed a user.'],
    ['scim.user_deactivated', 'Directory user deactivated', 'The identity provider deactivated a user.'],
    ['scim.user_deleted', 'Directory user deleted', 'The identity provider deleted a user.'],
    [
      'scim.group_changed',
      'Directory group changed',
      'The identity provider created a group, or changed its name or members.',
    ],
    ['scim.group_deleted', 'Directory group deleted', 'The identity provider deleted a group.'],
    [
      'scim.role_mapping_changed',
      'Role mapping changed',
      'A mapping of a group to a role was created, changed or deleted.',
    ],
    ['scim.sync_completed', 'Sync completed', 'The roles of all directory users were computed anew.'],
  ]),
  ...group('Webhooks', [
    [
      'webhook.endpoint_disabled',
      'Webhook endpoint disabled',
      'An endpoint was disabled because its deliveries kept failing.',
    ],
  ]),
] as const satisfies readonly EventTypeEntry[];

/** The name of an event. */
export type EventType = (typeof EVENT_CATALOGUE)[number]['event_type'];

/** All names in catalogue order. */
export const EVENT_TYPES: readonly EventType[] = EVENT_CATALOGUE.map((entry) => entry.event_type);

const RANK = new Map<string, number>(EVENT_TYPES.map((eventType, index) => [eventType, index]));

/**
 * @param eventTypes in any order, with repetitions; a type that a later release withdrew is left out
 * @returns each once, in catalogue order
 */
export function inCatalogueOrder(eventTypes: readonly string[]): EventType[] {
  const known = [...new Set(eventTypes)].filter((eventType): eventType is EventType => RANK.has(eventType));
  return known.sort((a, b) => (RANK.get(a) ?? 0) - (RANK.get(b) ?? 0));
}
