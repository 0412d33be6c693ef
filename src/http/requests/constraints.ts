import type { Type } from '@nestjs/common';
import {
  ValidateBy,
  ValidateIf,
  type ValidationOptions,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import type { Fault, FaultType } from '../../errors/errors';
import { parseInstant } from './instant';
import { JsonSchema } from './json-schema';
import type { TextChecks } from './text-checks';

/**
 * The constraints that class-validator does not have, or has with another meaning. Each names the pydantic type of its
 * fault in the `context` of its options, which class-validator keeps for that.
 */

/** @returns options of a constraint: the type and text of its fault, and whether it is of each item of a list */
export function says(type: FaultType, message: string, each = false): ValidationOptions {
  return { message, each, context: { type } };
}

/** `says` read back. */
export interface FaultContext {
  type: FaultType;
}

/** The same of `ValidateNested`: the class of a nested object, and whether fields that it does not have are faults. */
export interface NestedContext {
  of: () => Type;
  isClosed: boolean;
  /** Whether the object is a map, and the class says with `name` and `value` what its entries are. */
  isMap?: boolean;
}

/** The same of a field that may be left out: what it is then. */
export interface AbsenceContext {
  fallback: unknown;
}

/** The field may be left out; null is a value like any other. */
export function MayBeAbsent(fallback?: unknown): PropertyDecorator {
  const context: AbsenceContext = { fallback };
  return ValidateIf((_object, value) => value !== undefined, { context });
}

/** The field must be there, and may be null. */
export function MayBeNull(): PropertyDecorator {
  return ValidateIf((_object, value) => value !== null);
}

/** Characters are code points (RFC 8259, section 7); class-validator leaves variation selectors out of the count. */
export function HasCharacters(least: number, options: ValidationOptions): PropertyDecorator {
  return rule('hasCharacters', (value) => typeof value === 'string' && isAtLeast(value, least), options);
}

/** As above. A megabyte is not counted: a character has at most two UTF-16 code units. */
export function HasAtMostCharacters(most: number, options: ValidationOptions): PropertyDecorator {
  return rule('hasAtMostCharacters', (value) => typeof value === 'string' && isAtMost(value, most), options);
}

/** So many fields, whatever their names. */
export function HasAtMostFields(most: number, options: ValidationOptions): PropertyDecorator {
  return rule('hasAtMostFields', (value) => Object.keys(value as object).length <= most, options);
}

/** RFC 3339, with an offset (`instant.ts`); class-validator's ISO 8601 takes dates without one. */
export function IsInstant(options: ValidationOptions): PropertyDecorator {
  return rule('isInstant', (value) => typeof value === 'string' && parseInstant(value) !== undefined, options);
}

/** Faults that only the asker of a registered or foreign rule can word; `class-rules.ts` asks for them. */
export interface FaultFinder extends ValidatorConstraintInterface {
  /**
   * @param declared what the decorator was given
   * @returns a function that finds what is wrong with a value; `loc` begins below it
   */
  finder(declared: readonly unknown[], checks: TextChecks): (value: never) => Fault[];
}

/** A text has one of the formats that modules register (`text-checks.ts`). */
@ValidatorConstraint({ name: 'hasFormat' })
export class HasFormatConstraint implements FaultFinder {
  finder([format]: readonly unknown[], checks: TextChecks): (value: string) => Fault[] {
    const check = checks.get(format as string);
    return (value) => {
      const fault = check(value);
      return fault === undefined ? [] : [{ loc: [], ...fault }];
    };
  }

  validate(): never {
    return needsFinder();
  }
}

/** An object passes one of the checks that modules register. */
@ValidatorConstraint({ name: 'passesCheck' })
export class PassesCheckConstraint implements FaultFinder {
  finder([name]: readonly unknown[], checks: TextChecks): (value: Record<string, unknown>) => Fault[] {
    return checks.ofObject(name as string);
  }

  validate(): never {
    return needsFinder();
  }
}

/** A value is as a foreign specification says, which is a JSON Schema. */
@ValidatorConstraint({ name: 'fitsSchema' })
export class FitsSchemaConstraint implements FaultFinder {
  finder([schema]: readonly unknown[]): (value: unknown) => Fault[] {
    const compiled = new JsonSchema(schema as object);
    return (value) => compiled.faultsOf(value);
  }

  validate(): never {
    return needsFinder();
  }
}

export function HasFormat(format: string, each: boolean): PropertyDecorator {
  return ValidateBy({ name: 'hasFormat', constraints: [format], validator: HasFormatConstraint }, { each });
}

export function PassesCheck(name: string): PropertyDecorator {
  return ValidateBy({ name: 'passesCheck', constraints: [name], validator: PassesCheckConstraint });
}

export function FitsSchema(schema: object): PropertyDecorator {
  return ValidateBy({ name: 'fitsSchema', constraints: [schema], validator: FitsSchemaConstraint });
}

function rule(name: string, holds: (value: unknown) => boolean, options: ValidationOptions): PropertyDecorator {
  return ValidateBy({ name, validator: { validate: holds } }, options);
}

function isAtLeast(text: string, least: number): boolean {
  return text.length >= 2 * least || (text.length >= least && [...text].length >= least);
}

function isAtMost(text: string, most: number): boolean {
  return text.length <= most || (text.length <= 2 * most && [...text].length <= most);
}

/** @throws Error always: class-validator's own executor knows neither the registered rules nor faults below a value */
function needsFinder(): never {
  throw new Error('Only the request guard can check this (http/requests/class-rules.ts).');
}
