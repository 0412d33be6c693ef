/**
 * The operation ids for which controller and method give no good name: a noun that is repeated, a method that is no
 * verb, or a controller that holds the operations of two nouns.
 */
export const RENAMED: Readonly<Record<string, string>> = {
  bundle_export_export: 'bundles_export',
  bundle_people_add_editor: 'bundle_editors_add',
  bundle_people_follow: 'bundles_follow',
  bundle_people_list_editors: 'bundle_editors_list',
  bundle_people_list_followers: 'bundle_followers_list',
  bundle_people_remove_editor: 'bundle_editors_remove',
  bundle_people_unfollow: 'bundles_unfollow',
  bundles_deletion_preview: 'bundles_preview_deletion',
  directory_groups_members: 'directory_group_members_list',
  health_health: 'healthz',
  health_ready: 'readyz',
  imports_quarantine: 'import_quarantine_list',
  listings_facets: 'listing_facets_get',
  managed_settings_report: 'managed_settings_report_get',
  organisation_registry_list: 'organisation_registry_servers_list',
  organisation_registry_version: 'organisation_registry_versions_get',
  organisation_registry_versions: 'organisation_registry_versions_list',
  registry_categories: 'registry_categories_list',
  registry_facets: 'registry_facets_get',
  registry_list: 'registry_servers_list',
  registry_version: 'registry_versions_get',
  registry_versions: 'registry_versions_list',
  scim_discovery_config: 'scim_service_provider_config_get',
  scim_discovery_schema: 'scim_schemas_get',
  scim_discovery_schemas: 'scim_schemas_list',
  scim_discovery_type: 'scim_resource_types_get',
  scim_discovery_types: 'scim_resource_types_list',
  scim_search_list: 'scim_resources_search',
  sync_get: 'sync_runs_get',
  sync_list: 'sync_runs_list',
  well_known_authorization_server: 'authorization_server_get',
  well_known_jwks: 'jwks_get',
  well_known_openid_configuration: 'openid_configuration_get',
  well_known_protected_resource: 'protected_resource_get',
};

/**
 * The name of an operation: its noun, then its verb, made from the controller and its method
 * (`BundlesController.remove` → `bundles_remove`). The request guard finds an operation's rules by it, and generated
 * clients name their methods after it, so a name that was released stays.
 */
export function operationId(controller: string, method: string): string {
  const id = `${snake(controller.replace(/Controller$/, ''))}_${snake(method)}`;
  return RENAMED[id] ?? id;
}

function snake(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}
