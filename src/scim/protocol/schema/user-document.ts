import type { ScimUser } from '../../directory/scim-user.entity';
import { ENTERPRISE_URN } from '../urns';

/** A value of a multi-valued attribute, or a complex value, with the sub-attributes present. */
export type ComplexValue = Record<string, string | boolean>;

/**
 * The attributes of a user without a column: by their names in the schema, those of the enterprise extension under its
 * URN. Contains only attributes with a value; never `groups`, which is computed, nor `password`.
 */
export type UserAttributes = Record<string, string | ComplexValue | ComplexValue[] | EnterpriseAttributes>;

export type EnterpriseAttributes = Record<string, string | ComplexValue>;

/** @returns the attributes of the enterprise extension, if there are any */
export function enterpriseOf(attributes: UserAttributes): EnterpriseAttributes | undefined {
  return attributes[ENTERPRISE_URN] as EnterpriseAttributes | undefined;
}

/**
 * A user as described by an identity provider: the content of POST and PUT, the target of PATCH, and the stored form.
 * Names are as in the schema, types are valid, and it contains nothing that clients may not write.
 */
export interface UserDocument {
  userName: string;
  externalId: string | null;
  displayName: string | null;
  active: boolean;
  attributes: UserAttributes;
}

/** A stored user. */
export type StoredUser = UserDocument & Pick<ScimUser, 'id' | 'userId' | 'version' | 'createdAt' | 'updatedAt'>;
