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
 * Constraints that class-validator lacks, or defines differently. Each puts the pydantic type of its error into the
 * `context` of its options, which class-validator reserves for such data.
 */

/** @returns constraint options: the type and text of its error, and whether it applies to each item of a list */
export function says(type: FaultType, message: string, each = false): ValidationOptions {
  return { message, each, context: { type } };
}

/** Reads what `says` stored. */
export interface FaultContext {
  type: FaultType;
}

/** The same for `ValidateNested`: the class of a nested object, and whether fields it does not have are errors. */
export interface NestedContext {
  of: () => Type;
  isClosed: boolean;
  /** Whether the object is a map whose entries the class describes with `name` and `value`. */
  isMap?: boolean;
}

/** The same for an optional field: its default. */
export interface AbsenceContext {
  fallback: unknown;
}

/** The field is optional; null is a value like any other. */
export function MayBeAbsent(fallback?: unknown): PropertyDecorator {
  const context: AbsenceContext = { fallback };
  return ValidateIf((_object, value) => value !== undefined, { context });
}

/** The field is required, and may be null. */
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

/** A maximum number of fields, whatever their names. */
export function HasAtMostFields(most: number, options: ValidationOptions): PropertyDecorator {
  return rule('hasAtMostFields', (value) => Object.keys(value as object).length <= most, options);
}

/** RFC 3339, with an offset (`instant.ts`); class-validator's ISO 8601 takes dates without one. */
export function IsInstant(options: ValidationOptions): PropertyDecorator {
  return rule('isInstant', (value) => typeof value === 'string' && parseInstant(value) !== undefined, options);
}

/** For rules, ours or external, whose errors depend on the value; `class-rules.ts` asks for them. */
export interface FaultFinder extends ValidatorConstraintInterface {
  /**
   * @param declared the decorator's arguments
   * @returns a function that finds what is wrong with a value; `loc` begins below it
   */
  finder(declared: readonly unknown[], checks: TextChecks): (value: never) => Fault[];
}

/** A string matches one of the formats that modules register (`text-checks.ts`). */
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

/** A value conforms to an external specification given as a JSON Schema. */
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

/** @throws Error always: class-validator's own executor knows neither registered rules nor errors below a value */
function needsFinder(): never {
  throw new Error('Only the request guard can check this (http/requests/class-rules.ts).');
}
