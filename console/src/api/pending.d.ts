// Shapes of operations that are being written; it goes when openapi.json has them.
import './schema';

interface InstallInput {
  name: string;
  description: string | null;
  is_secret: boolean;
  is_required: boolean;
  placeholder: string | null;
  default: string | null;
  choices: string[] | null;
}

interface InstallLink {
  prefix: string;
  encoding: 'percent' | 'base64';
  content: string;
}

interface Setup {
  is_possible: boolean;
  problem: { reason: string; detail: string } | null;
  endpoint_url: string | null;
  link: InstallLink | null;
  command: string | null;
  file: { path: string; content: string } | null;
  inputs: InstallInput[];
  notes: string[];
}

interface Person {
  user_id: string;
  name: string | null;
}

type Paging = { limit?: number; cursor?: string };

declare module './schema' {
  interface Install extends Setup {
    client: InstallClient;
    listing_id: string;
    version: string;
    key: string;
    runs: string | null;
  }
  type InstallClient = 'vscode' | 'cursor' | 'claude-code' | 'claude-desktop';
  type ConnectClient = InstallClient | 'curl';
  interface Connect extends Setup {
    client: ConnectClient;
    authentication: 'oauth' | 'token';
  }
  interface ServerRequest {
    id: string;
    listing_id: string | null;
    listing_name: string | null;
    name: string;
    why: string;
    status: 'OPEN' | 'APPROVED' | 'DECLINED' | 'WITHDRAWN';
    requested_by: Person;
    decided_by: Person | null;
    answer: string | null;
    created_at: string;
    decided_at: string | null;
    may_decide: boolean;
    may_withdraw: boolean;
  }
  interface FeedItem {
    id: string;
    occurred_at: string;
    type: BundleVersionAction;
    bundle: { id: string; name: string };
    actor: Person | null;
    version: number;
    restored_from: number | null;
    added: { count: number; names: string[] };
    removed: { count: number; names: string[] };
    changed: { count: number; names: string[] };
    moved: number;
  }
  interface Waiting {
    total: number;
    invitations: {
      count: number;
      items: {
        id: string;
        org_id: string;
        organisation_name: string;
        role: Role | null;
        invited_by_name: string | null;
        created_at: string;
      }[];
    };
    accounts: {
      count: number;
      items: {
        bundle_id: string;
        bundle_name: string;
        entry_id: string;
        key: string;
        listing_name: string;
        reason: string | null;
      }[];
    };
    tools: { count: number; items: { bundle_id: string; bundle_name: string; count: number }[] };
    requests: { count: number; items: { org_id: string; organisation_name: string; count: number }[] };
  }
  interface Allowance {
    org_id: string;
    organisation_name: string;
    is_allowed: boolean;
    rule: 'own_listing' | 'bundle' | 'deployment' | null;
    bundles: { id: string; name: string }[];
  }
  interface ListingBundle extends Bundle {
    entry_id: string;
    is_enabled: boolean;
  }
  interface Calls {
    'GET /v1/instance': {
      path: undefined;
      query: undefined;
      body: undefined;
      answer: {
        version: string;
        sign_in: { is_here: boolean; url: string | null; issuer: string | null };
        has_console: boolean;
      };
    };
    'GET /v1/mcp/listings/{listing_id}/install': {
      path: { listing_id: string };
      query: { client: InstallClient; version?: string };
      body: undefined;
      answer: Install;
    };
    'GET /v1/bundles/{bundle_id}/connect': {
      path: { bundle_id: string };
      query: { client: ConnectClient; authentication?: 'oauth' | 'token' };
      body: undefined;
      answer: Connect;
    };
    'GET /v1/mcp/listings/{listing_id}/bundles': {
      path: { listing_id: string };
      query: Paging;
      body: undefined;
      answer: ListingBundle[];
    };
    'GET /v1/mcp/listings/{listing_id}/allowances': {
      path: { listing_id: string };
      query: Paging;
      body: undefined;
      answer: Allowance[];
    };
    'GET /v1/users/me/waiting': { path: undefined; query: undefined; body: undefined; answer: Waiting };
    'GET /v1/users/me/feed': { path: undefined; query: Paging; body: undefined; answer: FeedItem[] };
    'GET /v1/organisations/{org_id}/server-requests': {
      path: { org_id: string };
      query: Paging & { status?: string; mine?: boolean };
      body: undefined;
      answer: ServerRequest[];
    };
    'POST /v1/organisations/{org_id}/server-requests': {
      path: { org_id: string };
      query: undefined;
      body: { listing_id?: string; name?: string; why: string };
      answer: ServerRequest;
    };
    'POST /v1/organisations/{org_id}/server-requests/{request_id}/withdraw': {
      path: { org_id: string; request_id: string };
      query: undefined;
      body: undefined;
      answer: ServerRequest;
    };
    'POST /v1/organisations/{org_id}/server-requests/{request_id}/approve': {
      path: { org_id: string; request_id: string };
      query: undefined;
      body: { answer?: string };
      answer: ServerRequest;
    };
    'POST /v1/organisations/{org_id}/server-requests/{request_id}/decline': {
      path: { org_id: string; request_id: string };
      query: undefined;
      body: { answer?: string };
      answer: ServerRequest;
    };
  }
}
