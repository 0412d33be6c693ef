import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { allowLongDatabaseWork } from '../../../database/deadline';
import { Environment } from '../../../config/environment';
import { prepared } from '../../../database/prepared';
import { execute, one } from '../../../database/statements';
import { firstErrorOf } from '../../../database/transaction';
import { type AnyDomainEvent, causingTrace, eventRows } from '../../../events/outbox';
import { LastOwnerError } from '../../../organisations/organisation.errors';
import type { Cause } from '../../../organisations/audit/audit-trail';
import { settleConsent, settleEverybodysConsent } from '../../directory/directory-consent';
import type { ScimSettings } from '../resolution/role-resolution';
import { PLAN_WITH_SCANS } from '../resolution/outcome.sql';
import { settingsForRoles } from '../settings/stored-settings';
import { CONFIRM_FROM } from './confirmation';
import { SyncCountsOut, toCounts } from './sync-run.dto';
import { APPLY_TO_EVERYBODY, APPLY_TO_SOME, COUNT_MEMBERS } from './sync.sql';

/** What role resolution did to the users it processed. */
export interface RoleChanges extends SyncCountsOut {
  /**
   * Members who had a role before: of the whole organisation if five or more are demoted or removed, otherwise only
   * among the users processed. Counting all of them reads each row, and the number matters only for confirmation.
   */
  membersBefore: number;
}

/** The accounts that a change of the directory concerns. */
export interface ConcernedAccounts {
  /** Ids, each once. */
  accounts: readonly string[];
  /** The consent of these accounts is settled, because they were created for the entry. */
  agreed?: ReadonlySet<string>;
}

interface Application {
  settings: ScimSettings;
  /** The change that is the reason emits these. */
  events?: readonly AnyDomainEvent[];
  runId?: string | null;
}

interface Row extends SyncCountsOut {
  members_before: number;
  retains_anew: boolean;
}

/** From about this number on, processing everyone is faster than looking users up. */
const MANY = 10_000;

const SOME = { name: 'roles of some', sql: APPLY_TO_SOME };

/**
 * Updates memberships according to directory, mapping table and settings (contract, section 7), and emits events and
 * audit entries for the changes. Runs in the caller's transaction, which holds the organisation's lock, so that a
 * change of the directory and its consequences are atomic.
 */
@Injectable()
export class RoleSync {
  private readonly isVouchedForAll: boolean;

  constructor(environment: Environment) {
    this.isVouchedForAll = environment.organisationCreation === 'platform_admins';
  }

  /**
   * Assumes that all other users are up to date, since each change calls this for the users concerned. The cost
   * therefore does not depend on the organisation; the number of statements is constant.
   *
   * @param manager of a transaction that holds the lock (`lockOrganisation`)
   * @param concerned account ids, in any order, including removed or unknown users; or `everybody`
   * @param runId of a requested sync, whose changes are stored
   * @throws LastOwnerError under the policy `refuse`, if someone would newly have to be retained because nobody else
   *   would be an active OWNER; the caller's transaction must not be committed then
   */
  async apply(
    manager: EntityManager,
    orgId: string,
    concerned: readonly string[] | 'everybody',
    cause: Cause,
    runId: string | null = null,
  ): Promise<RoleChanges> {
    if (concerned === 'everybody' || concerned.length > MANY) {
      allowLongDatabaseWork();
      // A change of the directory, whose lock switches them off.
      if (concerned !== 'everybody') await execute(manager, PLAN_WITH_SCANS);
      await settleEverybodysConsent(manager, orgId, cause, this.isVouchedForAll);
      const settings = await settingsForRoles(manager, orgId, 'everybody');
      return this.applySettled(manager, orgId, 'everybody', cause, { settings, runId });
    }
    const [settings] = await firstErrorOf([
      settingsForRoles(manager, orgId, 'some'),
      settleConsent(manager, orgId, concerned, cause, this.isVouchedForAll),
    ]);
    return this.applySettled(manager, orgId, concerned, cause, { settings, runId });
  }

  /**
   * `apply` for a person who has just claimed their account. Nobody may be kept from signing in, so the last OWNER is
   * retained whatever the policy says.
   */
  async applyClaim(manager: EntityManager, orgId: string, userId: string, cause: Cause): Promise<void> {
    const [settings] = await firstErrorOf([
      settingsForRoles(manager, orgId, 'some'),
      settleConsent(manager, orgId, [userId], cause, this.isVouchedForAll),
    ]);
    await this.applySettled(manager, orgId, [userId], cause, { settings: { ...settings, lastOwnerPolicy: 'retain' } });
  }

  /**
   * `apply` for a change whose events precede those of the roles: consent decides which account ids they may contain.
   *
   * @param settings from `settingsForRoles` of this transaction
   * @param eventsOf the events of the change, to be recorded; its argument are those of the accounts that the organisation
   *   may not know
   * @throws LastOwnerError as `apply`
   */
  async publishAndApply(
    manager: EntityManager,
    orgId: string,
    settings: ScimSettings,
    { accounts, agreed }: ConcernedAccounts,
    cause: Cause,
    eventsOf: (hidden: ReadonlySet<string>) => readonly AnyDomainEvent[],
  ): Promise<RoleChanges> {
    const unsettled = agreed ? accounts.filter((id) => !agreed.has(id)) : accounts;
    const hidden =
      unsettled.length > 0
        ? await settleConsent(manager, orgId, unsettled, cause, this.isVouchedForAll)
        : new Set<string>();
    return this.applySettled(manager, orgId, accounts, cause, { settings, events: eventsOf(hidden) });
  }

  private async applySettled(
    manager: EntityManager,
    orgId: string,
    concerned: readonly string[] | 'everybody',
    cause: Cause,
    { settings, events = [], runId = null }: Application,
  ): Promise<RoleChanges> {
    const { defaultRole, allowOwnerMapping, lastOwnerPolicy } = settings;
    const { actorType, actorId, requestId } = cause;
    const parameters = [orgId, defaultRole, allowOwnerMapping, actorType, actorId, requestId, runId];
    const [row] =
      concerned === 'everybody'
        ? [await one<Row>(manager, APPLY_TO_EVERYBODY, [...parameters, causingTrace()])]
        : await prepared<Row>(manager, SOME, [...parameters, concerned, eventRows(events), causingTrace()]);
    if (!row) throw new Error('The sync returned no counts.');
    if (row.retains_anew && lastOwnerPolicy === 'refuse') throw new LastOwnerError();
    const { demoted, removed, joined, members_before } = row;
    if (demoted + removed < CONFIRM_FROM) return { ...toCounts(row), membersBefore: members_before };
    const { members } = await one<{ members: number }>(manager, COUNT_MEMBERS, [orgId]);
    return { ...toCounts(row), membersBefore: members + removed - joined };
  }
}
