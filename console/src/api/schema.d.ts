/* eslint-disable max-lines */
// Written by `npm run client-types` from openapi.json. Change the API, not this file.

export interface Category {
  id: number;
  name: string;
  slug: string;
  description: string;
  icon: string;
  mcp_count: number;
}

export interface CategoryOverviewItem {
  id: number;
  name: string;
  slug: string;
  description: string;
  icon: string;
  mcp_count: number;
  display_order: number;
  updated_at: string;
  listings: number;
}

export interface CategoryOverview {
  counted_at: string | null;
  next_count_at: string | null;
  categories: CategoryOverviewItem[];
}

export interface CategoryReorder {
  order: number[];
  former_order: number[];
}

export interface CategoryCreate {
  name: string;
  slug?: string | null;
  description?: string | null;
  icon?: string | null;
  display_order?: number | null;
}

export interface CategoryAdmin {
  id: number;
  name: string;
  slug: string;
  description: string;
  icon: string;
  mcp_count: number;
  display_order: number;
  updated_at: string;
}

export interface CategoryUpdate {
  name?: string | null;
  slug?: string | null;
  description?: string | null;
  icon?: string | null;
  display_order?: number | null;
  unchanged_since?: string | null;
}

export interface CategoryMove {
  to: string;
  preview?: boolean;
  remove?: boolean;
  expected?: number | null;
}

export type ListingStatus = 'DRAFT' | 'PUBLISHED' | 'ARCHIVED';

export interface MovedListing {
  id: string;
  name: string;
  title: string;
  status: ListingStatus;
}

export interface CategoryMoved {
  moved: number;
  published: number;
  drafts: number;
  archived: number;
  unseen: number;
  first: MovedListing[];
}

export interface ListingRating {
  mean: number | null;
  count: number;
}

export interface Listing {
  id: string;
  name: string;
  slug: string;
  title: string;
  description: string;
  category: string;
  category_name: string;
  status: ListingStatus;
  visibility: Visibility;
  org_id: string | null;
  owner_id: string | null;
  version: string;
  repository: Record<string, unknown> | null;
  website_url: string | null;
  icons: Record<string, unknown>[];
  has_icon: boolean;
  transports: string[];
  registry_types: string[];
  rating: ListingRating;
  published_at: string | null;
  archived_at: string | null;
  archived_by: ListingArchiver | null;
  archive_reason: string | null;
  created_at: string;
  updated_at: string;
}

export interface ListingCreate {
  server: ServerDocument;
  category: string;
  visibility?: Visibility | null;
  org_id?: string | null;
  slug?: string | null;
  documentation?: string | null;
}

export interface ListingDetail {
  id: string;
  name: string;
  slug: string;
  title: string;
  description: string;
  category: string;
  category_name: string;
  status: ListingStatus;
  visibility: Visibility;
  org_id: string | null;
  owner_id: string | null;
  version: string;
  repository: Record<string, unknown> | null;
  website_url: string | null;
  icons: Record<string, unknown>[];
  has_icon: boolean;
  transports: string[];
  registry_types: string[];
  rating: ListingRating;
  published_at: string | null;
  archived_at: string | null;
  archived_by: ListingArchiver | null;
  archive_reason: string | null;
  created_at: string;
  updated_at: string;
  server: Record<string, unknown>;
  documentation: string | null;
}

export interface ListingFacets {
  total: number;
  categories: {
    category: string;
    name: string;
    count: number;
  }[];
  transports: {
    transport: string;
    count: number;
  }[];
  registry_types: {
    registry_type: string;
    count: number;
  }[];
}

export interface ListingHighlights {
  of_my_organisations: Listing[];
  newest: Listing[];
}

export interface ListingUpdate {
  category?: string | null;
  visibility?: Visibility | null;
  slug?: string | null;
}

export interface ListingArchive {
  reason?: string | null;
}

export interface ListingVersionAdd {
  server: ServerDocument;
  documentation?: string | null;
}

export interface ListingVersion {
  version: string;
  is_latest: boolean;
  status: ListingVersionStatus;
  status_message: string | null;
  published_at: string | null;
  created_at: string;
}

export interface ListingVersionDetail {
  version: string;
  is_latest: boolean;
  status: ListingVersionStatus;
  status_message: string | null;
  published_at: string | null;
  created_at: string;
  server: Record<string, unknown>;
  documentation: string | null;
}

export interface ReviewAuthor {
  user_id: string;
  name: string | null;
}

export interface ReviewAnswer {
  text: string;
  answered_at: string;
}

export interface Review {
  id: string;
  rating: number;
  text: string;
  author: ReviewAuthor;
  is_own: boolean;
  is_hidden: boolean;
  hidden_reason: string | null;
  answer: ReviewAnswer | null;
  created_at: string;
  updated_at: string;
}

export interface ReviewCreate {
  rating: number;
  text?: string | null;
}

export interface ReviewUpdate {
  rating?: number | null;
  text?: string | null;
}

export interface ReviewAnswerPut {
  text: string;
}

export interface ReviewHide {
  reason: string;
}

export interface ReviewedListing {
  id: string;
  name: string;
  title: string;
}

export interface ModeratedReview {
  id: string;
  rating: number;
  text: string;
  author: ReviewAuthor;
  is_own: boolean;
  is_hidden: boolean;
  hidden_reason: string | null;
  answer: ReviewAnswer | null;
  created_at: string;
  updated_at: string;
  listing: ReviewedListing;
  hidden_at: string | null;
}

export interface NamespaceCreate {
  namespace: string;
  method?: NamespaceMethod;
  org_id?: string | null;
  user_id?: string | null;
}

export interface NamespaceRecord {
  type: 'TXT';
  name: string;
  value: string;
}

export interface Namespace {
  id: string;
  namespace: string;
  method: NamespaceMethod;
  status: NamespaceStatus;
  org_id: string | null;
  user_id: string | null;
  record: NamespaceRecord | null;
  verified_at: string | null;
  checked_at: string | null;
  created_at: string;
}

export interface ImportRun {
  id: string;
  source: string;
  mode: ImportRunMode;
  status: ImportRunStatus;
  seen: number;
  created: number;
  updated: number;
  unchanged: number;
  quarantined: number;
  error: string | null;
  started_at: string;
  updated_at: string;
  finished_at: string | null;
}

export interface ImportSource {
  address: string;
  is_scheduled: boolean;
  is_running: boolean;
  next_run_at: string | null;
  changed_until: string | null;
  whole_seen: number | null;
  open: number;
  edited: number;
  dismissed: number;
}

export type QuarantineKind = 'INVALID' | 'NAME_TAKEN' | 'VERSION_TAKEN' | 'TOO_LARGE' | 'UNREADABLE';

export interface QuarantineCount {
  kind: QuarantineKind;
  documents: number;
}

export interface ImportOverview {
  scheduled_source: string | null;
  interval_minutes: number;
  sources: ImportSource[];
  quarantine: QuarantineCount[];
}

export type QuarantineState = 'OPEN' | 'EDITED' | 'DISMISSED';

export interface Quarantined {
  id: string;
  state: QuarantineState;
  kind: QuarantineKind;
  source: string;
  name: string | null;
  version: string | null;
  reasons: {
    path: string;
    message: string;
  }[];
  document: unknown;
  created_at: string;
  decided_at: string | null;
}

export interface PlacedFault {
  path: string;
  message: string;
  line: number | null;
  column: number | null;
}

export interface DecidedBy {
  user_id: string;
  name: string | null;
}

export interface NameHolder {
  listing_id: string;
  title: string;
  source: string | null;
}

export interface QuarantinedDetail {
  id: string;
  state: QuarantineState;
  kind: QuarantineKind;
  source: string;
  name: string | null;
  version: string | null;
  reasons: {
    path: string;
    message: string;
  }[];
  document: unknown;
  created_at: string;
  decided_at: string | null;
  text: string | null;
  bytes: number;
  faults: PlacedFault[];
  edited_text: string | null;
  decided_by: DecidedBy | null;
  name_holder: NameHolder | null;
}

export interface QuarantineOutcome {
  is_imported: boolean;
  listing_id: string | null;
  faults: PlacedFault[];
}

export interface QuarantineImport {
  server: Record<string, unknown>;
}

export interface ServerResponse {
  server: Record<string, unknown>;
  _meta: Record<string, unknown>;
}

export interface ServerListMetadata {
  count: number;
  nextCursor?: string;
}

export interface ServerList {
  servers: ServerResponse[];
  metadata: ServerListMetadata;
}

export interface RegistryCategories {
  categories: {
    slug: string;
    name: string;
    description: string;
    icon: string;
    count: number;
  }[];
}

export interface RegistryFacets {
  total: number;
  facets: {
    category: string;
    count: number;
  }[];
}

export interface BundleCreate {
  name: string;
  slug?: string | null;
  description?: string | null;
  visibility?: Visibility | null;
  org_id?: string | null;
}

export interface Bundle {
  id: string;
  name: string;
  slug: string;
  description: string;
  visibility: Visibility;
  org_id: string | null;
  owner_id: string;
  version: number;
  entry_count: number;
  follower_count: number;
  is_followed: boolean;
  may_modify: boolean;
  created_at: string;
  updated_at: string;
}

export interface BundleUpdate {
  name?: string | null;
  slug?: string | null;
  description?: string | null;
  visibility?: Visibility | null;
}

export interface BundleDeletionPreview {
  bundle_id: string;
  entry_count: number;
  version_count: number;
  access_token_count: number;
  follower_count: number;
  deployment_count: number;
  editor_count: number;
  is_endpoint_enabled: boolean;
  endpoint_user_count: number;
  credential_count: number;
}

export interface BundleEntryAdd {
  listing_id: string;
  position?: number | null;
  version?: string | null;
  is_enabled?: boolean | null;
  config?: Record<string, unknown> | null;
  credential_mode?: CredentialMode | null;
  pinning?: Pinning | null;
  endpoint_url?: string | null;
}

export interface BundleEntry {
  id: string;
  listing_id: string | null;
  listing_name: string | null;
  listing_title: string | null;
  key: string | null;
  position: number;
  version: string | null;
  listing_version: string | null;
  is_enabled: boolean;
  is_available: boolean;
  config: Record<string, unknown>;
  credential_mode: CredentialMode;
  pinning: Pinning;
  endpoint_url: string | null;
  created_at: string;
  updated_at: string;
}

export interface BundleEntryPlace {
  id?: string | null;
  listing_id?: string | null;
  version?: string | null;
  is_enabled?: boolean | null;
  config?: Record<string, unknown> | null;
  credential_mode?: CredentialMode | null;
  pinning?: Pinning | null;
  endpoint_url?: string | null;
}

export interface BundleEntriesReplace {
  entries: BundleEntryPlace[];
  base_version?: number | null;
  note?: string | null;
}

export interface BundleEntries {
  version: number;
  entries: BundleEntry[];
}

export interface BundleEntryChange {
  position?: number | null;
  version?: string | null;
  is_enabled?: boolean | null;
  config?: Record<string, unknown> | null;
  credential_mode?: CredentialMode | null;
  pinning?: Pinning | null;
  endpoint_url?: string | null;
  id: string;
}

export interface BundleEntriesChange {
  remove?: string[];
  update?: BundleEntryChange[];
  add?: BundleEntryAdd[];
  base_version?: number | null;
  note?: string | null;
}

export interface BundleEntryUpdate {
  position?: number | null;
  version?: string | null;
  is_enabled?: boolean | null;
  config?: Record<string, unknown> | null;
  credential_mode?: CredentialMode | null;
  pinning?: Pinning | null;
  endpoint_url?: string | null;
}

export interface VersionChanges {
  added: number;
  removed: number;
  moved: number;
  enabled: number;
  disabled: number;
  reconfigured: number;
  updated: number;
}

export interface BundleVersion {
  number: number;
  action: BundleVersionAction;
  changes: VersionChanges;
  entry_count: number;
  restored_from: number | null;
  note: string | null;
  made_by: string | null;
  created_at: string;
}

export interface ListedEntry {
  id: string;
  listing_id: string | null;
  listing_name: string | null;
  listing_title: string | null;
  key: string | null;
  position: number;
  version: string | null;
  listing_version: string | null;
  is_enabled: boolean;
  is_available: boolean;
  config: Record<string, unknown>;
  credential_mode: CredentialMode;
  pinning: Pinning;
  endpoint_url: string | null;
}

export interface BundleVersionDetail {
  number: number;
  action: BundleVersionAction;
  changes: VersionChanges;
  entry_count: number;
  restored_from: number | null;
  note: string | null;
  made_by: string | null;
  created_at: string;
  entries: ListedEntry[];
}

export interface ComparedEntry {
  before: ListedEntry;
  after: ListedEntry;
}

export interface VersionComparison {
  from: number;
  to: number;
  added: ListedEntry[];
  removed: ListedEntry[];
  moved: ComparedEntry[];
  enabled: ComparedEntry[];
  disabled: ComparedEntry[];
  reconfigured: ComparedEntry[];
  updated: ComparedEntry[];
  tools: Record<string, unknown> | null;
  policies: Record<string, unknown> | null;
}

export interface VersionRestore {
  pin?: boolean | null;
  base_version?: number | null;
  note?: string | null;
}

export interface VsCodeConfiguration {
  inputs: Record<string, unknown>[];
  servers: Record<string, unknown>;
}

export interface McpServersConfiguration {
  mcpServers: Record<string, unknown>;
}

export interface ExportedEntry {
  entry_id: string;
  listing_name: string | null;
  listing_version: string | null;
  key: string;
  endpoint_url: string | null;
}

export interface ExportedInput {
  server: string;
  name: string;
  description: string | null;
  is_secret: boolean;
  is_required: boolean;
  placeholder: string | null;
}

export interface SkippedEntry {
  entry_id: string;
  listing_name: string | null;
  listing_version: string | null;
  key: string | null;
  reason: SkipReason;
  detail: string;
}

export interface ExportWarning {
  entry_id: string;
  key: string;
  detail: string;
}

export interface BundleExport {
  client: ExportClient;
  version: number;
  path: string;
  configuration: Record<string, unknown>;
  servers: ExportedEntry[];
  inputs: ExportedInput[];
  skipped: SkippedEntry[];
  warnings: ExportWarning[];
  notes: string[];
}

export interface BundleAccessTokenCreate {
  name: string;
  scopes?: BundleTokenScope[] | null;
  expires_at?: string | null;
}

export type BundleTokenScope = 'read' | 'call';

export interface BundleAccessTokenCreated {
  id: string;
  name: string;
  prefix: string;
  scopes: BundleTokenScope[];
  created_by: string;
  is_usable: boolean;
  expires_at: string | null;
  last_used_at: string | null;
  created_at: string;
  token: string;
}

export interface BundleAccessToken {
  id: string;
  name: string;
  prefix: string;
  scopes: BundleTokenScope[];
  created_by: string;
  is_usable: boolean;
  expires_at: string | null;
  last_used_at: string | null;
  created_at: string;
}

export interface BundleFollower {
  user_id: string;
  name: string | null;
  followed_at: string;
}

export interface BundleEditor {
  user_id: string;
  email: string | null;
  name: string | null;
  may_modify: boolean;
  created_at: string;
}

export interface FeedBundle {
  id: string;
  name: string;
}

export interface FeedActor {
  user_id: string;
  name: string | null;
}

export interface FeedEntries {
  count: number;
  names: string[];
}

export interface FeedItem {
  id: string;
  occurred_at: string;
  type: BundleVersionAction;
  bundle: FeedBundle;
  actor: FeedActor | null;
  version: number;
  restored_from: number | null;
  note: string | null;
  added: FeedEntries;
  removed: FeedEntries;
  changed: FeedEntries;
  moved: number;
}

export interface DeploymentCreate {
  name: string;
  environment: string;
  kind?: DeploymentKind | null;
  status?: DeploymentStatus | null;
  url?: string | null;
  bundle_version?: number | null;
}

export interface Deployment {
  id: string;
  bundle_id: string;
  name: string;
  environment: string;
  kind: DeploymentKind;
  status: DeploymentStatus;
  url: string | null;
  bundle_version: number;
  latest_version: number;
  is_outdated: boolean;
  created_at: string;
  updated_at: string;
}

export interface DeploymentUpdate {
  name?: string | null;
  environment?: string | null;
  status?: DeploymentStatus | null;
  url?: string | null;
  bundle_version?: number | null;
}

export interface ManagedSettings {
  allowedMcpServers: ({
    serverUrl: string;
  } | {
    serverCommand: string[];
  })[];
}

export interface Unlisted {
  listing_id: string;
  name: string;
  detail: string;
}

export interface ManagedSettingsReport {
  allowed: number;
  unlisted: Unlisted[];
}

export interface RegistryBundleEntry {
  name: string;
  version: string;
}

export interface RegistryBundle {
  id: string;
  name: string;
  slug: string;
  description: string;
  servers: string[];
  entries: RegistryBundleEntry[];
  updatedAt: string;
}

export interface RegistryBundles {
  bundles: RegistryBundle[];
  metadata: ServerListMetadata;
}

export interface InstallLink {
  prefix: string;
  encoding: LinkEncoding;
  content: string;
}

export interface InstallFile {
  path: string;
  content: string;
}

export interface InstallInput {
  name: string;
  description: string | null;
  is_secret: boolean;
  is_required: boolean;
  placeholder: string | null;
  default: string | null;
  choices: string[] | null;
}

export interface InstallProblem {
  reason: SkipReason;
  detail: string;
}

export interface ListingInstall {
  is_possible: boolean;
  link: InstallLink | null;
  command: string | null;
  file: InstallFile | null;
  inputs: InstallInput[];
  notes: string[];
  client: InstallClient;
  listing_id: string;
  version: string;
  key: string;
  problem: InstallProblem | null;
  runs: string | null;
  endpoint_url: string | null;
}

export interface ListingBundle {
  id: string;
  name: string;
  slug: string;
  description: string;
  visibility: Visibility;
  org_id: string | null;
  owner_id: string;
  version: number;
  entry_count: number;
  follower_count: number;
  is_followed: boolean;
  may_modify: boolean;
  created_at: string;
  updated_at: string;
  entry_id: string;
  is_enabled: boolean;
}

export interface AllowingBundle {
  id: string;
  name: string;
}

export interface ListingAllowance {
  org_id: string;
  organisation_name: string;
  is_allowed: boolean;
  rule: AllowanceRule | null;
  bundles: AllowingBundle[];
}

export interface AllowedByBundle {
  id: string;
  name: string;
}

export interface AllowedListing {
  listing_id: string;
  name: string;
  title: string;
  rules: AllowanceRule[];
  bundle_count: number;
  bundles: AllowedByBundle[];
  deployed_bundles: AllowedByBundle[];
}

export interface Endpoint {
  bundle_id: string;
  url: string;
  is_enabled: boolean;
  naming: EndpointNaming;
  name_budget: number;
  default_access: PolicyDefaultAccess;
  presentation: EndpointPresentation;
  record: EndpointRecord;
  record_arguments: RecordedArguments;
  updated_at: string | null;
}

export interface EndpointUpdate {
  is_enabled?: boolean | null;
  naming?: EndpointNaming | null;
  name_budget?: number | null;
  default_access?: PolicyDefaultAccess | null;
  presentation?: EndpointPresentation | null;
  record?: EndpointRecord | null;
  record_arguments?: RecordedArguments | null;
}

export interface EndpointEntry {
  entry_id: string;
  key: string | null;
  alias: string | null;
  listing_name: string | null;
  listing_version: string | null;
  state: EndpointEntryState;
  reason: string | null;
  modern_revision: string | null;
  legacy_revision: string | null;
  credential_state: CredentialState | null;
  listed_at: string | null;
  paused_for: number;
  tool_count: number;
  prompt_count: number;
  resource_count: number;
  template_count: number;
}

export interface EndpointStatus {
  bundle_id: string;
  is_enabled: boolean;
  entries: EndpointEntry[];
}

export interface EndpointName {
  name: string;
  entry_id: string;
  upstream_name: string;
}

export interface EndpointProblem {
  code: EndpointProblemCode;
  entry_id: string;
  other_entry_id: string | null;
  subject: string | null;
  detail: string;
}

export interface PolicyFinding {
  rule: number;
  code: PolicyFindingCode;
  detail: string;
}

export interface EndpointReport {
  bundle_id: string;
  is_enabled: boolean;
  entries: EndpointEntry[];
  version: number;
  naming: EndpointNaming;
  name_budget: number;
  tools: EndpointName[];
  prompts: EndpointName[];
  problems: EndpointProblem[];
  problem_count: number;
  policy_findings: PolicyFinding[];
  tools_bytes: number;
  tools_tokens: number;
}

export interface ConnectionProblem {
  reason: ConnectionProblemReason;
  detail: string;
}

export interface BundleConnect {
  is_possible: boolean;
  link: InstallLink | null;
  command: string | null;
  file: InstallFile | null;
  inputs: InstallInput[];
  notes: string[];
  client: EndpointClient;
  bundle_id: string;
  key: string;
  problem: ConnectionProblem | null;
  endpoint_url: string;
  authentication: ClientAuthentication;
}

export interface PolicySubject {
  kind: PolicySubjectKind;
  role: PolicyRole | null;
  id: string | null;
}

export interface PolicyRule {
  effect: PolicyEffect;
  subject: PolicySubject;
  tools: string;
  hint: PolicyHint | null;
  entry_id: string | null;
}

export interface BundlePolicies {
  bundle_id: string;
  version: number;
  default_access: PolicyDefaultAccess;
  rules: PolicyRule[];
}

export interface PolicyRulePut {
  effect: PolicyEffect;
  subject: {
    kind: PolicySubjectKind;
    role?: PolicyRole | null;
    id?: string | null;
  };
  tools?: string | null;
  hint?: PolicyHint | null;
  entry_id?: string | null;
}

export interface BundlePoliciesPut {
  rules: PolicyRulePut[];
  default_access?: PolicyDefaultAccess | null;
  base_version?: number | null;
}

export interface BundlePoliciesPreview {
  rules: PolicyRulePut[];
  default_access?: PolicyDefaultAccess | null;
  as: PolicyPreviewedKind;
  id: string;
}

export interface PolicyDecision {
  kind: PolicyItemKind;
  name: string;
  entry_id: string;
  upstream_name: string;
  is_allowed: boolean;
  reason: PolicyDecisionReason;
  rule: number | null;
}

export interface PolicyPreview {
  bundle_id: string;
  allowed_tool_count: number;
  denied_tool_count: number;
  decisions: PolicyDecision[];
}

export interface BundleToolFinding {
  code: BundleToolFindingCode;
  detail: string;
}

export interface BundleTool {
  id: string;
  entry_id: string;
  entry_key: string;
  kind: BundleToolKind;
  upstream_name: string;
  upstream_title: string | null;
  upstream_description: string | null;
  upstream_annotations: Record<string, boolean> | null;
  name: string;
  state: BundleToolState;
  pinning: Pinning;
  digest: string;
  approved_digest: string | null;
  shown_digest: string | null;
  approved_shown_digest: string | null;
  approved_by: string | null;
  approved_at: string | null;
  is_enabled: boolean;
  may_use: boolean;
  name_override: string | null;
  title: string | null;
  description: string | null;
  annotations: Record<string, boolean> | null;
  fixed_arguments: Record<string, unknown> | null;
  findings: BundleToolFinding[];
  first_seen_at: string;
  changed_at: string;
}

export interface BundleToolApproval {
  digest: string;
  shown_digest?: string | null;
  id: string;
}

export interface BundleToolsApprove {
  tools: BundleToolApproval[];
}

export interface BundleToolsApproved {
  version: number;
  approved_count: number;
}

export interface BundleToolDefinition {
  digest: string;
  is_listed: boolean;
  is_approved: boolean;
  first_seen_at: string;
  last_seen_at: string;
}

export interface BundleToolDetail {
  id: string;
  entry_id: string;
  entry_key: string;
  kind: BundleToolKind;
  upstream_name: string;
  upstream_title: string | null;
  upstream_description: string | null;
  upstream_annotations: Record<string, boolean> | null;
  name: string;
  state: BundleToolState;
  pinning: Pinning;
  digest: string;
  approved_digest: string | null;
  shown_digest: string | null;
  approved_shown_digest: string | null;
  approved_by: string | null;
  approved_at: string | null;
  is_enabled: boolean;
  may_use: boolean;
  name_override: string | null;
  title: string | null;
  description: string | null;
  annotations: Record<string, boolean> | null;
  fixed_arguments: Record<string, unknown> | null;
  findings: BundleToolFinding[];
  first_seen_at: string;
  changed_at: string;
  definition: Record<string, unknown> | null;
  shown: Record<string, unknown> | null;
  definitions: BundleToolDefinition[];
}

export interface BundleToolUpdate {
  is_enabled?: boolean | null;
  name?: string | null;
  title?: string | null;
  description?: string | null;
  annotations?: {
    readOnlyHint?: boolean | null;
    destructiveHint?: boolean | null;
    idempotentHint?: boolean | null;
    openWorldHint?: boolean | null;
  } | null;
  fixed_arguments?: Record<string, unknown> | null;
}

export interface BundleToolChange {
  pointer: string;
  before?: unknown;
  after?: unknown;
  lines: string[] | null;
}

export interface BundleToolChanges {
  id: string;
  before_digest: string | null;
  after_digest: string | null;
  changes: BundleToolChange[];
  change_count: number;
}

export interface BundleToolApprove {
  digest: string;
  shown_digest?: string | null;
}

export interface BundleToolCall {
  arguments?: Record<string, unknown> | null;
}

export interface BundleToolAnswer {
  result: Record<string, unknown> | null;
  error: Record<string, unknown> | null;
}

export interface CallPrincipal {
  type: CallPrincipalType;
  id: string;
  name: string | null;
}

export interface CallClient {
  name: string | null;
  version: string | null;
}

export interface Call {
  id: string;
  created_at: string;
  deployment_id: string | null;
  bundle_version: number;
  entry_id: string | null;
  entry_key: string | null;
  method: string;
  name: string | null;
  tool: string | null;
  definition_digest: string | null;
  principal: CallPrincipal;
  client: CallClient;
  era: CallEra;
  outcome: CallOutcome;
  error_code: string | null;
  duration_ms: number | null;
  upstream_ms: number | null;
  bytes_in: number;
  bytes_out: number | null;
  request_id: string;
  trace_id: string | null;
  argument_keys: string[] | null;
  argument_digest: string | null;
}

export interface CallFigures {
  calls: number;
  errors: number;
  p50_ms: number | null;
  p95_ms: number | null;
  p99_ms: number | null;
  bytes_in: number;
  bytes_out: number;
}

export interface CallGroup {
  calls: number;
  errors: number;
  p50_ms: number | null;
  p95_ms: number | null;
  p99_ms: number | null;
  bytes_in: number;
  bytes_out: number;
  tool: string | null;
  entry_id: string | null;
  entry_key: string | null;
  principal: CallPrincipal | null;
  outcome: CallOutcome | null;
  begins_at: string | null;
}

export interface CallStatistics {
  from: string;
  to: string;
  is_complete: boolean;
  total: CallFigures;
  groups: CallGroup[];
  group_count: number;
  part_seconds: number | null;
}

export interface ProtectedResource {
  resource: string;
  resource_name: string;
  resource_documentation: string;
  authorization_servers: string[];
  bearer_methods_supported: string[];
  scopes_supported: string[];
}

export interface CredentialValue {
  name: string;
  is_set: true;
  updated_at: string;
}

export interface Credential {
  id: string;
  kind: CredentialKind;
  owner: CredentialOwner;
  bundle_id: string | null;
  entry_id: string | null;
  org_id: string | null;
  listing_id: string | null;
  origin: string;
  other_origins: string[];
  status: CredentialStatus;
  values: CredentialValue[];
  issuer: string | null;
  client_id: string | null;
  scopes: string[] | null;
  expires_at: string | null;
  created_by: string | null;
  created_at: string;
  updated_at: string;
}

export interface CredentialCreate {
  kind?: GivenCredentialKind | null;
  bundle_id?: string | null;
  entry_id?: string | null;
  is_personal?: boolean | null;
  org_id?: string | null;
  listing_id?: string | null;
  values?: Record<string, string> | null;
  client_id?: string | null;
  client_secret?: string | null;
  scopes?: string[] | null;
}

export interface CredentialUpdate {
  values?: Record<string, string | null> | null;
  client_id?: string | null;
  client_secret?: string | null;
  scopes?: string[] | null;
  origin?: string | null;
}

export interface NeededValue {
  name: string;
  is_required: boolean;
  description: string | null;
}

export interface EntryCredential {
  id: string | null;
  owner: CredentialOwner;
  kind: CredentialKind;
  state: CredentialState;
  origin: string;
  values: CredentialValue[];
}

export interface CredentialNeed {
  entry_id: string;
  key: string;
  listing_name: string;
  credential_mode: CredentialMode;
  origin: string | null;
  reason: string | null;
  state: CredentialState | null;
  kinds: CredentialKind[];
  secrets: NeededValue[];
  set_elsewhere: string[];
  personal: EntryCredential | null;
  shared: EntryCredential | null;
}

export interface ClientDocument {
  client_id: string;
  client_name: string;
  client_uri: string;
  redirect_uris: string[];
  grant_types: string[];
  response_types: string[];
  token_endpoint_auth_method: string;
  application_type: string;
}

export interface ConnectCreate {
  bundle_id: string;
  entry_id: string;
  owner?: ConnectCreateOwner;
}

export interface Connect {
  url: string;
}

export type TokenScope = 'catalog:read' | 'bundles:read' | 'bundles:write' | 'organisations:read' | 'organisations:admin' | 'webhooks:read' | 'webhooks:write' | 'platform:admin' | 'account:delete' | 'organisations:delete';

export type EmailState = 'email_verified' | 'xms_edov' | 'trusted_issuer' | 'not_verified' | 'unusable' | 'missing';

export interface SignIn {
  issuer: string;
  subject: string;
  email: string | null;
  email_state: EmailState;
  detail: string;
}

export interface MeOrganisation {
  org_id: string;
  name: string;
  slug: string;
  role: Role | null;
  suspended: boolean;
}

export interface Me {
  id: string;
  email: string | null;
  name: string | null;
  is_platform_admin: boolean;
  scopes: TokenScope[] | null;
  sign_in: SignIn | null;
  organisations: MeOrganisation[];
}

export interface WaitingInvitation {
  id: string;
  kind: InvitationKind;
  org_id: string;
  organisation_name: string;
  role: Role | null;
  invited_by_name: string | null;
  created_at: string;
}

export interface WaitingInvitationsPart {
  count: number;
  items: WaitingInvitation[];
}

export interface WaitingAccount {
  bundle_id: string;
  bundle_name: string;
  entry_id: string;
  key: string;
  listing_name: string;
  reason: WaitingAccountReason;
}

export interface WaitingAccountsPart {
  count: number;
  items: WaitingAccount[];
}

export interface WaitingTools {
  bundle_id: string;
  bundle_name: string;
  count: number;
}

export interface WaitingToolsPart {
  count: number;
  items: WaitingTools[];
}

export interface WaitingRequests {
  org_id: string;
  organisation_name: string;
  count: number;
}

export interface WaitingRequestsPart {
  count: number;
  items: WaitingRequests[];
}

export interface Waiting {
  total: number;
  invitations: WaitingInvitationsPart;
  accounts: WaitingAccountsPart;
  tools: WaitingToolsPart;
  requests: WaitingRequestsPart;
}

export interface AccountActor {
  id: string | null;
  name: string | null;
  email: string | null;
  type: AccountActorType;
}

export interface AuditedAccount {
  id: string | null;
  name: string | null;
  email: string | null;
}

export interface AccountAuditEntry {
  id: string;
  created_at: string;
  action: AccountAction;
  actor: AccountActor;
  user: AuditedAccount;
  subject_type: AccountSubjectType;
  subject_id: string | null;
  details: Record<string, unknown>;
  address: string | null;
  request_id: string | null;
}

export interface Identity {
  id: string;
  issuer: string;
  subject: string;
  created_at: string;
}

export interface Passkey {
  id: string;
  name: string;
  is_backed_up: boolean;
  last_used_at: string | null;
  created_at: string;
}

export interface PasskeyOptions {
  public_key: Record<string, unknown>;
}

export interface PasskeyCreate {
  name: string;
  response: Record<string, unknown>;
}

export interface PasskeyCreated {
  id: string;
  name: string;
  is_backed_up: boolean;
  last_used_at: string | null;
  created_at: string;
  recovery_codes: string[] | null;
}

export interface RecoveryCodes {
  recovery_codes: string[];
}

export interface AccountInvitationCreate {
  email: string;
  name?: string | null;
}

export interface AccountInvitationCreated {
  id: string;
  email: string;
  name: string | null;
  invited_by: string | null;
  expires_at: string;
  created_at: string;
  link: string;
  mailed: boolean;
}

export interface AccountInvitation {
  id: string;
  email: string;
  name: string | null;
  invited_by: string | null;
  expires_at: string;
  created_at: string;
}

export type UserState = 'ACTIVE' | 'WAITING' | 'CLOSED';

export type SignInKind = 'PASSWORD' | 'PASSKEY' | 'IDENTITY';

export interface UserSignIn {
  kind: SignInKind;
  issuer: string | null;
}

export type Role = 'MEMBER' | 'ADMIN' | 'OWNER';

export interface UserOrganisation {
  org_id: string;
  name: string;
  role: Role;
}

export interface User {
  id: string;
  email: string | null;
  name: string | null;
  state: UserState;
  is_platform_admin: boolean;
  sign_in: UserSignIn[];
  organisations: UserOrganisation[];
  organisation_count: number;
  last_signed_in_at: string | null;
  closed_at: string | null;
  created_at: string;
}

export interface UserClose {
  allow_last_owner?: boolean;
}

export interface PasswordResetLink {
  link: string;
  mailed: boolean;
  expires_at: string;
}

export interface OrganisationCreate {
  name: string;
  slug?: string | null;
}

export interface Organisation {
  id: string;
  name: string;
  slug: string;
  role: Role;
  created_at: string;
  updated_at: string;
}

export interface OrganisationUpdate {
  name?: string | null;
  slug?: string | null;
}

export interface Member {
  user_id: string;
  email: string | null;
  name: string | null;
  role: Role | null;
  manual_role: Role | null;
  scim_role: Role | null;
  retained_last_owner: boolean;
  created_at: string;
}

export interface MemberChange {
  role: Role;
}

export interface AuditActor {
  type: AuditActorType;
  id: string | null;
  name: string | null;
  email: string | null;
}

export interface AuditEntry {
  id: string;
  created_at: string;
  action: AuditAction;
  actor: AuditActor;
  subject_type: AuditSubjectType;
  subject_id: string | null;
  subject_name: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  reason: string | null;
  details: Record<string, unknown> | null;
  request_id: string | null;
}

export interface InvitationCreate {
  email?: string | null;
  user_id?: string | null;
  role: Role;
}

export type InvitationStatus = 'PENDING' | 'ACCEPTED' | 'DECLINED' | 'REVOKED' | 'EXPIRED';

export interface Invitation {
  id: string;
  email: string | null;
  user_id: string | null;
  role: Role;
  status: InvitationStatus;
  expires_at: string;
  created_at: string;
}

export type InvitationKind = 'INVITATION' | 'DIRECTORY';

export interface MyInvitation {
  id: string;
  kind: InvitationKind;
  org_id: string;
  name: string;
  slug: string;
  role: Role | null;
  status: InvitationStatus;
  expires_at: string | null;
  created_at: string;
}

export interface ServerRequestCreate {
  listing_id?: string | null;
  name?: string | null;
  why?: string | null;
}

export type ServerRequestStatus = 'OPEN' | 'APPROVED' | 'DECLINED' | 'WITHDRAWN';

export interface ServerRequestPerson {
  user_id: string;
  name: string | null;
}

export interface ServerRequest {
  id: string;
  listing_id: string | null;
  listing_name: string | null;
  name: string;
  why: string;
  status: ServerRequestStatus;
  requested_by: ServerRequestPerson;
  decided_by: ServerRequestPerson | null;
  answer: string | null;
  created_at: string;
  decided_at: string | null;
  may_decide: boolean;
  may_withdraw: boolean;
}

export interface ServerRequestDecision {
  answer?: string | null;
}

export interface DomainCreate {
  domain: string;
}

export interface DomainRecord {
  type: 'TXT';
  name: string;
  value: string;
}

export interface Domain {
  id: string;
  domain: string;
  record: DomainRecord;
  proved_at: string | null;
  vouched_at: string | null;
  checked_at: string | null;
  created_at: string;
}

export type Sync = Record<string, unknown>;

export interface SyncProposal {
  settings?: {
    default_role?: DefaultRole | null;
    allow_owner_mapping?: boolean;
    last_owner_policy?: LastOwnerPolicy;
  } | null;
  role_mappings?: {
    delete?: string[];
    update?: {
      id: string;
      role: Role;
    }[];
    create?: {
      group_id?: string | null;
      group_name?: string | null;
      role: Role;
    }[];
  } | null;
}

export interface SyncChange {
  user_id: string;
  name: string | null;
  email: string | null;
  change: SyncChangeKind;
  role_before: Role | null;
  role_after: Role | null;
  reason: SyncChangeReason;
  mapping_id: string | null;
  group_id: string | null;
  group_name: string | null;
}

export interface SyncPreview {
  scanned: number;
  joined: number;
  promoted: number;
  demoted: number;
  removed: number;
  retained: number;
  unchanged: number;
  members: number;
  would_be_refused: boolean;
  needs_confirmation: boolean;
  changes: SyncChange[];
}

export interface SyncRunSummary {
  scanned: number;
  joined: number;
  promoted: number;
  demoted: number;
  removed: number;
  retained: number;
  unchanged: number;
  id: string;
  org_id: string;
  started_by: string | null;
  started_at: string;
  finished_at: string;
}

export interface SyncRun {
  scanned: number;
  joined: number;
  promoted: number;
  demoted: number;
  removed: number;
  retained: number;
  unchanged: number;
  id: string;
  org_id: string;
  started_by: string | null;
  started_at: string;
  finished_at: string;
  changes: SyncChange[];
}

export interface GroupMapping {
  id: string;
  role: Role;
}

export interface DirectoryGroup {
  id: string;
  display_name: string;
  external_id: string | null;
  member_count: number;
  mapping: GroupMapping | null;
  created_at: string;
  updated_at: string;
}

export interface DirectoryGroupMember {
  id: string;
  user_id: string | null;
  user_name: string;
  display_name: string | null;
  active: boolean;
  role: Role | null;
  since: string;
}

export type RoleReason = 'manual' | 'mapping' | 'default_role' | 'no_default_role' | 'deactivated' | 'deleted' | 'pending' | 'opted_out' | 'not_in_directory' | 'last_owner';

export interface DirectoryUser {
  id: string;
  user_id: string | null;
  account_note: AccountNote | null;
  user_name: string;
  display_name: string | null;
  external_id: string | null;
  email: string | null;
  active: boolean;
  role: Role | null;
  reason: RoleReason;
  mapping_id: string | null;
  group_id: string | null;
  retained_last_owner: boolean;
  created_at: string;
  updated_at: string;
}

export interface DirectoryUserGroup {
  id: string;
  display_name: string;
  since: string;
  mapping_id: string | null;
  role: Role | null;
}

export interface DirectoryUserDetail {
  id: string;
  user_id: string | null;
  account_note: AccountNote | null;
  user_name: string;
  display_name: string | null;
  external_id: string | null;
  email: string | null;
  active: boolean;
  role: Role | null;
  reason: RoleReason;
  mapping_id: string | null;
  group_id: string | null;
  retained_last_owner: boolean;
  created_at: string;
  updated_at: string;
  groups: DirectoryUserGroup[];
}

export interface ListedMember {
  user_id: string;
  email: string | null;
  name: string | null;
  role: Role | null;
  manual_role: Role | null;
  scim_role: Role | null;
  retained_last_owner: boolean;
  created_at: string;
  reason: RoleReason;
  mapping_id: string | null;
  group_id: string | null;
  group_name: string | null;
  account_state: AccountState | null;
}

export type AccountState = 'CLAIMED' | 'WAITING' | 'NO_ADDRESS' | 'CLOSED';

export interface ExplainedEntry {
  id: string;
  user_name: string;
  active: boolean;
  deleted_at: string | null;
}

export interface DecidingMapping {
  id: string;
  group_id: string;
  group_name: string;
  role: Role;
  since: string;
  member_since: string;
}

export interface ExplainedGroup {
  group_id: string;
  group_name: string;
  mapping_id: string;
  role: Role;
  counts: boolean;
  member_since: string;
}

export interface WithoutMapping {
  role: Role | null;
  reason: RoleReason;
  mapping_id: string | null;
}

export interface RoleExplanation {
  user_id: string | null;
  email: string | null;
  name: string | null;
  account_state: AccountState;
  account_detail: string;
  role: Role | null;
  role_since: string | null;
  reason: RoleReason;
  summary: string;
  is_up_to_date: boolean;
  is_member: boolean;
  manual_role: Role | null;
  scim_role: Role | null;
  suspended: boolean;
  retained_last_owner: boolean;
  directory_user: ExplainedEntry | null;
  mapping: DecidingMapping | null;
  mapped_groups: ExplainedGroup[];
  without_mapping: WithoutMapping | null;
}

export interface ScimSettings {
  default_role: Role | null;
  allow_owner_mapping: boolean;
  last_owner_policy: LastOwnerPolicy;
  base_url: string;
  last_contact_at: string | null;
  is_stale: boolean;
}

export interface ScimSettingsPut {
  default_role: DefaultRole | null;
  allow_owner_mapping: boolean;
  last_owner_policy: LastOwnerPolicy;
}

export interface RoleMapping {
  id: string;
  group_id: string | null;
  group_name: string;
  state: RoleMappingState;
  role: Role;
  has_effect: boolean;
  member_count: number | null;
  created_at: string;
  updated_at: string;
}

export interface RoleMappingCreate {
  group_id?: string | null;
  group_name?: string | null;
  role: Role;
}

export interface RoleMappingChange {
  role: Role;
}

export interface ScimTokenCreate {
  name: string;
  expires_at?: string | null;
}

export interface ScimTokenCreated {
  id: string;
  name: string;
  prefix: string;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  created_by: string | null;
  token: string;
}

export interface ScimToken {
  id: string;
  name: string;
  prefix: string;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  created_by: string | null;
}

export interface ScimLogEntry {
  id: string;
  created_at: string;
  method: string;
  path: string;
  status: number;
  duration_ms: number;
  token_id: string;
  request_id: string;
  resource_type: ScimResourceType | null;
  resource_id: string | null;
  scim_type: string | null;
  error: string | null;
  ignored: string[];
  notes: string[];
  bulk_entry_id: string | null;
  bulk_index: number | null;
  consent: ScimLogConsent | null;
}

export interface ScimLogEntryDetail {
  id: string;
  created_at: string;
  method: string;
  path: string;
  status: number;
  duration_ms: number;
  token_id: string;
  request_id: string;
  resource_type: ScimResourceType | null;
  resource_id: string | null;
  scim_type: string | null;
  error: string | null;
  ignored: string[];
  notes: string[];
  bulk_entry_id: string | null;
  bulk_index: number | null;
  consent: ScimLogConsent | null;
  body: Record<string, unknown> | null;
}

export interface ScimError {
  schemas: string[];
  status: string;
  scimType?: string;
  detail: string;
}

export type EventType = 'listing.published' | 'listing.updated' | 'listing.archived' | 'review.created' | 'review.updated' | 'review.deleted' | 'review.answered' | 'review.hidden' | 'review.shown' | 'category.created' | 'category.updated' | 'category.deleted' | 'category.merged' | 'category.reordered' | 'import_document.edited' | 'import_document.dismissed' | 'import_document.reopened' | 'import_document.retried' | 'bundle.created' | 'bundle.updated' | 'bundle.deleted' | 'bundle.entry_added' | 'bundle.entry_removed' | 'bundle.followed' | 'bundle.unfollowed' | 'bundle.access_token_created' | 'bundle.access_token_revoked' | 'deployment.created' | 'deployment.updated' | 'deployment.deleted' | 'endpoint.enabled' | 'endpoint.disabled' | 'endpoint.upstream_down' | 'endpoint.upstream_recovered' | 'policy.changed' | 'tool.added' | 'tool.removed' | 'tool.definition_changed' | 'tool.approved' | 'credential.connected' | 'credential.reconnect_needed' | 'credential.origin_changed' | 'credential.revoked' | 'organisation.updated' | 'member.added' | 'member.role_changed' | 'member.removed' | 'organisation.deleted' | 'member.invited' | 'server_request.created' | 'server_request.approved' | 'server_request.declined' | 'server_request.withdrawn' | 'scim.user_provisioned' | 'scim.user_updated' | 'scim.user_deactivated' | 'scim.user_deleted' | 'scim.group_changed' | 'scim.group_deleted' | 'scim.role_mapping_changed' | 'scim.sync_completed' | 'webhook.endpoint_disabled' | 'session.started' | 'account.closed' | 'account.reopened' | 'identity.linked' | 'access_token.created' | 'access_token.revoked' | 'oauth_client.created' | 'oauth_client.updated' | 'oauth_client.deleted' | 'oauth_client.secret_rotated';

export interface SubscribableEventType {
  event_type: EventType;
  group: string;
  label: string;
  description: string;
}

export type AnyEventType = 'listing.published' | 'listing.updated' | 'listing.archived' | 'review.created' | 'review.updated' | 'review.deleted' | 'review.answered' | 'review.hidden' | 'review.shown' | 'category.created' | 'category.updated' | 'category.deleted' | 'category.merged' | 'category.reordered' | 'import_document.edited' | 'import_document.dismissed' | 'import_document.reopened' | 'import_document.retried' | 'bundle.created' | 'bundle.updated' | 'bundle.deleted' | 'bundle.entry_added' | 'bundle.entry_removed' | 'bundle.followed' | 'bundle.unfollowed' | 'bundle.access_token_created' | 'bundle.access_token_revoked' | 'deployment.created' | 'deployment.updated' | 'deployment.deleted' | 'endpoint.enabled' | 'endpoint.disabled' | 'endpoint.upstream_down' | 'endpoint.upstream_recovered' | 'policy.changed' | 'tool.added' | 'tool.removed' | 'tool.definition_changed' | 'tool.approved' | 'credential.connected' | 'credential.reconnect_needed' | 'credential.origin_changed' | 'credential.revoked' | 'organisation.updated' | 'member.added' | 'member.role_changed' | 'member.removed' | 'organisation.deleted' | 'member.invited' | 'server_request.created' | 'server_request.approved' | 'server_request.declined' | 'server_request.withdrawn' | 'scim.user_provisioned' | 'scim.user_updated' | 'scim.user_deactivated' | 'scim.user_deleted' | 'scim.group_changed' | 'scim.group_deleted' | 'scim.role_mapping_changed' | 'scim.sync_completed' | 'webhook.endpoint_disabled' | 'session.started' | 'account.closed' | 'account.reopened' | 'identity.linked' | 'access_token.created' | 'access_token.revoked' | 'oauth_client.created' | 'oauth_client.updated' | 'oauth_client.deleted' | 'oauth_client.secret_rotated' | 'webhook.ping';

export interface EventPayload {
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

export interface EventTypeDetail {
  group: string;
  label: string;
  description: string;
  event_type: AnyEventType;
  schema: Record<string, unknown>;
  example: EventPayload;
}

export interface WebhookEndpointDay {
  endpoint_id: string;
  succeeded: number[];
  failed: number[];
  failing_since: string | null;
  disabled_reason: string | null;
  disabled_at: string | null;
}

export interface WebhookOverview {
  from: string;
  to: string;
  endpoints: WebhookEndpointDay[];
}

export interface WebhookEndpointCreate {
  org_id?: string | null;
  target_url: string;
  description?: string | null;
  event_types: EventType[];
  is_active?: boolean | null;
  headers?: Record<string, string> | null;
  rate_limit_per_second?: number | null;
}

export interface WebhookEndpointCreated {
  id: string;
  target_url: string;
  is_active: boolean;
  description: string;
  event_types: EventType[];
  created_at: string;
  updated_at: string;
  org_id: string | null;
  owner_id: string;
  disabled_reason: string | null;
  disabled_at: string | null;
  headers: Record<string, null>;
  rate_limit_per_second: number | null;
  secret: string;
}

export interface WebhookEndpoint {
  id: string;
  target_url: string;
  is_active: boolean;
  description: string;
  event_types: EventType[];
  created_at: string;
  updated_at: string;
}

export interface WebhookEndpointDetail {
  id: string;
  target_url: string;
  is_active: boolean;
  description: string;
  event_types: EventType[];
  created_at: string;
  updated_at: string;
  org_id: string | null;
  owner_id: string;
  disabled_reason: string | null;
  disabled_at: string | null;
  headers: Record<string, null>;
  rate_limit_per_second: number | null;
}

export interface WebhookEndpointUpdate {
  target_url?: string | null;
  description?: string | null;
  is_active?: boolean | null;
  event_types?: EventType[] | null;
  headers?: Record<string, string | null> | null;
  rate_limit_per_second?: number | null;
}

export interface WebhookSecretRotation {
  grace_seconds?: number | null;
}

export interface WebhookSecretRotated {
  id: string;
  target_url: string;
  is_active: boolean;
  description: string;
  event_types: EventType[];
  created_at: string;
  updated_at: string;
  org_id: string | null;
  owner_id: string;
  disabled_reason: string | null;
  disabled_at: string | null;
  headers: Record<string, null>;
  rate_limit_per_second: number | null;
  secret: string;
  former_secrets_expire_at: string | null;
}

export interface WebhookPing {
  webhook_id: string;
  status: WebhookAttemptStatus;
  response_status: number | null;
  duration_ms: number;
  error: WebhookSendError | null;
  error_message: string | null;
  response_body: string | null;
}

export interface WebhookDelivery {
  id: string;
  event_id: string;
  event_type: string;
  status: WebhookDeliveryStatus;
  attempt_count: number;
  next_attempt_at: string | null;
  response_status: number | null;
  error: WebhookDeliveryError | null;
  created_at: string;
  last_attempt_at: string | null;
}

export interface WebhookPayload {
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

export interface WebhookAttempt {
  number: number;
  started_at: string;
  duration_ms: number;
  status: WebhookAttemptStatus;
  response_status: number | null;
  response_body: string | null;
  error: WebhookSendError | null;
  error_message: string | null;
}

export interface WebhookDeliveryDetail {
  id: string;
  event_id: string;
  event_type: string;
  status: WebhookDeliveryStatus;
  attempt_count: number;
  next_attempt_at: string | null;
  response_status: number | null;
  error: WebhookDeliveryError | null;
  created_at: string;
  last_attempt_at: string | null;
  payload: WebhookPayload | null;
  attempts: WebhookAttempt[];
}

export interface WebhookPreviewHeader {
  name: string;
  value: string | null;
}

export interface WebhookPreview {
  method: 'POST';
  url: string;
  at: string;
  headers: WebhookPreviewHeader[];
  signature_count: number;
  signed_content: string;
  body: string;
  refusal: string | null;
}

export interface WebhookRecoveryCreate {
  since: string;
  until?: string | null;
  include_missing?: boolean | null;
  dry_run?: boolean | null;
}

export interface WebhookRecoveryPreview {
  since: string;
  until: string;
  include_missing: boolean;
  scanned: number;
  lost: number;
  missing: number;
  queued: number;
  is_exact: boolean;
}

export interface WebhookRecovery {
  id: string;
  status: WebhookRecoveryStatus;
  since: string;
  until: string;
  include_missing: boolean;
  scanned: number;
  queued: number;
  progress: number;
  created_at: string;
  finished_at: string | null;
}

export interface WebhookAttemptCounts {
  succeeded: number;
  failed: number;
  p50_ms: number | null;
  p95_ms: number | null;
  p99_ms: number | null;
}

export interface WebhookHour {
  succeeded: number;
  failed: number;
  p50_ms: number | null;
  p95_ms: number | null;
  p99_ms: number | null;
  hour: string;
}

export interface WebhookLatencyBar {
  up_to_ms: number | null;
  count: number;
}

export interface WebhookStats {
  from: string;
  to: string;
  totals: WebhookAttemptCounts;
  hours: WebhookHour[];
  latencies: WebhookLatencyBar[];
  pending: number;
  pending_is_exact: boolean;
  oldest_pending_at: string | null;
  failing_since: string | null;
}

export interface OwnedAlone {
  org_id: string;
  name: string;
}

export interface AccountDeparturePreview {
  user_id: string;
  last_owner_of: OwnedAlone[];
  session_count: number;
  application_count: number;
  access_token_count: number;
  membership_count: number;
  bundle_count: number;
  credential_count: number;
  deleted_listing_count: number;
  archived_listing_count: number;
  endpoint_count: number;
  review_count: number;
}

export interface OrganisationDeletionPreview {
  org_id: string;
  member_count: number;
  bundle_count: number;
  credential_count: number;
  deleted_listing_count: number;
  archived_listing_count: number;
  endpoint_count: number;
  directory_user_count: number;
  directory_group_count: number;
  scim_token_count: number;
}

export type MailKind = 'ACCOUNT_INVITATION' | 'ORGANISATION_INVITATION' | 'PASSWORD_RESET' | 'PASSWORD_FORGOTTEN' | 'SECURITY_NOTICE' | 'SERVER_REQUEST_DECISION';

export type MailStatus = 'PENDING' | 'SENT' | 'FAILED';

export interface Mail {
  id: string;
  kind: MailKind;
  about_id: string | null;
  status: MailStatus;
  attempt_count: number;
  last_error: string | null;
  next_attempt_at: string | null;
  expires_at: string;
  created_at: string;
  finished_at: string | null;
}

export interface AuthorizationServer {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  pushed_authorization_request_endpoint: string;
  device_authorization_endpoint: string;
  introspection_endpoint: string;
  revocation_endpoint: string;
  userinfo_endpoint: string;
  end_session_endpoint: string;
  jwks_uri: string;
  registration_endpoint?: string;
  service_documentation: string;
  scopes_supported: string[];
  response_types_supported: string[];
  response_modes_supported: string[];
  grant_types_supported: string[];
  subject_types_supported: string[];
  claims_supported: string[];
  claim_types_supported: string[];
  id_token_signing_alg_values_supported: string[];
  token_endpoint_auth_methods_supported: string[];
  token_endpoint_auth_signing_alg_values_supported: string[];
  code_challenge_methods_supported: string[];
  claims_parameter_supported: boolean;
  request_uri_parameter_supported: boolean;
  authorization_response_iss_parameter_supported: boolean;
  client_id_metadata_document_supported: boolean;
  backchannel_logout_supported: boolean;
  backchannel_logout_session_supported: boolean;
}

export interface Jwks {
  keys: Record<string, unknown>[];
}

export interface Session {
  id: string;
  user_id: string;
  email: string | null;
  name: string | null;
  is_platform_admin: boolean;
  methods: string[];
  signed_in_at: string;
  expires_at: string;
}

export interface PersonSession {
  id: string;
  name: string;
  device: string;
  address: string;
  methods: string[];
  signed_in_at: string;
  last_seen_at: string;
  expires_at: string;
  is_current: boolean;
}

export interface ProtocolError {
  error: string;
  error_description?: string;
}

export interface PushedRequest {
  request_uri: string;
  expires_in: number;
}

export interface Tokens {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  scope?: string;
  refresh_token?: string;
  id_token?: string;
}

export interface Introspection {
  active: boolean;
  client_id?: string;
  sub?: string;
  scope?: string;
  aud?: string;
  iss?: string;
  iat?: number;
  exp?: number;
  jti?: string;
  gid?: string;
  token_type?: string;
}

export interface DeviceAuthorization {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  expires_in: number;
  interval?: number;
}

export interface ClientRegistration {
  redirect_uris?: string[];
  client_name?: string;
  application_type?: OAuthApplicationType;
  grant_types?: string[];
  token_endpoint_auth_method?: OAuthClientAuthMethod;
  jwks_uri?: string;
  post_logout_redirect_uris?: string[];
  backchannel_logout_uri?: string;
}

export interface ClientRegistered {
  redirect_uris?: string[];
  client_name?: string;
  application_type?: OAuthApplicationType;
  grant_types?: string[];
  token_endpoint_auth_method?: OAuthClientAuthMethod;
  jwks_uri?: string;
  post_logout_redirect_uris?: string[];
  backchannel_logout_uri?: string;
  client_id: string;
  client_id_issued_at: number;
  client_secret?: string;
  client_secret_expires_at?: number;
}

export interface UserInfo {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
}

export interface OAuthClientSecret {
  id: string;
  expires_at: string | null;
  created_at: string;
}

export interface OAuthClient {
  id: string;
  name: string;
  source: OAuthClientSource;
  redirect_uris: string[];
  grant_types: string[];
  token_endpoint_auth_method: string;
  application_type: string;
  scope: string | null;
  post_logout_redirect_uris: string[];
  backchannel_logout_uri: string | null;
  jwks_uri: string | null;
  is_trusted: boolean;
  secrets: OAuthClientSecret[];
  last_used_at: string;
  created_at: string;
  updated_at: string;
}

export interface OAuthClientCreate {
  name: string;
  redirect_uris?: string[];
  grant_types?: OAuthGrantType[];
  token_endpoint_auth_method?: OAuthClientAuthMethod;
  application_type?: OAuthApplicationType;
  scope?: string;
  post_logout_redirect_uris?: string[];
  backchannel_logout_uri?: string;
  jwks_uri?: string;
  is_trusted?: boolean;
}

export interface OAuthClientCreated {
  id: string;
  name: string;
  source: OAuthClientSource;
  redirect_uris: string[];
  grant_types: string[];
  token_endpoint_auth_method: string;
  application_type: string;
  scope: string | null;
  post_logout_redirect_uris: string[];
  backchannel_logout_uri: string | null;
  jwks_uri: string | null;
  is_trusted: boolean;
  secrets: OAuthClientSecret[];
  last_used_at: string;
  created_at: string;
  updated_at: string;
  client_secret: string | null;
}

export interface OAuthClientUpdate {
  name?: string;
  redirect_uris?: string[];
  scope?: string | null;
  post_logout_redirect_uris?: string[];
  backchannel_logout_uri?: string | null;
  jwks_uri?: string | null;
  is_trusted?: boolean;
}

export interface OAuthClientSecretRotation {
  grace_seconds?: number;
}

export interface Grant {
  id: string;
  client_id: string;
  client_name: string | null;
  scopes: string[];
  created_at: string;
  expires_at: string;
}

export interface PersonalAccessTokenCreate {
  name: string;
  scopes: Scope[];
  expires_at?: string;
}

export type Scope = 'catalog:read' | 'bundles:read' | 'bundles:write' | 'organisations:read' | 'organisations:admin' | 'webhooks:read' | 'webhooks:write' | 'platform:admin';

export interface PersonalAccessTokenCreated {
  id: string;
  name: string;
  prefix: string;
  scopes: Scope[];
  expires_at: string;
  last_used_at: string | null;
  created_at: string;
  token: string;
}

export interface PersonalAccessToken {
  id: string;
  name: string;
  prefix: string;
  scopes: Scope[];
  expires_at: string;
  last_used_at: string | null;
  created_at: string;
}

export interface Health {
  status: 'ok';
}

export interface Readiness {
  status: 'ok';
  database: 'ok';
  migrations: 'ok';
}

export interface HealthVersions {
  state: HealthState;
  service: string;
  releases: string[];
  postgresql: string;
  node: string;
}

export interface HealthMigrations {
  state: HealthState;
  applied: number;
  pending: string[];
  unknown: string[];
}

export interface HealthReplica {
  id: string;
  parts: string[];
  version: string | null;
  is_alive: boolean;
  started_at: string;
  seen_at: string;
}

export interface HealthReplicas {
  state: HealthState;
  api: number;
  worker: number;
  replicas: HealthReplica[];
}

export interface HealthQueue {
  state: HealthState;
  name: QueueName;
  depth: number;
  counted_up_to: number;
  oldest_at: string | null;
}

export interface HealthCategoryCounts {
  state: HealthState;
  refreshed_at: string | null;
}

export interface HealthLastImport {
  source: string;
  status: ImportRunStatus;
  error: string | null;
  started_at: string;
  updated_at: string;
  finished_at: string | null;
}

export interface HealthImports {
  state: HealthState;
  from: string | null;
  last: HealthLastImport | null;
  finished_at: string | null;
  quarantined: number;
  quarantined_today: number;
  counted_up_to: number;
}

export interface HealthKey {
  state: HealthState;
  purpose: KeyPurpose;
  id: string;
  use: KeyUse;
  since: string;
}

export interface PlatformHealth {
  state: HealthState;
  read_at: string;
  versions: HealthVersions;
  migrations: HealthMigrations;
  replicas: HealthReplicas;
  queues: HealthQueue[];
  category_counts: HealthCategoryCounts;
  imports: HealthImports;
  keys: HealthKey[];
}

export interface PasskeyAnswer {
  response: Record<string, unknown>;
  return_to?: string;
}

export interface SignedIn {
  location: string;
}

export interface Error {
  detail: string;
  code: ErrorCode;
}

export interface ValidationErrors {
  detail: {
    loc: string[];
    msg: string;
    type: FaultType;
  }[];
}

export interface ServerIcon {
  src: string;
  mimeType?: ServerIconMimeType;
  sizes?: string[];
  theme?: ServerIconTheme;
}

export type ServerInputFormat = 'string' | 'number' | 'boolean' | 'filepath';

export interface ServerInput {
  description?: string;
  format?: ServerInputFormat;
  isRequired?: boolean;
  isSecret?: boolean;
  default?: string;
  placeholder?: string;
  value?: string;
  choices?: string[];
}

export interface ServerKeyValueInput {
  description?: string;
  format?: ServerInputFormat;
  isRequired?: boolean;
  isSecret?: boolean;
  default?: string;
  placeholder?: string;
  value?: string;
  choices?: string[];
  variables?: Record<string, ServerInput>;
  name: string;
}

export interface ServerPackageTransport {
  url?: string;
  headers?: ServerKeyValueInput[];
  type: Transport;
}

export interface ServerArgument {
  name?: string;
  valueHint?: string;
  description?: string;
  format?: ServerInputFormat;
  isRequired?: boolean;
  isSecret?: boolean;
  default?: string;
  placeholder?: string;
  value?: string;
  choices?: string[];
  variables?: Record<string, ServerInput>;
  type: ServerArgumentType;
  isRepeated?: boolean;
}

export interface ServerPackage {
  registryType: string;
  registryBaseUrl?: string;
  identifier: string;
  version?: string;
  fileSha256?: string;
  runtimeHint?: string;
  transport: ServerPackageTransport;
  runtimeArguments?: ServerArgument[];
  packageArguments?: ServerArgument[];
  environmentVariables?: ServerKeyValueInput[];
}

export interface ServerRemote {
  type: ServerRemoteType;
  url: string;
  headers?: ServerKeyValueInput[];
  variables?: Record<string, ServerInput>;
}

export interface ServerDocument {
  $schema?: string;
  name: string;
  title?: string;
  description: string;
  version: string;
  websiteUrl?: string;
  repository?: {
    url: string;
    source: string;
    id?: string;
    subfolder?: string;
  };
  icons?: ServerIcon[];
  packages?: ServerPackage[];
  remotes?: ServerRemote[];
  _meta?: {
    'io.modelcontextprotocol.registry/publisher-provided'?: Record<string, unknown>;
  };
}

export interface RegistryError {
  error: string;
  title: string;
  status: number;
  detail: string;
  errors?: {
    location?: string;
    message?: string;
  }[];
}

export interface ScimUser {
  schemas: string[];
  id: string;
  externalId?: string;
  meta?: {
    resourceType?: string;
    created?: string;
    lastModified?: string;
    location?: string;
    version?: string;
    [name: string]: unknown;
  };
  userName?: string;
  name?: {
    formatted?: string;
    familyName?: string;
    givenName?: string;
    middleName?: string;
    honorificPrefix?: string;
    honorificSuffix?: string;
    [name: string]: unknown;
  };
  displayName?: string;
  nickName?: string;
  profileUrl?: string;
  title?: string;
  userType?: string;
  preferredLanguage?: string;
  locale?: string;
  timezone?: string;
  active?: boolean;
  emails?: {
    value?: string;
    display?: string;
    type?: string;
    primary?: boolean;
    [name: string]: unknown;
  }[];
  phoneNumbers?: {
    value?: string;
    display?: string;
    type?: string;
    primary?: boolean;
    [name: string]: unknown;
  }[];
  ims?: {
    value?: string;
    display?: string;
    type?: string;
    primary?: boolean;
    [name: string]: unknown;
  }[];
  photos?: {
    value?: string;
    display?: string;
    type?: string;
    primary?: boolean;
    [name: string]: unknown;
  }[];
  addresses?: {
    formatted?: string;
    streetAddress?: string;
    locality?: string;
    region?: string;
    postalCode?: string;
    country?: string;
    type?: string;
    primary?: boolean;
    [name: string]: unknown;
  }[];
  groups?: {
    value?: string;
    $ref?: string;
    display?: string;
    type?: string;
    [name: string]: unknown;
  }[];
  entitlements?: {
    value?: string;
    display?: string;
    type?: string;
    primary?: boolean;
    [name: string]: unknown;
  }[];
  roles?: {
    value?: string;
    display?: string;
    type?: string;
    primary?: boolean;
    [name: string]: unknown;
  }[];
  x509Certificates?: {
    value?: string;
    display?: string;
    type?: string;
    primary?: boolean;
    [name: string]: unknown;
  }[];
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'?: {
    employeeNumber?: string;
    costCenter?: string;
    organization?: string;
    division?: string;
    department?: string;
    manager?: {
      value?: string;
      $ref?: string;
      displayName?: string;
      [name: string]: unknown;
    };
    [name: string]: unknown;
  };
  [name: string]: unknown;
}

export interface ScimUserList {
  schemas: string[];
  totalResults: number;
  itemsPerPage?: number;
  startIndex?: number;
  nextCursor?: string;
  Resources?: ScimUser[];
  [name: string]: unknown;
}

export interface ScimUserWrite {
  schemas: string[];
  externalId?: string;
  userName: string;
  name?: {
    formatted?: string;
    familyName?: string;
    givenName?: string;
    middleName?: string;
    honorificPrefix?: string;
    honorificSuffix?: string;
    [name: string]: unknown;
  };
  displayName?: string;
  nickName?: string;
  profileUrl?: string;
  title?: string;
  userType?: string;
  preferredLanguage?: string;
  locale?: string;
  timezone?: string;
  active: boolean;
  emails?: {
    value?: string;
    display?: string;
    type?: string;
    primary?: boolean;
    [name: string]: unknown;
  }[];
  phoneNumbers?: {
    value?: string;
    display?: string;
    type?: string;
    primary?: boolean;
    [name: string]: unknown;
  }[];
  ims?: {
    value?: string;
    display?: string;
    type?: string;
    primary?: boolean;
    [name: string]: unknown;
  }[];
  photos?: {
    value?: string;
    display?: string;
    type?: string;
    primary?: boolean;
    [name: string]: unknown;
  }[];
  addresses?: {
    formatted?: string;
    streetAddress?: string;
    locality?: string;
    region?: string;
    postalCode?: string;
    country?: string;
    type?: string;
    primary?: boolean;
    [name: string]: unknown;
  }[];
  entitlements?: {
    value?: string;
    display?: string;
    type?: string;
    primary?: boolean;
    [name: string]: unknown;
  }[];
  roles?: {
    value?: string;
    display?: string;
    type?: string;
    primary?: boolean;
    [name: string]: unknown;
  }[];
  x509Certificates?: {
    value?: string;
    display?: string;
    type?: string;
    primary?: boolean;
    [name: string]: unknown;
  }[];
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'?: {
    employeeNumber?: string;
    costCenter?: string;
    organization?: string;
    division?: string;
    department?: string;
    manager?: {
      value?: string;
      $ref?: string;
      [name: string]: unknown;
    };
    [name: string]: unknown;
  };
  [name: string]: unknown;
}

export interface ScimSearch {
  schemas: string[];
  filter?: string;
  sortBy?: string;
  sortOrder?: string;
  startIndex?: number;
  count?: number;
  cursor?: string;
  attributes?: string[];
  excludedAttributes?: string[];
  [name: string]: unknown;
}

export interface ScimPatchOperation {
  op: string;
  path?: string;
  value?: unknown;
  [name: string]: unknown;
}

export interface ScimPatch {
  schemas?: string[];
  Operations: ScimPatchOperation[];
  [name: string]: unknown;
}

export interface ScimGroup {
  schemas: string[];
  id: string;
  externalId?: string;
  meta?: {
    resourceType?: string;
    created?: string;
    lastModified?: string;
    location?: string;
    version?: string;
    [name: string]: unknown;
  };
  displayName?: string;
  members?: {
    value?: string;
    $ref?: string;
    display?: string;
    type?: string;
    [name: string]: unknown;
  }[];
  [name: string]: unknown;
}

export interface ScimGroupList {
  schemas: string[];
  totalResults: number;
  itemsPerPage?: number;
  startIndex?: number;
  nextCursor?: string;
  Resources?: ScimGroup[];
  [name: string]: unknown;
}

export interface ScimGroupWrite {
  schemas: string[];
  externalId?: string;
  displayName: string;
  members?: {
    value?: string;
    $ref?: string;
    type?: string;
    [name: string]: unknown;
  }[];
  [name: string]: unknown;
}

export interface ScimList {
  schemas: string[];
  totalResults: number;
  itemsPerPage?: number;
  startIndex?: number;
  nextCursor?: string;
  Resources?: Record<string, unknown>[];
  [name: string]: unknown;
}

export interface ScimBulkOperation {
  method: string;
  path: string;
  bulkId?: string;
  version?: string;
  data?: Record<string, unknown>;
  [name: string]: unknown;
}

export interface ScimBulk {
  schemas: string[];
  failOnErrors?: number;
  Operations: ScimBulkOperation[];
  [name: string]: unknown;
}

export interface ScimBulkResult {
  method?: string;
  bulkId?: string;
  location?: string;
  version?: string;
  status: string;
  response?: Record<string, unknown>;
  [name: string]: unknown;
}

export interface ScimBulkResponse {
  schemas: string[];
  Operations: ScimBulkResult[];
  [name: string]: unknown;
}

export type Visibility = 'PUBLIC' | 'PRIVATE';

export type ListingArchiver = 'OWNER' | 'PLATFORM' | 'IMPORT';

export type ListingVersionStatus = 'active' | 'deprecated' | 'deleted';

export type NamespaceMethod = 'dns' | 'grant';

export type NamespaceStatus = 'PENDING' | 'VERIFIED';

export type ImportRunMode = 'whole' | 'incremental';

export type ImportRunStatus = 'running' | 'finished' | 'failed';

export type CredentialMode = 'NONE' | 'SHARED' | 'PERSONAL' | 'PERSONAL_OR_SHARED';

export type Pinning = 'OFF' | 'WARN' | 'APPROVE';

export type BundleVersionAction = 'CREATED' | 'ENTRY_ADDED' | 'ENTRY_CHANGED' | 'ENTRY_REMOVED' | 'ENTRIES_CHANGED' | 'RESTORED' | 'LISTINGS_UPDATED' | 'RULES_CHANGED';

export type SkipReason = 'disabled' | 'unavailable' | 'no_server' | 'not_stdio' | 'not_local' | 'mcpb' | 'unknown_registry' | 'invalid_package' | 'invalid_address' | 'run_with' | 'client_variables' | 'too_large' | 'remote' | 'no_bridge' | 'unpinned' | 'needs_files';

export type ExportClient = 'vscode' | 'cursor' | 'claude-code' | 'claude-desktop' | 'compose' | 'kubernetes';

export type DeploymentKind = 'EXTERNAL' | 'ENDPOINT';

export type DeploymentStatus = 'PENDING' | 'DEPLOYING' | 'RUNNING' | 'FAILED' | 'STOPPED';

export type LinkEncoding = 'percent' | 'base64';

export type InstallClient = 'vscode' | 'cursor' | 'claude-code' | 'claude-desktop';

export type AllowanceRule = 'own_listing' | 'bundle' | 'deployment';

export type EndpointNaming = 'PREFIX' | 'PLAIN';

export type PolicyDefaultAccess = 'ALLOW' | 'READ_ONLY' | 'DENY';

export type EndpointPresentation = 'ALL' | 'SEARCH' | 'AUTO';

export type EndpointRecord = 'BUFFERED' | 'STRICT';

export type RecordedArguments = 'NONE' | 'KEYS' | 'DIGEST';

export type EndpointEntryState = 'READY' | 'WAITING' | 'FAILING' | 'OUT_OF_REACH' | 'UNAVAILABLE';

export type CredentialState = 'CONNECTED' | 'MISSING' | 'RECONNECT' | 'ORIGIN_CHANGED';

export type EndpointProblemCode = 'unavailable' | 'no_remote' | 'unsupported_transport' | 'missing_values' | 'credential_missing' | 'credential_reconnect' | 'credential_origin_changed' | 'invalid_server' | 'endpoint_url_kept' | 'not_listed' | 'list_failed' | 'left_out' | 'list_cut' | 'nothing_listed' | 'other_era_only' | 'definition_mended' | 'name_clash' | 'name_reserved' | 'uri_taken' | 'too_many_tools' | 'legacy_only' | 'definition_changed' | 'not_approved' | 'name_not_possible' | 'fixed_argument_gone' | 'invisible_characters' | 'oversized_description' | 'names_other_tools';

export type PolicyFindingCode = 'NO_MATCH' | 'NO_SUBJECT' | 'NO_ENTRY';

export type ConnectionProblemReason = 'endpoint_off' | 'not_local';

export type EndpointClient = 'vscode' | 'cursor' | 'claude-code' | 'claude-desktop' | 'curl';

export type ClientAuthentication = 'oauth' | 'token';

export type PolicySubjectKind = 'everyone' | 'role' | 'group' | 'person' | 'token';

export type PolicyRole = 'BUNDLE_OWNER' | 'BUNDLE_EDITOR' | 'ORG_OWNER' | 'ORG_ADMIN' | 'ORG_MEMBER' | 'OUTSIDER';

export type PolicyEffect = 'ALLOW' | 'DENY';

export type PolicyHint = 'read_only' | 'destructive';

export type PolicyPreviewedKind = 'person' | 'role' | 'token';

export type PolicyItemKind = 'tool' | 'prompt' | 'resource' | 'template';

export type PolicyDecisionReason = 'RULE' | 'DEFAULT' | 'LISTING';

export type BundleToolFindingCode = 'invisible_characters' | 'oversized_description' | 'names_other_tools';

export type BundleToolKind = 'tool' | 'prompt' | 'template';

export type BundleToolState = 'LISTED' | 'CHANGED' | 'NEW' | 'HIDDEN' | 'GONE';

export type CallPrincipalType = 'person' | 'token';

export type CallEra = 'modern' | 'legacy';

export type CallOutcome = 'STARTED' | 'OK' | 'TOOL_ERROR' | 'UPSTREAM_ERROR' | 'TIMEOUT' | 'CANCELLED' | 'DENIED' | 'CREDENTIAL_REQUIRED' | 'DEFINITION_CHANGED' | 'RATE_LIMITED';

export type CredentialKind = 'SECRETS' | 'OAUTH' | 'OAUTH_CLIENT';

export type CredentialOwner = 'PERSON' | 'BUNDLE' | 'ORGANISATION';

export type CredentialStatus = 'ACTIVE' | 'RECONNECT';

export type GivenCredentialKind = 'SECRETS' | 'OAUTH_CLIENT';

export type ConnectCreateOwner = 'PERSON' | 'BUNDLE';

export type WaitingAccountReason = 'MISSING' | 'RECONNECT';

export type AccountActorType = 'user' | 'anonymous' | 'system';

export type AccountAction = 'session.started' | 'session.failed' | 'account.closed' | 'account.reopened' | 'identity.linked' | 'access_token.created' | 'access_token.revoked' | 'oauth_client.created' | 'oauth_client.updated' | 'oauth_client.deleted' | 'oauth_client.secret_rotated' | 'category.created' | 'category.updated' | 'category.deleted' | 'category.merged' | 'category.reordered' | 'import_document.edited' | 'import_document.dismissed' | 'import_document.reopened' | 'import_document.retried';

export type AccountSubjectType = 'session' | 'account' | 'identity' | 'access_token' | 'oauth_client' | 'category' | 'import_document';

export type AuditActorType = 'user' | 'scim_token' | 'system';

export type AuditAction = 'member.added' | 'member.role_changed' | 'member.removed' | 'member.pending' | 'member.opted_out' | 'member.accepted' | 'invitation.created' | 'invitation.declined' | 'invitation.revoked' | 'domain.added' | 'domain.proved' | 'domain.proof_lost' | 'domain.removed' | 'domain.vouched' | 'domain.vouch_withdrawn' | 'scim_token.created' | 'scim_token.revoked' | 'scim_settings.changed' | 'role_mapping.created' | 'role_mapping.updated' | 'role_mapping.deleted' | 'namespace.claimed' | 'namespace.verified' | 'namespace.granted' | 'namespace.removed' | 'credential.connected' | 'credential.reconnect_needed' | 'credential.origin_changed' | 'credential.revoked' | 'policy.changed' | 'tool.changed' | 'tool.approved';

export type AuditSubjectType = 'member' | 'scim_user' | 'invitation' | 'domain' | 'scim_token' | 'scim_settings' | 'role_mapping' | 'namespace' | 'credential' | 'bundle';

export type DefaultRole = 'MEMBER' | 'ADMIN';

export type LastOwnerPolicy = 'retain' | 'refuse';

export type SyncChangeKind = 'joined' | 'promoted' | 'demoted' | 'removed' | 'retained';

export type SyncChangeReason = 'mapping' | 'default_role' | 'no_default_role' | 'deactivated' | 'deleted' | 'pending' | 'opted_out' | 'not_in_directory' | 'last_owner';

export type AccountNote = 'linked_by_user_name' | 'address_taken';

export type RoleMappingState = 'bound' | 'waiting';

export type ScimResourceType = 'User' | 'Group';

export type ScimLogConsent = 'pending' | 'opted_out';

export type WebhookAttemptStatus = 'SUCCEEDED' | 'FAILED';

export type WebhookSendError = 'target_refused' | 'address_refused' | 'dns_failed' | 'connection_failed' | 'tls_failed' | 'timeout' | 'redirect' | 'http_status' | 'invalid_response' | 'interrupted';

export type WebhookDeliveryStatus = 'PENDING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';

export type WebhookDeliveryError = 'target_refused' | 'address_refused' | 'dns_failed' | 'connection_failed' | 'tls_failed' | 'timeout' | 'redirect' | 'http_status' | 'invalid_response' | 'interrupted' | 'restored';

export type WebhookRecoveryStatus = 'RUNNING' | 'COMPLETED' | 'CANCELLED';

export type OAuthApplicationType = 'web' | 'native';

export type OAuthClientAuthMethod = 'none' | 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt';

export type OAuthClientSource = 'ADMINISTRATOR' | 'REGISTRATION';

export type OAuthGrantType = 'authorization_code' | 'refresh_token' | 'client_credentials' | 'urn:ietf:params:oauth:grant-type:device_code';

export type HealthState = 'OK' | 'WARN' | 'BAD';

export type QueueName = 'WEBHOOK_EVENTS' | 'WEBHOOK_DELIVERIES' | 'MAILS';

export type KeyPurpose = 'SIGNING' | 'ENCRYPTION';

export type KeyUse = 'CURRENT' | 'NEXT' | 'FORMER' | 'UNKNOWN';

export type ErrorCode = 'bad_request' | 'authentication_required' | 'invalid_token' | 'forbidden' | 'insufficient_scope' | 'namespace_required' | 'insufficient_role' | 'recent_sign_in_required' | 'not_found' | 'user_not_found' | 'listing_not_found' | 'listing_version_not_found' | 'icon_not_found' | 'review_not_found' | 'namespace_not_found' | 'category_not_found' | 'import_document_not_found' | 'server_not_found' | 'bundle_not_found' | 'bundle_entry_not_found' | 'bundle_version_not_found' | 'bundle_access_token_not_found' | 'deployment_not_found' | 'bundle_tool_not_found' | 'credential_not_found' | 'account_invitation_not_found' | 'identity_not_found' | 'organisation_not_found' | 'member_not_found' | 'invitation_not_found' | 'server_request_not_found' | 'domain_not_found' | 'sync_run_not_found' | 'role_mapping_not_found' | 'scim_user_not_found' | 'scim_group_not_found' | 'scim_token_not_found' | 'scim_log_entry_not_found' | 'event_type_not_found' | 'webhook_endpoint_not_found' | 'webhook_delivery_not_found' | 'webhook_recovery_not_found' | 'passkey_not_found' | 'personal_access_token_not_found' | 'oauth_client_not_found' | 'grant_not_found' | 'session_not_found' | 'method_not_allowed' | 'request_timeout' | 'user_conflict' | 'listing_conflict' | 'listing_version_conflict' | 'review_conflict' | 'namespace_conflict' | 'import_conflict' | 'category_conflict' | 'bundle_conflict' | 'bundle_entry_conflict' | 'bundle_access_token_conflict' | 'bundle_editor_conflict' | 'deployment_conflict' | 'bundle_tool_conflict' | 'credential_conflict' | 'account_invitation_conflict' | 'sign_in_method_conflict' | 'organisation_conflict' | 'member_conflict' | 'last_owner' | 'invitation_conflict' | 'server_request_conflict' | 'domain_conflict' | 'role_mapping_conflict' | 'scim_token_conflict' | 'confirmation_required' | 'webhook_conflict' | 'webhook_endpoint_conflict' | 'webhook_recovery_conflict' | 'passkey_conflict' | 'personal_access_token_conflict' | 'oauth_client_conflict' | 'payload_too_large' | 'unsupported_media_type' | 'rate_limited' | 'headers_too_large' | 'internal_error' | 'not_implemented' | 'service_unavailable' | 'authorization_server_unavailable';

export type FaultType = 'missing' | 'extra_forbidden' | 'uuid_parsing' | 'bool_parsing' | 'bool_type' | 'int_parsing' | 'string_type' | 'string_too_short' | 'string_too_long' | 'list_type' | 'dict_type' | 'enum' | 'url_parsing' | 'url_scheme' | 'datetime_parsing' | 'json_invalid' | 'value_error' | 'greater_than_equal' | 'less_than_equal';

export type ServerIconMimeType = 'image/png' | 'image/jpeg' | 'image/jpg' | 'image/svg+xml' | 'image/webp';

export type ServerIconTheme = 'light' | 'dark';

export type Transport = 'stdio' | 'streamable-http' | 'sse';

export type ServerArgumentType = 'positional' | 'named';

export type ServerRemoteType = 'streamable-http' | 'sse';

export type ListingScope = 'public' | 'visible' | 'mine' | 'moderated';

export type ListingSort = 'relevance' | 'newest' | 'name' | 'rating';

export type PlatformReviewsListState = 'SHOWN' | 'HIDDEN';

export type NamespacesListScope = 'mine' | 'all';

export type BundleScope = 'mine' | 'organisations' | 'followed' | 'public';

export type ExportFormat = 'file' | 'report';

export type BundleCallStatisticsGetBy = 'tool' | 'entry' | 'principal' | 'outcome' | 'time';

export type AuditLogListFormat = 'json' | 'csv';

export type MemberReason = 'manual' | 'mapping' | 'default_role' | 'deactivated' | 'deleted' | 'last_owner';

export type WebhookResponseClass = 'none' | '1xx' | '2xx' | '3xx' | '4xx' | '5xx';

export type OAuthResponseMode = 'query' | 'fragment' | 'form_post';

export type OAuthTokenTypeHint = 'access_token' | 'refresh_token';

/** What each operation takes and answers, by its method and path. */
export interface Calls {
  /** List categories */
  'GET /v1/mcp/categories': { path: undefined; query: { verify_locally?: boolean }; body: undefined; answer: Category[] };
  /** Create a category */
  'POST /v1/mcp/categories': { path: undefined; query: { verify_locally?: boolean }; body: CategoryCreate; answer: CategoryAdmin };
  /** List categories as administrators see them */
  'GET /v1/mcp/categories/overview': { path: undefined; query: { verify_locally?: boolean }; body: undefined; answer: CategoryOverview };
  /** Reorder the categories */
  'PUT /v1/mcp/categories/order': { path: undefined; query: { verify_locally?: boolean }; body: CategoryReorder; answer: CategoryOverview };
  /** Change a category */
  'PATCH /v1/mcp/categories/{category_id}': { path: { category_id: number }; query: { verify_locally?: boolean }; body: CategoryUpdate; answer: CategoryAdmin };
  /** Delete a category */
  'DELETE /v1/mcp/categories/{category_id}': { path: { category_id: number }; query: { verify_locally?: boolean }; body: undefined; answer: undefined };
  /** Move all listings of a category to another category */
  'POST /v1/mcp/categories/{category_id}/move-listings': { path: { category_id: number }; query: { verify_locally?: boolean }; body: CategoryMove; answer: CategoryMoved };
  /** List and search listings */
  'GET /v1/mcp/listings': { path: undefined; query: { limit?: number; cursor?: string; search?: string; category?: string; scope?: ListingScope; org_id?: string | null; status?: ListingStatus; visibility?: Visibility; transport?: Transport; registry_type?: string; sort?: ListingSort; verify_locally?: boolean }; body: undefined; answer: Listing[] };
  /** Create a listing */
  'POST /v1/mcp/listings': { path: undefined; query: { verify_locally?: boolean }; body: ListingCreate; answer: ListingDetail };
  /** Count listings by category, transport and registry */
  'GET /v1/mcp/listings/facets': { path: undefined; query: { search?: string; category?: string; scope?: ListingScope; org_id?: string | null; status?: ListingStatus; visibility?: Visibility; transport?: Transport; registry_type?: string; verify_locally?: boolean }; body: undefined; answer: ListingFacets };
  /** Read what a start page shows */
  'GET /v1/mcp/listings/highlights': { path: undefined; query: { verify_locally?: boolean }; body: undefined; answer: ListingHighlights };
  /** Read a listing */
  'GET /v1/mcp/listings/{listing_id}': { path: { listing_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: ListingDetail };
  /** Change a listing */
  'PATCH /v1/mcp/listings/{listing_id}': { path: { listing_id: string }; query: { verify_locally?: boolean }; body: ListingUpdate; answer: ListingDetail };
  /** Delete a draft */
  'DELETE /v1/mcp/listings/{listing_id}': { path: { listing_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: undefined };
  /** Publish a listing */
  'POST /v1/mcp/listings/{listing_id}/publish': { path: { listing_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: ListingDetail };
  /** Archive a listing */
  'POST /v1/mcp/listings/{listing_id}/archive': { path: { listing_id: string }; query: { verify_locally?: boolean }; body: ListingArchive; answer: ListingDetail };
  /** Restore an archived listing */
  'POST /v1/mcp/listings/{listing_id}/restore': { path: { listing_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: ListingDetail };
  /** List the versions of a listing */
  'GET /v1/mcp/listings/{listing_id}/versions': { path: { listing_id: string }; query: { limit?: number; cursor?: string; verify_locally?: boolean }; body: undefined; answer: ListingVersion[] };
  /** Add a version */
  'POST /v1/mcp/listings/{listing_id}/versions': { path: { listing_id: string }; query: { verify_locally?: boolean }; body: ListingVersionAdd; answer: ListingDetail };
  /** Read a version */
  'GET /v1/mcp/listings/{listing_id}/versions/{version}': { path: { listing_id: string; version: string }; query: { verify_locally?: boolean }; body: undefined; answer: ListingVersionDetail };
  /** Read the icon of a listing */
  'GET /v1/mcp/listings/{listing_id}/icon': { path: { listing_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: unknown };
  /** List the reviews of a listing */
  'GET /v1/mcp/listings/{listing_id}/reviews': { path: { listing_id: string }; query: { limit?: number; cursor?: string; mine?: boolean; verify_locally?: boolean }; body: undefined; answer: Review[] };
  /** Review a listing */
  'POST /v1/mcp/listings/{listing_id}/reviews': { path: { listing_id: string }; query: { verify_locally?: boolean }; body: ReviewCreate; answer: Review };
  /** Read a review */
  'GET /v1/mcp/listings/{listing_id}/reviews/{review_id}': { path: { listing_id: string; review_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: Review };
  /** Change your review */
  'PATCH /v1/mcp/listings/{listing_id}/reviews/{review_id}': { path: { listing_id: string; review_id: string }; query: { verify_locally?: boolean }; body: ReviewUpdate; answer: Review };
  /** Delete your review */
  'DELETE /v1/mcp/listings/{listing_id}/reviews/{review_id}': { path: { listing_id: string; review_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: undefined };
  /** Answer a review */
  'PUT /v1/mcp/listings/{listing_id}/reviews/{review_id}/answer': { path: { listing_id: string; review_id: string }; query: { verify_locally?: boolean }; body: ReviewAnswerPut; answer: Review };
  /** Hide a review */
  'POST /v1/mcp/listings/{listing_id}/reviews/{review_id}/hide': { path: { listing_id: string; review_id: string }; query: { verify_locally?: boolean }; body: ReviewHide; answer: Review };
  /** Show a hidden review again */
  'POST /v1/mcp/listings/{listing_id}/reviews/{review_id}/show': { path: { listing_id: string; review_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: Review };
  /** List the reviews of all public listings */
  'GET /v1/platform/reviews': { path: undefined; query: { limit?: number; cursor?: string; state?: PlatformReviewsListState; verify_locally?: boolean }; body: undefined; answer: ModeratedReview[] };
  /** List namespaces */
  'GET /v1/mcp/namespaces': { path: undefined; query: { limit?: number; cursor?: string; org_id?: string | null; scope?: NamespacesListScope; namespace?: string; verify_locally?: boolean }; body: undefined; answer: Namespace[] };
  /** Claim or grant a namespace */
  'POST /v1/mcp/namespaces': { path: undefined; query: { verify_locally?: boolean }; body: NamespaceCreate; answer: Namespace };
  /** Read a namespace */
  'GET /v1/mcp/namespaces/{namespace_id}': { path: { namespace_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: Namespace };
  /** Give up or withdraw a namespace */
  'DELETE /v1/mcp/namespaces/{namespace_id}': { path: { namespace_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: undefined };
  /** Verify a namespace */
  'POST /v1/mcp/namespaces/{namespace_id}/verify': { path: { namespace_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: Namespace };
  /** List imports */
  'GET /v1/mcp/imports': { path: undefined; query: { limit?: number; cursor?: string; verify_locally?: boolean }; body: undefined; answer: ImportRun[] };
  /** Start the scheduled import now */
  'POST /v1/mcp/imports': { path: undefined; query: { verify_locally?: boolean }; body: undefined; answer: ImportOverview };
  /** Read the sources of imports and what is in quarantine */
  'GET /v1/mcp/imports/overview': { path: undefined; query: { verify_locally?: boolean }; body: undefined; answer: ImportOverview };
  /** List documents that could not be imported */
  'GET /v1/mcp/imports/quarantine': { path: undefined; query: { limit?: number; cursor?: string; state?: QuarantineState; kind?: QuarantineKind; source?: string; with_document?: boolean; verify_locally?: boolean }; body: undefined; answer: Quarantined[] };
  /** Read a document that could not be imported */
  'GET /v1/mcp/imports/quarantine/{document_id}': { path: { document_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: QuarantinedDetail };
  /** Import a quarantined document as it is */
  'POST /v1/mcp/imports/quarantine/{document_id}/retry': { path: { document_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: QuarantineOutcome };
  /** Import an edited document in place of a quarantined one */
  'POST /v1/mcp/imports/quarantine/{document_id}/import': { path: { document_id: string }; query: { verify_locally?: boolean }; body: QuarantineImport; answer: QuarantineOutcome };
  /** Dismiss a quarantined document */
  'POST /v1/mcp/imports/quarantine/{document_id}/dismiss': { path: { document_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: QuarantinedDetail };
  /** Take back a decision about a quarantined document */
  'POST /v1/mcp/imports/quarantine/{document_id}/reopen': { path: { document_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: QuarantinedDetail };
  /** List servers */
  'GET /v1/organisations/{org_id}/registry/v0.1/servers': { path: { org_id: string }; query: { cursor?: unknown; limit?: number; search?: string; updated_since?: string; version?: string; include_deleted?: boolean; verify_locally?: boolean }; body: undefined; answer: ServerList };
  /** List the versions of a server */
  'GET /v1/organisations/{org_id}/registry/v0.1/servers/{server_name}/versions': { path: { server_name: string; org_id: string }; query: { include_deleted?: boolean; cursor?: string; verify_locally?: boolean }; body: undefined; answer: ServerList };
  /** Read a version of a server */
  'GET /v1/organisations/{org_id}/registry/v0.1/servers/{server_name}/versions/{version}': { path: { server_name: string; version: string; org_id: string }; query: { include_deleted?: boolean; verify_locally?: boolean }; body: undefined; answer: ServerResponse };
  /** List bundles */
  'GET /v1/bundles': { path: undefined; query: { limit?: number; cursor?: string; scope?: BundleScope | null; org_id?: string | null; verify_locally?: boolean }; body: undefined; answer: Bundle[] };
  /** Create a bundle */
  'POST /v1/bundles': { path: undefined; query: { verify_locally?: boolean }; body: BundleCreate; answer: Bundle };
  /** Read a bundle */
  'GET /v1/bundles/{bundle_id}': { path: { bundle_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: Bundle };
  /** Change a bundle */
  'PATCH /v1/bundles/{bundle_id}': { path: { bundle_id: string }; query: { verify_locally?: boolean }; body: BundleUpdate; answer: Bundle };
  /** Delete a bundle */
  'DELETE /v1/bundles/{bundle_id}': { path: { bundle_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: undefined };
  /** Preview the deletion of a bundle */
  'GET /v1/bundles/{bundle_id}/deletion-preview': { path: { bundle_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: BundleDeletionPreview };
  /** List the entries of a bundle */
  'GET /v1/bundles/{bundle_id}/entries': { path: { bundle_id: string }; query: { limit?: number; cursor?: string; verify_locally?: boolean }; body: undefined; answer: BundleEntry[] };
  /** Add a listing to a bundle */
  'POST /v1/bundles/{bundle_id}/entries': { path: { bundle_id: string }; query: { verify_locally?: boolean }; body: BundleEntryAdd; answer: BundleEntry };
  /** Replace the entries of a bundle */
  'PUT /v1/bundles/{bundle_id}/entries': { path: { bundle_id: string }; query: { verify_locally?: boolean }; body: BundleEntriesReplace; answer: BundleEntries };
  /** Change several entries of a bundle */
  'PATCH /v1/bundles/{bundle_id}/entries': { path: { bundle_id: string }; query: { verify_locally?: boolean }; body: BundleEntriesChange; answer: BundleEntries };
  /** Read an entry of a bundle */
  'GET /v1/bundles/{bundle_id}/entries/{entry_id}': { path: { bundle_id: string; entry_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: BundleEntry };
  /** Move, enable, disable, configure or pin an entry of a bundle */
  'PATCH /v1/bundles/{bundle_id}/entries/{entry_id}': { path: { bundle_id: string; entry_id: string }; query: { verify_locally?: boolean }; body: BundleEntryUpdate; answer: BundleEntry };
  /** Remove a listing from a bundle */
  'DELETE /v1/bundles/{bundle_id}/entries/{entry_id}': { path: { bundle_id: string; entry_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: undefined };
  /** List the versions of a bundle */
  'GET /v1/bundles/{bundle_id}/versions': { path: { bundle_id: string }; query: { limit?: number; cursor?: string; verify_locally?: boolean }; body: undefined; answer: BundleVersion[] };
  /** Record the newest listing versions as a version of a bundle */
  'POST /v1/bundles/{bundle_id}/versions': { path: { bundle_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: BundleVersionDetail };
  /** Read a version of a bundle */
  'GET /v1/bundles/{bundle_id}/versions/{number}': { path: { bundle_id: string; number: number }; query: { verify_locally?: boolean }; body: undefined; answer: BundleVersionDetail };
  /** Compare two versions of a bundle */
  'GET /v1/bundles/{bundle_id}/versions/{number}/compare': { path: { bundle_id: string; number: number }; query: { with?: number; verify_locally?: boolean }; body: undefined; answer: VersionComparison };
  /** Restore a version of a bundle */
  'POST /v1/bundles/{bundle_id}/versions/{number}/restore': { path: { bundle_id: string; number: number }; query: { verify_locally?: boolean }; body: VersionRestore; answer: BundleVersionDetail };
  /** Export a bundle as the configuration of a client */
  'GET /v1/bundles/{bundle_id}/export': { path: { bundle_id: string }; query: { client: ExportClient; format?: ExportFormat; version?: number; runtime_class?: string; verify_locally?: boolean }; body: undefined; answer: VsCodeConfiguration | McpServersConfiguration | BundleExport };
  /** List the access tokens of a bundle */
  'GET /v1/bundles/{bundle_id}/access-tokens': { path: { bundle_id: string }; query: { limit?: number; cursor?: string; verify_locally?: boolean }; body: undefined; answer: BundleAccessToken[] };
  /** Create an access token of a bundle */
  'POST /v1/bundles/{bundle_id}/access-tokens': { path: { bundle_id: string }; query: { verify_locally?: boolean }; body: BundleAccessTokenCreate; answer: BundleAccessTokenCreated };
  /** Read an access token of a bundle */
  'GET /v1/bundles/{bundle_id}/access-tokens/{token_id}': { path: { bundle_id: string; token_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: BundleAccessToken };
  /** Revoke an access token of a bundle */
  'DELETE /v1/bundles/{bundle_id}/access-tokens/{token_id}': { path: { bundle_id: string; token_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: undefined };
  /** Follow a bundle */
  'PUT /v1/bundles/{bundle_id}/follow': { path: { bundle_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: undefined };
  /** Stop following a bundle */
  'DELETE /v1/bundles/{bundle_id}/follow': { path: { bundle_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: undefined };
  /** List the followers of a bundle */
  'GET /v1/bundles/{bundle_id}/followers': { path: { bundle_id: string }; query: { limit?: number; cursor?: string; verify_locally?: boolean }; body: undefined; answer: BundleFollower[] };
  /** List the editors of a bundle */
  'GET /v1/bundles/{bundle_id}/editors': { path: { bundle_id: string }; query: { limit?: number; cursor?: string; verify_locally?: boolean }; body: undefined; answer: BundleEditor[] };
  /** Add an editor to a bundle */
  'PUT /v1/bundles/{bundle_id}/editors/{user_id}': { path: { bundle_id: string; user_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: undefined };
  /** Remove an editor from a bundle */
  'DELETE /v1/bundles/{bundle_id}/editors/{user_id}': { path: { bundle_id: string; user_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: undefined };
  /** List what changed in the bundles that you follow */
  'GET /v1/users/me/feed': { path: undefined; query: { limit?: number; cursor?: string; verify_locally?: boolean }; body: undefined; answer: FeedItem[] };
  /** List the deployments of a bundle */
  'GET /v1/bundles/{bundle_id}/deployments': { path: { bundle_id: string }; query: { limit?: number; cursor?: string; environment?: string; status?: DeploymentStatus; kind?: DeploymentKind; verify_locally?: boolean }; body: undefined; answer: Deployment[] };
  /** Bind a deployment to a bundle */
  'POST /v1/bundles/{bundle_id}/deployments': { path: { bundle_id: string }; query: { verify_locally?: boolean }; body: DeploymentCreate; answer: Deployment };
  /** Read a deployment */
  'GET /v1/bundles/{bundle_id}/deployments/{deployment_id}': { path: { bundle_id: string; deployment_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: Deployment };
  /** Change a deployment */
  'PATCH /v1/bundles/{bundle_id}/deployments/{deployment_id}': { path: { bundle_id: string; deployment_id: string }; query: { verify_locally?: boolean }; body: DeploymentUpdate; answer: Deployment };
  /** Remove a deployment from its bundle */
  'DELETE /v1/bundles/{bundle_id}/deployments/{deployment_id}': { path: { bundle_id: string; deployment_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: undefined };
  /** Export the allow list of MCP servers */
  'GET /v1/organisations/{org_id}/managed-settings': { path: { org_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: ManagedSettings };
  /** List the servers that the allow list cannot name */
  'GET /v1/organisations/{org_id}/managed-settings/report': { path: { org_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: ManagedSettingsReport };
  /** Read how a listing is put into a client */
  'GET /v1/mcp/listings/{listing_id}/install': { path: { listing_id: string }; query: { client: InstallClient; version?: string; verify_locally?: boolean }; body: undefined; answer: ListingInstall };
  /** List the bundles that have a listing */
  'GET /v1/mcp/listings/{listing_id}/bundles': { path: { listing_id: string }; query: { limit?: number; cursor?: string; verify_locally?: boolean }; body: undefined; answer: ListingBundle[] };
  /** List the organisations that allow a listing, or do not */
  'GET /v1/mcp/listings/{listing_id}/allowances': { path: { listing_id: string }; query: { limit?: number; cursor?: string; verify_locally?: boolean }; body: undefined; answer: ListingAllowance[] };
  /** List the listings that an organisation allows */
  'GET /v1/organisations/{org_id}/allowed-listings': { path: { org_id: string }; query: { limit?: number; cursor?: string; search?: string; rule?: AllowanceRule; verify_locally?: boolean }; body: undefined; answer: AllowedListing[] };
  /** Read the endpoint of a bundle */
  'GET /v1/bundles/{bundle_id}/endpoint': { path: { bundle_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: Endpoint };
  /** Change the endpoint of a bundle */
  'PATCH /v1/bundles/{bundle_id}/endpoint': { path: { bundle_id: string }; query: { verify_locally?: boolean }; body: EndpointUpdate; answer: Endpoint };
  /** Read the status of the endpoint of a bundle */
  'GET /v1/bundles/{bundle_id}/endpoint/status': { path: { bundle_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: EndpointStatus };
  /** Read the lists of the servers of a bundle again */
  'POST /v1/bundles/{bundle_id}/endpoint/refresh': { path: { bundle_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: EndpointStatus };
  /** Preview the endpoint of a bundle */
  'POST /v1/bundles/{bundle_id}/compile': { path: { bundle_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: EndpointReport };
  /** Read how a client is connected to a bundle */
  'GET /v1/bundles/{bundle_id}/connect': { path: { bundle_id: string }; query: { client: EndpointClient; authentication?: ClientAuthentication; verify_locally?: boolean }; body: undefined; answer: BundleConnect };
  /** Read the policies of a bundle */
  'GET /v1/bundles/{bundle_id}/policies': { path: { bundle_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: BundlePolicies };
  /** Replace the policies of a bundle */
  'PUT /v1/bundles/{bundle_id}/policies': { path: { bundle_id: string }; query: { verify_locally?: boolean }; body: BundlePoliciesPut; answer: BundlePolicies };
  /** Preview policies of a bundle */
  'POST /v1/bundles/{bundle_id}/policies/preview': { path: { bundle_id: string }; query: { limit?: number; cursor?: string; verify_locally?: boolean }; body: BundlePoliciesPreview; answer: PolicyPreview };
  /** Preview the endpoint of a bundle in the place of someone */
  'GET /v1/bundles/{bundle_id}/endpoint/preview': { path: { bundle_id: string }; query: { limit?: number; cursor?: string; as?: PolicyPreviewedKind; id?: string; verify_locally?: boolean }; body: undefined; answer: PolicyPreview };
  /** List the tools of a bundle */
  'GET /v1/bundles/{bundle_id}/tools': { path: { bundle_id: string }; query: { limit?: number; cursor?: string; search?: string; entry_id?: string; kind?: BundleToolKind; state?: BundleToolState; finding?: BundleToolFindingCode; verify_locally?: boolean }; body: undefined; answer: BundleTool[] };
  /** Approve definitions of tools of a bundle */
  'POST /v1/bundles/{bundle_id}/tools/approve': { path: { bundle_id: string }; query: { verify_locally?: boolean }; body: BundleToolsApprove; answer: BundleToolsApproved };
  /** Read a tool of a bundle */
  'GET /v1/bundles/{bundle_id}/tools/{tool_id}': { path: { bundle_id: string; tool_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: BundleToolDetail };
  /** Change what a bundle shows of a tool */
  'PATCH /v1/bundles/{bundle_id}/tools/{tool_id}': { path: { bundle_id: string; tool_id: string }; query: { verify_locally?: boolean }; body: BundleToolUpdate; answer: BundleToolDetail };
  /** Compare the definitions of a tool */
  'GET /v1/bundles/{bundle_id}/tools/{tool_id}/changes': { path: { bundle_id: string; tool_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: BundleToolChanges };
  /** Approve the definition of a tool */
  'POST /v1/bundles/{bundle_id}/tools/{tool_id}/approve': { path: { bundle_id: string; tool_id: string }; query: { verify_locally?: boolean }; body: BundleToolApprove; answer: BundleToolDetail };
  /** Call a tool of a bundle */
  'POST /v1/bundles/{bundle_id}/tools/{tool_id}/call': { path: { bundle_id: string; tool_id: string }; query: { verify_locally?: boolean }; body: BundleToolCall; answer: BundleToolAnswer };
  /** Read the record of calls of a bundle */
  'GET /v1/bundles/{bundle_id}/calls': { path: { bundle_id: string }; query: { limit?: number; cursor?: string; from?: string; to?: string; entry_id?: string; tool?: string; principal_id?: string; outcome?: CallOutcome; verify_locally?: boolean }; body: undefined; answer: Call[] };
  /** Count the calls of a bundle */
  'GET /v1/bundles/{bundle_id}/calls/statistics': { path: { bundle_id: string }; query: { by?: BundleCallStatisticsGetBy; from?: string; to?: string; entry_id?: string; tool?: string; principal_id?: string; outcome?: CallOutcome; verify_locally?: boolean }; body: undefined; answer: CallStatistics };
  /** List credentials */
  'GET /v1/credentials': { path: undefined; query: { limit?: number; cursor?: string; bundle_id?: string; org_id?: string; verify_locally?: boolean }; body: undefined; answer: Credential[] };
  /** Give a credential */
  'POST /v1/credentials': { path: undefined; query: { verify_locally?: boolean }; body: CredentialCreate; answer: Credential };
  /** Change a credential */
  'PATCH /v1/credentials/{credential_id}': { path: { credential_id: string }; query: { verify_locally?: boolean }; body: CredentialUpdate; answer: Credential };
  /** Delete a credential */
  'DELETE /v1/credentials/{credential_id}': { path: { credential_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: undefined };
  /** List what the servers of a bundle need from you */
  'GET /v1/bundles/{bundle_id}/credential-needs': { path: { bundle_id: string }; query: { limit?: number; cursor?: string; verify_locally?: boolean }; body: undefined; answer: CredentialNeed[] };
  /** Connect an account at the server of an entry */
  'POST /v1/credentials/connect': { path: undefined; query: { verify_locally?: boolean }; body: ConnectCreate; answer: Connect };
  /** Read your own account */
  'GET /v1/users/me': { path: undefined; query: { verify_locally?: boolean }; body: undefined; answer: Me };
  /** Delete your own account */
  'DELETE /v1/users/me': { path: undefined; query: { verify_locally?: boolean }; body: undefined; answer: undefined };
  /** Read what waits for you */
  'GET /v1/users/me/waiting': { path: undefined; query: { verify_locally?: boolean }; body: undefined; answer: Waiting };
  /** Read the audit log of accounts */
  'GET /v1/audit-log': { path: undefined; query: { limit?: number; cursor?: string; from?: string; to?: string; user_id?: string; subject_id?: string; verify_locally?: boolean }; body: undefined; answer: AccountAuditEntry[] };
  /** List your identities */
  'GET /v1/users/me/identities': { path: undefined; query: { limit?: number; cursor?: string; verify_locally?: boolean }; body: undefined; answer: Identity[] };
  /** Remove an identity */
  'DELETE /v1/users/me/identities/{identity_id}': { path: { identity_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: undefined };
  /** List your passkeys */
  'GET /v1/users/me/passkeys': { path: undefined; query: { verify_locally?: boolean }; body: undefined; answer: Passkey[] };
  /** Add a passkey */
  'POST /v1/users/me/passkeys': { path: undefined; query: { verify_locally?: boolean }; body: PasskeyCreate; answer: PasskeyCreated };
  /** Begin to add a passkey */
  'POST /v1/users/me/passkeys/options': { path: undefined; query: { verify_locally?: boolean }; body: undefined; answer: PasskeyOptions };
  /** Remove a passkey */
  'DELETE /v1/users/me/passkeys/{passkey_id}': { path: { passkey_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: undefined };
  /** Replace your recovery codes */
  'POST /v1/users/me/recovery-codes': { path: undefined; query: { verify_locally?: boolean }; body: undefined; answer: RecoveryCodes };
  /** Read what happened to your account */
  'GET /v1/users/me/audit-log': { path: undefined; query: { limit?: number; cursor?: string; from?: string; to?: string; verify_locally?: boolean }; body: undefined; answer: AccountAuditEntry[] };
  /** List the invitations to have an account */
  'GET /v1/users/invitations': { path: undefined; query: { limit?: number; cursor?: string; verify_locally?: boolean }; body: undefined; answer: AccountInvitation[] };
  /** Invite a person to have an account */
  'POST /v1/users/invitations': { path: undefined; query: { verify_locally?: boolean }; body: AccountInvitationCreate; answer: AccountInvitationCreated };
  /** Read an invitation to have an account */
  'GET /v1/users/invitations/{invitation_id}': { path: { invitation_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: AccountInvitation };
  /** Delete an invitation to have an account */
  'DELETE /v1/users/invitations/{invitation_id}': { path: { invitation_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: undefined };
  /** List all accounts */
  'GET /v1/users': { path: undefined; query: { limit?: number; cursor?: string; search?: string; state?: UserState; verify_locally?: boolean }; body: undefined; answer: User[] };
  /** Read an account */
  'GET /v1/users/{user_id}': { path: { user_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: User };
  /** Delete an account */
  'DELETE /v1/users/{user_id}': { path: { user_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: undefined };
  /** Close an account */
  'POST /v1/users/{user_id}/close': { path: { user_id: string }; query: { verify_locally?: boolean }; body: UserClose; answer: User };
  /** Open a closed account again */
  'POST /v1/users/{user_id}/reopen': { path: { user_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: User };
  /** Create a link to set a new password */
  'POST /v1/users/{user_id}/password-reset-link': { path: { user_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: PasswordResetLink };
  /** List the caller's organisations */
  'GET /v1/organisations': { path: undefined; query: { limit?: number; cursor?: string; verify_locally?: boolean }; body: undefined; answer: Organisation[] };
  /** Create an organisation */
  'POST /v1/organisations': { path: undefined; query: { verify_locally?: boolean }; body: OrganisationCreate; answer: Organisation };
  /** Read an organisation */
  'GET /v1/organisations/{org_id}': { path: { org_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: Organisation };
  /** Rename an organisation */
  'PATCH /v1/organisations/{org_id}': { path: { org_id: string }; query: { verify_locally?: boolean }; body: OrganisationUpdate; answer: Organisation };
  /** Delete an organisation */
  'DELETE /v1/organisations/{org_id}': { path: { org_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: undefined };
  /** Read a member */
  'GET /v1/organisations/{org_id}/members/{user_id}': { path: { user_id: string; org_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: Member };
  /** Change a member's manual role */
  'PATCH /v1/organisations/{org_id}/members/{user_id}': { path: { user_id: string; org_id: string }; query: { verify_locally?: boolean }; body: MemberChange; answer: Member };
  /** Remove a member or leave */
  'DELETE /v1/organisations/{org_id}/members/{user_id}': { path: { org_id: string; user_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: undefined };
  /** Read the audit log */
  'GET /v1/organisations/{org_id}/audit-log': { path: { org_id: string }; query: { limit?: number; cursor?: string; subject_id?: string; action?: AuditAction; actor_id?: string; from?: string; to?: string; format?: AuditLogListFormat; verify_locally?: boolean }; body: undefined; answer: AuditEntry[] };
  /** List the members */
  'GET /v1/organisations/{org_id}/members': { path: { org_id: string }; query: { limit?: number; cursor?: string; role?: Role; reason?: MemberReason; search?: string; verify_locally?: boolean }; body: undefined; answer: ListedMember[] };
  /** Invite a member */
  'POST /v1/organisations/{org_id}/members': { path: { org_id: string }; query: { verify_locally?: boolean }; body: InvitationCreate; answer: Invitation };
  /** List the invitations */
  'GET /v1/organisations/{org_id}/invitations': { path: { org_id: string }; query: { limit?: number; cursor?: string; status?: InvitationStatus; verify_locally?: boolean }; body: undefined; answer: Invitation[] };
  /** Read an invitation */
  'GET /v1/organisations/{org_id}/invitations/{invitation_id}': { path: { invitation_id: string; org_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: Invitation };
  /** Revoke an invitation */
  'DELETE /v1/organisations/{org_id}/invitations/{invitation_id}': { path: { invitation_id: string; org_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: undefined };
  /** List your invitations */
  'GET /v1/users/me/invitations': { path: undefined; query: { limit?: number; cursor?: string; verify_locally?: boolean }; body: undefined; answer: MyInvitation[] };
  /** Accept an invitation */
  'POST /v1/users/me/invitations/{invitation_id}/accept': { path: { invitation_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: MyInvitation };
  /** Decline an invitation */
  'POST /v1/users/me/invitations/{invitation_id}/decline': { path: { invitation_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: MyInvitation };
  /** List requests for servers */
  'GET /v1/organisations/{org_id}/server-requests': { path: { org_id: string }; query: { limit?: number; cursor?: string; status?: ServerRequestStatus; mine?: boolean; verify_locally?: boolean }; body: undefined; answer: ServerRequest[] };
  /** Ask for a server */
  'POST /v1/organisations/{org_id}/server-requests': { path: { org_id: string }; query: { verify_locally?: boolean }; body: ServerRequestCreate; answer: ServerRequest };
  /** Read a request for a server */
  'GET /v1/organisations/{org_id}/server-requests/{request_id}': { path: { request_id: string; org_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: ServerRequest };
  /** Withdraw a request for a server */
  'POST /v1/organisations/{org_id}/server-requests/{request_id}/withdraw': { path: { request_id: string; org_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: ServerRequest };
  /** Approve a request for a server */
  'POST /v1/organisations/{org_id}/server-requests/{request_id}/approve': { path: { request_id: string; org_id: string }; query: { verify_locally?: boolean }; body: ServerRequestDecision; answer: ServerRequest };
  /** Decline a request for a server */
  'POST /v1/organisations/{org_id}/server-requests/{request_id}/decline': { path: { request_id: string; org_id: string }; query: { verify_locally?: boolean }; body: ServerRequestDecision; answer: ServerRequest };
  /** List the domains */
  'GET /v1/organisations/{org_id}/domains': { path: { org_id: string }; query: { limit?: number; cursor?: string; verify_locally?: boolean }; body: undefined; answer: Domain[] };
  /** Add a domain */
  'POST /v1/organisations/{org_id}/domains': { path: { org_id: string }; query: { verify_locally?: boolean }; body: DomainCreate; answer: Domain };
  /** Read a domain */
  'GET /v1/organisations/{org_id}/domains/{domain_id}': { path: { domain_id: string; org_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: Domain };
  /** Remove a domain */
  'DELETE /v1/organisations/{org_id}/domains/{domain_id}': { path: { domain_id: string; org_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: undefined };
  /** Verify a domain */
  'POST /v1/organisations/{org_id}/domains/{domain_id}/verify': { path: { domain_id: string; org_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: Domain };
  /** Vouch for a domain */
  'PUT /v1/organisations/{org_id}/domains/{domain}/vouch': { path: { org_id: string; domain: string }; query: { verify_locally?: boolean }; body: undefined; answer: undefined };
  /** Withdraw the vouching for a domain */
  'DELETE /v1/organisations/{org_id}/domains/{domain}/vouch': { path: { org_id: string; domain: string }; query: { verify_locally?: boolean }; body: undefined; answer: undefined };
  /** Synchronise SCIM users */
  'POST /v1/organisations/{org_id}/scim/sync': { path: { org_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: Sync };
  /** Preview a sync */
  'POST /v1/organisations/{org_id}/scim/sync/preview': { path: { org_id: string }; query: { limit?: number; cursor?: string; verify_locally?: boolean }; body: SyncProposal; answer: SyncPreview };
  /** List sync runs */
  'GET /v1/organisations/{org_id}/scim/sync-runs': { path: { org_id: string }; query: { limit?: number; cursor?: string; verify_locally?: boolean }; body: undefined; answer: SyncRunSummary[] };
  /** Read a sync run */
  'GET /v1/organisations/{org_id}/scim/sync-runs/{run_id}': { path: { run_id: string; org_id: string }; query: { limit?: number; cursor?: string; verify_locally?: boolean }; body: undefined; answer: SyncRun };
  /** List the directory groups */
  'GET /v1/organisations/{org_id}/scim/directory/groups': { path: { org_id: string }; query: { limit?: number; cursor?: string; display_name?: string; verify_locally?: boolean }; body: undefined; answer: DirectoryGroup[] };
  /** Read a directory group */
  'GET /v1/organisations/{org_id}/scim/directory/groups/{group_id}': { path: { group_id: string; org_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: DirectoryGroup };
  /** List the members of a directory group */
  'GET /v1/organisations/{org_id}/scim/directory/groups/{group_id}/members': { path: { group_id: string; org_id: string }; query: { limit?: number; cursor?: string; verify_locally?: boolean }; body: undefined; answer: DirectoryGroupMember[] };
  /** List the directory users */
  'GET /v1/organisations/{org_id}/scim/directory/users': { path: { org_id: string }; query: { limit?: number; cursor?: string; active?: boolean; user_name?: string; email?: string; external_id?: string; verify_locally?: boolean }; body: undefined; answer: DirectoryUser[] };
  /** Read a directory user */
  'GET /v1/organisations/{org_id}/scim/directory/users/{scim_user_id}': { path: { scim_user_id: string; org_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: DirectoryUserDetail };
  /** Explain a role */
  'GET /v1/organisations/{org_id}/members/{user_id}/role-explanation': { path: { user_id: string; org_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: RoleExplanation };
  /** Read the SCIM settings */
  'GET /v1/organisations/{org_id}/scim/settings': { path: { org_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: ScimSettings };
  /** Set the SCIM settings */
  'PUT /v1/organisations/{org_id}/scim/settings': { path: { org_id: string }; query: { confirm?: boolean; verify_locally?: boolean }; body: ScimSettingsPut; answer: ScimSettings };
  /** List the role mappings */
  'GET /v1/organisations/{org_id}/scim/role-mappings': { path: { org_id: string }; query: { limit?: number; cursor?: string; verify_locally?: boolean }; body: undefined; answer: RoleMapping[] };
  /** Map a group to a role */
  'POST /v1/organisations/{org_id}/scim/role-mappings': { path: { org_id: string }; query: { confirm?: boolean; verify_locally?: boolean }; body: RoleMappingCreate; answer: RoleMapping };
  /** Read a role mapping */
  'GET /v1/organisations/{org_id}/scim/role-mappings/{mapping_id}': { path: { mapping_id: string; org_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: RoleMapping };
  /** Change the role of a role mapping */
  'PATCH /v1/organisations/{org_id}/scim/role-mappings/{mapping_id}': { path: { mapping_id: string; org_id: string }; query: { confirm?: boolean; verify_locally?: boolean }; body: RoleMappingChange; answer: RoleMapping };
  /** Delete a role mapping */
  'DELETE /v1/organisations/{org_id}/scim/role-mappings/{mapping_id}': { path: { mapping_id: string; org_id: string }; query: { confirm?: boolean; verify_locally?: boolean }; body: undefined; answer: undefined };
  /** List the SCIM tokens */
  'GET /v1/organisations/{org_id}/scim/tokens': { path: { org_id: string }; query: { limit?: number; cursor?: string; verify_locally?: boolean }; body: undefined; answer: ScimToken[] };
  /** Create a SCIM token */
  'POST /v1/organisations/{org_id}/scim/tokens': { path: { org_id: string }; query: { verify_locally?: boolean }; body: ScimTokenCreate; answer: ScimTokenCreated };
  /** Read a SCIM token */
  'GET /v1/organisations/{org_id}/scim/tokens/{token_id}': { path: { token_id: string; org_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: ScimToken };
  /** Revoke a SCIM token */
  'DELETE /v1/organisations/{org_id}/scim/tokens/{token_id}': { path: { token_id: string; org_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: undefined };
  /** List the requests of identity providers */
  'GET /v1/organisations/{org_id}/scim/log': { path: { org_id: string }; query: { limit?: number; cursor?: string; failed?: boolean; resource_id?: string; bulk_entry_id?: string; token_id?: string; from?: string; to?: string; verify_locally?: boolean }; body: undefined; answer: ScimLogEntry[] };
  /** Read a request of an identity provider */
  'GET /v1/organisations/{org_id}/scim/log/{entry_id}': { path: { entry_id: string; org_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: ScimLogEntryDetail };
  /** List subscribable event types */
  'GET /v1/webhooks/event-types': { path: undefined; query: { verify_locally?: boolean }; body: undefined; answer: SubscribableEventType[] };
  /** Read an event type */
  'GET /v1/webhooks/event-types/{event_type}': { path: { event_type: string }; query: { verify_locally?: boolean }; body: undefined; answer: EventTypeDetail };
  /** Read the last day of all endpoints of an organisation */
  'GET /v1/webhooks/stats': { path: undefined; query: { org_id: string; verify_locally?: boolean }; body: undefined; answer: WebhookOverview };
  /** List webhook endpoints */
  'GET /v1/webhooks': { path: undefined; query: { org_id?: string | null; is_active?: boolean; created_at?: string[]; verify_locally?: boolean }; body: undefined; answer: WebhookEndpoint[] };
  /** Create a webhook endpoint */
  'POST /v1/webhooks': { path: undefined; query: { verify_locally?: boolean }; body: WebhookEndpointCreate; answer: WebhookEndpointCreated };
  /** Read a webhook endpoint */
  'GET /v1/webhooks/{endpoint_id}': { path: { endpoint_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: WebhookEndpointDetail };
  /** Update a webhook endpoint */
  'PATCH /v1/webhooks/{endpoint_id}': { path: { endpoint_id: string }; query: { verify_locally?: boolean }; body: WebhookEndpointUpdate; answer: WebhookEndpoint };
  /** Delete a webhook endpoint */
  'DELETE /v1/webhooks/{endpoint_id}': { path: { endpoint_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: undefined };
  /** Rotate the secret of a webhook endpoint */
  'POST /v1/webhooks/{endpoint_id}/rotate-secret': { path: { endpoint_id: string }; query: { verify_locally?: boolean }; body: WebhookSecretRotation; answer: WebhookSecretRotated };
  /** Test a webhook endpoint */
  'POST /v1/webhooks/{endpoint_id}/ping': { path: { endpoint_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: WebhookPing };
  /** List deliveries */
  'GET /v1/webhooks/{endpoint_id}/deliveries': { path: { endpoint_id: string }; query: { limit?: number; cursor?: string; status?: WebhookDeliveryStatus; event_type?: EventType; response_class?: WebhookResponseClass; from?: string; to?: string; verify_locally?: boolean }; body: undefined; answer: WebhookDelivery[] };
  /** Read a delivery */
  'GET /v1/webhooks/{endpoint_id}/deliveries/{delivery_id}': { path: { endpoint_id: string; delivery_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: WebhookDeliveryDetail };
  /** Redeliver a delivery */
  'POST /v1/webhooks/{endpoint_id}/deliveries/{delivery_id}/redeliver': { path: { endpoint_id: string; delivery_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: WebhookDelivery };
  /** Preview the request of a delivery */
  'POST /v1/webhooks/{endpoint_id}/deliveries/{delivery_id}/preview': { path: { endpoint_id: string; delivery_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: WebhookPreview };
  /** Recover missed deliveries */
  'POST /v1/webhooks/{endpoint_id}/recover': { path: { endpoint_id: string }; query: { verify_locally?: boolean }; body: WebhookRecoveryCreate; answer: WebhookRecoveryPreview | WebhookRecovery };
  /** List recoveries */
  'GET /v1/webhooks/{endpoint_id}/recoveries': { path: { endpoint_id: string }; query: { limit?: number; cursor?: string; verify_locally?: boolean }; body: undefined; answer: WebhookRecovery[] };
  /** Read a recovery */
  'GET /v1/webhooks/{endpoint_id}/recoveries/{recovery_id}': { path: { endpoint_id: string; recovery_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: WebhookRecovery };
  /** Cancel a running recovery */
  'DELETE /v1/webhooks/{endpoint_id}/recoveries/{recovery_id}': { path: { endpoint_id: string; recovery_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: undefined };
  /** Read the statistics of an endpoint */
  'GET /v1/webhooks/{endpoint_id}/stats': { path: { endpoint_id: string }; query: { from?: string; to?: string; verify_locally?: boolean }; body: undefined; answer: WebhookStats };
  /** Preview the closing and the deletion of an account */
  'GET /v1/users/{user_id}/departure-preview': { path: { user_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: AccountDeparturePreview };
  /** Preview the deletion of an organisation */
  'GET /v1/organisations/{org_id}/deletion-preview': { path: { org_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: OrganisationDeletionPreview };
  /** List what was mailed, and what could not be */
  'GET /v1/mails': { path: undefined; query: { limit?: number; cursor?: string; status?: MailStatus; verify_locally?: boolean }; body: undefined; answer: Mail[] };
  /** Read the session of this browser */
  'GET /v1/session': { path: undefined; query: { verify_locally?: boolean }; body: undefined; answer: Session };
  /** Sign out of this browser */
  'DELETE /v1/session': { path: undefined; query: { verify_locally?: boolean }; body: undefined; answer: undefined };
  /** List the browsers in which you are signed in */
  'GET /v1/users/me/sessions': { path: undefined; query: { limit?: number; cursor?: string; verify_locally?: boolean }; body: undefined; answer: PersonSession[] };
  /** Sign out everywhere */
  'DELETE /v1/users/me/sessions': { path: undefined; query: { verify_locally?: boolean }; body: undefined; answer: undefined };
  /** Sign out of one browser */
  'DELETE /v1/users/me/sessions/{session_id}': { path: { session_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: undefined };
  /** List OAuth clients */
  'GET /v1/oauth-clients': { path: undefined; query: { limit?: number; cursor?: string; verify_locally?: boolean }; body: undefined; answer: OAuthClient[] };
  /** Create an OAuth client */
  'POST /v1/oauth-clients': { path: undefined; query: { verify_locally?: boolean }; body: OAuthClientCreate; answer: OAuthClientCreated };
  /** Read an OAuth client */
  'GET /v1/oauth-clients/{client_id}': { path: { client_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: OAuthClient };
  /** Change an OAuth client */
  'PATCH /v1/oauth-clients/{client_id}': { path: { client_id: string }; query: { verify_locally?: boolean }; body: OAuthClientUpdate; answer: OAuthClient };
  /** Delete an OAuth client */
  'DELETE /v1/oauth-clients/{client_id}': { path: { client_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: undefined };
  /** Rotate an OAuth client's secret */
  'POST /v1/oauth-clients/{client_id}/rotate-secret': { path: { client_id: string }; query: { verify_locally?: boolean }; body: OAuthClientSecretRotation; answer: OAuthClientCreated };
  /** List what you have allowed programs */
  'GET /v1/users/me/grants': { path: undefined; query: { limit?: number; cursor?: string; verify_locally?: boolean }; body: undefined; answer: Grant[] };
  /** Take back what you have allowed a program */
  'DELETE /v1/users/me/grants/{grant_id}': { path: { grant_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: undefined };
  /** List your personal access tokens */
  'GET /v1/users/me/access-tokens': { path: undefined; query: { limit?: number; cursor?: string; verify_locally?: boolean }; body: undefined; answer: PersonalAccessToken[] };
  /** Create a personal access token */
  'POST /v1/users/me/access-tokens': { path: undefined; query: { verify_locally?: boolean }; body: PersonalAccessTokenCreate; answer: PersonalAccessTokenCreated };
  /** Read a personal access token of yours */
  'GET /v1/users/me/access-tokens/{token_id}': { path: { token_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: PersonalAccessToken };
  /** Revoke a personal access token of yours */
  'DELETE /v1/users/me/access-tokens/{token_id}': { path: { token_id: string }; query: { verify_locally?: boolean }; body: undefined; answer: undefined };
  /** Read how the instance is */
  'GET /v1/platform/health': { path: undefined; query: { verify_locally?: boolean }; body: undefined; answer: PlatformHealth };
  /** Begin to sign in with a passkey */
  'POST /v1/session/passkey/options': { path: undefined; query: undefined; body: undefined; answer: PasskeyOptions };
  /** Sign in with a passkey */
  'POST /v1/session/passkey': { path: undefined; query: undefined; body: PasskeyAnswer; answer: SignedIn };
}
