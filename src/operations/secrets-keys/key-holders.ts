import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DataSource } from 'typeorm';
import { Secrets } from '../../config/secrets';
import { newId } from '../../database/id';
import { execute, many } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { requireKnownKey } from './known-key';
import { HOLD, LEAVE, LOCK, NOTE_KEY, RENEWAL_MS, UNKNOWN_KEYS } from './secrets-keys.sql';

/**
 * Says in the database which keys this process has, so that no process seals what another one cannot read, and
 * `npm run re-encrypt` knows whether all have switched (ADR 33).
 */
@Injectable()
export class KeyHolders implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(KeyHolders.name);
  private readonly id = newId();
  private isHolding = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly secrets: Secrets,
  ) {}

  /**
   * Before anything is sealed: this module is global, so it is the first.
   *
   * @throws Error for the operator if processes run that do not know the key with which this one would seal
   */
  async onModuleInit(): Promise<void> {
    await requireKnownKey(this.dataSource, this.secrets);
  }

  /** After everything else has started, so that a failed start leaves nothing. @throws Error as above */
  async onApplicationBootstrap(): Promise<void> {
    const known = this.secrets.ids;
    await inTransaction(this.dataSource, async (manager) => {
      await execute(manager, LOCK);
      await requireKnownKey(manager, this.secrets);
      await execute(manager, LEAVE, [this.id]);
      await execute(manager, HOLD, [this.id, known[0], known]);
      await execute(manager, NOTE_KEY, [known[0]]);
    });
    this.isHolding = true;
    const unknown = await many<{ id: string }>(this.dataSource, UNKNOWN_KEYS, [known]);
    if (unknown.length > 0)
      this.logger.warn(
        `The database may have values sealed by keys that this process does not know: ${unknown.map(({ id }) => id).join(', ')}. ` +
          'Add that SECRETS_KEY to SECRETS_KEYS_ACCEPTED, then run "npm run re-encrypt". "npm run re-encrypt -- --check" counts them.',
      );
  }

  /** Before connections are closed. The last requests may still seal something: a step ends when processes have ended. */
  async beforeApplicationShutdown(): Promise<void> {
    if (!this.isHolding) return;
    this.isHolding = false;
    // Without the database, the row is ignored after a minute.
    await execute(this.dataSource, LEAVE, [this.id]).catch(() => undefined);
  }

  /** Never rejects. */
  @Interval('secrets keys', RENEWAL_MS)
  async renew(): Promise<void> {
    if (!this.isHolding) return;
    const known = this.secrets.ids;
    try {
      await execute(this.dataSource, HOLD, [this.id, known[0], known]);
    } catch (error) {
      // The database is away, which others report. Nothing can be sealed meanwhile.
      this.logger.debug(`The keys of this process could not be noted: ${(error as Error).message}`);
    }
  }
}
