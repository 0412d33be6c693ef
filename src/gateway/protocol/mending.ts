import { jsonPointer } from '../../http/requests/json-pointer';
import type { Edit, Path } from './json-edits';

/** A report names so many places of what was mended. */
const MAX_NAMED = 5;
/** Names of properties can be as long as a definition. In characters. */
const MAX_POINTER_LENGTH = 160;

/** Collects what makes a definition valid, and why, for the report. */
export class Mending {
  readonly edits: Edit[] = [];
  private readonly faults: string[] = [];

  /** @param fault what is wrong there: "is null" */
  drop(path: Path, fault: string): void {
    this.edits.push({ path, what: 'remove' });
    this.note(path, `${fault}: dropped`);
  }

  /** @param fault what is wrong there, and what was done about it */
  set(path: Path, value: unknown, fault: string): void {
    this.edits.push({ path, what: 'set', value });
    this.note(path, fault);
  }

  /** Says what is wrong where other code mends it. */
  note(path: Path, fault: string): void {
    const pointer = jsonPointer(path);
    const shown = pointer.length > MAX_POINTER_LENGTH ? `${pointer.slice(0, MAX_POINTER_LENGTH)}…` : pointer;
    this.faults.push(`${shown} ${fault}`);
  }

  /** Takes over what was found in a part. */
  add(edits: readonly Edit[], other: Mending): void {
    this.edits.push(...edits);
    this.faults.push(...other.faults);
  }

  get isNeeded(): boolean {
    return this.faults.length > 0;
  }

  /** @returns one sentence for the editors of a bundle */
  get summary(): string {
    const named = this.faults.slice(0, MAX_NAMED).join('; ');
    const rest = this.faults.length - MAX_NAMED;
    return rest > 0 ? `${named}; and ${rest} more.` : `${named}.`;
  }
}

/** @returns what a value is, for people */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'string':
      return 'a text';
    case 'number':
      return 'a number';
    case 'boolean':
      return String(value);
    default:
      return 'an object';
  }
}
