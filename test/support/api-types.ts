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

/** What each operation takes and answers, by its operationId. */
export interface Operations {
  /** `GET /v1/mcp/categories`: List categories */
  categories_list: {
    body: undefined;
    answers: { 200: Category[]; 304: undefined; 401: Error; 403: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/mcp/categories`: Create a category */
  categories_create: {
    body: CategoryCreate;
    answers: { 201: CategoryAdmin; 401: Error; 403: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/mcp/categories/overview`: List categories as administrators see them */
  categories_overview_get: {
    body: undefined;
    answers: { 200: CategoryOverview; 401: Error; 403: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `PUT /v1/mcp/categories/order`: Reorder the categories */
  categories_reorder: {
    body: CategoryReorder;
    answers: { 200: CategoryOverview; 401: Error; 403: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `PATCH /v1/mcp/categories/{category_id}`: Change a category */
  categories_update: {
    body: CategoryUpdate;
    answers: { 200: CategoryAdmin; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `DELETE /v1/mcp/categories/{category_id}`: Delete a category */
  categories_remove: {
    body: undefined;
    answers: { 204: undefined; 401: Error; 403: Error; 404: Error; 409: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/mcp/categories/{category_id}/move-listings`: Move all listings of a category to another category */
  categories_move_listings: {
    body: CategoryMove;
    answers: { 200: CategoryMoved; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/mcp/listings`: List and search listings */
  listings_list: {
    body: undefined;
    answers: { 200: Listing[]; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/mcp/listings`: Create a listing */
  listings_create: {
    body: ListingCreate;
    answers: { 201: ListingDetail; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/mcp/listings/facets`: Count listings by category, transport and registry */
  listing_facets_get: {
    body: undefined;
    answers: { 200: ListingFacets; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/mcp/listings/highlights`: Read what a start page shows */
  listing_highlights_get: {
    body: undefined;
    answers: { 200: ListingHighlights; 401: Error; 403: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/mcp/listings/{listing_id}`: Read a listing */
  listings_get: {
    body: undefined;
    answers: { 200: ListingDetail; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `PATCH /v1/mcp/listings/{listing_id}`: Change a listing */
  listings_update: {
    body: ListingUpdate;
    answers: { 200: ListingDetail; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `DELETE /v1/mcp/listings/{listing_id}`: Delete a draft */
  listings_remove: {
    body: undefined;
    answers: { 204: undefined; 401: Error; 403: Error; 404: Error; 409: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/mcp/listings/{listing_id}/publish`: Publish a listing */
  listings_publish: {
    body: undefined;
    answers: { 200: ListingDetail; 401: Error; 403: Error; 404: Error; 409: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/mcp/listings/{listing_id}/archive`: Archive a listing */
  listings_archive: {
    body: ListingArchive;
    answers: { 200: ListingDetail; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/mcp/listings/{listing_id}/restore`: Restore an archived listing */
  listings_restore: {
    body: undefined;
    answers: { 200: ListingDetail; 401: Error; 403: Error; 404: Error; 409: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/mcp/listings/{listing_id}/versions`: List the versions of a listing */
  listing_versions_list: {
    body: undefined;
    answers: { 200: ListingVersion[]; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/mcp/listings/{listing_id}/versions`: Add a version */
  listing_versions_add: {
    body: ListingVersionAdd;
    answers: { 201: ListingDetail; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/mcp/listings/{listing_id}/versions/{version}`: Read a version */
  listing_versions_get: {
    body: undefined;
    answers: { 200: ListingVersionDetail; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/mcp/listings/{listing_id}/icon`: Read the icon of a listing */
  listing_icons_get: {
    body: undefined;
    answers: { 200: unknown; 304: undefined; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/mcp/listings/{listing_id}/reviews`: List the reviews of a listing */
  reviews_list: {
    body: undefined;
    answers: { 200: Review[]; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/mcp/listings/{listing_id}/reviews`: Review a listing */
  reviews_create: {
    body: ReviewCreate;
    answers: { 201: Review; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/mcp/listings/{listing_id}/reviews/{review_id}`: Read a review */
  reviews_get: {
    body: undefined;
    answers: { 200: Review; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `PATCH /v1/mcp/listings/{listing_id}/reviews/{review_id}`: Change your review */
  reviews_update: {
    body: ReviewUpdate;
    answers: { 200: Review; 401: Error; 403: Error; 404: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `DELETE /v1/mcp/listings/{listing_id}/reviews/{review_id}`: Delete your review */
  reviews_remove: {
    body: undefined;
    answers: { 204: undefined; 401: Error; 403: Error; 404: Error; 409: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `PUT /v1/mcp/listings/{listing_id}/reviews/{review_id}/answer`: Answer a review */
  reviews_answer: {
    body: ReviewAnswerPut;
    answers: { 200: Review; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/mcp/listings/{listing_id}/reviews/{review_id}/hide`: Hide a review */
  reviews_hide: {
    body: ReviewHide;
    answers: { 200: Review; 401: Error; 403: Error; 404: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/mcp/listings/{listing_id}/reviews/{review_id}/show`: Show a hidden review again */
  reviews_show: {
    body: undefined;
    answers: { 200: Review; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/platform/reviews`: List the reviews of all public listings */
  platform_reviews_list: {
    body: undefined;
    answers: { 200: ModeratedReview[]; 401: Error; 403: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/mcp/namespaces`: List namespaces */
  namespaces_list: {
    body: undefined;
    answers: { 200: Namespace[]; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/mcp/namespaces`: Claim or grant a namespace */
  namespaces_create: {
    body: NamespaceCreate;
    answers: { 201: Namespace; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/mcp/namespaces/{namespace_id}`: Read a namespace */
  namespaces_get: {
    body: undefined;
    answers: { 200: Namespace; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `DELETE /v1/mcp/namespaces/{namespace_id}`: Give up or withdraw a namespace */
  namespaces_remove: {
    body: undefined;
    answers: { 204: undefined; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/mcp/namespaces/{namespace_id}/verify`: Verify a namespace */
  namespaces_verify: {
    body: undefined;
    answers: { 200: Namespace; 401: Error; 403: Error; 404: Error; 409: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/mcp/imports`: List imports */
  imports_list: {
    body: undefined;
    answers: { 200: ImportRun[]; 401: Error; 403: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/mcp/imports`: Start the scheduled import now */
  imports_start: {
    body: undefined;
    answers: { 202: ImportOverview; 401: Error; 403: Error; 409: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/mcp/imports/overview`: Read the sources of imports and what is in quarantine */
  imports_overview_get: {
    body: undefined;
    answers: { 200: ImportOverview; 401: Error; 403: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/mcp/imports/quarantine`: List documents that could not be imported */
  import_quarantine_list: {
    body: undefined;
    answers: { 200: Quarantined[]; 401: Error; 403: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/mcp/imports/quarantine/{document_id}`: Read a document that could not be imported */
  import_quarantine_get: {
    body: undefined;
    answers: { 200: QuarantinedDetail; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/mcp/imports/quarantine/{document_id}/retry`: Import a quarantined document as it is */
  import_quarantine_retry: {
    body: undefined;
    answers: { 200: QuarantineOutcome; 401: Error; 403: Error; 404: Error; 409: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/mcp/imports/quarantine/{document_id}/import`: Import an edited document in place of a quarantined one */
  import_quarantine_import: {
    body: QuarantineImport;
    answers: { 200: QuarantineOutcome; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/mcp/imports/quarantine/{document_id}/dismiss`: Dismiss a quarantined document */
  import_quarantine_dismiss: {
    body: undefined;
    answers: { 200: QuarantinedDetail; 401: Error; 403: Error; 404: Error; 409: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/mcp/imports/quarantine/{document_id}/reopen`: Take back a decision about a quarantined document */
  import_quarantine_reopen: {
    body: undefined;
    answers: { 200: QuarantinedDetail; 401: Error; 403: Error; 404: Error; 409: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v0.1/servers`: List servers */
  registry_servers_list: {
    body: undefined;
    answers: { 200: ServerList; 304: undefined; 400: RegistryError; 422: RegistryError; 429: RegistryError; 500: RegistryError; 503: RegistryError };
  };
  /** `GET /v0.1/servers/{server_name}/versions`: List the versions of a server */
  registry_versions_list: {
    body: undefined;
    answers: { 200: ServerList; 304: undefined; 400: RegistryError; 404: RegistryError; 422: RegistryError; 429: RegistryError; 500: RegistryError; 503: RegistryError };
  };
  /** `GET /v0.1/servers/{server_name}/versions/{version}`: Read a version of a server */
  registry_versions_get: {
    body: undefined;
    answers: { 200: ServerResponse; 304: undefined; 400: RegistryError; 404: RegistryError; 422: RegistryError; 429: RegistryError; 500: RegistryError; 503: RegistryError };
  };
  /** `POST /v0.1/publish`: Not supported */
  registry_publish: {
    body: undefined;
    answers: { 429: RegistryError; 500: RegistryError; 501: RegistryError; 503: RegistryError };
  };
  /** `GET /v0.1/x/com.toolyard/categories`: List categories */
  registry_categories_list: {
    body: undefined;
    answers: { 200: RegistryCategories; 304: undefined; 429: RegistryError; 500: RegistryError; 503: RegistryError };
  };
  /** `GET /v0.1/x/com.toolyard/facets`: Count servers by category */
  registry_facets_get: {
    body: undefined;
    answers: { 200: RegistryFacets; 304: undefined; 422: RegistryError; 429: RegistryError; 500: RegistryError; 503: RegistryError };
  };
  /** `GET /v1/organisations/{org_id}/registry/v0.1/servers`: List servers */
  organisation_registry_servers_list: {
    body: undefined;
    answers: { 200: ServerList; 400: RegistryError; 401: RegistryError; 403: RegistryError; 404: RegistryError; 422: RegistryError; 429: RegistryError; 500: RegistryError; 503: RegistryError };
  };
  /** `GET /v1/organisations/{org_id}/registry/v0.1/servers/{server_name}/versions`: List the versions of a server */
  organisation_registry_versions_list: {
    body: undefined;
    answers: { 200: ServerList; 400: RegistryError; 401: RegistryError; 403: RegistryError; 404: RegistryError; 422: RegistryError; 429: RegistryError; 500: RegistryError; 503: RegistryError };
  };
  /** `GET /v1/organisations/{org_id}/registry/v0.1/servers/{server_name}/versions/{version}`: Read a version of a server */
  organisation_registry_versions_get: {
    body: undefined;
    answers: { 200: ServerResponse; 400: RegistryError; 401: RegistryError; 403: RegistryError; 404: RegistryError; 422: RegistryError; 429: RegistryError; 500: RegistryError; 503: RegistryError };
  };
  /** `GET /v1/bundles`: List bundles */
  bundles_list: {
    body: undefined;
    answers: { 200: Bundle[]; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/bundles`: Create a bundle */
  bundles_create: {
    body: BundleCreate;
    answers: { 201: Bundle; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/bundles/{bundle_id}`: Read a bundle */
  bundles_get: {
    body: undefined;
    answers: { 200: Bundle; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `PATCH /v1/bundles/{bundle_id}`: Change a bundle */
  bundles_update: {
    body: BundleUpdate;
    answers: { 200: Bundle; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `DELETE /v1/bundles/{bundle_id}`: Delete a bundle */
  bundles_remove: {
    body: undefined;
    answers: { 204: undefined; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/bundles/{bundle_id}/deletion-preview`: Preview the deletion of a bundle */
  bundles_preview_deletion: {
    body: undefined;
    answers: { 200: BundleDeletionPreview; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/bundles/{bundle_id}/entries`: List the entries of a bundle */
  bundle_entries_list: {
    body: undefined;
    answers: { 200: BundleEntry[]; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/bundles/{bundle_id}/entries`: Add a listing to a bundle */
  bundle_entries_add: {
    body: BundleEntryAdd;
    answers: { 201: BundleEntry; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `PUT /v1/bundles/{bundle_id}/entries`: Replace the entries of a bundle */
  bundle_entries_replace: {
    body: BundleEntriesReplace;
    answers: { 200: BundleEntries; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `PATCH /v1/bundles/{bundle_id}/entries`: Change several entries of a bundle */
  bundle_entries_change: {
    body: BundleEntriesChange;
    answers: { 200: BundleEntries; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/bundles/{bundle_id}/entries/{entry_id}`: Read an entry of a bundle */
  bundle_entries_get: {
    body: undefined;
    answers: { 200: BundleEntry; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `PATCH /v1/bundles/{bundle_id}/entries/{entry_id}`: Move, enable, disable, configure or pin an entry of a bundle */
  bundle_entries_update: {
    body: BundleEntryUpdate;
    answers: { 200: BundleEntry; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `DELETE /v1/bundles/{bundle_id}/entries/{entry_id}`: Remove a listing from a bundle */
  bundle_entries_remove: {
    body: undefined;
    answers: { 204: undefined; 401: Error; 403: Error; 404: Error; 409: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/bundles/{bundle_id}/versions`: List the versions of a bundle */
  bundle_versions_list: {
    body: undefined;
    answers: { 200: BundleVersion[]; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/bundles/{bundle_id}/versions`: Record the newest listing versions as a version of a bundle */
  bundle_versions_update: {
    body: undefined;
    answers: { 200: BundleVersionDetail; 401: Error; 403: Error; 404: Error; 409: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/bundles/{bundle_id}/versions/{number}`: Read a version of a bundle */
  bundle_versions_get: {
    body: undefined;
    answers: { 200: BundleVersionDetail; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/bundles/{bundle_id}/versions/{number}/compare`: Compare two versions of a bundle */
  bundle_versions_compare: {
    body: undefined;
    answers: { 200: VersionComparison; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/bundles/{bundle_id}/versions/{number}/restore`: Restore a version of a bundle */
  bundle_versions_restore: {
    body: VersionRestore;
    answers: { 200: BundleVersionDetail; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/bundles/{bundle_id}/export`: Export a bundle as the configuration of a client */
  bundles_export: {
    body: undefined;
    answers: { 200: VsCodeConfiguration | McpServersConfiguration | BundleExport; 401: Error; 403: Error; 404: Error; 409: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/bundles/{bundle_id}/access-tokens`: List the access tokens of a bundle */
  bundle_access_tokens_list: {
    body: undefined;
    answers: { 200: BundleAccessToken[]; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/bundles/{bundle_id}/access-tokens`: Create an access token of a bundle */
  bundle_access_tokens_create: {
    body: BundleAccessTokenCreate;
    answers: { 201: BundleAccessTokenCreated; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/bundles/{bundle_id}/access-tokens/{token_id}`: Read an access token of a bundle */
  bundle_access_tokens_get: {
    body: undefined;
    answers: { 200: BundleAccessToken; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `DELETE /v1/bundles/{bundle_id}/access-tokens/{token_id}`: Revoke an access token of a bundle */
  bundle_access_tokens_revoke: {
    body: undefined;
    answers: { 204: undefined; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `PUT /v1/bundles/{bundle_id}/follow`: Follow a bundle */
  bundles_follow: {
    body: undefined;
    answers: { 204: undefined; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `DELETE /v1/bundles/{bundle_id}/follow`: Stop following a bundle */
  bundles_unfollow: {
    body: undefined;
    answers: { 204: undefined; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/bundles/{bundle_id}/followers`: List the followers of a bundle */
  bundle_followers_list: {
    body: undefined;
    answers: { 200: BundleFollower[]; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/bundles/{bundle_id}/editors`: List the editors of a bundle */
  bundle_editors_list: {
    body: undefined;
    answers: { 200: BundleEditor[]; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `PUT /v1/bundles/{bundle_id}/editors/{user_id}`: Add an editor to a bundle */
  bundle_editors_add: {
    body: undefined;
    answers: { 204: undefined; 401: Error; 403: Error; 404: Error; 409: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `DELETE /v1/bundles/{bundle_id}/editors/{user_id}`: Remove an editor from a bundle */
  bundle_editors_remove: {
    body: undefined;
    answers: { 204: undefined; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/users/me/feed`: List what changed in the bundles that you follow */
  my_feed_list: {
    body: undefined;
    answers: { 200: FeedItem[]; 401: Error; 403: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/bundles/{bundle_id}/deployments`: List the deployments of a bundle */
  deployments_list: {
    body: undefined;
    answers: { 200: Deployment[]; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/bundles/{bundle_id}/deployments`: Bind a deployment to a bundle */
  deployments_create: {
    body: DeploymentCreate;
    answers: { 201: Deployment; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/bundles/{bundle_id}/deployments/{deployment_id}`: Read a deployment */
  deployments_get: {
    body: undefined;
    answers: { 200: Deployment; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `PATCH /v1/bundles/{bundle_id}/deployments/{deployment_id}`: Change a deployment */
  deployments_update: {
    body: DeploymentUpdate;
    answers: { 200: Deployment; 401: Error; 403: Error; 404: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `DELETE /v1/bundles/{bundle_id}/deployments/{deployment_id}`: Remove a deployment from its bundle */
  deployments_remove: {
    body: undefined;
    answers: { 204: undefined; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/organisations/{org_id}/managed-settings`: Export the allow list of MCP servers */
  managed_settings_get: {
    body: undefined;
    answers: { 200: ManagedSettings; 401: Error; 403: Error; 404: Error; 409: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/organisations/{org_id}/managed-settings/report`: List the servers that the allow list cannot name */
  managed_settings_report_get: {
    body: undefined;
    answers: { 200: ManagedSettingsReport; 401: Error; 403: Error; 404: Error; 409: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v0.1/x/com.toolyard/bundles`: List public bundles */
  registry_bundles_list: {
    body: undefined;
    answers: { 200: RegistryBundles; 400: RegistryError; 422: RegistryError; 429: RegistryError; 500: RegistryError; 503: RegistryError };
  };
  /** `GET /v1/mcp/listings/{listing_id}/install`: Read how a listing is put into a client */
  listing_install_get: {
    body: undefined;
    answers: { 200: ListingInstall; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/mcp/listings/{listing_id}/bundles`: List the bundles that have a listing */
  listing_bundles_list: {
    body: undefined;
    answers: { 200: ListingBundle[]; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/mcp/listings/{listing_id}/allowances`: List the organisations that allow a listing, or do not */
  listing_allowances_list: {
    body: undefined;
    answers: { 200: ListingAllowance[]; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/organisations/{org_id}/allowed-listings`: List the listings that an organisation allows */
  allowed_listings_list: {
    body: undefined;
    answers: { 200: AllowedListing[]; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/bundles/{bundle_id}/endpoint`: Read the endpoint of a bundle */
  bundle_endpoint_get: {
    body: undefined;
    answers: { 200: Endpoint; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `PATCH /v1/bundles/{bundle_id}/endpoint`: Change the endpoint of a bundle */
  bundle_endpoint_update: {
    body: EndpointUpdate;
    answers: { 200: Endpoint; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/bundles/{bundle_id}/endpoint/status`: Read the status of the endpoint of a bundle */
  bundle_endpoint_status_get: {
    body: undefined;
    answers: { 200: EndpointStatus; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/bundles/{bundle_id}/endpoint/refresh`: Read the lists of the servers of a bundle again */
  bundle_endpoint_refresh: {
    body: undefined;
    answers: { 200: EndpointStatus; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/bundles/{bundle_id}/compile`: Preview the endpoint of a bundle */
  bundle_endpoint_compile: {
    body: undefined;
    answers: { 200: EndpointReport; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/bundles/{bundle_id}/connect`: Read how a client is connected to a bundle */
  bundle_connection_get: {
    body: undefined;
    answers: { 200: BundleConnect; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/bundles/{bundle_id}/policies`: Read the policies of a bundle */
  bundle_policies_get: {
    body: undefined;
    answers: { 200: BundlePolicies; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `PUT /v1/bundles/{bundle_id}/policies`: Replace the policies of a bundle */
  bundle_policies_replace: {
    body: BundlePoliciesPut;
    answers: { 200: BundlePolicies; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/bundles/{bundle_id}/policies/preview`: Preview policies of a bundle */
  bundle_policies_preview: {
    body: BundlePoliciesPreview;
    answers: { 200: PolicyPreview; 401: Error; 403: Error; 404: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/bundles/{bundle_id}/endpoint/preview`: Preview the endpoint of a bundle in the place of someone */
  bundle_endpoint_preview: {
    body: undefined;
    answers: { 200: PolicyPreview; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/bundles/{bundle_id}/tools`: List the tools of a bundle */
  bundle_tools_list: {
    body: undefined;
    answers: { 200: BundleTool[]; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/bundles/{bundle_id}/tools/approve`: Approve definitions of tools of a bundle */
  bundle_tools_approve_several: {
    body: BundleToolsApprove;
    answers: { 200: BundleToolsApproved; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/bundles/{bundle_id}/tools/{tool_id}`: Read a tool of a bundle */
  bundle_tools_get: {
    body: undefined;
    answers: { 200: BundleToolDetail; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `PATCH /v1/bundles/{bundle_id}/tools/{tool_id}`: Change what a bundle shows of a tool */
  bundle_tools_update: {
    body: BundleToolUpdate;
    answers: { 200: BundleToolDetail; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/bundles/{bundle_id}/tools/{tool_id}/changes`: Compare the definitions of a tool */
  bundle_tools_compare: {
    body: undefined;
    answers: { 200: BundleToolChanges; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/bundles/{bundle_id}/tools/{tool_id}/approve`: Approve the definition of a tool */
  bundle_tools_approve: {
    body: BundleToolApprove;
    answers: { 200: BundleToolDetail; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/bundles/{bundle_id}/tools/{tool_id}/call`: Call a tool of a bundle */
  bundle_tools_call: {
    body: BundleToolCall;
    answers: { 200: BundleToolAnswer; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/bundles/{bundle_id}/calls`: Read the record of calls of a bundle */
  bundle_calls_list: {
    body: undefined;
    answers: { 200: Call[]; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/bundles/{bundle_id}/calls/statistics`: Count the calls of a bundle */
  bundle_call_statistics_get: {
    body: undefined;
    answers: { 200: CallStatistics; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /.well-known/oauth-protected-resource/mcp/bundles/{bundle_id}`: Protected resource metadata (RFC 9728) of the endpoint of a bundle */
  bundle_endpoint_metadata_get: {
    body: undefined;
    answers: { 200: ProtectedResource; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /.well-known/oauth-protected-resource/mcp/deployments/{deployment_id}`: Protected resource metadata (RFC 9728) of a deployment */
  deployment_endpoint_metadata_get: {
    body: undefined;
    answers: { 200: ProtectedResource; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/credentials`: List credentials */
  credentials_list: {
    body: undefined;
    answers: { 200: Credential[]; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/credentials`: Give a credential */
  credentials_create: {
    body: CredentialCreate;
    answers: { 201: Credential; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `PATCH /v1/credentials/{credential_id}`: Change a credential */
  credentials_update: {
    body: CredentialUpdate;
    answers: { 200: Credential; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `DELETE /v1/credentials/{credential_id}`: Delete a credential */
  credentials_remove: {
    body: undefined;
    answers: { 204: undefined; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/bundles/{bundle_id}/credential-needs`: List what the servers of a bundle need from you */
  bundle_credential_needs_list: {
    body: undefined;
    answers: { 200: CredentialNeed[]; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /oauth2/clients/mcp.json`: Read the client metadata document of this service */
  mcp_client_document_get: {
    body: undefined;
    answers: { 200: ClientDocument; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/credentials/connect`: Connect an account at the server of an entry */
  credential_connection_create: {
    body: ConnectCreate;
    answers: { 200: Connect; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /connect/callback`: Come back from an authorization server */
  connect_callback_page_get: {
    body: undefined;
    answers: { 200: string; 303: undefined; 400: string; 403: string; 404: string; 405: string; 409: string; 422: string; 429: string; 500: string; 503: string };
  };
  /** `GET /connect/callback/{client}`: Come back from an authorization server where this service has registered itself */
  connect_client_callback_page_get: {
    body: undefined;
    answers: { 200: string; 303: undefined; 400: string; 403: string; 404: string; 405: string; 409: string; 422: string; 429: string; 500: string; 503: string };
  };
  /** `GET /connect/accounts/{link}`: Show what an account would be connected to */
  connect_page_get: {
    body: undefined;
    answers: { 200: string; 303: undefined; 400: string; 403: string; 404: string; 405: string; 409: string; 422: string; 429: string; 500: string; 503: string };
  };
  /** `POST /connect/accounts/{link}`: Go on to the authorization server, or save secrets */
  connect_page_accept: {
    body: {
      csrf_token: string;
    };
    answers: { 200: string; 303: undefined; 400: string; 403: string; 404: string; 405: string; 409: string; 413: string; 415: string; 422: string; 429: string; 500: string; 503: string };
  };
  /** `GET /v1/users/me`: Read your own account */
  me_get: {
    body: undefined;
    answers: { 200: Me; 401: Error; 403: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `DELETE /v1/users/me`: Delete your own account */
  account_deletion_remove_own: {
    body: undefined;
    answers: { 204: undefined; 401: Error; 403: Error; 409: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/users/me/waiting`: Read what waits for you */
  my_waiting_get: {
    body: undefined;
    answers: { 200: Waiting; 401: Error; 403: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/audit-log`: Read the audit log of accounts */
  account_audit_log_list: {
    body: undefined;
    answers: { 200: AccountAuditEntry[]; 401: Error; 403: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /account`: Show your account */
  account_page_get: {
    body: undefined;
    answers: { 200: string; 303: undefined; 405: string; 429: string; 500: string; 503: string };
  };
  /** `GET /account/confirm`: Ask who you are */
  account_confirmation_page_get: {
    body: undefined;
    answers: { 200: string; 303: undefined; 405: string; 429: string; 500: string; 503: string };
  };
  /** `POST /account/confirm`: Confirm that it is you */
  account_confirmation_page_accept: {
    body: {
      current_password: string;
      csrf_token: string;
    };
    answers: { 200: string; 303: undefined; 400: string; 403: string; 405: string; 413: string; 415: string; 422: string; 429: string; 500: string; 503: string };
  };
  /** `POST /account/password`: Set or change your password */
  account_page_change_password: {
    body: {
      current_password?: string;
      password: string;
      password_again: string;
      csrf_token: string;
    };
    answers: { 200: string; 303: undefined; 400: string; 401: string; 403: string; 405: string; 413: string; 415: string; 422: string; 429: string; 500: string; 503: string };
  };
  /** `POST /account/remove-password`: Remove your password */
  account_page_remove_password: {
    body: {
      csrf_token: string;
    };
    answers: { 200: string; 303: undefined; 400: string; 401: string; 403: string; 405: string; 409: string; 413: string; 415: string; 429: string; 500: string; 503: string };
  };
  /** `POST /account/remove-identity`: Remove an identity on the page of your account */
  account_page_remove_identity: {
    body: {
      identity_id: string;
      csrf_token: string;
    };
    answers: { 200: string; 303: undefined; 400: string; 401: string; 403: string; 404: string; 405: string; 409: string; 413: string; 415: string; 429: string; 500: string; 503: string };
  };
  /** `POST /account/remove-passkey`: Remove a passkey on the page of your account */
  account_page_remove_passkey: {
    body: {
      passkey_id: string;
      csrf_token: string;
    };
    answers: { 200: string; 303: undefined; 400: string; 401: string; 403: string; 404: string; 405: string; 409: string; 413: string; 415: string; 429: string; 500: string; 503: string };
  };
  /** `POST /account/accept-invitation`: Accept an invitation on the page of your account */
  account_page_accept_invitation: {
    body: {
      invitation_id: string;
      csrf_token: string;
    };
    answers: { 200: string; 303: undefined; 400: string; 403: string; 404: string; 405: string; 409: string; 413: string; 415: string; 429: string; 500: string; 503: string };
  };
  /** `POST /account/decline-invitation`: Decline an invitation on the page of your account */
  account_page_decline_invitation: {
    body: {
      invitation_id: string;
      csrf_token: string;
    };
    answers: { 200: string; 303: undefined; 400: string; 403: string; 404: string; 405: string; 409: string; 413: string; 415: string; 429: string; 500: string; 503: string };
  };
  /** `POST /account/revoke-grant`: End the access of an application */
  account_page_revoke_grant: {
    body: {
      grant_id: string;
      csrf_token: string;
    };
    answers: { 200: string; 303: undefined; 400: string; 403: string; 405: string; 413: string; 415: string; 429: string; 500: string; 503: string };
  };
  /** `POST /account/revoke-token`: Revoke a personal access token on the page of your account */
  account_page_revoke_token: {
    body: {
      token_id: string;
      csrf_token: string;
    };
    answers: { 200: string; 303: undefined; 400: string; 403: string; 405: string; 413: string; 415: string; 429: string; 500: string; 503: string };
  };
  /** `POST /account/end-session`: Sign out in one browser */
  account_page_remove_session: {
    body: {
      session_id: string;
      csrf_token: string;
    };
    answers: { 200: string; 303: undefined; 400: string; 403: string; 405: string; 413: string; 415: string; 429: string; 500: string; 503: string };
  };
  /** `POST /account/sign-out-everywhere`: Sign out everywhere on the page of your account */
  account_page_remove_sessions: {
    body: {
      csrf_token: string;
    };
    answers: { 200: string; 303: undefined; 400: string; 403: string; 405: string; 413: string; 415: string; 429: string; 500: string; 503: string };
  };
  /** `GET /v1/users/me/identities`: List your identities */
  my_identities_list: {
    body: undefined;
    answers: { 200: Identity[]; 401: Error; 403: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `DELETE /v1/users/me/identities/{identity_id}`: Remove an identity */
  my_identities_remove: {
    body: undefined;
    answers: { 204: undefined; 401: Error; 403: Error; 404: Error; 409: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/users/me/passkeys`: List your passkeys */
  my_passkeys_list: {
    body: undefined;
    answers: { 200: Passkey[]; 401: Error; 403: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/users/me/passkeys`: Add a passkey */
  my_passkeys_create: {
    body: PasskeyCreate;
    answers: { 201: PasskeyCreated; 401: Error; 403: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/users/me/passkeys/options`: Begin to add a passkey */
  my_passkeys_start: {
    body: undefined;
    answers: { 200: PasskeyOptions; 401: Error; 403: Error; 409: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `DELETE /v1/users/me/passkeys/{passkey_id}`: Remove a passkey */
  my_passkeys_remove: {
    body: undefined;
    answers: { 204: undefined; 401: Error; 403: Error; 404: Error; 409: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/users/me/recovery-codes`: Replace your recovery codes */
  recovery_codes_replace: {
    body: undefined;
    answers: { 200: RecoveryCodes; 401: Error; 403: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/users/me/audit-log`: Read what happened to your account */
  own_audit_log_list: {
    body: undefined;
    answers: { 200: AccountAuditEntry[]; 401: Error; 403: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/users/invitations`: List the invitations to have an account */
  account_invitations_list: {
    body: undefined;
    answers: { 200: AccountInvitation[]; 401: Error; 403: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/users/invitations`: Invite a person to have an account */
  account_invitations_create: {
    body: AccountInvitationCreate;
    answers: { 201: AccountInvitationCreated; 401: Error; 403: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/users/invitations/{invitation_id}`: Read an invitation to have an account */
  account_invitations_get: {
    body: undefined;
    answers: { 200: AccountInvitation; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `DELETE /v1/users/invitations/{invitation_id}`: Delete an invitation to have an account */
  account_invitations_remove: {
    body: undefined;
    answers: { 204: undefined; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /password-reset`: Ask for an address to mail a password reset link to */
  forgotten_password_page_get: {
    body: undefined;
    answers: { 200: string; 303: undefined; 404: string; 405: string; 429: string; 500: string; 503: string };
  };
  /** `POST /password-reset`: Ask for a password reset link by mail */
  forgotten_password_page_accept: {
    body: {
      email: string;
      csrf_token: string;
    };
    answers: { 200: string; 303: undefined; 400: string; 403: string; 404: string; 405: string; 413: string; 415: string; 422: string; 429: string; 500: string; 503: string };
  };
  /** `GET /invitations/{token}`: Show an invitation to have an account */
  invitation_page_get: {
    body: undefined;
    answers: { 200: string; 303: undefined; 404: string; 405: string; 422: string; 429: string; 500: string; 503: string };
  };
  /** `POST /invitations/{token}`: Accept an invitation to have an account */
  invitation_page_accept: {
    body: {
      name: string;
      password: string;
      password_again: string;
      csrf_token: string;
    };
    answers: { 200: string; 303: undefined; 400: string; 403: string; 404: string; 405: string; 409: string; 413: string; 415: string; 422: string; 429: string; 500: string; 503: string };
  };
  /** `GET /password-reset/{token}`: Show a password reset link */
  password_reset_page_get: {
    body: undefined;
    answers: { 200: string; 303: undefined; 404: string; 405: string; 422: string; 429: string; 500: string; 503: string };
  };
  /** `POST /password-reset/{token}`: Set a new password with a password reset link */
  password_reset_page_accept: {
    body: {
      password: string;
      password_again: string;
      csrf_token: string;
    };
    answers: { 200: string; 303: undefined; 400: string; 403: string; 404: string; 405: string; 413: string; 415: string; 422: string; 429: string; 500: string; 503: string };
  };
  /** `GET /v1/users`: List all accounts */
  users_list: {
    body: undefined;
    answers: { 200: User[]; 401: Error; 403: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/users/{user_id}`: Read an account */
  users_get: {
    body: undefined;
    answers: { 200: User; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `DELETE /v1/users/{user_id}`: Delete an account */
  account_deletion_remove_other: {
    body: undefined;
    answers: { 204: undefined; 401: Error; 403: Error; 404: Error; 409: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/users/{user_id}/close`: Close an account */
  users_close: {
    body: UserClose;
    answers: { 200: User; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/users/{user_id}/reopen`: Open a closed account again */
  users_reopen: {
    body: undefined;
    answers: { 200: User; 401: Error; 403: Error; 404: Error; 409: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/users/{user_id}/password-reset-link`: Create a link to set a new password */
  users_create_password_reset_link: {
    body: undefined;
    answers: { 200: PasswordResetLink; 401: Error; 403: Error; 404: Error; 409: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/organisations`: List the caller's organisations */
  organisations_list: {
    body: undefined;
    answers: { 200: Organisation[]; 401: Error; 403: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/organisations`: Create an organisation */
  organisations_create: {
    body: OrganisationCreate;
    answers: { 201: Organisation; 401: Error; 403: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/organisations/{org_id}`: Read an organisation */
  organisations_get: {
    body: undefined;
    answers: { 200: Organisation; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `PATCH /v1/organisations/{org_id}`: Rename an organisation */
  organisations_update: {
    body: OrganisationUpdate;
    answers: { 200: Organisation; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `DELETE /v1/organisations/{org_id}`: Delete an organisation */
  organisation_deletion_remove: {
    body: undefined;
    answers: { 204: undefined; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/organisations/{org_id}/members/{user_id}`: Read a member */
  members_get: {
    body: undefined;
    answers: { 200: Member; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `PATCH /v1/organisations/{org_id}/members/{user_id}`: Change a member's manual role */
  members_change: {
    body: MemberChange;
    answers: { 200: Member; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `DELETE /v1/organisations/{org_id}/members/{user_id}`: Remove a member or leave */
  members_remove: {
    body: undefined;
    answers: { 204: undefined; 401: Error; 403: Error; 404: Error; 409: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/organisations/{org_id}/audit-log`: Read the audit log */
  audit_log_list: {
    body: undefined;
    answers: { 200: AuditEntry[]; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/organisations/{org_id}/members`: List the members */
  members_list: {
    body: undefined;
    answers: { 200: ListedMember[]; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/organisations/{org_id}/members`: Invite a member */
  members_invite: {
    body: InvitationCreate;
    answers: { 201: Invitation; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/organisations/{org_id}/invitations`: List the invitations */
  invitations_list: {
    body: undefined;
    answers: { 200: Invitation[]; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/organisations/{org_id}/invitations/{invitation_id}`: Read an invitation */
  invitations_get: {
    body: undefined;
    answers: { 200: Invitation; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `DELETE /v1/organisations/{org_id}/invitations/{invitation_id}`: Revoke an invitation */
  invitations_revoke: {
    body: undefined;
    answers: { 204: undefined; 401: Error; 403: Error; 404: Error; 409: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/users/me/invitations`: List your invitations */
  my_invitations_list: {
    body: undefined;
    answers: { 200: MyInvitation[]; 401: Error; 403: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/users/me/invitations/{invitation_id}/accept`: Accept an invitation */
  my_invitations_accept: {
    body: undefined;
    answers: { 200: MyInvitation; 401: Error; 403: Error; 404: Error; 409: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/users/me/invitations/{invitation_id}/decline`: Decline an invitation */
  my_invitations_decline: {
    body: undefined;
    answers: { 200: MyInvitation; 401: Error; 403: Error; 404: Error; 409: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/organisations/{org_id}/server-requests`: List requests for servers */
  server_requests_list: {
    body: undefined;
    answers: { 200: ServerRequest[]; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/organisations/{org_id}/server-requests`: Ask for a server */
  server_requests_create: {
    body: ServerRequestCreate;
    answers: { 201: ServerRequest; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/organisations/{org_id}/server-requests/{request_id}`: Read a request for a server */
  server_requests_get: {
    body: undefined;
    answers: { 200: ServerRequest; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/organisations/{org_id}/server-requests/{request_id}/withdraw`: Withdraw a request for a server */
  server_requests_withdraw: {
    body: undefined;
    answers: { 200: ServerRequest; 401: Error; 403: Error; 404: Error; 409: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/organisations/{org_id}/server-requests/{request_id}/approve`: Approve a request for a server */
  server_requests_approve: {
    body: ServerRequestDecision;
    answers: { 200: ServerRequest; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/organisations/{org_id}/server-requests/{request_id}/decline`: Decline a request for a server */
  server_requests_decline: {
    body: ServerRequestDecision;
    answers: { 200: ServerRequest; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/organisations/{org_id}/domains`: List the domains */
  domains_list: {
    body: undefined;
    answers: { 200: Domain[]; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/organisations/{org_id}/domains`: Add a domain */
  domains_add: {
    body: DomainCreate;
    answers: { 201: Domain; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/organisations/{org_id}/domains/{domain_id}`: Read a domain */
  domains_get: {
    body: undefined;
    answers: { 200: Domain; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `DELETE /v1/organisations/{org_id}/domains/{domain_id}`: Remove a domain */
  domains_remove: {
    body: undefined;
    answers: { 204: undefined; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/organisations/{org_id}/domains/{domain_id}/verify`: Verify a domain */
  domains_verify: {
    body: undefined;
    answers: { 200: Domain; 401: Error; 403: Error; 404: Error; 409: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `PUT /v1/organisations/{org_id}/domains/{domain}/vouch`: Vouch for a domain */
  domains_vouch: {
    body: undefined;
    answers: { 204: undefined; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `DELETE /v1/organisations/{org_id}/domains/{domain}/vouch`: Withdraw the vouching for a domain */
  domains_withdraw_vouch: {
    body: undefined;
    answers: { 204: undefined; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/organisations/{org_id}/scim/sync`: Synchronise SCIM users */
  sync_run: {
    body: undefined;
    answers: { 200: Sync; 401: Error; 403: Error; 404: Error; 409: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/organisations/{org_id}/scim/sync/preview`: Preview a sync */
  sync_preview: {
    body: SyncProposal;
    answers: { 200: SyncPreview; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/organisations/{org_id}/scim/sync-runs`: List sync runs */
  sync_runs_list: {
    body: undefined;
    answers: { 200: SyncRunSummary[]; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/organisations/{org_id}/scim/sync-runs/{run_id}`: Read a sync run */
  sync_runs_get: {
    body: undefined;
    answers: { 200: SyncRun; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/organisations/{org_id}/scim/directory/groups`: List the directory groups */
  directory_groups_list: {
    body: undefined;
    answers: { 200: DirectoryGroup[]; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/organisations/{org_id}/scim/directory/groups/{group_id}`: Read a directory group */
  directory_groups_get: {
    body: undefined;
    answers: { 200: DirectoryGroup; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/organisations/{org_id}/scim/directory/groups/{group_id}/members`: List the members of a directory group */
  directory_group_members_list: {
    body: undefined;
    answers: { 200: DirectoryGroupMember[]; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/organisations/{org_id}/scim/directory/users`: List the directory users */
  directory_users_list: {
    body: undefined;
    answers: { 200: DirectoryUser[]; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/organisations/{org_id}/scim/directory/users/{scim_user_id}`: Read a directory user */
  directory_users_get: {
    body: undefined;
    answers: { 200: DirectoryUserDetail; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/organisations/{org_id}/members/{user_id}/role-explanation`: Explain a role */
  role_explanation_get: {
    body: undefined;
    answers: { 200: RoleExplanation; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/organisations/{org_id}/scim/settings`: Read the SCIM settings */
  scim_settings_get: {
    body: undefined;
    answers: { 200: ScimSettings; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `PUT /v1/organisations/{org_id}/scim/settings`: Set the SCIM settings */
  scim_settings_put: {
    body: ScimSettingsPut;
    answers: { 200: ScimSettings; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/organisations/{org_id}/scim/role-mappings`: List the role mappings */
  role_mappings_list: {
    body: undefined;
    answers: { 200: RoleMapping[]; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/organisations/{org_id}/scim/role-mappings`: Map a group to a role */
  role_mappings_create: {
    body: RoleMappingCreate;
    answers: { 201: RoleMapping; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/organisations/{org_id}/scim/role-mappings/{mapping_id}`: Read a role mapping */
  role_mappings_get: {
    body: undefined;
    answers: { 200: RoleMapping; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `PATCH /v1/organisations/{org_id}/scim/role-mappings/{mapping_id}`: Change the role of a role mapping */
  role_mappings_change: {
    body: RoleMappingChange;
    answers: { 200: RoleMapping; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `DELETE /v1/organisations/{org_id}/scim/role-mappings/{mapping_id}`: Delete a role mapping */
  role_mappings_remove: {
    body: undefined;
    answers: { 204: undefined; 401: Error; 403: Error; 404: Error; 409: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/organisations/{org_id}/scim/tokens`: List the SCIM tokens */
  scim_tokens_list: {
    body: undefined;
    answers: { 200: ScimToken[]; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/organisations/{org_id}/scim/tokens`: Create a SCIM token */
  scim_tokens_create: {
    body: ScimTokenCreate;
    answers: { 201: ScimTokenCreated; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/organisations/{org_id}/scim/tokens/{token_id}`: Read a SCIM token */
  scim_tokens_get: {
    body: undefined;
    answers: { 200: ScimToken; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `DELETE /v1/organisations/{org_id}/scim/tokens/{token_id}`: Revoke a SCIM token */
  scim_tokens_revoke: {
    body: undefined;
    answers: { 204: undefined; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/organisations/{org_id}/scim/log`: List the requests of identity providers */
  scim_log_list: {
    body: undefined;
    answers: { 200: ScimLogEntry[]; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/organisations/{org_id}/scim/log/{entry_id}`: Read a request of an identity provider */
  scim_log_get: {
    body: undefined;
    answers: { 200: ScimLogEntryDetail; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/organisations/{org_id}/scim/v2/Users`: List users */
  scim_users_list: {
    body: undefined;
    answers: { 200: ScimUserList; 400: ScimError; 401: ScimError; 429: ScimError; 500: ScimError; 503: ScimError };
  };
  /** `POST /v1/organisations/{org_id}/scim/v2/Users`: Create a user */
  scim_users_create: {
    body: ScimUserWrite;
    answers: { 201: ScimUser; 400: ScimError; 401: ScimError; 409: ScimError; 413: ScimError; 415: ScimError; 429: ScimError; 500: ScimError; 503: ScimError };
  };
  /** `POST /v1/organisations/{org_id}/scim/v2/Users/.search`: Search users */
  scim_users_search: {
    body: ScimSearch;
    answers: { 200: ScimUserList; 400: ScimError; 401: ScimError; 413: ScimError; 415: ScimError; 429: ScimError; 500: ScimError; 503: ScimError };
  };
  /** `GET /v1/organisations/{org_id}/scim/v2/Users/{id}`: Read a user */
  scim_users_get: {
    body: undefined;
    answers: { 200: ScimUser; 304: undefined; 400: ScimError; 401: ScimError; 404: ScimError; 429: ScimError; 500: ScimError; 503: ScimError };
  };
  /** `PUT /v1/organisations/{org_id}/scim/v2/Users/{id}`: Replace a user */
  scim_users_replace: {
    body: ScimUserWrite;
    answers: { 200: ScimUser; 400: ScimError; 401: ScimError; 404: ScimError; 409: ScimError; 412: ScimError; 413: ScimError; 415: ScimError; 429: ScimError; 500: ScimError; 503: ScimError };
  };
  /** `PATCH /v1/organisations/{org_id}/scim/v2/Users/{id}`: Change a user */
  scim_users_patch: {
    body: ScimPatch;
    answers: { 200: ScimUser; 204: undefined; 400: ScimError; 401: ScimError; 404: ScimError; 409: ScimError; 412: ScimError; 413: ScimError; 415: ScimError; 429: ScimError; 500: ScimError; 503: ScimError };
  };
  /** `DELETE /v1/organisations/{org_id}/scim/v2/Users/{id}`: Delete a user */
  scim_users_remove: {
    body: undefined;
    answers: { 204: undefined; 400: ScimError; 401: ScimError; 404: ScimError; 409: ScimError; 412: ScimError; 429: ScimError; 500: ScimError; 503: ScimError };
  };
  /** `GET /v1/organisations/{org_id}/scim/v2/Groups`: List groups */
  scim_groups_list: {
    body: undefined;
    answers: { 200: ScimGroupList; 400: ScimError; 401: ScimError; 429: ScimError; 500: ScimError; 503: ScimError };
  };
  /** `POST /v1/organisations/{org_id}/scim/v2/Groups`: Create a group */
  scim_groups_create: {
    body: ScimGroupWrite;
    answers: { 201: ScimGroup; 400: ScimError; 401: ScimError; 409: ScimError; 413: ScimError; 415: ScimError; 429: ScimError; 500: ScimError; 503: ScimError };
  };
  /** `POST /v1/organisations/{org_id}/scim/v2/Groups/.search`: Search groups */
  scim_groups_search: {
    body: ScimSearch;
    answers: { 200: ScimGroupList; 400: ScimError; 401: ScimError; 413: ScimError; 415: ScimError; 429: ScimError; 500: ScimError; 503: ScimError };
  };
  /** `GET /v1/organisations/{org_id}/scim/v2/Groups/{id}`: Read a group */
  scim_groups_get: {
    body: undefined;
    answers: { 200: ScimGroup; 304: undefined; 400: ScimError; 401: ScimError; 404: ScimError; 429: ScimError; 500: ScimError; 503: ScimError };
  };
  /** `PUT /v1/organisations/{org_id}/scim/v2/Groups/{id}`: Replace a group */
  scim_groups_replace: {
    body: ScimGroupWrite;
    answers: { 200: ScimGroup; 400: ScimError; 401: ScimError; 404: ScimError; 409: ScimError; 412: ScimError; 413: ScimError; 415: ScimError; 429: ScimError; 500: ScimError; 503: ScimError };
  };
  /** `PATCH /v1/organisations/{org_id}/scim/v2/Groups/{id}`: Change a group */
  scim_groups_patch: {
    body: ScimPatch;
    answers: { 200: ScimGroup; 204: undefined; 400: ScimError; 401: ScimError; 404: ScimError; 409: ScimError; 412: ScimError; 413: ScimError; 415: ScimError; 429: ScimError; 500: ScimError; 503: ScimError };
  };
  /** `DELETE /v1/organisations/{org_id}/scim/v2/Groups/{id}`: Delete a group */
  scim_groups_remove: {
    body: undefined;
    answers: { 204: undefined; 400: ScimError; 401: ScimError; 404: ScimError; 409: ScimError; 412: ScimError; 429: ScimError; 500: ScimError; 503: ScimError };
  };
  /** `POST /v1/organisations/{org_id}/scim/v2/.search`: Search users and groups */
  scim_resources_search: {
    body: ScimSearch;
    answers: { 200: ScimList; 400: ScimError; 401: ScimError; 413: ScimError; 415: ScimError; 429: ScimError; 500: ScimError; 503: ScimError };
  };
  /** `POST /v1/organisations/{org_id}/scim/v2/Bulk`: Execute many operations */
  scim_bulk_run: {
    body: ScimBulk;
    answers: { 200: ScimBulkResponse; 400: ScimError; 401: ScimError; 413: ScimError; 415: ScimError; 429: ScimError; 500: ScimError; 503: ScimError };
  };
  /** `GET /v1/organisations/{org_id}/scim/v2/Me`: Not supported */
  scim_me_get: {
    body: undefined;
    answers: { 400: ScimError; 401: ScimError; 429: ScimError; 500: ScimError; 501: ScimError; 503: ScimError };
  };
  /** `POST /v1/organisations/{org_id}/scim/v2/Me`: Not supported */
  scim_me_create: {
    body: undefined;
    answers: { 400: ScimError; 401: ScimError; 429: ScimError; 500: ScimError; 501: ScimError; 503: ScimError };
  };
  /** `PUT /v1/organisations/{org_id}/scim/v2/Me`: Not supported */
  scim_me_replace: {
    body: undefined;
    answers: { 400: ScimError; 401: ScimError; 429: ScimError; 500: ScimError; 501: ScimError; 503: ScimError };
  };
  /** `PATCH /v1/organisations/{org_id}/scim/v2/Me`: Not supported */
  scim_me_patch: {
    body: undefined;
    answers: { 400: ScimError; 401: ScimError; 429: ScimError; 500: ScimError; 501: ScimError; 503: ScimError };
  };
  /** `DELETE /v1/organisations/{org_id}/scim/v2/Me`: Not supported */
  scim_me_remove: {
    body: undefined;
    answers: { 400: ScimError; 401: ScimError; 429: ScimError; 500: ScimError; 501: ScimError; 503: ScimError };
  };
  /** `GET /v1/organisations/{org_id}/scim/v2/ServiceProviderConfig`: Read the service provider's configuration */
  scim_service_provider_config_get: {
    body: undefined;
    answers: { 200: Record<string, unknown>; 400: ScimError; 401: ScimError; 403: ScimError; 429: ScimError; 500: ScimError; 503: ScimError };
  };
  /** `GET /v1/organisations/{org_id}/scim/v2/ResourceTypes`: List the resource types */
  scim_resource_types_list: {
    body: undefined;
    answers: { 200: ScimList; 400: ScimError; 401: ScimError; 403: ScimError; 429: ScimError; 500: ScimError; 503: ScimError };
  };
  /** `GET /v1/organisations/{org_id}/scim/v2/ResourceTypes/{name}`: Read a resource type */
  scim_resource_types_get: {
    body: undefined;
    answers: { 200: Record<string, unknown>; 400: ScimError; 401: ScimError; 403: ScimError; 404: ScimError; 429: ScimError; 500: ScimError; 503: ScimError };
  };
  /** `GET /v1/organisations/{org_id}/scim/v2/Schemas`: List the schemas */
  scim_schemas_list: {
    body: undefined;
    answers: { 200: ScimList; 400: ScimError; 401: ScimError; 403: ScimError; 429: ScimError; 500: ScimError; 503: ScimError };
  };
  /** `GET /v1/organisations/{org_id}/scim/v2/Schemas/{urn}`: Read a schema */
  scim_schemas_get: {
    body: undefined;
    answers: { 200: Record<string, unknown>; 400: ScimError; 401: ScimError; 403: ScimError; 404: ScimError; 429: ScimError; 500: ScimError; 503: ScimError };
  };
  /** `GET /v1/webhooks/event-types`: List subscribable event types */
  event_types_list: {
    body: undefined;
    answers: { 200: SubscribableEventType[]; 304: undefined; 401: Error; 403: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/webhooks/event-types/{event_type}`: Read an event type */
  event_types_get: {
    body: undefined;
    answers: { 200: EventTypeDetail; 304: undefined; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/webhooks/stats`: Read the last day of all endpoints of an organisation */
  webhook_overview_get: {
    body: undefined;
    answers: { 200: WebhookOverview; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/webhooks`: List webhook endpoints */
  webhook_endpoints_list: {
    body: undefined;
    answers: { 200: WebhookEndpoint[]; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/webhooks`: Create a webhook endpoint */
  webhook_endpoints_create: {
    body: WebhookEndpointCreate;
    answers: { 201: WebhookEndpointCreated; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/webhooks/{endpoint_id}`: Read a webhook endpoint */
  webhook_endpoints_get: {
    body: undefined;
    answers: { 200: WebhookEndpointDetail; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `PATCH /v1/webhooks/{endpoint_id}`: Update a webhook endpoint */
  webhook_endpoints_update: {
    body: WebhookEndpointUpdate;
    answers: { 200: WebhookEndpoint; 401: Error; 403: Error; 404: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `DELETE /v1/webhooks/{endpoint_id}`: Delete a webhook endpoint */
  webhook_endpoints_remove: {
    body: undefined;
    answers: { 204: undefined; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/webhooks/{endpoint_id}/rotate-secret`: Rotate the secret of a webhook endpoint */
  webhook_endpoints_rotate_secret: {
    body: WebhookSecretRotation;
    answers: { 200: WebhookSecretRotated; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/webhooks/{endpoint_id}/ping`: Test a webhook endpoint */
  webhook_endpoints_ping: {
    body: undefined;
    answers: { 200: WebhookPing; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/webhooks/{endpoint_id}/deliveries`: List deliveries */
  webhook_deliveries_list: {
    body: undefined;
    answers: { 200: WebhookDelivery[]; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/webhooks/{endpoint_id}/deliveries/{delivery_id}`: Read a delivery */
  webhook_deliveries_get: {
    body: undefined;
    answers: { 200: WebhookDeliveryDetail; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/webhooks/{endpoint_id}/deliveries/{delivery_id}/redeliver`: Redeliver a delivery */
  webhook_deliveries_redeliver: {
    body: undefined;
    answers: { 200: WebhookDelivery; 401: Error; 403: Error; 404: Error; 409: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/webhooks/{endpoint_id}/deliveries/{delivery_id}/preview`: Preview the request of a delivery */
  webhook_deliveries_preview: {
    body: undefined;
    answers: { 200: WebhookPreview; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/webhooks/{endpoint_id}/recover`: Recover missed deliveries */
  webhook_recoveries_start: {
    body: WebhookRecoveryCreate;
    answers: { 200: WebhookRecoveryPreview; 201: WebhookRecovery; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/webhooks/{endpoint_id}/recoveries`: List recoveries */
  webhook_recoveries_list: {
    body: undefined;
    answers: { 200: WebhookRecovery[]; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/webhooks/{endpoint_id}/recoveries/{recovery_id}`: Read a recovery */
  webhook_recoveries_get: {
    body: undefined;
    answers: { 200: WebhookRecovery; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `DELETE /v1/webhooks/{endpoint_id}/recoveries/{recovery_id}`: Cancel a running recovery */
  webhook_recoveries_cancel: {
    body: undefined;
    answers: { 204: undefined; 401: Error; 403: Error; 404: Error; 409: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/webhooks/{endpoint_id}/stats`: Read the statistics of an endpoint */
  webhook_stats_get: {
    body: undefined;
    answers: { 200: WebhookStats; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/users/{user_id}/departure-preview`: Preview the closing and the deletion of an account */
  users_preview_departure: {
    body: undefined;
    answers: { 200: AccountDeparturePreview; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/organisations/{org_id}/deletion-preview`: Preview the deletion of an organisation */
  organisation_deletion_preview: {
    body: undefined;
    answers: { 200: OrganisationDeletionPreview; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/mails`: List what was mailed, and what could not be */
  mails_list: {
    body: undefined;
    answers: { 200: Mail[]; 401: Error; 403: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /.well-known/oauth-protected-resource`: Protected resource metadata (RFC 9728) */
  protected_resource_get: {
    body: undefined;
    answers: { 200: ProtectedResource; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /.well-known/oauth-authorization-server`: Authorization server metadata (RFC 8414), if the service is its own issuer */
  authorization_server_get: {
    body: undefined;
    answers: { 200: AuthorizationServer; 404: Error; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /.well-known/openid-configuration`: The same document at the path of OpenID Connect Discovery */
  openid_configuration_get: {
    body: undefined;
    answers: { 200: AuthorizationServer; 404: Error; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /oauth2/jwks`: The public keys of the built-in issuer (RFC 7517) */
  jwks_get: {
    body: undefined;
    answers: { 200: Jwks; 404: Error; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/session`: Read the session of this browser */
  session_get: {
    body: undefined;
    answers: { 200: Session; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `DELETE /v1/session`: Sign out of this browser */
  session_remove: {
    body: undefined;
    answers: { 204: undefined; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/users/me/sessions`: List the browsers in which you are signed in */
  person_sessions_list: {
    body: undefined;
    answers: { 200: PersonSession[]; 401: Error; 403: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `DELETE /v1/users/me/sessions`: Sign out everywhere */
  person_sessions_remove_all: {
    body: undefined;
    answers: { 204: undefined; 401: Error; 403: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `DELETE /v1/users/me/sessions/{session_id}`: Sign out of one browser */
  person_sessions_remove: {
    body: undefined;
    answers: { 204: undefined; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /oauth2/authorize`: Ask a person for access */
  authorization_start: {
    body: undefined;
    answers: { 200: string; 303: undefined; 400: string; 404: ProtocolError; 405: ProtocolError; 429: string; 500: ProtocolError; 503: string };
  };
  /** `POST /oauth2/par`: Push an authorization request */
  authorization_request_create: {
    body: {
      client_id?: string;
      client_secret?: string;
      client_assertion?: string;
      client_assertion_type?: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
      response_type?: 'code';
      redirect_uri?: string;
      code_challenge?: string;
      code_challenge_method?: 'S256';
      scope?: string;
      resource?: string;
      state?: string;
      nonce?: string;
      prompt?: string;
      max_age?: number;
      login_hint?: string;
      id_token_hint?: string;
      response_mode?: OAuthResponseMode;
    };
    answers: { 201: PushedRequest; 400: ProtocolError; 401: ProtocolError; 404: ProtocolError; 405: ProtocolError; 429: ProtocolError; 500: ProtocolError; 503: ProtocolError };
  };
  /** `POST /oauth2/token`: Get tokens */
  token_create: {
    body: {
      grant_type: OAuthGrantType;
      client_id?: string;
      client_secret?: string;
      client_assertion?: string;
      client_assertion_type?: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
      code?: string;
      redirect_uri?: string;
      code_verifier?: string;
      refresh_token?: string;
      device_code?: string;
      scope?: string;
      resource?: string;
    };
    answers: { 200: Tokens; 400: ProtocolError; 401: ProtocolError; 404: ProtocolError; 405: ProtocolError; 429: ProtocolError; 500: ProtocolError; 503: ProtocolError };
  };
  /** `POST /oauth2/revoke`: Revoke a token */
  token_revoke: {
    body: {
      token: string;
      token_type_hint?: OAuthTokenTypeHint;
      client_id?: string;
      client_secret?: string;
      client_assertion?: string;
      client_assertion_type?: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
    };
    answers: { 200: undefined; 400: ProtocolError; 401: ProtocolError; 404: ProtocolError; 405: ProtocolError; 429: ProtocolError; 500: ProtocolError; 503: ProtocolError };
  };
  /** `POST /oauth2/introspect`: Introspect a token */
  token_verify: {
    body: {
      token: string;
      token_type_hint?: OAuthTokenTypeHint;
      client_id?: string;
      client_secret?: string;
      client_assertion?: string;
      client_assertion_type?: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
    };
    answers: { 200: Introspection; 400: ProtocolError; 401: ProtocolError; 404: ProtocolError; 405: ProtocolError; 429: ProtocolError; 500: ProtocolError; 503: ProtocolError };
  };
  /** `POST /oauth2/device_authorization`: Begin to sign a device in */
  device_authorization_create: {
    body: {
      client_id?: string;
      client_secret?: string;
      client_assertion?: string;
      client_assertion_type?: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
      scope?: string;
      resource?: string;
    };
    answers: { 200: DeviceAuthorization; 400: ProtocolError; 401: ProtocolError; 404: ProtocolError; 405: ProtocolError; 429: ProtocolError; 500: ProtocolError; 503: ProtocolError };
  };
  /** `POST /oauth2/register`: Register a client */
  client_registration_create: {
    body: ClientRegistration;
    answers: { 201: ClientRegistered; 400: ProtocolError; 401: ProtocolError; 404: ProtocolError; 405: ProtocolError; 429: ProtocolError; 500: ProtocolError; 503: ProtocolError };
  };
  /** `GET /oauth2/userinfo`: Read who the person of an access token is */
  userinfo_get: {
    body: undefined;
    answers: { 200: UserInfo; 400: ProtocolError; 401: ProtocolError; 403: ProtocolError; 404: ProtocolError; 405: ProtocolError; 429: ProtocolError; 500: ProtocolError; 503: ProtocolError };
  };
  /** `POST /oauth2/userinfo`: The same by POST */
  userinfo_call: {
    body: undefined;
    answers: { 200: UserInfo; 400: ProtocolError; 401: ProtocolError; 403: ProtocolError; 404: ProtocolError; 405: ProtocolError; 429: ProtocolError; 500: ProtocolError; 503: ProtocolError };
  };
  /** `GET /oauth2/logout`: Sign a person out */
  sign_out_start: {
    body: undefined;
    answers: { 200: string; 303: undefined; 400: string; 404: ProtocolError; 405: ProtocolError; 429: string; 500: ProtocolError; 503: string };
  };
  /** `GET /sign-in/consent/{uid}`: Ask whether a client may act for a person */
  consent_page_get: {
    body: undefined;
    answers: { 200: string; 303: undefined; 404: string; 405: string; 422: string; 429: string; 500: string; 503: string };
  };
  /** `POST /sign-in/consent/{uid}`: Allow a client to act for a person, or not */
  consent_page_accept: {
    body: {
      decision: string;
      csrf_token: string;
    };
    answers: { 200: string; 303: undefined; 400: string; 403: string; 404: string; 405: string; 413: string; 415: string; 422: string; 429: string; 500: string; 503: string };
  };
  /** `GET /v1/oauth-clients`: List OAuth clients */
  oauth_clients_list: {
    body: undefined;
    answers: { 200: OAuthClient[]; 401: Error; 403: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/oauth-clients`: Create an OAuth client */
  oauth_clients_create: {
    body: OAuthClientCreate;
    answers: { 201: OAuthClientCreated; 401: Error; 403: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/oauth-clients/{client_id}`: Read an OAuth client */
  oauth_clients_get: {
    body: undefined;
    answers: { 200: OAuthClient; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `PATCH /v1/oauth-clients/{client_id}`: Change an OAuth client */
  oauth_clients_update: {
    body: OAuthClientUpdate;
    answers: { 200: OAuthClient; 401: Error; 403: Error; 404: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `DELETE /v1/oauth-clients/{client_id}`: Delete an OAuth client */
  oauth_clients_remove: {
    body: undefined;
    answers: { 204: undefined; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/oauth-clients/{client_id}/rotate-secret`: Rotate an OAuth client's secret */
  oauth_clients_rotate_secret: {
    body: OAuthClientSecretRotation;
    answers: { 200: OAuthClientCreated; 401: Error; 403: Error; 404: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/users/me/grants`: List what you have allowed programs */
  grants_list: {
    body: undefined;
    answers: { 200: Grant[]; 401: Error; 403: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `DELETE /v1/users/me/grants/{grant_id}`: Take back what you have allowed a program */
  grants_revoke: {
    body: undefined;
    answers: { 204: undefined; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/users/me/access-tokens`: List your personal access tokens */
  personal_access_tokens_list: {
    body: undefined;
    answers: { 200: PersonalAccessToken[]; 401: Error; 403: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/users/me/access-tokens`: Create a personal access token */
  personal_access_tokens_create: {
    body: PersonalAccessTokenCreate;
    answers: { 201: PersonalAccessTokenCreated; 401: Error; 403: Error; 409: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /v1/users/me/access-tokens/{token_id}`: Read a personal access token of yours */
  personal_access_tokens_get: {
    body: undefined;
    answers: { 200: PersonalAccessToken; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `DELETE /v1/users/me/access-tokens/{token_id}`: Revoke a personal access token of yours */
  personal_access_tokens_revoke: {
    body: undefined;
    answers: { 204: undefined; 401: Error; 403: Error; 404: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /healthz`: Is the process alive? */
  healthz: {
    body: undefined;
    answers: { 200: Health; 500: Error; 503: Error };
  };
  /** `GET /readyz`: Can the process serve? */
  readyz: {
    body: undefined;
    answers: { 200: Readiness; 500: Error; 503: Error };
  };
  /** `GET /v1/platform/health`: Read how the instance is */
  platform_health_get: {
    body: undefined;
    answers: { 200: PlatformHealth; 401: Error; 403: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/session/passkey/options`: Begin to sign in with a passkey */
  passkey_sign_in_start: {
    body: undefined;
    answers: { 200: PasskeyOptions; 429: Error; 500: Error; 503: Error };
  };
  /** `POST /v1/session/passkey`: Sign in with a passkey */
  passkey_sign_in_accept: {
    body: PasskeyAnswer;
    answers: { 200: SignedIn; 403: Error; 413: Error; 415: Error; 422: ValidationErrors; 429: Error; 500: Error; 503: Error };
  };
  /** `GET /sign-in/recovery`: Sign in with a recovery code */
  recovery_page_get: {
    body: undefined;
    answers: { 200: string; 303: undefined; 405: string; 429: string; 500: string; 503: string };
  };
  /** `POST /sign-in/recovery`: Sign in with a recovery code */
  recovery_page_accept: {
    body: {
      email: string;
      code: string;
      csrf_token: string;
    };
    answers: { 200: string; 303: undefined; 400: string; 403: string; 405: string; 413: string; 415: string; 422: string; 429: string; 500: string; 503: string };
  };
  /** `GET /`: What this is */
  home_page_get: {
    body: undefined;
    answers: { 200: string; 303: undefined; 404: Error; 405: string; 429: string; 500: string; 503: string };
  };
  /** `GET /sign-in`: Sign in */
  sign_in_page_get: {
    body: undefined;
    answers: { 200: string; 303: undefined; 405: string; 429: string; 500: string; 503: string };
  };
  /** `POST /sign-in`: Sign in with a password */
  sign_in_page_accept: {
    body: {
      email: string;
      password: string;
      return_to?: string;
      csrf_token: string;
    };
    answers: { 200: string; 303: undefined; 400: string; 403: string; 404: string; 405: string; 413: string; 415: string; 422: string; 429: string; 500: string; 503: string };
  };
  /** `GET /sign-out`: Ask whether to sign out */
  sign_out_page_get: {
    body: undefined;
    answers: { 200: string; 303: undefined; 405: string; 429: string; 500: string; 503: string };
  };
  /** `POST /sign-out`: Sign out */
  sign_out_page_accept: {
    body: {
      csrf_token: string;
    };
    answers: { 200: string; 303: undefined; 400: string; 403: string; 405: string; 413: string; 415: string; 429: string; 500: string; 503: string };
  };
  /** `GET /sso/{provider}/start`: Sign in at an identity provider */
  sso_start_page_get: {
    body: undefined;
    answers: { 200: string; 303: undefined; 403: string; 404: string; 405: string; 422: string; 429: string; 500: string; 503: string };
  };
  /** `POST /sso/{provider}/start`: Link an identity to the account of the session */
  sso_link_page_accept: {
    body: {
      csrf_token: string;
    };
    answers: { 200: string; 303: undefined; 400: string; 403: string; 404: string; 405: string; 413: string; 415: string; 422: string; 429: string; 500: string; 503: string };
  };
  /** `GET /sso/{provider}/callback`: Complete a sign-in at an identity provider */
  sso_callback_page_get: {
    body: undefined;
    answers: { 200: string; 303: undefined; 400: string; 403: string; 404: string; 405: string; 409: string; 422: string; 429: string; 500: string; 503: string };
  };
  /** `POST /sso/{provider}/backchannel-logout`: End sessions that are over at the identity provider */
  sso_logout_accept: {
    body: {
      logout_token: string;
    };
    answers: { 200: undefined; 400: {
        error: string;
        error_description: string;
      }; 422: string; 429: string; 500: string; 503: {
        error: string;
        error_description: string;
      } };
  };
  /** `GET /setup`: Set this instance up */
  set_up_page_get: {
    body: undefined;
    answers: { 200: string; 303: undefined; 404: string; 405: string; 429: string; 500: string; 503: string };
  };
  /** `POST /setup`: Make the first account and its organisation */
  set_up_page_accept: {
    body: {
      token: string;
      organisation: string;
      name: string;
      email: string;
      password: string;
      csrf_token: string;
    };
    answers: { 200: string; 303: undefined; 400: string; 403: string; 404: string; 405: string; 409: string; 413: string; 415: string; 422: string; 429: string; 500: string; 503: string };
  };
}

/** The operations by path: a level for each part, `*` for a parameter, and the methods in capitals at the end. */
export interface Paths {
  v1: {
    mcp: {
      categories: {
        GET: 'categories_list';
        POST: 'categories_create';
        overview: {
          GET: 'categories_overview_get';
        };
        order: {
          PUT: 'categories_reorder';
        };
        '*': {
          PATCH: 'categories_update';
          DELETE: 'categories_remove';
          'move-listings': {
            POST: 'categories_move_listings';
          };
        };
      };
      listings: {
        GET: 'listings_list';
        POST: 'listings_create';
        facets: {
          GET: 'listing_facets_get';
        };
        highlights: {
          GET: 'listing_highlights_get';
        };
        '*': {
          GET: 'listings_get';
          PATCH: 'listings_update';
          DELETE: 'listings_remove';
          publish: {
            POST: 'listings_publish';
          };
          archive: {
            POST: 'listings_archive';
          };
          restore: {
            POST: 'listings_restore';
          };
          versions: {
            GET: 'listing_versions_list';
            POST: 'listing_versions_add';
            '*': {
              GET: 'listing_versions_get';
            };
          };
          icon: {
            GET: 'listing_icons_get';
          };
          reviews: {
            GET: 'reviews_list';
            POST: 'reviews_create';
            '*': {
              GET: 'reviews_get';
              PATCH: 'reviews_update';
              DELETE: 'reviews_remove';
              answer: {
                PUT: 'reviews_answer';
              };
              hide: {
                POST: 'reviews_hide';
              };
              show: {
                POST: 'reviews_show';
              };
            };
          };
          install: {
            GET: 'listing_install_get';
          };
          bundles: {
            GET: 'listing_bundles_list';
          };
          allowances: {
            GET: 'listing_allowances_list';
          };
        };
      };
      namespaces: {
        GET: 'namespaces_list';
        POST: 'namespaces_create';
        '*': {
          GET: 'namespaces_get';
          DELETE: 'namespaces_remove';
          verify: {
            POST: 'namespaces_verify';
          };
        };
      };
      imports: {
        GET: 'imports_list';
        POST: 'imports_start';
        overview: {
          GET: 'imports_overview_get';
        };
        quarantine: {
          GET: 'import_quarantine_list';
          '*': {
            GET: 'import_quarantine_get';
            retry: {
              POST: 'import_quarantine_retry';
            };
            import: {
              POST: 'import_quarantine_import';
            };
            dismiss: {
              POST: 'import_quarantine_dismiss';
            };
            reopen: {
              POST: 'import_quarantine_reopen';
            };
          };
        };
      };
    };
    platform: {
      reviews: {
        GET: 'platform_reviews_list';
      };
      health: {
        GET: 'platform_health_get';
      };
    };
    organisations: {
      '*': {
        registry: {
          'v0.1': {
            servers: {
              GET: 'organisation_registry_servers_list';
              '*': {
                versions: {
                  GET: 'organisation_registry_versions_list';
                  '*': {
                    GET: 'organisation_registry_versions_get';
                  };
                };
              };
            };
          };
        };
        'managed-settings': {
          GET: 'managed_settings_get';
          report: {
            GET: 'managed_settings_report_get';
          };
        };
        'allowed-listings': {
          GET: 'allowed_listings_list';
        };
        GET: 'organisations_get';
        PATCH: 'organisations_update';
        DELETE: 'organisation_deletion_remove';
        members: {
          '*': {
            GET: 'members_get';
            PATCH: 'members_change';
            DELETE: 'members_remove';
            'role-explanation': {
              GET: 'role_explanation_get';
            };
          };
          GET: 'members_list';
          POST: 'members_invite';
        };
        'audit-log': {
          GET: 'audit_log_list';
        };
        invitations: {
          GET: 'invitations_list';
          '*': {
            GET: 'invitations_get';
            DELETE: 'invitations_revoke';
          };
        };
        'server-requests': {
          GET: 'server_requests_list';
          POST: 'server_requests_create';
          '*': {
            GET: 'server_requests_get';
            withdraw: {
              POST: 'server_requests_withdraw';
            };
            approve: {
              POST: 'server_requests_approve';
            };
            decline: {
              POST: 'server_requests_decline';
            };
          };
        };
        domains: {
          GET: 'domains_list';
          POST: 'domains_add';
          '*': {
            GET: 'domains_get';
            DELETE: 'domains_remove';
            verify: {
              POST: 'domains_verify';
            };
            vouch: {
              PUT: 'domains_vouch';
              DELETE: 'domains_withdraw_vouch';
            };
          };
        };
        scim: {
          sync: {
            POST: 'sync_run';
            preview: {
              POST: 'sync_preview';
            };
          };
          'sync-runs': {
            GET: 'sync_runs_list';
            '*': {
              GET: 'sync_runs_get';
            };
          };
          directory: {
            groups: {
              GET: 'directory_groups_list';
              '*': {
                GET: 'directory_groups_get';
                members: {
                  GET: 'directory_group_members_list';
                };
              };
            };
            users: {
              GET: 'directory_users_list';
              '*': {
                GET: 'directory_users_get';
              };
            };
          };
          settings: {
            GET: 'scim_settings_get';
            PUT: 'scim_settings_put';
          };
          'role-mappings': {
            GET: 'role_mappings_list';
            POST: 'role_mappings_create';
            '*': {
              GET: 'role_mappings_get';
              PATCH: 'role_mappings_change';
              DELETE: 'role_mappings_remove';
            };
          };
          tokens: {
            GET: 'scim_tokens_list';
            POST: 'scim_tokens_create';
            '*': {
              GET: 'scim_tokens_get';
              DELETE: 'scim_tokens_revoke';
            };
          };
          log: {
            GET: 'scim_log_list';
            '*': {
              GET: 'scim_log_get';
            };
          };
          v2: {
            Users: {
              GET: 'scim_users_list';
              POST: 'scim_users_create';
              '.search': {
                POST: 'scim_users_search';
              };
              '*': {
                GET: 'scim_users_get';
                PUT: 'scim_users_replace';
                PATCH: 'scim_users_patch';
                DELETE: 'scim_users_remove';
              };
            };
            Groups: {
              GET: 'scim_groups_list';
              POST: 'scim_groups_create';
              '.search': {
                POST: 'scim_groups_search';
              };
              '*': {
                GET: 'scim_groups_get';
                PUT: 'scim_groups_replace';
                PATCH: 'scim_groups_patch';
                DELETE: 'scim_groups_remove';
              };
            };
            '.search': {
              POST: 'scim_resources_search';
            };
            Bulk: {
              POST: 'scim_bulk_run';
            };
            Me: {
              GET: 'scim_me_get';
              POST: 'scim_me_create';
              PUT: 'scim_me_replace';
              PATCH: 'scim_me_patch';
              DELETE: 'scim_me_remove';
            };
            ServiceProviderConfig: {
              GET: 'scim_service_provider_config_get';
            };
            ResourceTypes: {
              GET: 'scim_resource_types_list';
              '*': {
                GET: 'scim_resource_types_get';
              };
            };
            Schemas: {
              GET: 'scim_schemas_list';
              '*': {
                GET: 'scim_schemas_get';
              };
            };
          };
        };
        'deletion-preview': {
          GET: 'organisation_deletion_preview';
        };
      };
      GET: 'organisations_list';
      POST: 'organisations_create';
    };
    bundles: {
      GET: 'bundles_list';
      POST: 'bundles_create';
      '*': {
        GET: 'bundles_get';
        PATCH: 'bundles_update';
        DELETE: 'bundles_remove';
        'deletion-preview': {
          GET: 'bundles_preview_deletion';
        };
        entries: {
          GET: 'bundle_entries_list';
          POST: 'bundle_entries_add';
          PUT: 'bundle_entries_replace';
          PATCH: 'bundle_entries_change';
          '*': {
            GET: 'bundle_entries_get';
            PATCH: 'bundle_entries_update';
            DELETE: 'bundle_entries_remove';
          };
        };
        versions: {
          GET: 'bundle_versions_list';
          POST: 'bundle_versions_update';
          '*': {
            GET: 'bundle_versions_get';
            compare: {
              GET: 'bundle_versions_compare';
            };
            restore: {
              POST: 'bundle_versions_restore';
            };
          };
        };
        export: {
          GET: 'bundles_export';
        };
        'access-tokens': {
          GET: 'bundle_access_tokens_list';
          POST: 'bundle_access_tokens_create';
          '*': {
            GET: 'bundle_access_tokens_get';
            DELETE: 'bundle_access_tokens_revoke';
          };
        };
        follow: {
          PUT: 'bundles_follow';
          DELETE: 'bundles_unfollow';
        };
        followers: {
          GET: 'bundle_followers_list';
        };
        editors: {
          GET: 'bundle_editors_list';
          '*': {
            PUT: 'bundle_editors_add';
            DELETE: 'bundle_editors_remove';
          };
        };
        deployments: {
          GET: 'deployments_list';
          POST: 'deployments_create';
          '*': {
            GET: 'deployments_get';
            PATCH: 'deployments_update';
            DELETE: 'deployments_remove';
          };
        };
        endpoint: {
          GET: 'bundle_endpoint_get';
          PATCH: 'bundle_endpoint_update';
          status: {
            GET: 'bundle_endpoint_status_get';
          };
          refresh: {
            POST: 'bundle_endpoint_refresh';
          };
          preview: {
            GET: 'bundle_endpoint_preview';
          };
        };
        compile: {
          POST: 'bundle_endpoint_compile';
        };
        connect: {
          GET: 'bundle_connection_get';
        };
        policies: {
          GET: 'bundle_policies_get';
          PUT: 'bundle_policies_replace';
          preview: {
            POST: 'bundle_policies_preview';
          };
        };
        tools: {
          GET: 'bundle_tools_list';
          approve: {
            POST: 'bundle_tools_approve_several';
          };
          '*': {
            GET: 'bundle_tools_get';
            PATCH: 'bundle_tools_update';
            changes: {
              GET: 'bundle_tools_compare';
            };
            approve: {
              POST: 'bundle_tools_approve';
            };
            call: {
              POST: 'bundle_tools_call';
            };
          };
        };
        calls: {
          GET: 'bundle_calls_list';
          statistics: {
            GET: 'bundle_call_statistics_get';
          };
        };
        'credential-needs': {
          GET: 'bundle_credential_needs_list';
        };
      };
    };
    users: {
      me: {
        feed: {
          GET: 'my_feed_list';
        };
        GET: 'me_get';
        DELETE: 'account_deletion_remove_own';
        waiting: {
          GET: 'my_waiting_get';
        };
        identities: {
          GET: 'my_identities_list';
          '*': {
            DELETE: 'my_identities_remove';
          };
        };
        passkeys: {
          GET: 'my_passkeys_list';
          POST: 'my_passkeys_create';
          options: {
            POST: 'my_passkeys_start';
          };
          '*': {
            DELETE: 'my_passkeys_remove';
          };
        };
        'recovery-codes': {
          POST: 'recovery_codes_replace';
        };
        'audit-log': {
          GET: 'own_audit_log_list';
        };
        invitations: {
          GET: 'my_invitations_list';
          '*': {
            accept: {
              POST: 'my_invitations_accept';
            };
            decline: {
              POST: 'my_invitations_decline';
            };
          };
        };
        sessions: {
          GET: 'person_sessions_list';
          DELETE: 'person_sessions_remove_all';
          '*': {
            DELETE: 'person_sessions_remove';
          };
        };
        grants: {
          GET: 'grants_list';
          '*': {
            DELETE: 'grants_revoke';
          };
        };
        'access-tokens': {
          GET: 'personal_access_tokens_list';
          POST: 'personal_access_tokens_create';
          '*': {
            GET: 'personal_access_tokens_get';
            DELETE: 'personal_access_tokens_revoke';
          };
        };
      };
      invitations: {
        GET: 'account_invitations_list';
        POST: 'account_invitations_create';
        '*': {
          GET: 'account_invitations_get';
          DELETE: 'account_invitations_remove';
        };
      };
      GET: 'users_list';
      '*': {
        GET: 'users_get';
        DELETE: 'account_deletion_remove_other';
        close: {
          POST: 'users_close';
        };
        reopen: {
          POST: 'users_reopen';
        };
        'password-reset-link': {
          POST: 'users_create_password_reset_link';
        };
        'departure-preview': {
          GET: 'users_preview_departure';
        };
      };
    };
    credentials: {
      GET: 'credentials_list';
      POST: 'credentials_create';
      '*': {
        PATCH: 'credentials_update';
        DELETE: 'credentials_remove';
      };
      connect: {
        POST: 'credential_connection_create';
      };
    };
    'audit-log': {
      GET: 'account_audit_log_list';
    };
    webhooks: {
      'event-types': {
        GET: 'event_types_list';
        '*': {
          GET: 'event_types_get';
        };
      };
      stats: {
        GET: 'webhook_overview_get';
      };
      GET: 'webhook_endpoints_list';
      POST: 'webhook_endpoints_create';
      '*': {
        GET: 'webhook_endpoints_get';
        PATCH: 'webhook_endpoints_update';
        DELETE: 'webhook_endpoints_remove';
        'rotate-secret': {
          POST: 'webhook_endpoints_rotate_secret';
        };
        ping: {
          POST: 'webhook_endpoints_ping';
        };
        deliveries: {
          GET: 'webhook_deliveries_list';
          '*': {
            GET: 'webhook_deliveries_get';
            redeliver: {
              POST: 'webhook_deliveries_redeliver';
            };
            preview: {
              POST: 'webhook_deliveries_preview';
            };
          };
        };
        recover: {
          POST: 'webhook_recoveries_start';
        };
        recoveries: {
          GET: 'webhook_recoveries_list';
          '*': {
            GET: 'webhook_recoveries_get';
            DELETE: 'webhook_recoveries_cancel';
          };
        };
        stats: {
          GET: 'webhook_stats_get';
        };
      };
    };
    mails: {
      GET: 'mails_list';
    };
    session: {
      GET: 'session_get';
      DELETE: 'session_remove';
      passkey: {
        options: {
          POST: 'passkey_sign_in_start';
        };
        POST: 'passkey_sign_in_accept';
      };
    };
    'oauth-clients': {
      GET: 'oauth_clients_list';
      POST: 'oauth_clients_create';
      '*': {
        GET: 'oauth_clients_get';
        PATCH: 'oauth_clients_update';
        DELETE: 'oauth_clients_remove';
        'rotate-secret': {
          POST: 'oauth_clients_rotate_secret';
        };
      };
    };
  };
  'v0.1': {
    servers: {
      GET: 'registry_servers_list';
      '*': {
        versions: {
          GET: 'registry_versions_list';
          '*': {
            GET: 'registry_versions_get';
          };
        };
      };
    };
    publish: {
      POST: 'registry_publish';
    };
    x: {
      'com.toolyard': {
        categories: {
          GET: 'registry_categories_list';
        };
        facets: {
          GET: 'registry_facets_get';
        };
        bundles: {
          GET: 'registry_bundles_list';
        };
      };
    };
  };
  '.well-known': {
    'oauth-protected-resource': {
      mcp: {
        bundles: {
          '*': {
            GET: 'bundle_endpoint_metadata_get';
          };
        };
        deployments: {
          '*': {
            GET: 'deployment_endpoint_metadata_get';
          };
        };
      };
      GET: 'protected_resource_get';
    };
    'oauth-authorization-server': {
      GET: 'authorization_server_get';
    };
    'openid-configuration': {
      GET: 'openid_configuration_get';
    };
  };
  oauth2: {
    clients: {
      'mcp.json': {
        GET: 'mcp_client_document_get';
      };
    };
    jwks: {
      GET: 'jwks_get';
    };
    authorize: {
      GET: 'authorization_start';
    };
    par: {
      POST: 'authorization_request_create';
    };
    token: {
      POST: 'token_create';
    };
    revoke: {
      POST: 'token_revoke';
    };
    introspect: {
      POST: 'token_verify';
    };
    device_authorization: {
      POST: 'device_authorization_create';
    };
    register: {
      POST: 'client_registration_create';
    };
    userinfo: {
      GET: 'userinfo_get';
      POST: 'userinfo_call';
    };
    logout: {
      GET: 'sign_out_start';
    };
  };
  connect: {
    callback: {
      GET: 'connect_callback_page_get';
      '*': {
        GET: 'connect_client_callback_page_get';
      };
    };
    accounts: {
      '*': {
        GET: 'connect_page_get';
        POST: 'connect_page_accept';
      };
    };
  };
  account: {
    GET: 'account_page_get';
    confirm: {
      GET: 'account_confirmation_page_get';
      POST: 'account_confirmation_page_accept';
    };
    password: {
      POST: 'account_page_change_password';
    };
    'remove-password': {
      POST: 'account_page_remove_password';
    };
    'remove-identity': {
      POST: 'account_page_remove_identity';
    };
    'remove-passkey': {
      POST: 'account_page_remove_passkey';
    };
    'accept-invitation': {
      POST: 'account_page_accept_invitation';
    };
    'decline-invitation': {
      POST: 'account_page_decline_invitation';
    };
    'revoke-grant': {
      POST: 'account_page_revoke_grant';
    };
    'revoke-token': {
      POST: 'account_page_revoke_token';
    };
    'end-session': {
      POST: 'account_page_remove_session';
    };
    'sign-out-everywhere': {
      POST: 'account_page_remove_sessions';
    };
  };
  'password-reset': {
    GET: 'forgotten_password_page_get';
    POST: 'forgotten_password_page_accept';
    '*': {
      GET: 'password_reset_page_get';
      POST: 'password_reset_page_accept';
    };
  };
  invitations: {
    '*': {
      GET: 'invitation_page_get';
      POST: 'invitation_page_accept';
    };
  };
  'sign-in': {
    consent: {
      '*': {
        GET: 'consent_page_get';
        POST: 'consent_page_accept';
      };
    };
    recovery: {
      GET: 'recovery_page_get';
      POST: 'recovery_page_accept';
    };
    GET: 'sign_in_page_get';
    POST: 'sign_in_page_accept';
  };
  healthz: {
    GET: 'healthz';
  };
  readyz: {
    GET: 'readyz';
  };
  '': {
    GET: 'home_page_get';
  };
  'sign-out': {
    GET: 'sign_out_page_get';
    POST: 'sign_out_page_accept';
  };
  sso: {
    '*': {
      start: {
        GET: 'sso_start_page_get';
        POST: 'sso_link_page_accept';
      };
      callback: {
        GET: 'sso_callback_page_get';
      };
      'backchannel-logout': {
        POST: 'sso_logout_accept';
      };
    };
  };
  setup: {
    GET: 'set_up_page_get';
    POST: 'set_up_page_accept';
  };
}
