import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Columns } from '../../database/columns';
import { MIN_ID } from '../../database/id';
import { execute, many } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { toStoredTarget } from '../endpoints/stored-target';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity';
import { WebhookSecrets } from '../endpoints/webhook-secrets';

const BATCH_SIZE = 200;

/** $1 the endpoint after which to start. Locked rows are skipped and processed in a later round. */
const LOCK_PLAIN = `
  SELECT id, target_url, encrypted_secret FROM webhook_endpoints
  WHERE target_url LIKE '%?%' AND id > $1 ORDER BY id LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED`;

/** $1 endpoints, $2 their addresses and $3 queries as stored. Nothing changes for clients. */
const WRITE = `
  UPDATE webhook_endpoints AS endpoints SET target_url = given.target_url, encrypted_query = given.encrypted_query
  FROM unnest($1::uuid[], $2::text[], $3::bytea[]) AS given (id, target_url, encrypted_query)
  WHERE endpoints.id = given.id`;

type PlainRow = Pick<Columns<WebhookEndpoint>, 'id' | 'target_url' | 'encrypted_secret'>;

/** Encrypts the queries of targets stored by the previous release, which may still be running alongside. */
@Injectable()
export class QueryEncryption {
  private readonly logger = new Logger(QueryEncryption.name);
  /** The last endpoint of this round; a round skips what cannot be encrypted. */
  private position = MIN_ID;

  constructor(
    private readonly dataSource: DataSource,
    private readonly secrets: WebhookSecrets,
  ) {}

  /** @returns whether there is more work now */
  async step(): Promise<boolean> {
    const { rows, written } = await inTransaction(this.dataSource, async (manager) => {
      const plain = await many<PlainRow>(manager, LOCK_PLAIN, [this.position]);
      const readable = plain.filter((row) => this.hasRightKey(row));
      const stored = readable.map(({ id, target_url }) =>
        toStoredTarget(target_url, (query) => this.secrets.encryptQuery(id, query)),
      );
      if (readable.length > 0) {
        await execute(manager, WRITE, [
          readable.map(({ id }) => id),
          stored.map(({ target_url }) => target_url),
          stored.map(({ encrypted_query }) => encrypted_query),
        ]);
      }
      return { rows: plain, written: readable.length };
    });
    const hasMore = rows.length === BATCH_SIZE;
    this.position = hasMore ? (rows.at(-1)?.id ?? MIN_ID) : MIN_ID;
    if (written > 0) this.logger.log(`Encrypted the queries of ${written} webhook targets.`);
    return hasMore;
  }

  /** Nothing is encrypted with a SECRETS_KEY other than the endpoint's, because the right key could not decrypt it. */
  private hasRightKey({ id, encrypted_secret }: PlainRow): boolean {
    try {
      this.secrets.decrypt(id, encrypted_secret);
      return true;
    } catch {
      return false;
    }
  }
}
