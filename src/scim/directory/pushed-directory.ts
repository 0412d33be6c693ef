import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Columns } from '../../database/columns';
import { many, one } from '../../database/statements';
import type { Cause } from '../../organisations/audit/audit-trail';
import { Directory, type DirectoryAnswer } from '../../organisations/directory';
import { RoleSync } from '../roles/sync/role-sync';
import { ScimSettingsRow } from '../roles/settings/scim-settings.entity';
import { forgetAcceptance, storeConsentAnswer } from './directory-consent';
import { detachEntries } from './entry-departure';
import type { ScimUser } from './scim-user.entity';

const IS_IN_USE = `
  SELECT EXISTS (SELECT FROM scim_tokens)
    OR EXISTS (SELECT FROM scim_users WHERE deleted_at IS NULL) AS "isInUse"`;

/** $1 organisation: the accounts that could become members once it is vouched for. */
const PENDING_ACCOUNTS = `
  SELECT user_id FROM scim_users WHERE org_id = $1 AND deleted_at IS NULL AND consent = 'PENDING'`;

/** $1 deleted organisation, $2 maximum number of rows to delete. */
const REMOVE_ENTRIES = `
  DELETE FROM scim_users WHERE id IN (SELECT id FROM scim_users WHERE org_id = $1 LIMIT $2) RETURNING user_id`;

/** The directory as pushed by SCIM. */
@Injectable()
export class PushedDirectory extends Directory {
  constructor(private readonly roleSync: RoleSync) {
    super();
  }

  override async isInUse(manager: EntityManager): Promise<boolean> {
    return (await one<{ isInUse: boolean }>(manager, IS_IN_USE)).isInUse;
  }

  override async open(manager: EntityManager, orgId: string): Promise<void> {
    await manager.insert(ScimSettingsRow, { orgId });
  }

  override answer(manager: EntityManager, orgId: string, userId: string, answer: DirectoryAnswer): Promise<boolean> {
    return storeConsentAnswer(manager, orgId, userId, answer);
  }

  override forgetAcceptance(manager: EntityManager, orgId: string, userId: string): Promise<void> {
    return forgetAcceptance(manager, orgId, userId);
  }

  override async resolveRoles(
    manager: EntityManager,
    orgId: string,
    accounts: readonly string[],
    cause: Cause,
  ): Promise<void> {
    await this.roleSync.apply(manager, orgId, accounts, cause);
  }

  override async admitPending(manager: EntityManager, orgId: string, cause: Cause): Promise<void> {
    const pending = await many<Pick<Columns<ScimUser>, 'user_id'>>(manager, PENDING_ACCOUNTS, [orgId]);
    if (pending.length === 0) return;
    const accounts = pending.map(({ user_id }) => user_id);
    await this.roleSync.apply(manager, orgId, accounts, cause);
  }

  override async detach(manager: EntityManager, userId: string, cause: Cause): Promise<void> {
    for (const { org_id, account_id } of await detachEntries(manager, userId)) {
      await this.roleSync.apply(manager, org_id, [account_id], cause);
    }
  }

  override async removeEntries(manager: EntityManager, orgId: string, atMost: number): Promise<string[]> {
    const entries = await many<{ user_id: string }>(manager, REMOVE_ENTRIES, [orgId, atMost]);
    return entries.map(({ user_id }) => user_id);
  }
}
