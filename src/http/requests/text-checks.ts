import { Injectable } from '@nestjs/common';
import type { Fault } from '../../errors/errors';

/** @returns what is wrong with a text, or nothing */
export type TextCheck = (text: string) => Omit<Fault, 'loc'> | undefined;

/**
 * Reports what is wrong with the fields of an object, taken together; `loc` begins below the object. Its argument may
 * violate the schema's other rules.
 */
export type ObjectCheck = (value: Readonly<Record<string, unknown>>) => Fault[];

/**
 * Rules that JSON Schema cannot express. A decorator names one for strings as its `format`, which the document has as
 * `x-format`, and one for an object as `x-check`, so that their errors are reported together with all others. The
 * module that defines the rule registers it on construction.
 */
@Injectable()
export class TextChecks {
  private readonly checks = new Map<string, TextCheck>();
  private readonly standards = new Map<string, string>();
  private readonly objectChecks = new Map<string, ObjectCheck>();

  /**
   * @param format the name by which the document refers to the rule
   * @param standard a JSON Schema format that every such text also satisfies, for clients that do not know ours
   */
  register(format: string, check: TextCheck, standard?: string): void {
    this.checks.set(format, check);
    if (standard !== undefined) this.standards.set(format, standard);
  }

  /** @throws Error if it is not registered */
  get(format: string): TextCheck {
    const check = this.checks.get(format);
    if (!check) throw new Error(`The format ${format} is not registered.`);
    return check;
  }

  /** @returns the standard JSON Schema format of one of ours */
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

  /** @throws Error if it is not registered: the document must not promise what is not checked */
  ofObject(name: string): ObjectCheck {
    const check = this.objectChecks.get(name);
    if (!check) throw new Error(`The check ${name} is not registered.`);
    return check;
  }
}
