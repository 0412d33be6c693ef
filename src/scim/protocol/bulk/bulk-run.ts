import { newId } from '../../../database/id';
import { nextTurn } from '../../../http/requests/next-turn';
import type { LoggedOperation } from '../../log/scim-log.service';
import { LIMITS } from '../limits';
import { isObject } from '../../../http/requests/json-object';
import { ofOperation, type ScimClient } from '../scim-client';
import { errorBody, type ErrorResponse } from '../error-response';
import type { ScimQuery, Written } from '../scim-resource';
import { BulkBatches } from './bulk-batches';
import { type CheckedOperation, checkOperation, invalid } from './bulk-operation';
import { pathWithIds, referencesIn, referencesInPath, split, withIds } from './bulk-references';
import type { BulkRequest } from './bulk-request';
import type { BulkTarget } from './bulk-target';
import { type Unfinished, WaitingReferences } from './waiting-references';
import { PATCH_URN } from '../urns';
import { resourceAddress } from '../scim-address';

/** The result of an operation in the response (RFC 7644, section 3.7.3). */
export interface BulkResult {
  method?: string;
  bulkId?: string;
  location?: string;
  version?: string;
  status: string;
  /** For failures only. */
  response?: object;
}

/** The outcome of an operation: for the response, and for the provisioning log. */
export interface BulkOutcome {
  result: BulkResult;
  logged: LoggedOperation;
}

/** The environment of a run. */
export interface BulkContext {
  targets: ReadonlyMap<string, BulkTarget>;
  /** The base URL, for locations of failed operations. */
  base: string;
  /** Maps any error to what the client is told. */
  report: (error: unknown) => ErrorResponse;
}

/** The result of operations that were not started in time; nothing was done for them. */
const LATE: ErrorResponse = { status: 503, detail: 'The request has run for too long. Send this operation again.' };

/** No resource is needed: a bulk response contains none. */
const BARE: ScimQuery = { attributes: ['id'] };

/**
 * Executes one bulk request: in order, except that dependencies of an operation come first. Each operation fails or
 * succeeds by itself; consecutive creations share a transaction where possible. If resources refer to one another in a
 * circle, one is created without the reference and updated as soon as possible (section 3.7.1).
 */
export class BulkRun {
  private readonly outcomes: (BulkOutcome | undefined)[];
  /** Each operation as a request of its own, for the log. */
  private readonly clients: ScimClient[];
  private readonly startedAt = new Map<number, number>();
  /** The indexes of the POSTs by their `bulkId`. */
  private readonly posts = new Map<string, number>();
  private readonly ids = new Map<string, string>();
  private readonly references = new Map<number, ReadonlySet<string>>();
  private readonly waiting = new WaitingReferences();
  private readonly batches: BulkBatches;
  private failures = 0;
  private readonly deadline = performance.now() + LIMITS.bulkMs;
  /** Set when the database becomes unavailable. */
  private outage: ErrorResponse | undefined;

  constructor(
    private readonly request: BulkRequest,
    client: ScimClient,
    private readonly context: BulkContext,
  ) {
    this.outcomes = request.operations.map(() => undefined);
    this.clients = request.operations.map(() => ofOperation(client));
    for (const [index, { method, bulkId }] of request.operations.entries()) {
      if (method === 'POST' && typeof bulkId === 'string' && !this.posts.has(bulkId)) this.posts.set(bulkId, index);
    }
    this.batches = new BulkBatches(
      (index) => this.independentPost(index),
      BARE,
      (error) => this.context.report(error),
    );
  }

  /** @returns the outcomes of all operations that were attempted, in the order of the request */
  async perform(): Promise<BulkOutcome[]> {
    for (const index of this.outcomes.keys()) {
      // Only here, and not for dependencies: nothing that may fail is attempted between the operations of a batch.
      if (!this.isOver && !this.skipReason) await this.batches.createFrom(index);
      await this.tryOne(index);
    }
    // Their dependencies were skipped, because there were too many failures.
    for (const resource of this.waiting.takeAll()) this.giveUp(resource);
    return this.outcomes.filter((outcome) => outcome !== undefined);
  }

  /** Why operations that have not been started are skipped; undefined: they are not. */
  private get skipReason(): ErrorResponse | undefined {
    // Each attempt would wait for an unavailable database.
    return this.outage ?? (performance.now() > this.deadline ? LATE : undefined);
  }

  private get isOver(): boolean {
    return this.failures >= this.request.failOnErrors;
  }

  private async tryOne(index: number): Promise<void> {
    const operation = this.request.operations[index];
    if (!operation || this.startedAt.has(index) || this.isOver) return;
    const ahead = this.batches.take(index);
    this.startedAt.set(index, performance.now() - (ahead?.tookMs ?? 0));
    // An operation that fails early, or only starts another one, would otherwise never yield.
    await nextTurn();
    const skipReason = ahead ? undefined : this.skipReason;
    if (skipReason) {
      this.fail(index, undefined, skipReason);
      await this.followUp(index);
      return;
    }
    let checked: CheckedOperation | undefined;
    try {
      checked = this.check(index);
      const pending = await this.prepare(index, checked);
      if (!this.isOver) await this.execute(index, checked, pending);
    } catch (error) {
      this.fail(index, checked, this.context.report(error));
    }
    await this.followUp(index);
  }

  /** @throws ScimError for an error in the operation itself */
  private check(index: number): CheckedOperation {
    const operation = this.request.operations[index];
    if (!operation) throw new Error(`The bulk request has no operation ${index}.`);
    const checked = checkOperation(operation, this.context.targets);
    if (checked.method === 'POST' && this.posts.get(checked.bulkId ?? '') !== index) {
      throw invalid('Another POST of this request has the same "bulkId".');
    }
    return checked;
  }

  /** @returns a creation without dependencies that has not been attempted */
  private independentPost(index: number): { client: ScimClient; checked: CheckedOperation } | undefined {
    const client = this.clients[index];
    if (!client || this.startedAt.has(index)) return undefined;
    try {
      const checked = this.check(index);
      const isIndependent = checked.method === 'POST' && this.referencesAt(index, checked).size === 0;
      return isIndependent ? { client, checked } : undefined;
    } catch {
      return undefined;
    }
  }

  /**
   * Executes the dependencies of the operation first.
   *
   * @returns the `bulkId`s of those that are in progress themselves: the references are circular
   * @throws ScimError for a reference to nothing; Unresolved for one to a failed operation
   */
  private async prepare(index: number, checked: CheckedOperation): Promise<Set<string>> {
    const pending = new Set<string>();
    for (const bulkId of this.referencesAt(index, checked)) {
      const postIndex = this.posts.get(bulkId);
      if (postIndex === undefined) throw invalid(`No POST of this request has the "bulkId" ${JSON.stringify(bulkId)}.`);
      await this.tryOne(postIndex);
      if (this.ids.has(bulkId)) continue;
      if (this.outcomes[postIndex] || this.isOver) throw new Unresolved(bulkId);
      pending.add(bulkId);
    }
    return pending;
  }

  /** @returns the `bulkId`s that an operation refers to; cached */
  private referencesAt(index: number, { id, data }: CheckedOperation): ReadonlySet<string> {
    const cached = this.references.get(index);
    if (cached) return cached;
    const bulkIds = new Set([...referencesInPath(id), ...referencesIn(data)]);
    this.references.set(index, bulkIds);
    return bulkIds;
  }

  private async execute(index: number, checked: CheckedOperation, pending: Set<string>): Promise<void> {
    const { method, target, bulkId, ifMatch } = checked;
    const client = this.clientOf(index);
    const id = pathWithIds(checked.id, this.ids);
    const data = this.referencesAt(index, checked).size > 0 ? withIds(checked.data, this.ids) : checked.data;
    switch (method) {
      case 'POST': {
        const parts = pending.size > 0 && isObject(data) ? split(data, pending) : undefined;
        const created = this.batches.take(index)?.written ?? (await target.create(client, parts?.now ?? data, BARE));
        if (bulkId !== undefined) this.ids.set(bulkId, created.id);
        if (parts) this.waiting.add({ index, checked, id: created.id, later: parts.later }, pending);
        return this.succeed(index, checked, 201, created);
      }
      case 'PUT':
        return this.succeed(index, checked, 200, await target.replace(client, id, data, BARE, ifMatch));
      case 'PATCH': {
        const written = await target.patch(client, id, data, {}, ifMatch);
        return this.succeed(index, checked, written.resource ? 200 : 204, written);
      }
      case 'DELETE':
        await target.remove(client, id, ifMatch);
        return this.succeed(index, checked, 204, undefined);
    }
  }

  /** Adds the references that resources were created without, as soon as all of them can be resolved. */
  private async followUp(index: number): Promise<void> {
    const { bulkId } = this.request.operations[index] ?? {};
    if (typeof bulkId !== 'string' || this.posts.get(bulkId) !== index || !this.outcomes[index]) return;
    if (!this.ids.has(bulkId)) {
      for (const resource of this.waiting.abandon(bulkId)) this.giveUp(resource);
      return;
    }
    for (const { index: own, checked, id, later } of this.waiting.resolve(bulkId)) {
      const operations = [{ op: 'add', value: withIds(later, this.ids) }];
      try {
        const client = this.clientOf(own);
        const written = await checked.target.patch(client, id, { schemas: [PATCH_URN], Operations: operations }, {});
        this.succeed(own, checked, 201, written);
      } catch (error) {
        this.fail(own, { ...checked, id }, this.context.report(error));
      }
    }
  }

  private giveUp({ index, checked, id, waitsFor }: Unfinished): void {
    const missing = [...waitsFor].find((bulkId) => !this.ids.has(bulkId)) ?? '';
    const detail = `Created, but without its reference to ${JSON.stringify(missing)}, which was not created.`;
    this.fail(index, { ...checked, id }, { status: 409, detail });
  }

  private succeed(index: number, checked: CheckedOperation, status: number, written: Written | undefined): void {
    const { method, bulkId } = checked;
    const result: BulkResult = {
      method,
      ...(bulkId === undefined ? {} : { bulkId }),
      ...(written ? { location: written.location, version: written.version } : { location: this.locationOf(checked) }),
      status: String(status),
    };
    this.settle(index, result, { status, resourceId: written?.id });
  }

  private fail(index: number, checked: CheckedOperation | undefined, failure: ErrorResponse): void {
    this.failures += 1;
    if (failure.status === 503) this.outage = failure;
    const { method, bulkId } = this.request.operations[index] ?? {};
    const { status, scimType, detail } = failure;
    const result: BulkResult = {
      ...(typeof method === 'string' ? { method } : {}),
      ...(typeof bulkId === 'string' ? { bulkId } : {}),
      ...(checked && checked.id !== '' ? { location: this.locationOf(checked) } : {}),
      status: String(status),
      response: errorBody(failure),
    };
    this.settle(index, result, { status, scimType, error: detail });
  }

  private settle(
    index: number,
    result: BulkResult,
    answer: Pick<LoggedOperation, 'status' | 'resourceId' | 'scimType' | 'error'>,
  ): void {
    const { method, path, data } = this.request.operations[index] ?? {};
    const durationMs = performance.now() - (this.startedAt.get(index) ?? 0);
    const resourceId = answer.resourceId ?? this.resolvedId(path);
    const client = this.clientOf(index);
    const logged = { id: newId(), index, client, method, path, body: data, durationMs, ...answer, resourceId };
    this.outcomes[index] = { result, logged };
  }

  private clientOf(index: number): ScimClient {
    const client = this.clients[index];
    if (!client) throw new Error(`The operation ${index} has no client.`);
    return client;
  }

  /**
   * @returns the id that a reference in a path resolves to; undefined if the path has no reference, or an unresolved
   * one
   */
  private resolvedId(path: unknown): string | undefined {
    const [bulkId] = typeof path === 'string' ? referencesInPath(path) : [];
    return bulkId === undefined ? undefined : this.ids.get(bulkId);
  }

  private locationOf({ endpoint, id }: CheckedOperation): string {
    return resourceAddress(this.context.base, { endpoint }, pathWithIds(id, this.ids));
  }
}

/** The operation refers to one that failed (RFC 7644, section 3.7.1: 409). */
export class Unresolved extends Error {
  constructor(readonly bulkId: string) {
    super(`The operation with the "bulkId" ${JSON.stringify(bulkId)} failed, and this one refers to it.`);
  }
}
