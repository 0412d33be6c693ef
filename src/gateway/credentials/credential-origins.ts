import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { outsideRequests } from '../../database/deadline';
import { maybe } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { messageOf } from '../../errors/message-of';
import { tellOfCredential } from './credential-news';
import { CREDENTIAL_COLUMNS, type CredentialRow } from './credential-store.sql';

/** One credential notes so many origins; if its server moves more often than that, the owner is not notified again. */
const MAX_ORIGINS = 32;
const MAX_REMEMBERED = 10_000;

/** $1 credential, $2 where its entry points to: returns a row the first time. */
const NOTE_ORIGIN = `
  UPDATE credentials SET seen_origins = array_append(credentials.seen_origins, $2::text)
  WHERE credentials.id = $1 AND credentials.origin <> $2 AND NOT $2 = ANY (credentials.seen_origins)
    AND cardinality(credentials.seen_origins) < ${MAX_ORIGINS}
  RETURNING ${CREDENTIAL_COLUMNS}`;

/** A credential whose entry points somewhere else. */
export interface MovedCredential {
  readonly id: string;
  /** Where it points to. */
  readonly origin: string;
}

/** Tells owners that a server has moved to where its credential is not sent: once for each credential and origin. */
@Injectable()
export class CredentialOrigins {
  private readonly logger = new Logger(CredentialOrigins.name);
  private readonly noted = new LRUCache<string, true>({ max: MAX_REMEMBERED });

  constructor(private readonly dataSource: DataSource) {}

  /** In the background: what fails is noted when the bundle is compiled next. */
  note(moved: readonly MovedCredential[]): void {
    for (const each of moved) {
      const key = `${each.id} ${each.origin}`;
      if (this.noted.has(key)) continue;
      this.noted.set(key, true);
      outsideRequests(() => this.tell(each)).catch((error: unknown) => {
        this.noted.delete(key);
        this.logger.debug(`The new origin of a server was not noted: ${messageOf(error)}`);
      });
    }
  }

  private async tell({ id, origin }: MovedCredential): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const row = await maybe<CredentialRow>(manager, NOTE_ORIGIN, [id, origin]);
      if (row) await tellOfCredential(manager, row, { type: 'credential.origin_changed', newOrigin: origin });
    });
  }
}
