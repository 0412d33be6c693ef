import { Injectable, Logger } from '@nestjs/common';
import { Environment } from '../../../config/environment';
import { DatabaseErrors } from '../../../database/database-errors';
import { withDatabaseTimeOfStep } from '../../../database/deadline';
import { DomainError, ErrorCode, ValidationError } from '../../../errors/errors';
import { ScimGroups } from '../groups/scim-groups.service';
import { ScimUsers } from '../users/scim-users.service';
import type { ScimClient } from '../scim-client';
import { ScimError } from '../scim-error';
import { scimBase } from '../scim-address';
import { type ErrorResponse, toErrorResponse } from '../error-response';
import { readBulk } from './bulk-request';
import { BULK_RESPONSE_URN } from '../urns';
import { BulkRun, Unresolved } from './bulk-run';
import type { LoggedOperation } from '../../log/scim-log.service';
import type { BulkTarget } from './bulk-target';

/** The response to a bulk request. */
export interface BulkAnswer {
  body: object;
  operations: LoggedOperation[];
}

/** Executes many operations in one request (RFC 7644, section 3.7). */
@Injectable()
export class ScimBulk {
  private readonly logger = new Logger(ScimBulk.name);

  constructor(
    private readonly users: ScimUsers,
    private readonly groups: ScimGroups,
    private readonly environment: Environment,
    private readonly databaseErrors: DatabaseErrors,
  ) {}

  /**
   * Each operation is a transaction of its own: a failed one does not affect the others, up to `failOnErrors`.
   *
   * @throws ScimError for an error in the request as a whole; then nothing was done
   */
  async run(client: ScimClient, body: unknown): Promise<BulkAnswer> {
    const request = readBulk(body, client.ignored);
    const targets = new Map<string, BulkTarget>([
      ['/Users', inSteps(this.users)],
      ['/Groups', inSteps(this.groups)],
    ]);
    const base = scimBase(this.environment.publicUrl, client.orgId);
    const run = new BulkRun(request, client, { targets, base, report: (error) => this.report(error, client) });
    const outcomes = await run.perform();
    return {
      body: { schemas: [BULK_RESPONSE_URN], Operations: outcomes.map(({ result }) => result) },
      operations: outcomes.map(({ logged }) => logged),
    };
  }

  private report(error: unknown, { requestId }: ScimClient): ErrorResponse {
    if (error instanceof Unresolved) return { status: 409, detail: error.message };
    if (error instanceof ScimError || error instanceof DomainError || error instanceof ValidationError) {
      return toErrorResponse(error);
    }
    const translated = this.databaseErrors.translate(error);
    if (translated) return toErrorResponse(translated);
    this.logger.error(error, `Unexpected failure of a bulk operation (request ${requestId})`);
    return toErrorResponse(
      new DomainError(ErrorCode.InternalError, `Something went wrong on our side. Quote request ${requestId}.`),
    );
  }
}

/**
 * Each write gets the database time of a request: there is a separate limit for all together (`bulkMs`), but one that
 * begins just before it may finish.
 */
function inSteps(target: BulkTarget): BulkTarget {
  const createMany = target.createMany?.bind(target);
  return {
    create: (...values) => withDatabaseTimeOfStep(() => target.create(...values)),
    replace: (...values) => withDatabaseTimeOfStep(() => target.replace(...values)),
    patch: (...values) => withDatabaseTimeOfStep(() => target.patch(...values)),
    remove: (...values) => withDatabaseTimeOfStep(() => target.remove(...values)),
    createMany: createMany && ((...values) => withDatabaseTimeOfStep(() => createMany(...values))),
  };
}
