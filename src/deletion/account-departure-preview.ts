import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../auth/caller';
import { SignOuts } from '../auth/sessions/sign-outs';
import { maybe, one } from '../database/statements';
import { ForbiddenError, requireFound } from '../errors/errors';
import { ownedAlone } from '../organisations/members/membership-departure';
import { ErrorCode } from '../organisations/organisation.errors';
import { FIND_USER } from '../users/account-administration.sql';
import type { AccountDepartureCounts, AccountDeparturePreviewOut } from './account-departure-preview.dto';
import { Departures } from './departures';

/** $1 account. Each count uses an index of the person. */
const COUNT = `
  SELECT (SELECT count(*)::int FROM memberships WHERE user_id = $1 AND role IS NOT NULL) AS membership_count,
         (SELECT count(*)::int FROM bundles WHERE org_id IS NULL AND owner_id = $1) AS bundle_count,
         (SELECT count(*)::int FROM credentials WHERE person_id = $1) AS credential_count,
         (SELECT count(*)::int FROM listings WHERE org_id IS NULL AND owner_id = $1
            AND NOT EXISTS (SELECT FROM listing_versions WHERE listing_id = listings.id AND was_public)) AS deleted_listing_count,
         (SELECT count(*)::int FROM listings WHERE org_id IS NULL AND owner_id = $1
            AND EXISTS (SELECT FROM listing_versions WHERE listing_id = listings.id AND was_public)) AS archived_listing_count,
         (SELECT count(*)::int FROM webhook_endpoints WHERE org_id IS NULL AND owner_id = $1) AS endpoint_count`;

/** What platform administrators are shown before they close or delete the account of another person. */
@Injectable()
export class AccountDeparturePreview {
  constructor(
    private readonly dataSource: DataSource,
    private readonly departures: Departures,
    private readonly signOuts: SignOuts,
  ) {}

  /** @throws ForbiddenError for anyone but platform administrators; NotFoundError */
  async of(caller: Caller, userId: string): Promise<AccountDeparturePreviewOut> {
    if (!caller.isPlatformAdmin)
      throw new ForbiddenError('Only platform administrators see what belongs to the accounts of others.');
    const { manager } = this.dataSource;
    const { id } = requireFound(
      await maybe<{ id: string }>(manager, FIND_USER, [userId]),
      ErrorCode.UserNotFound,
      userId,
    );
    return {
      user_id: id,
      last_owner_of: await ownedAlone(manager, id),
      ...(await this.signOuts.count(manager, id)),
      ...(await one<AccountDepartureCounts>(manager, COUNT, [id])),
      review_count: await this.departures.countOfAccount('reviews', manager, id),
    };
  }
}
