import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { allowLongDatabaseWork } from '../../database/deadline';
import { Environment } from '../../config/environment';
import { prepared } from '../../database/prepared';
import { execute, one } from '../../database/statements';
import { LastOwnerError } from '../../organisations/organisation.errors';
import type { Cause } from '../../organisations/audit/audit-trail';
import { settleConsent, settleEverybodysConsent } from '../directory/directory-consent';
import { PLAN_FOR_EVERYBODY, PLAN_FOR_SOME } from './outcome.sql';
import { storedSettings } from './stored-settings';
import { SyncCountsOut, toCounts } from './sync-run.dto';
import { APPLY_TO_EVERYBODY, APPLY_TO_SOME, COUNT_MEMBERS } from './sync.sql';

/** What role resolution did to the people whom it looked at. */
export interface RoleChanges extends SyncCountsOut {
  /**
   * Members with a role before: of the whole organisation where five or more are demoted or removed. Counting them takes
   * a look at each, so where fewer lose something it is only those among the people looked at.
   */
  membersBefore: number;
}

interface Row extends SyncCountsOut {
  members_before: number;
  retains_anew: boolean;
}

/** Nobody asks among how many fewer lose something. */
const FEW = 5;

/** From about here on looking at everybody is faster than looking people up. */
const MANY = 10_000;

const SOME = { name: 'roles of some', sql: APPLY_TO_SOME };

/**
 * Brings memberships to what directory, mapping table and settings say (contract, section 7), and tells and audits what
 * it changes. In the caller's transaction, which holds the organisation's lock, so that a change of the directory and
 * what follows from it are one.
 */
@Injectable()
export class RoleSync {
  private readonly isVouchedForAll: boolean;

  constructor(environment: Environment) {
    this.isVouchedForAll = environment.organisationCreation === 'platform_admins';
  }

  /**
   * Expects that everybody else is right already, as they are when each change is followed by this for the people whom
   * it concerns. Costs the same in every organisation then; the number of statements is constant.
   *
   * @param manager of a transaction that holds the lock (`lockOrganisation`)
   * @param concerned account ids, in any order, also of people who are gone or unknown; or `everybody`
   * @param runId of a sync that somebody asked for, whose changes are kept
   * @throws LastOwnerError under the policy `refuse`, when somebody who is not retained yet would have to be, since
   *   nobody else would be an active OWNER; the caller's transaction must not be committed then
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
      await settleEverybodysConsent(manager, orgId, cause, this.isVouchedForAll);
    } else {
      await this.settle(manager, orgId, concerned, cause);
    }
    return this.applySettled(manager, orgId, concerned, cause, runId);
  }

  /**
   * The first half of `apply`, for a caller who publishes in between and must know whom the organisation may know.
   *
   * @returns those of the accounts that it may not know, as their people have not agreed
   */
  async settle(
    manager: EntityManager,
    orgId: string,
    concerned: readonly string[],
    cause: Cause,
  ): Promise<ReadonlySet<string>> {
    await execute(manager, PLAN_FOR_SOME);
    return settleConsent(manager, orgId, concerned, cause, this.isVouchedForAll);
  }

  /** The second half of `apply`, after `settle` for the same people. */
  async applySettled(
    manager: EntityManager,
    orgId: string,
    concerned: readonly string[] | 'everybody',
    cause: Cause,
    runId: string | null = null,
  ): Promise<RoleChanges> {
    const { defaultRole, allowOwnerMapping, lastOwnerPolicy } = await storedSettings(manager, orgId);
    const { actorType, actorId, requestId } = cause;
    const parameters = [orgId, defaultRole, allowOwnerMapping, actorType, actorId, requestId, runId];
    let row: Row | undefined;
    if (concerned === 'everybody' || concerned.length > MANY) {
      await execute(manager, PLAN_FOR_EVERYBODY);
      row = await one<Row>(manager, APPLY_TO_EVERYBODY, parameters);
    } else {
      [row] = await prepared<Row>(manager, SOME, [...parameters, concerned]);
    }
    if (!row) throw new Error('Counts are always one row.');
    if (row.retains_anew && lastOwnerPolicy === 'refuse') throw new LastOwnerError();
    const { demoted, removed, joined, members_before } = row;
    if (demoted + removed < FEW) return { ...toCounts(row), membersBefore: members_before };
    const { members } = await one<{ members: number }>(manager, COUNT_MEMBERS, [orgId]);
    return { ...toCounts(row), membersBefore: members + removed - joined };
  }
}
