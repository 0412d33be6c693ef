import type { CheckedOperation } from './bulk-operation';

/** A resource that was created without some of its references. */
export interface Unfinished {
  index: number;
  checked: CheckedOperation;
  id: string;
  /** The attributes with these references. */
  later: Record<string, unknown>;
  /** The `bulkId`s of resources that do not exist yet. */
  waitsFor: Set<string>;
}

/**
 * Which resources wait for which others. Indexed by what they wait for, so the total work is linear in the references.
 */
export class WaitingReferences {
  private readonly byBulkId = new Map<string, Set<Unfinished>>();

  add(resource: Omit<Unfinished, 'waitsFor'>, waitsFor: ReadonlySet<string>): void {
    const unfinished = { ...resource, waitsFor: new Set(waitsFor) };
    for (const bulkId of waitsFor) {
      const waiting = this.byBulkId.get(bulkId) ?? new Set();
      this.byBulkId.set(bulkId, waiting.add(unfinished));
    }
  }

  /** @param bulkId of a created resource. @returns and removes those that now wait for nothing */
  resolve(bulkId: string): Unfinished[] {
    const waiting = [...(this.byBulkId.get(bulkId) ?? [])];
    this.byBulkId.delete(bulkId);
    for (const { waitsFor } of waiting) waitsFor.delete(bulkId);
    return waiting.filter(({ waitsFor }) => waitsFor.size === 0);
  }

  /** @param bulkId of a failed operation. @returns and removes those that wait for it */
  abandon(bulkId: string): Unfinished[] {
    const waiting = [...(this.byBulkId.get(bulkId) ?? [])];
    for (const unfinished of waiting) this.remove(unfinished);
    return waiting;
  }

  /** @returns and removes all that still wait */
  takeAll(): Unfinished[] {
    const waiting = new Set([...this.byBulkId.values()].flatMap((some) => [...some]));
    this.byBulkId.clear();
    return [...waiting];
  }

  private remove(unfinished: Unfinished): void {
    for (const bulkId of unfinished.waitsFor) {
      const waiting = this.byBulkId.get(bulkId);
      waiting?.delete(unfinished);
      if (waiting?.size === 0) this.byBulkId.delete(bulkId);
    }
  }
}
