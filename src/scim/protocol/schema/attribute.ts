/**
 * The description of an attribute in `/Schemas` (RFC 7643, section 7). Filters, PATCH, sorting and output use it too.
 */
export interface Attribute {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'integer' | 'decimal' | 'dateTime' | 'reference' | 'binary' | 'complex';
  readonly multiValued: boolean;
  readonly description: string;
  readonly required: boolean;
  /** Whether comparisons are case-sensitive. */
  readonly caseExact: boolean;
  readonly mutability: 'readOnly' | 'readWrite' | 'immutable' | 'writeOnly';
  readonly returned: 'always' | 'never' | 'default' | 'request';
  readonly uniqueness: 'none' | 'server' | 'global';
  readonly canonicalValues?: readonly string[];
  readonly referenceTypes?: readonly string[];
  readonly subAttributes?: readonly Attribute[];
}

/** A core schema or an extension. */
export interface ResourceSchema {
  /** Its URN. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly Attribute[];
}

/** A type of resource that an endpoint serves (RFC 7643, section 6). */
export interface ResourceType {
  readonly name: 'User' | 'Group';
  readonly description: string;
  /** Relative to the base URL. */
  readonly endpoint: '/Users' | '/Groups';
  readonly schema: ResourceSchema;
  readonly extensions: readonly ResourceSchema[];
}

type Details = Partial<Omit<Attribute, 'name' | 'description'>>;

/** An attribute with the defaults of RFC 7643, section 2.2. */
export function attribute(name: string, description: string, details: Details = {}): Attribute {
  return {
    name,
    type: details.subAttributes ? 'complex' : 'string',
    multiValued: false,
    description,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...details,
  };
}

/**
 * A multi-valued attribute with the sub-attributes of RFC 7643, section 2.4.
 *
 * @param value of the sub-attribute `value`
 * @param types the canonical values of `type`
 */
export function plural(name: string, description: string, value: Details, types: readonly string[] = []): Attribute {
  return attribute(name, description, {
    multiValued: true,
    subAttributes: [
      attribute('value', 'The value.', value),
      attribute('display', 'A human-readable name of the value.'),
      attribute('type', 'What the value is for.', types.length > 0 ? { canonicalValues: types } : {}),
      attribute('primary', 'Whether it is the preferred one; at most one is.', { type: 'boolean' }),
    ],
  });
}

/** The attributes that every resource has outside its schemas (RFC 7643, section 3.1). */
export const COMMON_ATTRIBUTES: readonly Attribute[] = [
  attribute('schemas', 'The URNs of the schemas whose attributes the resource has.', {
    type: 'reference',
    multiValued: true,
    required: true,
    caseExact: true,
    returned: 'always',
  }),
  attribute('id', 'Assigned by Toolyard; never reused.', {
    required: true,
    caseExact: true,
    mutability: 'readOnly',
    returned: 'always',
    uniqueness: 'global',
  }),
  attribute('externalId', 'Assigned by the identity provider; only meaningful within this organisation.', {
    caseExact: true,
  }),
  attribute('meta', 'Metadata of the resource.', {
    mutability: 'readOnly',
    subAttributes: [
      attribute('resourceType', 'User or Group.', { caseExact: true, mutability: 'readOnly' }),
      attribute('created', 'When it was created.', { type: 'dateTime', caseExact: true, mutability: 'readOnly' }),
      attribute('lastModified', 'When it last changed.', { type: 'dateTime', caseExact: true, mutability: 'readOnly' }),
      attribute('location', 'Its URL.', {
        type: 'reference',
        referenceTypes: ['uri'],
        caseExact: true,
        mutability: 'readOnly',
      }),
      attribute('version', 'Its weak entity tag (RFC 7644, section 3.14).', {
        caseExact: true,
        mutability: 'readOnly',
      }),
    ],
  }),
];
