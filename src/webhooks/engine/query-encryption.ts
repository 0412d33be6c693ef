import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Columns } from '../../database/columns';
import { LEAST_ID } from '../../database/id';
import { execute, many } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { toStoredTarget } from '../endpoints/stored-target';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity';
import { WebhookSecrets } from '../endpoints/webhook-secrets';

const ENDPOINTS_AT_ONCE = 200;

/** $1 the endpoint after which to begin. What somebody else is at has its turn in a later round. */
const LOCK_PLAIN = `
  SELECT id, target_url, encrypted_secret FROM webhook_endpoints
  WHERE target_url LIKE '%?%' AND id > $1 ORDER BY id LIMIT ${ENDPOINTS_AT_ONCE} FOR UPDATE SKIP LOCKED`;

/** $1 endpoints, $2 their addresses and $3 queries, as they are stored. Nothing that a reader sees changes. */
const WRITE = `
  UPDATE webhook_endpoints AS endpoints SET target_url = given.target_url, encrypted_query = given.encrypted_query
  FROM unnest($1::uuid[], $2::text[], $3::bytea[]) AS given (id, target_url, encrypted_query)
  WHERE endpoints.id = given.id`;

type PlainRow = Pick<Columns<WebhookEndpoint>, 'id' | 'target_url' | 'encrypted_secret'>;

/** Encrypts the queries of targets that a release before this one stored, also while it still runs beside this one. */
@Injectable()
export class QueryEncryption {
  private readonly logger = new Logger(QueryEncryption.name);
  /** The last endpoint of this round; a round passes by what cannot be encrypted. */
  private position = LEAST_ID;

  constructor(
    private readonly dataSource: DataSource,
    private readonly secrets: WebhookSecrets,
  ) {}

  /** @returns whether there is more to do now */
  async step(): Promise<boolean> {
    const { found, written } = await inTransaction(this.dataSource, async (manager) => {
      const rows = await many<PlainRow>(manager, LOCK_PLAIN, [this.position]);
      const own = rows.filter((row) => this.hasRightKey(row));
      const stored = own.map(({ id, target_url }) =>
        toStoredTarget(target_url, (query) => this.secrets.encryptQuery(id, query)),
      );
      if (own.length > 0) {
        await execute(manager, WRITE, [
          own.map(({ id }) => id),
          stored.map(({ target_url }) => target_url),
          stored.map(({ encrypted_query }) => encrypted_query),
        ]);
      }
      return { found: rows, written: own.length };
    });
    const goesOn = found.length === ENDPOINTS_AT_ONCE;
    this.position = goesOn ? (found.at(-1)?.id ?? LEAST_ID) : LEAST_ID;
    if (written > 0) this.logger.log(`The queries of ${written} webhook targets were encrypted.`);
    return goesOn;
  }

  /** With another SECRETS_KEY than the endpoint's nothing is encrypted: the right one could not read it. */
  private hasRightKey({ id, encrypted_secret }: PlainRow): boolean {
    try {
      this.secrets.decrypt(id, encrypted_secret);
      return true;
    } catch {
      return false;
    }
  }
}
