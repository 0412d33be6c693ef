import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../config/clock';
import { one } from '../database/statements';
import { statusAt } from './invitation-status.sql';

/** $1 address, $2 now. */
const IS_INVITED = `
  SELECT EXISTS (
    SELECT FROM invitations WHERE address = address_key($1) AND ${statusAt('$2::timestamptz')} = 'PENDING') AS "isInvited"`;

/** For other modules: who is invited. */
@Injectable()
export class PendingInvitations {
  constructor(private readonly clock: Clock) {}

  /** @returns whether an organisation has a pending invitation for the address */
  async includes(manager: EntityManager, email: string): Promise<boolean> {
    const { isInvited } = await one<{ isInvited: boolean }>(manager, IS_INVITED, [email, this.clock.now()]);
    return isInvited;
  }
}
