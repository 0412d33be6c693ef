import { plainToInstance } from 'class-transformer';
import {
  getFromContainer,
  getMetadataStorage,
  IS_ARRAY,
  IS_BOOLEAN,
  IS_INT,
  type ValidatorConstraintInterface,
} from 'class-validator';
import type { Type } from '@nestjs/common';
import { type Fault, MAX_FAULTS } from '../../errors/errors';
import type { AbsenceContext, FaultContext, FaultFinder, NestedContext } from './constraints';
import type { TextChecks } from './text-checks';
import { isObject } from './json-object';

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** @returns what is wrong with a value; `loc` begins below it */
type Check = (value: never) => readonly Fault[];

/** What a field is, as far as it matters for parsing its text in the URL. */
export type FieldKind = 'list' | 'boolean' | 'integer' | 'text';

const KINDS: Readonly<Record<string, FieldKind>> = { [IS_ARRAY]: 'list', [IS_BOOLEAN]: 'boolean', [IS_INT]: 'integer' };

const REQUIRED: Omit<Fault, 'loc'> = { msg: 'This field is required.', type: 'missing' };
const UNKNOWN: Omit<Fault, 'loc'> = { msg: 'This field is not allowed.', type: 'extra_forbidden' };
const NO_OBJECT: Omit<Fault, 'loc'> = { msg: 'Must be an object.', type: 'dict_type' };

/** The errors of one value, up to the reported maximum, and the location being checked. */
export class Findings {
  readonly faults: Fault[] = [];

  constructor(private readonly place: string[]) {}

  get isFull(): boolean {
    return this.faults.length >= MAX_FAULTS;
  }

  add({ msg, type }: Omit<Fault, 'loc'>, ...below: string[]): void {
    if (!this.isFull) this.faults.push({ loc: [...this.place, ...below], msg, type });
  }

  enter(name: string): void {
    this.place.push(name);
  }

  leave(): void {
    this.place.pop();
  }
}

/**
 * The rules that the decorators of a DTO class put into class-validator's storage, sorted once per class.
 * class-validator's own executor sorts them for every object, goes through a list before checking its length, and
 * reports in an order of its own; ADR 23 has the figures. Out-of-bounds values are not examined further: a list or
 * string that is too long, anything after the last reported error.
 */
export class ClassRules {
  readonly fields: readonly FieldRules[];
  private readonly names: ReadonlySet<string>;

  /** @param isClosed whether fields that the class does not have are errors */
  constructor(
    private readonly type: Type,
    checks: TextChecks,
    private readonly isClosed: boolean,
  ) {
    const byName = new Map<string, Metadata[]>();
    for (const metadata of metadataOf(type)) {
      const { propertyName } = metadata;
      const sameField = byName.get(propertyName);
      if (sameField) sameField.push(metadata);
      else byName.set(propertyName, [metadata]);
    }
    this.fields = [...byName].map(([name, metadata]) => new FieldRules(name, metadata, checks));
    this.names = new Set(byName.keys());
  }

  /**
   * @param value without errors
   * @returns the instance of the class. class-transformer makes it from the plain values; lists, objects and free-form
   *   JSON are added here.
   */
  instantiate(value: unknown): object {
    const entries = Object.entries(value as Record<string, unknown>);
    const plain = entries.filter(([name, one]) => this.names.has(name) && !isStructured(one));
    const instance = plainToInstance(this.type, Object.fromEntries(plain)) as Record<string, unknown>;
    for (const field of this.fields) {
      const one = Object.hasOwn(value as object, field.name) && (value as Record<string, unknown>)[field.name];
      if (isStructured(one)) instance[field.name] = field.instantiate(one);
    }
    return instance;
  }

  /**
   * The same for an object inside a body, by its fields alone: class-transformer takes some 15 µs for each, and a body
   * may contain thousands.
   */
  assemble(value: object): object {
    const instance = new this.type() as Record<string, unknown>;
    for (const field of this.fields) {
      if (Object.hasOwn(value, field.name)) {
        instance[field.name] = field.instantiate((value as Record<string, unknown>)[field.name]);
      }
    }
    return instance;
  }

  /** First missing fields, then wrong ones, then unknown ones. */
  check(value: unknown, findings: Findings): void {
    if (!isObject(value)) return findings.add(NO_OBJECT);
    for (const { name, isRequired } of this.fields) {
      if (isRequired && !Object.hasOwn(value, name)) findings.add(REQUIRED, name);
    }
    for (const field of this.fields) {
      if (findings.isFull) return;
      if (Object.hasOwn(value, field.name)) field.check(value[field.name], findings);
    }
    if (!this.isClosed) return;
    for (const name of Object.keys(value)) {
      if (findings.isFull) return;
      if (!this.names.has(name)) findings.add(UNKNOWN, name);
    }
  }
}

/** @returns whether class-transformer would descend into a value: it takes a field named `constructor` for the class */
function isStructured(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** Appends what is wrong with a value to the findings. @returns whether checking the value further makes sense */
type Step = (value: never, findings: Findings) => boolean;

/** The rules of one field. */
export class FieldRules {
  readonly kind: FieldKind;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  /** Its default. */
  readonly fallback: unknown;
  private readonly steps: readonly Step[];
  private readonly itemSteps: readonly Step[];
  private readonly nested: ClassRules | undefined;

  constructor(
    readonly name: string,
    metadata: readonly Metadata[],
    checks: TextChecks,
  ) {
    const conditional = metadata.filter(({ type }) => type === 'conditionalValidation');
    const conditions = conditional.map(
      ({ constraints }) => constraints[0] as (object: object, value: unknown) => boolean,
    );
    // Called with the object that contains the value, as class-validator does.
    const isValidated = (value: unknown) => conditions.every((holds) => holds({ [name]: value }, value));
    this.isRequired = isValidated(undefined);
    this.isNullable = !isValidated(null);
    this.fallback = conditional.map(({ context }) => (context as AbsenceContext | undefined)?.fallback)[0];
    const others = metadata.filter(({ type }) => type !== 'conditionalValidation');
    const [ofItems, own] = [others.filter(({ each }) => each), others.filter(({ each }) => !each)];
    this.nested = nestedRules(others, checks);
    this.steps = own.map((one) => stepOf(one, checks, this.nested));
    this.itemSteps = ofItems.map((one) => stepOf(one, checks, this.nested));
    this.kind = own.map(({ name }) => KINDS[name ?? '']).find(Boolean) ?? 'text';
  }

  check(value: unknown, findings: Findings, place = this.name): void {
    if (value === null && this.isNullable) return;
    findings.enter(place);
    if (passes(value, this.steps, findings) && this.itemSteps.length > 0) this.checkItems(value as unknown[], findings);
    findings.leave();
  }

  /** @returns a value without errors, with class instances where a class is declared; other JSON is kept as sent */
  instantiate(value: unknown): unknown {
    const { nested } = this;
    if (!nested || value === null) return value;
    return Array.isArray(value)
      ? value.map((item) => nested.assemble(item as object))
      : nested.assemble(value as object);
  }

  private checkItems(items: readonly unknown[], findings: Findings): void {
    for (let index = 0; index < items.length && !findings.isFull; index++) {
      findings.enter(String(index));
      passes(items[index], this.itemSteps, findings);
      findings.leave();
    }
  }
}

/** Stops at the first error of the value as a whole: a non-string is not also reported for not matching a pattern. */
function passes(value: unknown, steps: readonly Step[], findings: Findings): boolean {
  return steps.every((step) => step(value as never, findings));
}

function nestedRules(metadata: readonly Metadata[], checks: TextChecks): ClassRules | undefined {
  const [context] = metadata
    .filter(({ type }) => type === 'nestedValidation')
    .map(({ context }) => context as NestedContext)
    .filter(({ isMap }) => !isMap);
  return context && new ClassRules(context.of(), checks, context.isClosed);
}

function stepOf(metadata: Metadata, checks: TextChecks, nested: ClassRules | undefined): Step {
  if (metadata.type === 'nestedValidation') {
    if (!nested) return mapStep(new ClassRules((metadata.context as NestedContext).of(), checks, false));
    return (value, findings) => {
      nested.check(value, findings);
      return true;
    };
  }
  const check = checkOf(metadata, checks);
  return (value, findings) => {
    const faults = check(value);
    if (faults === NONE) return true;
    for (const { loc, ...fault } of faults) findings.add(fault, ...loc);
    return !faults.some(({ loc }) => loc.length === 0);
  };
}

/** Values first, then names, in the order of a map's schema. */
function mapStep({ fields }: ClassRules): Step {
  const ofName = (fieldName: string) => fields.filter(({ name }) => name === fieldName);
  const [values, names] = [ofName('value'), ofName('name')];
  return (map: Record<string, unknown>, findings) => {
    for (const [name, value] of Object.entries(map)) for (const field of values) field.check(value, findings, name);
    for (const name of Object.keys(map)) for (const field of names) field.check(name, findings, name);
    return true;
  };
}

const NONE: readonly Fault[] = [];

function checkOf({ constraintCls, constraints = [], message, context }: Metadata, checks: TextChecks): Check {
  const declared = constraints as unknown[];
  const constraint = getFromContainer<ValidatorConstraintInterface>(constraintCls as Type);
  if (isFinder(constraint)) return constraint.finder(declared, checks);
  const { type } = context as FaultContext;
  const faults: Fault[] = [{ loc: [], msg: message as string, type }];
  const validationArguments = { constraints: declared, targetName: '', object: {}, property: '', value: undefined };
  return (value) => (constraint.validate(value, validationArguments) ? NONE : faults);
}

function isFinder(constraint: ValidatorConstraintInterface): constraint is FaultFinder {
  return 'finder' in constraint;
}

/** Inherited fields precede a class's own, as in the OpenAPI document. */
function metadataOf(type: Type): Metadata[] {
  const all = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  return [...all.filter(({ target }) => target !== type), ...all.filter(({ target }) => target === type)];
}
