import { type Attribute, COMMON_ATTRIBUTES } from '../schema/attribute';
import type { ComplexValue, EnterpriseAttributes, UserAttributes, UserDocument } from '../schema/user-document';
import { USER_TYPE } from '../schema/user-schema';
import { ScimError } from '../scim-error';
import { withParts } from './complex-value';
import { meaningful, requireFew } from './plural-values';
import { VALUE_LIMITS } from './value-limits';

export type Value = string | boolean | ComplexValue | ComplexValue[];

/**
 * The values of a user, keyed by the attribute itself and not by its name: no name that a client sends can lead
 * anywhere else. Complex values are immutable, and have their parts in the order of the schema.
 */
export type UserValues = Map<Attribute, Value>;

const USER_NAME = coreAttribute('userName');
const DISPLAY_NAME = coreAttribute('displayName');
const ACTIVE = coreAttribute('active');
const EXTERNAL_ID = coreAttribute('externalId');

/** Attributes with a column of their own. */
const COLUMNS: ReadonlySet<Attribute> = new Set([USER_NAME, DISPLAY_NAME, ACTIVE, EXTERNAL_ID]);

/** @returns the values of a document, which is not modified */
export function toUserValues(document: UserDocument): UserValues {
  const values: UserValues = new Map<Attribute, Value>([
    [USER_NAME, document.userName],
    [ACTIVE, document.active],
  ]);
  if (document.externalId !== null) values.set(EXTERNAL_ID, document.externalId);
  if (document.displayName !== null) values.set(DISPLAY_NAME, document.displayName);
  addValues(values, USER_TYPE.schema.attributes, document.attributes);
  for (const { id, attributes } of USER_TYPE.extensions) {
    const extension = Object.hasOwn(document.attributes, id) ? document.attributes[id] : undefined;
    if (extension) addValues(values, attributes, extension as EnterpriseAttributes);
  }
  return values;
}

/**
 * @param active the default
 * @throws ScimError `invalidValue` if the user name is missing, `active` is not a boolean, or the user is too large
 */
export function toUserDocument(values: UserValues, active?: boolean): UserDocument {
  const userName = values.get(USER_NAME);
  if (typeof userName !== 'string' || userName.trim() === '') {
    throw new ScimError('invalidValue', 'userName is required and must not be empty.');
  }
  const isActive = values.get(ACTIVE) ?? active;
  if (typeof isActive !== 'boolean') throw new ScimError('invalidValue', 'active must be true or false.');
  return {
    userName,
    externalId: textOf(values, EXTERNAL_ID),
    displayName: textOf(values, DISPLAY_NAME),
    active: isActive,
    attributes: attributesOf(values),
  };
}

function attributesOf(values: UserValues): UserAttributes {
  const attributes: UserAttributes = pick(values, USER_TYPE.schema.attributes);
  for (const extension of USER_TYPE.extensions) {
    const picked = pick(values, extension.attributes) as EnterpriseAttributes;
    if (Object.keys(picked).length > 0) attributes[extension.id] = picked;
  }
  if (JSON.stringify(attributes).length > VALUE_LIMITS.userLength) {
    throw new ScimError('invalidValue', `The user as a whole is longer than ${VALUE_LIMITS.userLength} characters.`);
  }
  return attributes;
}

/** All attributes with a value and without a column. */
function pick(values: UserValues, attributes: readonly Attribute[]): UserAttributes {
  const picked: UserAttributes = {};
  for (const attribute of attributes) {
    const value = values.get(attribute);
    if (value === undefined || typeof value === 'boolean' || COLUMNS.has(attribute)) continue;
    const settled = Array.isArray(value) ? meaningful(value) : value;
    if (Array.isArray(settled)) requireFew(settled, attribute.name);
    if (!Array.isArray(settled) || settled.length > 0) picked[attribute.name] = settled;
  }
  return picked;
}

function addValues(values: UserValues, attributes: readonly Attribute[], stored: UserAttributes): void {
  for (const attribute of attributes) {
    if (COLUMNS.has(attribute) || !Object.hasOwn(stored, attribute.name)) continue;
    const value = stored[attribute.name];
    if (value === undefined) continue;
    values.set(attribute, attribute.subAttributes ? inOrder(attribute, value) : (value as string));
  }
}

/** The database stores the parts of an object in an order of its own. */
function inOrder(attribute: Attribute, value: UserAttributes[string]): ComplexValue | ComplexValue[] {
  const ordered = (single: ComplexValue) => withParts(attribute, single, new Map());
  return Array.isArray(value) ? value.map(ordered) : ordered(value as ComplexValue);
}

function textOf(values: UserValues, attribute: Attribute): string | null {
  const value = values.get(attribute);
  return typeof value === 'string' ? value : null;
}

function coreAttribute(name: string): Attribute {
  const attribute = [...USER_TYPE.schema.attributes, ...COMMON_ATTRIBUTES].find((one) => one.name === name);
  if (!attribute) throw new Error(`The schema of users has no ${name}.`);
  return attribute;
}
