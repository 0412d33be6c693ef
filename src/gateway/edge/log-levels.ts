import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Notifications } from '../../database/notifications';
import { execute, maybe } from '../../database/statements';
import { UpstreamCaller } from '../upstreams/upstream-caller';
import { EdgeNews, keyOf } from './edge-news';
import { LOG_LEVELS } from '../protocol/incoming';
import { RpcCode, RpcFailure } from '../protocol/json-rpc';
import type { MethodCall } from './method-call';
import { PrincipalCache } from './principal-cache';

/** As long as a session is good. */
const LIFE = `interval '24 hours'`;
const MEMORY_MS = 3_600_000;
/** Sessions whose levels this process remembers, of all principals, and of one. */
const MAX_REMEMBERED = { all: 100_000, each: 5_000 } as const;
/** Sessions of one principal whose levels are kept: of more of them, the oldest have none. */
const MAX_OF_PRINCIPAL = 500;

/** $1 key of the session, $2 principal, $3 level. */
const SET = `
  WITH surplus AS (
    DELETE FROM client_log_levels WHERE session = ANY (ARRAY(
      SELECT session FROM client_log_levels WHERE principal = $2 AND session <> $1::bytea
      ORDER BY expires_at DESC OFFSET ${MAX_OF_PRINCIPAL - 1}))
  )
  INSERT INTO client_log_levels (session, principal, level, expires_at) VALUES ($1::bytea, $2, $3, now() + ${LIFE})
  ON CONFLICT (session) DO UPDATE SET level = EXCLUDED.level`;

/** $1 key of the session. */
const READ = `SELECT level FROM client_log_levels WHERE session = $1::bytea AND expires_at > now()`;

/** For the retention of rows: $1 now, $2 how many at most. */
export const REMOVE_LOG_LEVELS = `
  DELETE FROM client_log_levels WHERE session = ANY (ARRAY(
    SELECT session FROM client_log_levels WHERE expires_at <= $1::timestamptz ORDER BY expires_at LIMIT $2))`;

/** What is remembered of a session that has set none. */
const NONE = -1;

/**
 * The levels that clients with sessions have set with `logging/setLevel`, in the database, since the session itself is a sealed
 * value. Changes reach every process at once.
 */
@Injectable()
export class LogLevels {
  private known = memory();

  constructor(
    private readonly dataSource: DataSource,
    private readonly news: EdgeNews,
    private readonly notifications: Notifications,
    private readonly caller: UpstreamCaller,
  ) {
    news.on('level', (key, principal, level) => this.known.set(key, principal, Number(level)));
    news.onGap(() => (this.known = memory()));
  }

  /**
   * `logging/setLevel`: keeps the level, and passes it on to the servers that this client has sessions with.
   *
   * @throws RpcFailure for what is no level
   */
  async set({ client, exchange, params: { level } }: MethodCall): Promise<void> {
    const rank = typeof level === 'string' ? LOG_LEVELS.indexOf(level) : -1;
    if (rank < 0)
      throw new RpcFailure(200, RpcCode.InvalidParams, `params.level must be one of ${LOG_LEVELS.join(', ')}.`);
    if (client.sessionId === undefined) return;
    const { principal } = exchange.admission;
    const key = keyOf(client.sessionId);
    await execute(this.dataSource, SET, [Buffer.from(key, 'base64url'), principal, rank]);
    await this.news.tell('level', key, principal, String(rank));
    await this.caller.levelChanged(principal, key);
  }

  /** @param call of the legacy era @returns the same with the level that its session has set, if it has */
  async applied(call: MethodCall): Promise<MethodCall> {
    const { client, exchange } = call;
    if (client.sessionId === undefined) return call;
    const logLevel = LOG_LEVELS[await this.of(keyOf(client.sessionId), exchange.admission.principal)];
    return logLevel === undefined ? call : { ...call, client: { ...client, logLevel } };
  }

  private async of(key: string, principal: string): Promise<number> {
    const known = this.known.get(key);
    if (known !== undefined && this.notifications.connected) return known;
    const row = await maybe<{ level: number }>(this.dataSource, READ, [Buffer.from(key, 'base64url')]);
    const level = row?.level ?? NONE;
    this.known.set(key, principal, level);
    return level;
  }
}

function memory(): PrincipalCache<number> {
  return new PrincipalCache({ ...MAX_REMEMBERED, ttl: MEMORY_MS, sizeOf: () => 1 });
}
