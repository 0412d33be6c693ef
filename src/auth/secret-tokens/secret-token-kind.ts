import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { type Cap, requireRoom, type Room } from '../../database/cap';
import { type Connection, execute, maybe } from '../../database/statements';

const SECRET_BYTES = 32;
/** 32 bytes in base64url. */
const SECRET_FORM = '[A-Za-z0-9_-]{43}';
/** How stale `last_used_at` may be, so that a busy token is not written on every request (contract, section 6). */
export const USE_NOTED_FOR_MS = 60_000;

/** What a module declares about its tokens. */
export interface SecretTokenTraits {
  /** The mark at the start of every token: it tells the kinds apart, here and for scanners for leaked secrets. */
  mark: string;
  /** How many characters are stored as `prefix`, including the mark. Each further one gives away 6 bits of 256. */
  prefixLength: number;
  /**
   * The table, with at least the columns `id`, `digest` (unique), `prefix`, `expires_at`, `last_used_at` and the owner.
   */
  table: string;
  /** The column of the owner. The table has an index on it and `id`. */
  owner: string;
  /** How many unexpired tokens one owner may have. */
  cap: Pick<Cap, 'name' | 'code' | 'detail'>;
}

/** A new token and its stored columns. */
export interface NewSecretToken {
  /** Shown once. */
  token: string;
  /** The first characters, by which people tell tokens apart. */
  prefix: string;
  digest: Buffer;
}

/** What the statement for `find` must select at least. */
export interface StoredSecretToken {
  id: string;
  digest: Buffer;
  last_used_at: Date | null;
}

/** The owner whose unexpired tokens are counted, the cap, and the time of the count. */
export type TokenRoom = Omit<Room, 'parameters'> & { now: Date };

/**
 * A kind of bearer token that is a random secret, shown once and stored as a digest, which may expire, records when it
 * was last used, and is deleted when it is revoked. No process caches that it is valid, so that a revoked one is rejected
 * on the next request everywhere. What it gives access to, and who may create it, is up to the module that declares it.
 */
export class SecretTokenKind {
  /** The start of every token of this kind. */
  readonly mark: string;
  private readonly prefixLength: number;
  private readonly form: RegExp;
  private readonly unexpired: Cap;
  private readonly removeExpired: string;
  private readonly touch: string;

  constructor({ mark, prefixLength, table, owner, cap }: SecretTokenTraits) {
    this.mark = mark;
    this.prefixLength = prefixLength;
    this.form = new RegExp(`^${mark}${SECRET_FORM}$`);
    this.unexpired = { ...cap, rows: `${table} WHERE ${owner} = $1 AND (expires_at IS NULL OR expires_at > $3)` };
    // $1 owner, $2 now, $3 how many expired ones to keep.
    this.removeExpired = `
      DELETE FROM ${table} WHERE ${owner} = $1 AND id IN (
        SELECT id FROM ${table} WHERE ${owner} = $1 AND expires_at <= $2 ORDER BY id DESC OFFSET $3)`;
    // $1 token, $2 now, $3 the threshold. Never waits for a concurrent request with the same token.
    this.touch = `
      UPDATE ${table} SET last_used_at = $2 WHERE id = (
        SELECT id FROM ${table} WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $3)
        FOR NO KEY UPDATE SKIP LOCKED)`;
  }

  /** @returns a new token: the mark and 32 random bytes in base64url */
  create(): NewSecretToken {
    const token = this.mark + randomBytes(SECRET_BYTES).toString('base64url');
    return { token, prefix: token.slice(0, this.prefixLength), digest: digestOf(token) };
  }

  /** @returns whether a text has the format of such a token */
  hasForm(text: string): boolean {
    return this.form.test(text);
  }

  /**
   * Makes room for one more token of an owner. Of the expired ones, the latest are kept, as many as the cap on
   * unexpired ones, so that tokens that live for a second do not pile up.
   *
   * @param manager of the transaction that then inserts the token
   * @throws ConflictError if the owner has reached the cap
   */
  async makeRoom(manager: EntityManager, { now, ...room }: TokenRoom): Promise<void> {
    await requireRoom(manager, this.unexpired, { ...room, parameters: [now] });
    await execute(manager, this.removeExpired, [room.ownerId, now, room.most]);
  }

  /**
   * Looks a token up by its secret.
   *
   * @param sql selects the row; $1 is the digest, and the parameters follow from $2 on
   * @returns undefined if there is none
   */
  async find<Row extends StoredSecretToken>(
    connection: Connection,
    sql: string,
    token: string,
    parameters: readonly unknown[] = [],
  ): Promise<Row | undefined> {
    const digest = digestOf(token);
    const row = await maybe<Row>(connection, sql, [digest, ...parameters]);
    return row && timingSafeEqual(row.digest, digest) ? row : undefined;
  }

  /** Records that a token was used, unless that was recorded within the last minute. */
  async noteUse(
    connection: Connection,
    { id, last_used_at }: Pick<StoredSecretToken, 'id' | 'last_used_at'>,
    now: Date,
  ): Promise<void> {
    const due = new Date(now.getTime() - USE_NOTED_FOR_MS);
    if (last_used_at === null || last_used_at <= due) await execute(connection, this.touch, [id, now, due]);
  }
}

/** SHA-256 rather than a slow hash: the secret is random, so guessing is hopeless anyway. */
function digestOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
