import { LIMITS } from '../limits';
import { ScimError } from '../scim-error';
import { errorBody, type ToldFailure } from '../scim-failure';
import type { ScimQuery, Written } from '../scim-resource';
import { BULK_METHODS, type BulkMethod, type BulkOperation, type BulkRequest } from './bulk-request';
import { pathWithIds, referencesIn, referencesInPath, split, withIds } from './bulk-references';

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

/** What can be done with the resources of one type. */
export interface BulkTarget {
  create(data: unknown, query: ScimQuery): Promise<Written>;
  replace(id: string, data: unknown, query: ScimQuery, ifMatch?: string): Promise<Written>;
  patch(id: string, data: unknown, query: ScimQuery, ifMatch?: string): Promise<Written>;
  remove(id: string, ifMatch?: string): Promise<void>;
}

/** What a run works with. */
export interface BulkWorld {
  targets: ReadonlyMap<string, BulkTarget>;
  /** The base address, for locations of what failed. */
  base: string;
  /** Says what a client is told of an error, whatever it is. */
  tell: (error: unknown) => ToldFailure;
}

/** An operation that can be tried. */
interface Checked {
  method: BulkMethod;
  target: BulkTarget;
  /** `/Users` or `/Groups`. */
  endpoint: string;
  /** With references, if it has some; empty for POST. */
  id: string;
  bulkId: string | undefined;
  ifMatch: string | undefined;
  data: unknown;
}

/** A resource that was created without some of its references. */
interface Unfinished {
  index: number;
  checked: Checked;
  id: string;
  waitsFor: Set<string>;
  later: Record<string, unknown>;
}

/** What is told of the operations that are left then: nothing was done of them. */
const LATE: ToldFailure = { status: 503, detail: 'The request has taken long already. Send this operation again.' };

/** Nobody reads the resource: a bulk answer has none. */
const BARE: ScimQuery = { attributes: ['id'] };

/**
 * One bulk request on its way: each operation is a transaction of its own, in the order of the request, but what an
 * operation refers to comes first. Of resources that refer to one another in a circle, one is created without the
 * reference and gets it as soon as it can (section 3.7.1).
 */
export class BulkRun {
  private readonly results: (BulkResult | undefined)[];
  private readonly started = new Set<number>();
  /** The places of the POSTs by their `bulkId`. */
  private readonly posts = new Map<string, number>();
  private readonly ids = new Map<string, string>();
  private unfinished: Unfinished[] = [];
  private failures = 0;
  private readonly deadline = performance.now() + LIMITS.bulkMs;
  /** Set when the database went away. */
  private outage: ToldFailure | undefined;

  constructor(
    private readonly request: BulkRequest,
    private readonly world: BulkWorld,
  ) {
    this.results = request.operations.map(() => undefined);
    for (const [index, { method, bulkId }] of request.operations.entries()) {
      if (method === 'POST' && typeof bulkId === 'string' && !this.posts.has(bulkId)) this.posts.set(bulkId, index);
    }
  }

  /** @returns the places of all operations that were tried, in the order of the request */
  async perform(): Promise<BulkResult[]> {
    for (const index of this.results.keys()) await this.tryOne(index);
    // What it waited for was left, as there were too many failures.
    for (const one of this.unfinished) this.giveUp(one);
    return this.results.filter((result) => result !== undefined);
  }

  private get isOver(): boolean {
    return this.failures >= this.request.failOnErrors;
  }

  private async tryOne(index: number): Promise<void> {
    const operation = this.request.operations[index];
    if (!operation || this.started.has(index) || this.isOver) return;
    this.started.add(index);
    // Each try would wait for a database that is not there.
    const left = this.outage ?? (performance.now() > this.deadline ? LATE : undefined);
    if (left) {
      this.fail(index, undefined, left);
      return;
    }
    let checked: Checked | undefined;
    try {
      checked = this.check(operation, index);
      const pending = await this.prepare(checked);
      if (!this.isOver) this.results[index] = await this.execute(index, checked, pending);
    } catch (error) {
      this.fail(index, checked, this.world.tell(error));
    }
    await this.finishOthers();
  }

  /** @throws ScimError for what is wrong with the operation itself */
  private check({ method, bulkId, version, path, data }: BulkOperation, index: number): Checked {
    const known = BULK_METHODS.find((one) => one === method);
    if (!known) throw invalid('"method" is POST, PUT, PATCH or DELETE.');
    if (bulkId !== undefined && (typeof bulkId !== 'string' || bulkId === '')) throw invalid('"bulkId" is a text.');
    if (version !== undefined && typeof version !== 'string') throw invalid('"version" is an entity tag.');
    const [, endpoint = '', id = ''] = (typeof path === 'string' && /^(\/[^/?]+)(?:\/([^/?]+))?$/.exec(path)) || [];
    const target = this.world.targets.get(endpoint);
    if (!target) throw invalid('"path" begins with /Users or /Groups.');
    if (known === 'POST') {
      if (id !== '') throw invalid('"path" of a POST is /Users or /Groups.');
      if (bulkId === undefined) throw invalid('A POST needs a "bulkId" (RFC 7644, section 3.7.2).');
      if (this.posts.get(bulkId) !== index) throw invalid('Another POST of this request has the same "bulkId".');
    } else if (id === '') {
      throw invalid(`"path" of a ${known} names a resource: ${endpoint}/{id}.`);
    }
    return { method: known, target, endpoint, id, bulkId, ifMatch: version, data };
  }

  /**
   * Does first what the operation refers to.
   *
   * @returns the `bulkId`s of those that are under way themselves: the references are circular
   * @throws ScimError for a reference to nothing; Unresolved for one to what failed
   */
  private async prepare({ id, data }: Checked): Promise<Set<string>> {
    const pending = new Set<string>();
    for (const bulkId of new Set([...referencesInPath(id), ...referencesIn(writable(data))])) {
      const index = this.posts.get(bulkId);
      if (index === undefined) throw invalid(`No POST of this request has the "bulkId" ${JSON.stringify(bulkId)}.`);
      await this.tryOne(index);
      if (this.ids.has(bulkId)) continue;
      if (this.results[index] || this.isOver) throw new Unresolved(bulkId);
      pending.add(bulkId);
    }
    return pending;
  }

  private async execute(index: number, checked: Checked, pending: Set<string>): Promise<BulkResult> {
    const { method, target, bulkId, ifMatch } = checked;
    const id = pathWithIds(checked.id, this.ids);
    const data = withIds(checked.data, this.ids);
    switch (method) {
      case 'POST': {
        const parts = pending.size > 0 && isObject(data) ? split(data, pending) : undefined;
        const made = await target.create(parts?.now ?? data, BARE);
        if (bulkId !== undefined) this.ids.set(bulkId, made.id);
        if (parts) this.unfinished.push({ index, checked, id: made.id, waitsFor: pending, later: parts.later });
        return placeOf(checked, 201, made);
      }
      case 'PUT':
        return placeOf(checked, 200, await target.replace(id, data, BARE, ifMatch));
      case 'PATCH': {
        const written = await target.patch(id, data, {}, ifMatch);
        return placeOf(checked, written.resource ? 200 : 204, written);
      }
      case 'DELETE':
        await target.remove(id, ifMatch);
        return { ...placeOf(checked, 204), location: this.locationOf(checked) };
    }
  }

  /** Gives resources the references that they were created without, as soon as all of them are there. */
  private async finishOthers(): Promise<void> {
    const ready = this.unfinished.filter(({ waitsFor }) => [...waitsFor].every((bulkId) => this.ids.has(bulkId)));
    this.unfinished = this.unfinished.filter((one) => !ready.includes(one));
    for (const { index, checked, id, later } of ready) {
      const operations = [{ op: 'add', value: withIds(later, this.ids) }];
      try {
        const written = await checked.target.patch(id, { schemas: [PATCH_URN], Operations: operations }, {});
        this.results[index] = placeOf(checked, 201, written);
      } catch (error) {
        this.fail(index, { ...checked, id }, this.world.tell(error));
      }
    }
    const failed = ({ waitsFor }: Unfinished) => [...waitsFor].some((bulkId) => this.hasFailed(bulkId));
    for (const one of this.unfinished.filter(failed)) this.giveUp(one);
    this.unfinished = this.unfinished.filter((one) => !failed(one));
  }

  private hasFailed(bulkId: string): boolean {
    return !this.ids.has(bulkId) && this.results[this.posts.get(bulkId) ?? -1] !== undefined;
  }

  private giveUp({ index, checked, id, waitsFor }: Unfinished): void {
    const missing = [...waitsFor].find((bulkId) => !this.ids.has(bulkId)) ?? '';
    const detail = `It was created, but without its reference to ${JSON.stringify(missing)}, which was not.`;
    this.fail(index, { ...checked, id }, { status: 409, detail });
  }

  private fail(index: number, checked: Checked | undefined, failure: ToldFailure): void {
    this.failures += 1;
    if (failure.status === 503) this.outage = failure;
    const { method, bulkId } = this.request.operations[index] ?? {};
    this.results[index] = {
      ...(typeof method === 'string' ? { method } : {}),
      ...(typeof bulkId === 'string' ? { bulkId } : {}),
      ...(checked && checked.id !== '' ? { location: this.locationOf(checked) } : {}),
      status: String(failure.status),
      response: errorBody(failure),
    };
  }

  private locationOf({ endpoint, id }: Checked): string {
    return `${this.world.base}${endpoint}/${pathWithIds(id, this.ids)}`;
  }
}

/** What an operation refers to has failed (RFC 7644, section 3.7.1: 409). */
export class Unresolved extends Error {
  constructor(readonly bulkId: string) {
    super(`The operation with the "bulkId" ${JSON.stringify(bulkId)} failed, and this one refers to it.`);
  }
}

function invalid(detail: string): ScimError {
  return new ScimError('invalidValue', detail);
}

function placeOf({ method, bulkId }: Checked, status: number, written?: Written): BulkResult {
  return {
    method,
    ...(bulkId === undefined ? {} : { bulkId }),
    ...(written ? { location: written.location, version: written.version } : {}),
    status: String(status),
  };
}

/** Without `groups` of a user, which nobody may write: what it refers to is not waited for. */
function writable(data: unknown): unknown {
  if (!isObject(data)) return data;
  return Object.fromEntries(Object.entries(data).filter(([name]) => name.toLowerCase() !== 'groups'));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
