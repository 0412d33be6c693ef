import { matchesValue, valueMatcher } from '../filter/match-value';
import type { Attribute } from '../schema/attribute';
import { findSubAttribute } from '../schema/attribute-path';
import type { ComplexValue, UserDocument } from '../schema/user-document';
import { USER_TYPE } from '../schema/user-schema';
import { ScimError } from '../scim-error';
import { readElements, readParts, readSingle, unwrap } from './attribute-value';
import { partOf, type Parts, withParts, withReferredValue } from './complex-value';
import { countTests, factsOf, namesKindOnly } from './filter-facts';
import { isObject } from '../../../http/requests/json-object';
import { entriesOf, noteIgnored } from './json-object';
import { identityOf, isListed, meaningful, merged, requireFew, weigh, withOnePrimary } from './plural-values';
import { type AttributeTarget, findNamed, type SchemaTarget, type Target, type ValuesTarget } from './target';
import { toUserDocument, toUserValues, type UserValues, type Value } from './user-values';
import { FILTER_COST, PATCH_COMPARISONS } from './value-limits';

/** `add` and `replace` differ only for lists. */
export type SetOperation = 'add' | 'replace';

/**
 * A user being built: POST and PUT fill an empty draft, PATCH changes one of a stored user, by the same rules. Which
 * kind of path does what with each operation is the matrix of RFC 7644, section 3.5.2, plus what identity providers
 * send beyond it; see the methods.
 */
export class UserDraft {
  private readonly values: UserValues;
  private comparisons = 0;

  /**
   * @param document is not modified
   * @param ignored collects the paths of unknown attributes
   */
  constructor(
    document: UserDocument | undefined,
    private readonly ignored: Set<string>,
  ) {
    this.values = document ? toUserValues(document) : new Map<Attribute, Value>();
  }

  /**
   * Sets all attributes of an object: a whole user, or the value of a PATCH operation without a path. Its names may be
   * paths (`name.givenName`, `urn:…:User:department`, `emails[type eq "work"].value`). Read-only attributes are
   * ignored, as in a user that was read and is sent back; unknown ones are recorded.
   *
   * @param urn of the schema, if the names are in an object under it
   * @throws ScimError `invalidValue`, `invalidSyntax`, `invalidPath`, `invalidFilter`, `noTarget`, `tooMany`
   */
  setAll(operation: SetOperation, object: Record<string, unknown>, urn?: string): void {
    const parts: { target: Target; json: unknown }[] = [];
    for (const [name, json] of entriesOf(object, urn ?? '')) {
      const path = urn === undefined ? name : `${urn}:${name}`;
      // A filter has to be parsed before it can be compared with anything.
      if (path.includes('[')) this.spend(FILTER_COST);
      const target = findNamed(USER_TYPE, path);
      if (target) parts.push({ target, json });
      else noteIgnored(this.ignored, path);
    }
    requireDistinct(parts.map(({ target }) => target));
    // The order of names in an object is irrelevant: wider targets come first, or they would undo narrower ones.
    for (const { target, json } of parts.sort((one, other) => narrowness(one.target) - narrowness(other.target))) {
      if (target.kind !== 'unwritable') this.set(operation, target, json);
    }
  }

  /** @throws ScimError as setAll, and `mutability` */
  set(operation: SetOperation, target: Target, json: unknown): void {
    switch (target.kind) {
      case 'unwritable':
        if (target.why === 'readOnly') throw readOnly(target.where);
        return;
      case 'schema':
        return this.setSchema(operation, target, json);
      case 'values':
        return this.setChosen(target, json);
      case 'attribute':
        if (target.attribute.multiValued) return this.setPlural(operation, target, json);
        return this.setSingular(target, json);
    }
  }

  /**
   * Removes a value. For a list, `json` may name the values to remove, as Entra ID does; otherwise the whole list is
   * removed. Missing values are ignored.
   *
   * @throws ScimError `mutability` for required attributes, `tooMany`
   */
  remove(target: Target, json: unknown): void {
    switch (target.kind) {
      case 'unwritable':
        if (target.why !== 'secret') throw readOnly(target.where);
        return;
      case 'schema':
        if (target.schema === USER_TYPE.schema) throw mustStay(target.schema.id);
        for (const attribute of target.schema.attributes) this.values.delete(attribute);
        return;
      case 'values':
        this.changeChosen(target, (value) => (target.sub ? without(target.attribute, value, target.sub) : {}));
        return;
      case 'attribute':
        return this.removeAttribute(target, json);
    }
  }

  /**
   * @param active the default
   * @throws ScimError `invalidValue` for a user that cannot be stored
   */
  toDocument(active?: boolean): UserDocument {
    return toUserDocument(this.values, active);
  }

  private setSchema(operation: SetOperation, { schema }: SchemaTarget, json: unknown): void {
    if (isObject(json)) return this.setAll(operation, json, schema.id);
    if (json !== null) throw new ScimError('invalidValue', `"${schema.id}" must be an object.`);
    // Null removes an extension; for the core schema it has no effect.
    if (operation === 'replace' && schema !== USER_TYPE.schema) this.remove({ kind: 'schema', schema }, undefined);
  }

  /**
   * One value: `add` equals `replace`, and a complex one keeps unmentioned sub-attributes (RFC 7644, section 3.5.2.3).
   */
  private setSingular({ attribute, sub, where }: AttributeTarget, json: unknown): void {
    if (sub) return this.setParts(attribute, new Map([[sub, readSingle(sub, json, where)]]));
    if (attribute.subAttributes) {
      const parts = readParts(attribute, unwrap(json, where), where, this.ignored);
      return parts ? this.setParts(attribute, parts) : this.store(attribute, undefined);
    }
    this.store(attribute, readSingle(attribute, json, where));
  }

  /** Another `value` (of `manager`) is another object: the other sub-attributes are dropped. */
  private setParts(attribute: Attribute, sentParts: Parts): void {
    const before = this.complex(attribute);
    const value = findSubAttribute(attribute, 'value');
    const parts = withReferredValue(attribute, sentParts);
    const isOther = value !== undefined && parts.has(value) && parts.get(value) !== partOf(before, value);
    this.store(attribute, changed(attribute, isOther ? {} : before, parts));
  }

  /** Many values: `replace` replaces the list, `add` keeps it and adds what is missing. */
  private setPlural(operation: SetOperation, target: AttributeTarget, json: unknown): void {
    const { attribute, sub, where } = target;
    if (sub) return this.setOnly(target, sub, json);
    const elements = readElements(attribute, json, where, this.ignored);
    if (operation === 'replace') return this.store(attribute, elements);
    const before = this.elements(attribute);
    this.spend(weigh(before) + weigh(elements));
    const indexes = new Map(before.map((element, index) => [identityOf(attribute, element), index]));
    const after = [...before];
    let elected: number | undefined;
    for (const element of elements) {
      const identity = identityOf(attribute, element);
      const index = indexes.get(identity) ?? after.length;
      after[index] = withParts(attribute, { ...after[index], ...element }, new Map());
      indexes.set(identity, index);
      // Not the former primary value if it is sent without `primary`: another value of the list may replace it.
      if (element.primary === true) elected = index;
    }
    requireFew(after, where);
    const primary = elected === undefined ? undefined : after[elected];
    this.store(attribute, withOnePrimary(after, new Set(primary && [primary]), where));
  }

  /** `emails.value` without a filter: unambiguous as long as there is at most one value. */
  private setOnly({ attribute, where }: AttributeTarget, sub: Attribute, json: unknown): void {
    const before = this.elements(attribute);
    if (before.length > 1) {
      throw new ScimError('invalidPath', `There are ${before.length} values, and "${where}" does not select one.`);
    }
    const part = readSingle(sub, json, where);
    this.store(attribute, [changed(attribute, before[0] ?? {}, new Map([[sub, part]]))]);
  }

  /**
   * The values that a filter selects. `add` equals `replace`: what is named is set in each of them, and the rest stays
   * (contract, 13.6), as for a complex value. If it did not, `{"value": …}` would take `primary` from an address, and the
   * membership would move to the account of another one. If no value matches, one is created only if namesKindOnly
   * allows it.
   */
  private setChosen(target: ValuesTarget, json: unknown): void {
    const { attribute, filter, sub, where } = target;
    const parts: Parts | undefined = sub
      ? new Map([[sub, readSingle(sub, json, `${where}.${sub.name}`)]])
      : readParts(attribute, unwrap(json, where), where, this.ignored);
    if (!parts) return this.remove(target, undefined);
    const facts = factsOf(filter, attribute, where);
    const isAnySelected = this.changeChosen(target, (value) => changed(attribute, value, parts));
    if (isAnySelected || [...parts.values()].every((part) => part === undefined)) return;
    const isMakable = facts !== undefined && namesKindOnly(facts);
    const created = isMakable ? withParts(attribute, withParts(attribute, {}, facts), parts) : undefined;
    if (!created || !matchesValue(filter, created, attribute)) {
      throw new ScimError('noTarget', `No value of ${where} matches the filter.`);
    }
    const before = this.elements(attribute);
    const after = [...before, created];
    requireFew(after, where);
    // A kind of value may get its value from the next operation; until then it must not take primary from another.
    const isWithValue = meaningful([created]).length > 0;
    this.store(attribute, isWithValue ? withOnePrimary(after, new Set([created]), where) : after);
  }

  private removeAttribute({ attribute, sub, where }: AttributeTarget, json: unknown): void {
    if (sub && !attribute.multiValued) return this.setParts(attribute, new Map([[sub, undefined]]));
    const before = this.elements(attribute);
    if (sub) {
      return this.store(
        attribute,
        before.map((element) => without(attribute, element, sub)),
      );
    }
    if (attribute.required) throw mustStay(where);
    if (!attribute.multiValued || json === undefined || json === null) return this.store(attribute, undefined);
    const list: unknown[] = Array.isArray(json) ? json : [json];
    this.spend(list.length * weigh(before));
    const listed = list.flatMap((one) => readParts(attribute, one, where, this.ignored) ?? []);
    this.store(
      attribute,
      before.filter((element) => !listed.some((parts) => isListed(attribute, element, parts))),
    );
  }

  /** @returns whether any value was selected */
  private changeChosen(
    { attribute, filter, where }: ValuesTarget,
    change: (value: ComplexValue) => ComplexValue,
  ): boolean {
    const before = this.elements(attribute);
    this.spend(weigh(before) * countTests(filter));
    const matches = valueMatcher(filter, attribute);
    const after = before.map((value) => (matches(value) ? change(value) : value));
    const isChanged = after.some((value, index) => value !== before[index]);
    if (isChanged) {
      const former = new Set(before);
      const values = merged(attribute, after, (value) => !former.has(value));
      this.store(attribute, withOnePrimary(values, new Set(values.filter((value) => !former.has(value))), where));
    }
    return isChanged;
  }

  private elements(attribute: Attribute): ComplexValue[] {
    const value = this.values.get(attribute);
    return Array.isArray(value) ? value : [];
  }

  private complex(attribute: Attribute): ComplexValue {
    const value = this.values.get(attribute);
    return typeof value === 'object' && !Array.isArray(value) ? value : {};
  }

  private store(attribute: Attribute, value: Value | undefined): void {
    const content = Array.isArray(value) ? value.filter((one) => Object.keys(one).length > 0) : value;
    if (content === undefined || (typeof content === 'object' && Object.keys(content).length === 0)) {
      this.values.delete(attribute);
    } else {
      this.values.set(attribute, content);
    }
  }

  private spend(comparisons: number): void {
    this.comparisons += comparisons;
    if (this.comparisons <= PATCH_COMPARISONS) return;
    throw new ScimError('tooMany', `The operations compare more values than one request may.`);
  }
}

/** Changes parts of a value. Without its `value`, the other parts are meaningless. */
function changed(attribute: Attribute, before: ComplexValue, parts: Parts): ComplexValue {
  const value = findSubAttribute(attribute, 'value');
  const isGone = value !== undefined && parts.has(value) && parts.get(value) === undefined;
  return withParts(attribute, isGone ? {} : before, parts);
}

function without(attribute: Attribute, value: ComplexValue, sub: Attribute): ComplexValue {
  return changed(attribute, value, new Map([[sub, undefined]]));
}

/** `userName` and its URN form are one attribute, and so are the URNs of a schema. */
function requireDistinct(targets: readonly Target[]): void {
  const seen = new Set<string>();
  for (const target of targets) {
    if (target.kind !== 'attribute' && target.kind !== 'schema') continue;
    const where = target.kind === 'schema' ? target.schema.id : target.where;
    if (seen.has(where)) throw new ScimError('invalidSyntax', `"${where}" appears twice.`);
    seen.add(where);
  }
}

function narrowness(target: Target): number {
  if (target.kind === 'schema' || target.kind === 'unwritable') return 0;
  return (target.kind === 'values' ? 3 : 1) + (target.sub ? 1 : 0);
}

function readOnly(where: string): ScimError {
  return new ScimError('mutability', `${where} cannot be changed.`);
}

function mustStay(where: string): ScimError {
  return new ScimError('mutability', `${where} cannot be removed.`);
}
