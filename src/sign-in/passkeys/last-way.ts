import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Environment } from '../../config/environment';
import { one } from '../../database/statements';

/** $1 account, $2 our own issuer, whose identities sign nobody in. */
const HAS_A_WAY = `
  SELECT EXISTS (SELECT FROM passkeys WHERE user_id = $1)
      OR EXISTS (SELECT FROM passwords WHERE user_id = $1)
      OR EXISTS (SELECT FROM identities WHERE user_id = $1 AND issuer <> $2) AS has_a_way`;

/** Whether somebody could still sign in. */
@Injectable()
export class LastWay {
  constructor(private readonly environment: Environment) {}

  /** @param manager of the transaction that has removed a way, under the account's lock */
  async isMissing(manager: EntityManager, userId: string): Promise<boolean> {
    const { has_a_way } = await one<{ has_a_way: boolean }>(manager, HAS_A_WAY, [userId, this.environment.publicUrl]);
    return !has_a_way;
  }
}
