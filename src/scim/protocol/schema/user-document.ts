import type { ScimUser } from '../../directory/scim-user.entity';

/** A value of a multi-valued attribute, or a complex value, with the sub-attributes that were given. */
export type ComplexValue = Record<string, string | boolean>;

/**
 * The attributes of a user that have no column: by their names in the schema, those of the enterprise extension under
 * its URN. Only what has a value is there; never `groups`, which is computed, nor `password`.
 */
export type UserAttributes = Record<string, string | ComplexValue | ComplexValue[] | EnterpriseAttributes>;

export type EnterpriseAttributes = Record<string, string | ComplexValue>;

/**
 * A user as an identity provider says they are: what POST and PUT bring, what PATCH changes, what is stored. Names are
 * as in the schema, types are right, and nothing is in it that a client may not write.
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
