import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { newId, WRITTEN_ID } from '../../database/id';
import { withDatabaseTimeOfStep } from '../../database/deadline';
import { prepared } from '../../database/prepared';
import { inTransaction } from '../../database/transaction';
import { nextTurn } from '../../http/requests/next-turn';
import type { LoggedRequest, ScimClient } from '../protocol/scim-client';
import { CHUNK, INSERT_LOG_ENTRIES, LogGroups, type LogRow } from './log-groups';
import { cut, redactedBody, redactedError, redactedPath } from './redaction';

/** The part of a response that the log keeps. */
export interface LoggedAnswer {
  status: number;
  /** The id of the resource, if the path does not contain it. */
  resourceId?: string;
  /** For failures. */
  scimType?: string;
  error?: string;
  /** For a bulk request: the operations that were attempted, in the order of the request. */
  operations?: readonly LoggedOperation[];
}

/** One operation of a bulk request. */
export interface LoggedOperation extends Omit<LoggedAnswer, 'operations'> {
  /** Assigned when it was executed. */
  id: string;
  /** The index in the request, from 0. */
  index: number;
  client: ScimClient;
  /** As sent, so it can be anything. */
  method: unknown;
  path: unknown;
  body: unknown;
  durationMs: number;
}

const RESOURCE_TYPES = new Map([
  ['Users', 'User'],
  ['Groups', 'Group'],
]);

const MAX_ID_LENGTH = 200;
const MAX_ERROR_LENGTH = 2_000;
const MAX_METHOD_LENGTH = 20;
const MAX_NAME_LENGTH = 200;

/** Writes the provisioning log: the requests of all identity providers, and the responses. */
@Injectable()
export class ScimLog {
  private readonly groups: LogGroups;

  constructor(private readonly dataSource: DataSource) {
    this.groups = new LogGroups(dataSource);
  }

  /**
   * Inserts one row, and one for each operation of a bulk request: all or none.
   *
   * @throws what the database throws
   */
  async write(client: ScimClient & { request: LoggedRequest }, answer: LoggedAnswer): Promise<void> {
    const { operations = [] } = answer;
    const entry = rowOfRequest(client, client.request, answer);
    if (operations.length === 0) {
      await this.groups.write(entry);
      return;
    }
    await withDatabaseTimeOfStep(() => this.writeAll(entry, operations));
  }

  /**
   * Inserts the row of a change in its transaction, so that neither is there without the other, and no round trip is
   * needed for it. Its duration ends before the commit.
   *
   * @param manager of that transaction
   * @returns false for an operation of a bulk request, whose row is not written yet
   */
  async writeWith(manager: EntityManager, client: ScimClient, answer: LoggedAnswer): Promise<boolean> {
    return this.writeAllWith(manager, [{ client, answer }]);
  }

  /**
   * The same for several changes of one transaction, all of which are requests, or none.
   *
   * @param rows at most `CHUNK`
   */
  async writeAllWith(
    manager: EntityManager,
    rows: readonly { client: ScimClient; answer: LoggedAnswer }[],
  ): Promise<boolean> {
    const entries = rows.flatMap(({ client, answer }) =>
      client.request ? [rowOfRequest(client, client.request, answer)] : [],
    );
    if (entries.length === 0) return false;
    await prepared(manager, INSERT_LOG_ENTRIES, [JSON.stringify(entries)]);
    return true;
  }

  private async writeAll(entry: LogRow & { id: string }, operations: readonly LoggedOperation[]): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      await prepared(manager, INSERT_LOG_ENTRIES, [JSON.stringify([entry])]);
      for (let start = 0; start < operations.length; start += CHUNK) {
        const rows = operations.slice(start, start + CHUNK).map((operation) => ({
          id: operation.id,
          ...rowOfOperation(operation),
          bulk_entry_id: entry.id,
          bulk_index: operation.index,
        }));
        await prepared(manager, INSERT_LOG_ENTRIES, [JSON.stringify(rows)]);
        await nextTurn();
      }
    });
  }
}

function rowOfRequest(
  client: ScimClient,
  { method, target, body, startedAt }: LoggedRequest,
  answer: LoggedAnswer,
): LogRow & { id: string } {
  return { id: newId(), ...rowOf(client, method, target, body, performance.now() - startedAt, answer) };
}

function rowOfOperation({ client, method, path, body, durationMs, ...answer }: LoggedOperation): LogRow {
  const target = typeof path === 'string' ? path : '';
  return rowOf(client, typeof method === 'string' ? method : '', target, body, durationMs, answer);
}

/** @param target with the query */
function rowOf(
  client: ScimClient,
  method: string,
  target: string,
  body: unknown,
  durationMs: number,
  answer: LoggedAnswer,
): LogRow {
  const { type, id } = resourceOf(target);
  return {
    org_id: client.orgId,
    token_id: client.tokenId,
    request_id: client.requestId,
    method: cut(method, MAX_METHOD_LENGTH),
    path: redactedPath(target),
    status: answer.status,
    duration_ms: Math.round(durationMs),
    resource_type: type,
    resource_id: answer.resourceId ?? id,
    ...(body === undefined ? {} : { body: redactedBody(body) }),
    scim_type: answer.scimType ?? null,
    error: answer.error === undefined ? null : cut(redactedError(answer.error, target, body), MAX_ERROR_LENGTH),
    ignored: namesOf(client.ignored),
    notes: [...client.notes],
  };
}

/** @param target with the query */
function resourceOf(target: string): { type: string | null; id: string | null } {
  const [, endpoint = '', segment = ''] = (target.split('?')[0] ?? '').split('/');
  const type = RESOURCE_TYPES.get(endpoint) ?? null;
  const isId = type !== null && segment !== '' && segment !== '.search';
  return { type, id: isId ? cut(WRITTEN_ID.test(segment) ? segment.toLowerCase() : segment, MAX_ID_LENGTH) : null };
}

/** @param ignored which `noteIgnored` keeps small */
function namesOf(ignored: Set<string>): string[] {
  return [...ignored].map((name) => cut(name, MAX_NAME_LENGTH));
}
