import { newId } from '../../../database/id';
import { nextTurn } from '../../../http/requests/next-turn';
import type { LoggedOperation } from '../../log/scim-log.service';
import { LIMITS } from '../limits';
import { ofOperation, type ScimClient } from '../scim-client';
import { errorBody, type ToldFailure } from '../scim-failure';
import type { ScimQuery, Written } from '../scim-resource';
import { BulkBatches } from './bulk-batches';
import { checkOperation, type CheckedOperation, invalid } from './bulk-operation';
import { pathWithIds, referencesIn, referencesInPath, split, withIds } from './bulk-references';
import type { BulkRequest } from './bulk-request';
import type { BulkTarget } from './bulk-target';
import { type Unfinished, WaitingReferences } from './waiting-references';

const PATCH_URN = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** The place of an operation in the answer (RFC 7644, section 3.7.3). */
export interface BulkResult {
  method?: string;
  bulkId?: string;
  location?: string;
  version?: string;
  status: string;
  /** For failures only. */
  response?: object;
}

/** What came of an operation: for the answer, and for the provisioning log. */
export interface BulkOutcome {
  result: BulkResult;
  logged: LoggedOperation;
}

/** What a run works with. */
export interface BulkWorld {
  targets: ReadonlyMap<string, BulkTarget>;
  /** The base address, for locations of what failed. */
  base: string;
  /** Says what a client is told of an error, whatever it is. */
  tell: (error: unknown) => ToldFailure;
}

/** What is told of the operations that are left then: nothing was done of them. */
const LATE: ToldFailure = { status: 503, detail: 'The request has run for too long. Send this operation again.' };

/** Nobody reads the resource: a bulk answer has none. */
const BARE: ScimQuery = { attributes: ['id'] };

/**
 * One bulk request on its way: in the order of the request, but what an operation refers to comes first. Each operation
 * fails or succeeds by itself; creations that follow one another share a transaction where they can. Of resources that
 * refer to one another in a circle, one is created without the reference and gets it as soon as it can (section 3.7.1).
 */
export class BulkRun {
  private readonly outcomes: (BulkOutcome | undefined)[];
  /** Each operation as a request of its own, for the log. */
  private readonly clients: ScimClient[];
  private readonly startedAt = new Map<number, number>();
  /** The places of the POSTs by their `bulkId`. */
  private readonly posts = new Map<string, number>();
  private readonly ids = new Map<string, string>();
  private readonly references = new Map<number, ReadonlySet<string>>();
  private readonly waiting = new WaitingReferences();
  private readonly batches: BulkBatches;
  private failures = 0;
  private readonly deadline = performance.now() + LIMITS.bulkMs;
  /** Set when the database went away. */
  private outage: ToldFailure | undefined;

  constructor(
    private readonly request: BulkRequest,
    client: ScimClient,
    private readonly world: BulkWorld,
  ) {
    this.outcomes = request.operations.map(() => undefined);
    this.clients = request.operations.map(() => ofOperation(client));
    for (const [index, { method, bulkId }] of request.operations.entries()) {
      if (method === 'POST' && typeof bulkId === 'string' && !this.posts.has(bulkId)) this.posts.set(bulkId, index);
    }
    this.batches = new BulkBatches(
      (index) => this.independentPost(index),
      BARE,
      // It logs what it does not know; what the client is told, each creation says when it is tried by itself.
      (error) => this.world.tell(error),
    );
  }

  /** @returns what came of all operations that were tried, in the order of the request */
  async perform(): Promise<BulkOutcome[]> {
    for (const index of this.outcomes.keys()) {
      // Here only, and not for what others refer to: between those of a batch nothing else is tried that may fail.
      if (!this.isOver && !this.left) await this.batches.createFrom(index);
      await this.tryOne(index);
    }
    // What it waited for was left, as there were too many failures.
    for (const one of this.waiting.rest()) this.giveUp(one);
    return this.outcomes.filter((outcome) => outcome !== undefined);
  }

  /** What is told of operations that have not begun yet, if they are not to. */
  private get left(): ToldFailure | undefined {
    // Each try would wait for a database that is not there.
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
    // What fails before it comes to the database, or leads to another one, waits for nothing else.
    await nextTurn();
    const left = ahead ? undefined : this.left;
    if (left) {
      this.fail(index, undefined, left);
      await this.followUp(index);
      return;
    }
    let checked: CheckedOperation | undefined;
    try {
      checked = this.check(index);
      const pending = await this.prepare(index, checked);
      if (!this.isOver) await this.execute(index, checked, pending);
    } catch (error) {
      this.fail(index, checked, this.world.tell(error));
    }
    await this.followUp(index);
  }

  /** @throws ScimError for what is wrong with the operation itself */
  private check(index: number): CheckedOperation {
    const operation = this.request.operations[index];
    if (!operation) throw new Error('There is such an operation.');
    const checked = checkOperation(operation, this.world.targets);
    if (checked.method === 'POST' && this.posts.get(checked.bulkId ?? '') !== index) {
      throw invalid('Another POST of this request has the same "bulkId".');
    }
    return checked;
  }

  /** @returns a creation that needs nothing of what other operations do, and has not been tried */
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
   * Does first what the operation refers to.
   *
   * @returns the `bulkId`s of those that are under way themselves: the references are circular
   * @throws ScimError for a reference to nothing; Unresolved for one to what failed
   */
  private async prepare(index: number, checked: CheckedOperation): Promise<Set<string>> {
    const pending = new Set<string>();
    for (const bulkId of this.referencesAt(index, checked)) {
      const place = this.posts.get(bulkId);
      if (place === undefined) throw invalid(`No POST of this request has the "bulkId" ${JSON.stringify(bulkId)}.`);
      await this.tryOne(place);
      if (this.ids.has(bulkId)) continue;
      if (this.outcomes[place] || this.isOver) throw new Unresolved(bulkId);
      pending.add(bulkId);
    }
    return pending;
  }

  /** @returns the `bulkId`s that an operation refers to; looked for once */
  private referencesAt(index: number, { id, data }: CheckedOperation): ReadonlySet<string> {
    const known = this.references.get(index);
    if (known) return known;
    const found = new Set([...referencesInPath(id), ...referencesIn(data)]);
    this.references.set(index, found);
    return found;
  }

  private async execute(index: number, checked: CheckedOperation, pending: Set<string>): Promise<void> {
    const { method, target, bulkId, ifMatch } = checked;
    const client = this.clientOf(index);
    const id = pathWithIds(checked.id, this.ids);
    const data = this.referencesAt(index, checked).size > 0 ? withIds(checked.data, this.ids) : checked.data;
    switch (method) {
      case 'POST': {
        const parts = pending.size > 0 && isObject(data) ? split(data, pending) : undefined;
        const made = this.batches.take(index)?.written ?? (await target.create(client, parts?.now ?? data, BARE));
        if (bulkId !== undefined) this.ids.set(bulkId, made.id);
        if (parts) this.waiting.add({ index, checked, id: made.id, later: parts.later }, pending);
        return this.succeed(index, checked, 201, made);
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

  /** Gives resources the references that they were created without, as soon as all of them are there. */
  private async followUp(index: number): Promise<void> {
    const { bulkId } = this.request.operations[index] ?? {};
    if (typeof bulkId !== 'string' || this.posts.get(bulkId) !== index || !this.outcomes[index]) return;
    if (!this.ids.has(bulkId)) {
      for (const one of this.waiting.without(bulkId)) this.giveUp(one);
      return;
    }
    for (const { index: own, checked, id, later } of this.waiting.with(bulkId)) {
      const operations = [{ op: 'add', value: withIds(later, this.ids) }];
      try {
        const client = this.clientOf(own);
        const written = await checked.target.patch(client, id, { schemas: [PATCH_URN], Operations: operations }, {});
        this.succeed(own, checked, 201, written);
      } catch (error) {
        this.fail(own, { ...checked, id }, this.world.tell(error));
      }
    }
  }

  private giveUp({ index, checked, id, waitsFor }: Unfinished): void {
    const missing = [...waitsFor].find((bulkId) => !this.ids.has(bulkId)) ?? '';
    const detail = `It was created, but without its reference to ${JSON.stringify(missing)}, which was not.`;
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

  private fail(index: number, checked: CheckedOperation | undefined, failure: ToldFailure): void {
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
    if (!client) throw new Error('There is a client for each operation.');
    return client;
  }

  /** @returns the id that a reference in a path stands for; undefined: the path says it itself, or nothing does */
  private resolvedId(path: unknown): string | undefined {
    const [bulkId] = typeof path === 'string' ? referencesInPath(path) : [];
    return bulkId === undefined ? undefined : this.ids.get(bulkId);
  }

  private locationOf({ endpoint, id }: CheckedOperation): string {
    return `${this.world.base}${endpoint}/${pathWithIds(id, this.ids)}`;
  }
}

/** What an operation refers to has failed (RFC 7644, section 3.7.1: 409). */
export class Unresolved extends Error {
  constructor(readonly bulkId: string) {
    super(`The operation with the "bulkId" ${JSON.stringify(bulkId)} failed, and this one refers to it.`);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
