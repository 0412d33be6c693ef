import { Injectable } from '@nestjs/common';
import type { Fault } from '../../errors/errors';

/** Says what is wrong with a text, or nothing. */
export type TextCheck = (text: string) => Omit<Fault, 'loc'> | undefined;

/**
 * Says what is wrong with the fields of an object, taken together; `loc` begins below the object. The schema's other
 * rules may not hold for what it is given.
 */
export type ObjectCheck = (value: Readonly<Record<string, unknown>>) => Fault[];

/**
 * Rules that JSON Schema cannot say. A decorator names one for texts as its `format`, which the document has as
 * `x-format`, and one for an object as `x-check`, so that their faults are found together with all others. The module
 * that knows the rule registers it when it is made.
 */
@Injectable()
export class TextChecks {
  private readonly checks = new Map<string, TextCheck>();
  private readonly standards = new Map<string, string>();
  private readonly objectChecks = new Map<string, ObjectCheck>();

  /**
   * @param format the name by which the document refers to the rule
   * @param standard a format of JSON Schema that every such text has too, for clients that do not know ours
   */
  register(format: string, check: TextCheck, standard?: string): void {
    this.checks.set(format, check);
    if (standard !== undefined) this.standards.set(format, standard);
  }

  /** @throws Error when nobody registered it */
  get(format: string): TextCheck {
    const check = this.checks.get(format);
    if (!check) throw new Error(`Nobody registered the format ${format}.`);
    return check;
  }

  /** @returns the format of JSON Schema beside one of ours */
  standardOf(format: string): string | undefined {
    return this.standards.get(format);
  }

  formats(): string[] {
    return [...this.checks.keys()];
  }

  /** @param name the `x-check` by which the document refers to the rule */
  registerObject(name: string, check: ObjectCheck): void {
    this.objectChecks.set(name, check);
  }

  /** @throws Error when nobody registered it: the document must not promise what is not checked */
  ofObject(name: string): ObjectCheck {
    const check = this.objectChecks.get(name);
    if (!check) throw new Error(`Nobody registered the check ${name}.`);
    return check;
  }
}
