import type { Filter } from '../filter/filter';
import { ScimError } from '../scim-error';

/** A step of a PATCH of a group. Member ids are as sent, each once. */
export type GroupStep =
  | { kind: 'set'; displayName?: string; externalId?: string | null }
  | { kind: 'add'; members: string[] }
  | { kind: 'remove'; members: string[] }
  /** Remove the members that match the content of the brackets of `members[…]`, unless it lists ids. */
  | { kind: 'removeMatching'; filter: Filter }
  /** Replace all members; an empty list clears the group. */
  | { kind: 'replace'; members: string[] };

type Attributes = Omit<Extract<GroupStep, { kind: 'set' }>, 'kind'>;

/** Each is a statement of its own. */
const MAX_FILTERS = 64;

/**
 * Collects the effects of operations on a group and reduces them to few steps: the last value set wins, and so does the
 * last operation on each member, as membership has no order; a member that a later operation removes again need not
 * exist. Only a filter must see the members as they are at its turn, so the steps before it stay before it. Without
 * filters there are at most three steps, however many operations there were.
 */
export class GroupPlan {
  private attributes: Attributes | undefined;
  private readonly completedSteps: GroupStep[] = [];
  private filters = 0;
  /** Whether members that no operation mentions stay. */
  private keepsOthers = true;
  /** The last operation on each member since the last filter, by lower-cased id: UUIDs are case-insensitive. */
  private readonly lastOperations = new Map<string, { id: string; isIn: boolean }>();

  set(attributes: Attributes): void {
    this.attributes = { ...this.attributes, ...attributes };
  }

  add(members: readonly string[]): void {
    for (const id of members) this.lastOperations.set(id.toLowerCase(), { id, isIn: true });
  }

  remove(members: readonly string[]): void {
    for (const id of members) this.lastOperations.set(id.toLowerCase(), { id, isIn: false });
  }

  replace(members: readonly string[]): void {
    // Undoes everything before, including filters, which no longer have any effect.
    this.completedSteps.length = 0;
    this.lastOperations.clear();
    this.keepsOthers = false;
    this.add(members);
  }

  /** @throws ScimError `tooMany` */
  removeMatching(filter: Filter): void {
    if (++this.filters > MAX_FILTERS) {
      throw new ScimError('tooMany', `There are more than ${MAX_FILTERS} filters on members.`);
    }
    this.completedSteps.push(...this.pendingSteps(), { kind: 'removeMatching', filter });
    this.lastOperations.clear();
    this.keepsOthers = true;
  }

  /** @returns the steps, in order */
  steps(): GroupStep[] {
    const attributes: GroupStep[] = this.attributes ? [{ kind: 'set', ...this.attributes }] : [];
    return [...attributes, ...this.completedSteps, ...this.pendingSteps()];
  }

  private pendingSteps(): GroupStep[] {
    const operations = [...this.lastOperations.values()];
    const added = operations.filter(({ isIn }) => isIn).map(({ id }) => id);
    const removed = operations.filter(({ isIn }) => !isIn).map(({ id }) => id);
    if (!this.keepsOthers) return [{ kind: 'replace', members: added }];
    const steps: GroupStep[] = [];
    if (removed.length > 0) steps.push({ kind: 'remove', members: removed });
    if (added.length > 0) steps.push({ kind: 'add', members: added });
    return steps;
  }
}
