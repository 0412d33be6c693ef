import type { CheckedOperation } from './bulk-operation';

/** A resource that was created without some of its references. */
export interface Unfinished {
  index: number;
  checked: CheckedOperation;
  id: string;
  /** The attributes with these references. */
  later: Record<string, unknown>;
  /** The `bulkId`s of what is not there yet. */
  waitsFor: Set<string>;
}

/** Which resources wait for which others: looked up by what arrives, so that all of it takes as long as there are references. */
export class WaitingReferences {
  private readonly byBulkId = new Map<string, Set<Unfinished>>();

  add(resource: Omit<Unfinished, 'waitsFor'>, waitsFor: ReadonlySet<string>): void {
    const one = { ...resource, waitsFor: new Set(waitsFor) };
    for (const bulkId of waitsFor) {
      const all = this.byBulkId.get(bulkId) ?? new Set();
      this.byBulkId.set(bulkId, all.add(one));
    }
  }

  /** @param bulkId of what was created. @returns those that wait for nothing more; they are forgotten */
  with(bulkId: string): Unfinished[] {
    const all = [...(this.byBulkId.get(bulkId) ?? [])];
    this.byBulkId.delete(bulkId);
    for (const { waitsFor } of all) waitsFor.delete(bulkId);
    return all.filter(({ waitsFor }) => waitsFor.size === 0);
  }

  /** @param bulkId of what failed. @returns those that wait for it, in vain; they are forgotten */
  without(bulkId: string): Unfinished[] {
    const all = [...(this.byBulkId.get(bulkId) ?? [])];
    for (const one of all) this.forget(one);
    return all;
  }

  /** @returns all that still wait; they are forgotten */
  rest(): Unfinished[] {
    const all = new Set([...this.byBulkId.values()].flatMap((some) => [...some]));
    this.byBulkId.clear();
    return [...all];
  }

  private forget(one: Unfinished): void {
    for (const bulkId of one.waitsFor) {
      const all = this.byBulkId.get(bulkId);
      all?.delete(one);
      if (all?.size === 0) this.byBulkId.delete(bulkId);
    }
  }
}
