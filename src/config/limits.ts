import type { EnvironmentReader } from './environment-reader';

/** Upper limit of the rates below: the time of each call in the last minute is kept in memory. */
const MAX_PER_MINUTE = 10_000;

/** More than a process can answer. */
const MAX_REQUESTS = 10_000_000;

/** Requests of one principal or network, over all replicas together. */
export interface RequestRate {
  /** 0: not limited. */
  readonly perMinute: number;
  /** How many may be sent at once, after a time without any. */
  readonly burst: number;
}

/** The limits that every request is subject to (ADR 32). */
export interface RequestRates {
  /** An account, a directory, or the access tokens of a bundle have this rate. */
  readonly principal: RequestRate;
  /** A network has this rate without a valid credential. */
  readonly address: RequestRate;
  /** A network has this rate with credentials that are not accepted. */
  readonly failedAuthentication: RequestRate;
}

/**
 * Caps and rates per user or organisation, and how long records are kept (contract, section 12.4). A request above a
 * cap fails with `409 <noun>_conflict`, one above a rate with `429` and `Retry-After`; `detail` gives the number.
 */
export class Limits {
  /** Personal webhook endpoints of one user. */
  readonly endpointsPerPerson: number;
  readonly endpointsPerOrganisation: number;
  /** Existing organisations created by one user. */
  readonly organisationsPerPerson: number;
  readonly bundlesPerPerson: number;
  readonly bundlesPerOrganisation: number;
  /** Versions of one bundle: each has a copy of all entries, and none is ever removed. */
  readonly versionsPerBundle: number;
  readonly deploymentsPerBundle: number;
  readonly editorsPerBundle: number;
  /** DRAFT listings of one user or organisation. */
  readonly draftsPerOwner: number;
  /** Listings in any state, since a published one can be archived but not deleted. */
  readonly listingsPerOwner: number;
  /** Versions that users add to one listing; imports are not limited. */
  readonly versionsPerListing: number;
  /** Namespaces of one user or organisation, including unproved ones. */
  readonly namespacesPerHolder: number;
  /** Usable personal access tokens of one user. */
  readonly tokensPerPerson: number;
  /** Usable access tokens of one bundle, that is, neither revoked nor expired. */
  readonly tokensPerBundle: number;
  /** Usable SCIM tokens of one organisation. */
  readonly scimTokensPerOrganisation: number;
  readonly roleMappingsPerOrganisation: number;
  /** PENDING invitations of one organisation. */
  readonly pendingInvitations: number;
  /** Invitations sent by one organisation in any 24 hours, whatever their status. */
  readonly invitationsPerDay: number;
  /** Open requests for servers of one member in one organisation. */
  readonly serverRequestsPerMember: number;
  readonly serverRequestsPerOrganisation: number;
  /** Requests for servers of one member in one organisation in any 24 hours, whatever their status. */
  readonly serverRequestsPerDay: number;
  /** Pending invitations to have an account, of the whole instance. */
  readonly accountInvitations: number;
  /** Domains of one organisation. */
  readonly domainsPerOrganisation: number;
  /** Role syncs of one organisation in any 60 seconds. */
  readonly syncsPerMinute: number;
  /** Previews of role syncs of one organisation in any 60 seconds; each page counts as a preview. */
  readonly previewsPerMinute: number;
  /** Pings to one webhook endpoint in any 60 seconds. */
  readonly pingsPerMinute: number;
  readonly requests: RequestRates;
  /** Days for which runs of role syncs and of imports are kept. */
  readonly runRetentionDays: number;
  /** Days for which audit entries are kept. */
  readonly auditRetentionDays: number;
  /** Days for which the provisioning log is kept. */
  readonly provisioningLogRetentionDays: number;
  /** Days for which the record of calls of endpoints is kept. */
  readonly callsRetentionDays: number;

  /** @param read collects errors, so that all of them are reported at once */
  constructor(read: EnvironmentReader) {
    const cap = (name: string, fallback: number) => read.integer(name, fallback, 1, 1_000_000);
    const rate = (name: string, fallback: number) => read.integer(name, fallback, 1, MAX_PER_MINUTE);
    const days = (name: string, fallback: number) => read.integer(name, fallback, 1, 3_650);
    this.endpointsPerPerson = cap('LIMIT_ENDPOINTS_PER_PERSON', 50);
    this.endpointsPerOrganisation = cap('LIMIT_ENDPOINTS_PER_ORGANISATION', 500);
    this.organisationsPerPerson = cap('LIMIT_ORGANISATIONS_PER_PERSON', 20);
    this.bundlesPerPerson = cap('LIMIT_BUNDLES_PER_PERSON', 500);
    this.bundlesPerOrganisation = cap('LIMIT_BUNDLES_PER_ORGANISATION', 5_000);
    this.versionsPerBundle = cap('LIMIT_VERSIONS_PER_BUNDLE', 10_000);
    this.deploymentsPerBundle = cap('LIMIT_DEPLOYMENTS_PER_BUNDLE', 500);
    this.editorsPerBundle = cap('LIMIT_EDITORS_PER_BUNDLE', 200);
    this.draftsPerOwner = cap('LIMIT_DRAFTS_PER_OWNER', 500);
    this.listingsPerOwner = cap('LIMIT_LISTINGS_PER_OWNER', 5_000);
    this.versionsPerListing = cap('LIMIT_VERSIONS_PER_LISTING', 1_000);
    this.namespacesPerHolder = cap('LIMIT_NAMESPACES_PER_HOLDER', 100);
    this.tokensPerPerson = cap('LIMIT_TOKENS_PER_PERSON', 50);
    this.tokensPerBundle = cap('LIMIT_TOKENS_PER_BUNDLE', 50);
    this.scimTokensPerOrganisation = cap('LIMIT_SCIM_TOKENS_PER_ORGANISATION', 20);
    this.roleMappingsPerOrganisation = cap('LIMIT_ROLE_MAPPINGS_PER_ORGANISATION', 1_000);
    this.pendingInvitations = cap('LIMIT_PENDING_INVITATIONS', 500);
    this.invitationsPerDay = cap('LIMIT_INVITATIONS_PER_DAY', 1_000);
    this.serverRequestsPerMember = cap('LIMIT_SERVER_REQUESTS_PER_MEMBER', 50);
    this.serverRequestsPerOrganisation = cap('LIMIT_SERVER_REQUESTS_PER_ORGANISATION', 1_000);
    this.serverRequestsPerDay = cap('LIMIT_SERVER_REQUESTS_PER_DAY', 100);
    this.accountInvitations = cap('LIMIT_ACCOUNT_INVITATIONS', 1_000);
    this.syncsPerMinute = rate('LIMIT_SYNCS_PER_MINUTE', 10);
    this.previewsPerMinute = rate('LIMIT_PREVIEWS_PER_MINUTE', 30);
    this.pingsPerMinute = rate('LIMIT_PINGS_PER_MINUTE', 20);
    this.domainsPerOrganisation = cap('LIMIT_DOMAINS_PER_ORGANISATION', 50);
    const requests = (prefix: string, perMinute: number, burst: number): RequestRate => ({
      perMinute: read.integer(`${prefix}_PER_MINUTE`, perMinute, 0, MAX_REQUESTS),
      burst: read.integer(`${prefix}_BURST`, burst, 1, MAX_REQUESTS),
    });
    this.requests = {
      principal: requests('LIMIT_PRINCIPAL_REQUESTS', 3_000, 500),
      address: requests('LIMIT_ADDRESS_REQUESTS', 1_200, 300),
      failedAuthentication: requests('LIMIT_FAILED_AUTHENTICATIONS', 300, 300),
    };
    this.runRetentionDays = days('RUN_RETENTION_DAYS', 90);
    this.auditRetentionDays = days('AUDIT_RETENTION_DAYS', 730);
    this.provisioningLogRetentionDays = days('PROVISIONING_LOG_RETENTION_DAYS', 30);
    this.callsRetentionDays = days('CALLS_RETENTION_DAYS', 90);
  }
}
