import type { EnvironmentReader } from './environment-reader';

/**
 * How much of each thing one user or one organisation may have, and for how long records are kept (contract, section
 * 12.4). A cap that is reached is answered by `409 <noun>_conflict`, a rate by `429` with `Retry-After`; both name the
 * number in `detail`.
 */
export class Limits {
  /** Webhook endpoints that belong to one person. */
  readonly endpointsPerPerson: number;
  readonly endpointsPerOrganisation: number;
  /** Organisations that one person has created and that still exist. */
  readonly organisationsPerPerson: number;
  readonly bundlesPerPerson: number;
  readonly bundlesPerOrganisation: number;
  /** Listings in the state DRAFT that belong to one person or one organisation. */
  readonly draftsPerOwner: number;
  /** Access tokens of one bundle that are usable, that is neither revoked nor expired. */
  readonly tokensPerBundle: number;
  /** SCIM tokens of one organisation that are usable. */
  readonly scimTokensPerOrganisation: number;
  /** Invitations of one organisation that are PENDING. */
  readonly pendingInvitations: number;
  /** Domains that one organisation names. */
  readonly domainsPerOrganisation: number;
  /** Role syncs of one organisation in any 60 seconds. */
  readonly syncsPerMinute: number;
  /** Days for which runs of role syncs and of imports are kept. */
  readonly runRetentionDays: number;
  /** Days for which audit entries are kept. */
  readonly auditRetentionDays: number;
  /** Days for which the provisioning log is kept. */
  readonly provisioningLogRetentionDays: number;

  /** @param read gathers the faults of the values, so that all of them are reported at once */
  constructor(read: EnvironmentReader) {
    const cap = (name: string, fallback: number) => read.integer(name, fallback, 1, 1_000_000);
    const days = (name: string, fallback: number) => read.integer(name, fallback, 1, 3_650);
    this.endpointsPerPerson = cap('LIMIT_ENDPOINTS_PER_PERSON', 50);
    this.endpointsPerOrganisation = cap('LIMIT_ENDPOINTS_PER_ORGANISATION', 500);
    this.organisationsPerPerson = cap('LIMIT_ORGANISATIONS_PER_PERSON', 20);
    this.bundlesPerPerson = cap('LIMIT_BUNDLES_PER_PERSON', 500);
    this.bundlesPerOrganisation = cap('LIMIT_BUNDLES_PER_ORGANISATION', 5_000);
    this.draftsPerOwner = cap('LIMIT_DRAFTS_PER_OWNER', 500);
    this.tokensPerBundle = cap('LIMIT_TOKENS_PER_BUNDLE', 50);
    this.scimTokensPerOrganisation = cap('LIMIT_SCIM_TOKENS_PER_ORGANISATION', 20);
    this.pendingInvitations = cap('LIMIT_PENDING_INVITATIONS', 500);
    this.domainsPerOrganisation = cap('LIMIT_DOMAINS_PER_ORGANISATION', 50);
    this.syncsPerMinute = cap('LIMIT_SYNCS_PER_MINUTE', 10);
    this.runRetentionDays = days('RUN_RETENTION_DAYS', 90);
    this.auditRetentionDays = days('AUDIT_RETENTION_DAYS', 730);
    this.provisioningLogRetentionDays = days('PROVISIONING_LOG_RETENTION_DAYS', 30);
  }
}
