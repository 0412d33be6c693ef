import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../auth/caller';
import { Environment } from '../config/environment';
import { lockRoom } from '../database/cap';
import { newId } from '../database/id';
import { prepared } from '../database/prepared';
import { many, one } from '../database/statements';
import { inTransaction } from '../database/transaction';
import { causingTrace, record } from '../events/outbox';
import { ConflictError, ValidationError } from '../errors/errors';
import { Page, Pages } from '../http/requests/page';
import { slugOf } from '../http/requests/slug';
import { Memberships } from '../organisations/members/memberships.service';
import { requireOpenAccount } from '../users/open-account';
import { BundleFinder } from './bundle-finder';
import { ORGANISATION_BUNDLES, PERSONAL_BUNDLES } from './bundle-caps';
import { CREATE_OF_ORGANISATION, CREATE_PERSONAL } from './bundle-create.sql';
import { bundleList } from './bundle-list.sql';
import {
  BundleCreate,
  BundleDeletionPreviewOut,
  BundleOut,
  BundleQuery,
  BundleRow,
  BundleScope,
  BundleUpdate,
  toBundle,
} from './bundle.dto';
import { Bundle } from './bundle.entity';
import { ownerOf } from './bundle-owner';
import { bundleUpdated } from './bundle-updated';
import { EndpointSwitch } from './deployments/endpoint-switch';
import { NO_CHANGES } from './entries/entry-changes';

const LIST = 'bundles';

const UPDATE = `
  UPDATE bundles SET name = $2, slug = $3, description = $4, visibility = $5, updated_at = now()
  WHERE id = $1 RETURNING updated_at`;

/** Every table with rows that are deleted with a bundle; each has an index on bundle_id. */
const COUNT_CHILDREN = `
  SELECT (SELECT count(*)::int FROM bundle_entries WHERE bundle_id = $1) AS entry_count,
         (SELECT count(*)::int FROM bundle_versions WHERE bundle_id = $1) AS version_count,
         (SELECT count(*)::int FROM bundle_access_tokens WHERE bundle_id = $1) AS access_token_count,
         (SELECT count(*)::int FROM bundle_follows WHERE bundle_id = $1) AS follower_count,
         (SELECT count(*)::int FROM bundle_deployments WHERE bundle_id = $1) AS deployment_count,
         (SELECT count(*)::int FROM bundle_editors WHERE bundle_id = $1) AS editor_count`;

type ChildCounts = Omit<
  BundleDeletionPreviewOut,
  'bundle_id' | 'is_endpoint_enabled' | 'endpoint_user_count' | 'credential_count'
>;

const UPDATABLE = ['name', 'slug', 'description', 'visibility'] as const;

/** The scopes in which only members may list the bundles of an organisation. */
const SCOPES_FOR_MEMBERS = new Set<BundleScope | undefined>([undefined, 'mine', 'organisations']);

@Injectable()
export class BundlesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: BundleFinder,
    private readonly memberships: Memberships,
    private readonly pages: Pages,
    private readonly environment: Environment,
    private readonly endpoints: EndpointSwitch,
  ) {}

  /**
   * Members may create bundles of their organisation, everyone personal ones.
   *
   * @throws NotFoundError for an organisation of which the caller is not a member; ConflictError if the slug is taken
   *   or there are as many as allowed; ValidationError if no slug can be derived from the name
   */
  async create(caller: Caller, input: BundleCreate): Promise<BundleOut> {
    const slug = input.slug ?? slugOf(input.name);
    if (slug === undefined) {
      throw new ValidationError([
        { loc: ['body', 'slug'], msg: 'No slug can be derived from this name; provide one.', type: 'missing' },
      ]);
    }
    const { bundlesPerOrganisation, bundlesPerPerson } = this.environment.limits;
    const orgId = input.org_id;
    const cap = orgId ? ORGANISATION_BUNDLES : PERSONAL_BUNDLES;
    const most = orgId ? bundlesPerOrganisation : bundlesPerPerson;
    return inTransaction(this.dataSource, async (manager) => {
      await requireOpenAccount(manager, caller.userId);
      if (orgId) await this.memberships.require(caller, orgId, 'MEMBER', manager);
      await lockRoom(manager, cap, orgId ?? caller.userId);
      const [created] = await insert(manager, caller, { ...input, slug }, most);
      if (created) return toBundle(created);
      // The caller may have been removed while this waited for the lock.
      if (orgId) await this.memberships.require(caller, orgId, 'MEMBER', manager);
      throw new ConflictError(cap.code, cap.detail(most));
    });
  }

  /**
   * Newest first.
   *
   * @throws NotFoundError for an organisation of which the caller is not a member
   */
  async list(caller: Caller, { org_id, scope, ...query }: BundleQuery): Promise<Page<BundleOut>> {
    const page = this.pages.open(LIST, query, { org_id, scope });
    const { org_id: orgId, scope: requestedScope } = page.filter;
    if (orgId && SCOPES_FOR_MEMBERS.has(requestedScope)) await this.memberships.require(caller, orgId, 'MEMBER');
    const rows = await many<BundleRow>(this.dataSource, bundleList(requestedScope, orgId !== undefined), [
      caller.userId,
      page.after,
      page.take,
      orgId ?? null,
    ]);
    return page.close(rows, toBundle);
  }

  /** @throws NotFoundError */
  async get(caller: Caller, id: string): Promise<BundleOut> {
    return toBundle(await this.finder.findForReader(this.dataSource.manager, caller, id));
  }

  /**
   * Changes the fields that are not absent or null. If nothing differs, nothing is written and no event recorded.
   *
   * @throws NotFoundError; ForbiddenError; ConflictError if the slug is taken
   */
  async update(caller: Caller, id: string, input: BundleUpdate): Promise<BundleOut> {
    return inTransaction(this.dataSource, async (manager) => {
      const before = await this.finder.lockForEditor(manager, caller, id);
      const changed = UPDATABLE.filter((field) => input[field] != null && input[field] !== before[field]);
      if (changed.length === 0) return toBundle(before);
      const after: BundleRow = {
        ...before,
        name: input.name ?? before.name,
        slug: input.slug ?? before.slug,
        description: input.description ?? before.description,
        visibility: input.visibility ?? before.visibility,
      };
      const { updated_at } = await one<Pick<BundleRow, 'updated_at'>>(manager, UPDATE, [
        after.id,
        after.name,
        after.slug,
        after.description,
        after.visibility,
      ]);
      await record(manager, bundleUpdated(after, changed));
      return toBundle({ ...after, updated_at });
    });
  }

  /**
   * Counts what would be deleted with the bundle now, and who would lose its endpoint.
   *
   * @throws NotFoundError; ForbiddenError
   */
  async deletionPreview(caller: Caller, id: string): Promise<BundleDeletionPreviewOut> {
    const bundle = await this.finder.findForEditor(this.dataSource.manager, caller, id);
    const counts = await one<ChildCounts>(this.dataSource, COUNT_CHILDREN, [bundle.id]);
    const { is_enabled, user_count, credential_count } = await this.endpoints.useOf(this.dataSource.manager, bundle.id);
    const use = { is_endpoint_enabled: is_enabled, endpoint_user_count: user_count, credential_count };
    return { bundle_id: bundle.id, ...counts, ...use };
  }

  /**
   * Deletes the bundle; its entries, versions, access tokens, follow links, deployments and editors are deleted with it
   * by foreign keys. Four statements in one transaction: lock, find, delete, record.
   *
   * @throws NotFoundError; ForbiddenError if the caller sees the bundle but may not modify it
   */
  async remove(caller: Caller, id: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const bundle = await this.finder.lockForEditor(manager, caller, id);
      await manager.getRepository(Bundle).delete({ id: bundle.id });
      await record(manager, {
        type: 'bundle.deleted',
        ...ownerOf(bundle),
        data: {
          bundle_id: bundle.id,
          name: bundle.name,
          slug: bundle.slug,
          org_id: bundle.org_id,
          deleted_by: caller.userId,
        },
      });
    });
  }
}

/** @returns the bundle; none if the caller is not a member, or there are as many as allowed */
function insert(
  manager: EntityManager,
  { userId }: Caller,
  { org_id: orgId, name, slug, description, visibility }: BundleCreate,
  most: number,
): Promise<BundleRow[]> {
  return prepared<BundleRow>(manager, orgId ? CREATE_OF_ORGANISATION : CREATE_PERSONAL, [
    orgId ?? userId,
    most,
    newId(),
    name,
    slug,
    description ?? '',
    visibility ?? 'PRIVATE',
    orgId ?? null,
    userId,
    newId(),
    JSON.stringify(NO_CHANGES),
    causingTrace(),
  ]);
}
