import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DataSource } from 'typeorm';
import { newId } from '../../../database/id';
import type { ScimExchange } from '../protocol/scim-exchange';
import { cut, redactedBody, redactedError, redactedPath } from './redaction';

const INSERT = `
  INSERT INTO scim_log (id, org_id, token_id, request_id, method, path, status, duration_ms, resource_type, resource_id,
                        body, scim_type, error, ignored)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`;

/** What the log keeps of an answer. */
export interface LoggedAnswer {
  status: number;
  /** The id of the resource, where the path does not tell it. */
  resourceId?: string;
  /** For failures. */
  scimType?: string;
  error?: string;
}

const RESOURCE_TYPES = new Map([
  ['Users', 'User'],
  ['Groups', 'Group'],
]);

/** Such an id is kept as the database writes it. */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const LONGEST_ID = 200;
const LONGEST_ERROR = 2_000;
const LONGEST_NAME = 200;
const MOST_NAMES = 100;

/** Writes the provisioning log: what every identity provider asked for, and what it was answered. */
@Injectable()
export class ScimLog {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * One row, in one statement.
   *
   * @throws what the database throws
   */
  async write(request: Request, { client, target, startedAt }: ScimExchange, answer: LoggedAnswer): Promise<void> {
    const { type, id } = resourceOf(target);
    await this.dataSource.query(INSERT, [
      newId(),
      client.orgId,
      client.tokenId,
      client.requestId,
      request.method,
      redactedPath(target),
      answer.status,
      Math.round(performance.now() - startedAt),
      type,
      answer.resourceId ?? id,
      request.body === undefined ? null : JSON.stringify(redactedBody(request.body)),
      answer.scimType ?? null,
      answer.error === undefined ? null : cut(redactedError(answer.error, target, request.body), LONGEST_ERROR),
      namesOf(client.ignored),
    ]);
  }
}

/** @param target with the query */
function resourceOf(target: string): { type: string | null; id: string | null } {
  const [, endpoint = '', segment = ''] = (target.split('?')[0] ?? '').split('/');
  const type = RESOURCE_TYPES.get(endpoint) ?? null;
  const isId = type !== null && segment !== '' && segment !== '.search';
  return { type, id: isId ? cut(UUID.test(segment) ? segment.toLowerCase() : segment, LONGEST_ID) : null };
}

function namesOf(ignored: Set<string>): string[] {
  const names = [...ignored].slice(0, MOST_NAMES).map((name) => cut(name, LONGEST_NAME));
  return ignored.size > MOST_NAMES ? [...names, `… ${ignored.size - MOST_NAMES} more`] : names;
}
