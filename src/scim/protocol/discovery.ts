import { Injectable } from '@nestjs/common';
import { Environment } from '../../config/environment';
import { LIMITS } from './limits';
import type { Attribute, ResourceSchema, ResourceType } from './schema/attribute';
import { GROUP_TYPE } from './schema/group-schema';
import { USER_TYPE } from './schema/user-schema';
import { ScimError } from './scim-error';
import { scimBase } from './scim-address';
import { CORE_URN, LIST_URN } from './urns';

const RESOURCE_TYPES: readonly ResourceType[] = [USER_TYPE, GROUP_TYPE];
const SCHEMAS: readonly ResourceSchema[] = RESOURCE_TYPES.flatMap(({ schema, extensions }) => [schema, ...extensions]);

type Query = Record<string, unknown>;

/**
 * The discovery documents (RFC 7643, sections 5 to 7; RFC 7644, section 4), from the same tables that the code uses.
 */
@Injectable()
export class Discovery {
  constructor(private readonly environment: Environment) {}

  /**
   * RFC 7643, section 5, with `pagination` of RFC 9865, section 3.
   *
   * @throws ScimError forbidden for a filter, here and below
   */
  serviceProviderConfig(orgId: string, query: Query): object {
    refuseFilter(query);
    return {
      schemas: [`${CORE_URN}:ServiceProviderConfig`],
      documentationUri: `${this.environment.publicUrl}/docs`,
      patch: { supported: true },
      bulk: { supported: true, maxOperations: LIMITS.bulkOperations, maxPayloadSize: LIMITS.bulkBytes },
      filter: { supported: true, maxResults: LIMITS.maxPageSize },
      changePassword: { supported: false },
      sort: { supported: true },
      etag: { supported: true },
      pagination: {
        cursor: true,
        index: true,
        defaultPaginationMethod: 'index',
        defaultPageSize: LIMITS.defaultPageSize,
        maxPageSize: LIMITS.maxPageSize,
      },
      authenticationSchemes: [
        {
          type: 'oauthbearertoken',
          name: 'OAuth Bearer Token',
          description: 'A SCIM token of the organisation in the Authorization header.',
          specUri: 'https://www.rfc-editor.org/info/rfc6750',
          primary: true,
        },
      ],
      meta: {
        resourceType: 'ServiceProviderConfig',
        location: `${this.base(orgId)}/ServiceProviderConfig`,
      },
    };
  }

  /** RFC 7643, section 6. */
  resourceTypes(orgId: string, query: Query): object {
    refuseFilter(query);
    return listOf(RESOURCE_TYPES.map((type) => this.describeType(type, orgId)));
  }

  /** @throws ScimError notFound */
  resourceType(orgId: string, name: string, query: Query): object {
    refuseFilter(query);
    const type = RESOURCE_TYPES.find((one) => one.name === name);
    if (!type)
      throw new ScimError(
        'notFound',
        `The resource type ${quoted(name)} does not exist; the resource types are User and Group.`,
      );
    return this.describeType(type, orgId);
  }

  /** RFC 7643, section 7. */
  schemas(orgId: string, query: Query): object {
    refuseFilter(query);
    return listOf(SCHEMAS.map((schema) => this.describeSchema(schema, orgId)));
  }

  /**
   * @param urn in any case, since URNs are case-insensitive
   * @throws ScimError notFound
   */
  schema(orgId: string, urn: string, query: Query): object {
    refuseFilter(query);
    const schema = SCHEMAS.find(({ id }) => id.toLowerCase() === urn.toLowerCase());
    if (!schema) throw new ScimError('notFound', `The schema ${quoted(urn)} does not exist; see /Schemas.`);
    return this.describeSchema(schema, orgId);
  }

  private describeType({ name, description, endpoint, schema, extensions }: ResourceType, orgId: string): object {
    return {
      schemas: [`${CORE_URN}:ResourceType`],
      id: name,
      name,
      description,
      endpoint,
      schema: schema.id,
      schemaExtensions: extensions.map(({ id }) => ({ schema: id, required: false })),
      meta: { resourceType: 'ResourceType', location: `${this.base(orgId)}/ResourceTypes/${name}` },
    };
  }

  private describeSchema({ id, name, description, attributes }: ResourceSchema, orgId: string): object {
    return {
      schemas: [`${CORE_URN}:Schema`],
      id,
      name,
      description,
      attributes: attributes.map(described),
      meta: { resourceType: 'Schema', location: `${this.base(orgId)}/Schemas/${id}` },
    };
  }

  private base(orgId: string): string {
    return scimBase(this.environment.publicUrl, orgId);
  }
}

/**
 * Filters on these are rejected, since a client could mistake an unfiltered response for a filtered one (RFC 7644,
 * section 4).
 *
 * @throws ScimError forbidden
 */
function refuseFilter(query: Query): void {
  if (query.filter !== undefined) throw new ScimError('forbidden', 'The discovery endpoints do not accept a filter.');
}

/** An attribute in the terms of RFC 7643, section 7; complex ones have neither `caseExact` nor `uniqueness`. */
function described(attribute: Attribute): object {
  const { name, type, multiValued, description, required, caseExact, mutability, returned, uniqueness } = attribute;
  const { canonicalValues, referenceTypes, subAttributes } = attribute;
  return {
    name,
    type,
    multiValued,
    description,
    required,
    ...(subAttributes ? { subAttributes: subAttributes.map(described) } : { caseExact }),
    ...(canonicalValues ? { canonicalValues } : {}),
    mutability,
    returned,
    uniqueness,
    ...(referenceTypes ? { referenceTypes } : {}),
  };
}

function listOf(resources: object[]): object {
  return {
    schemas: [LIST_URN],
    totalResults: resources.length,
    itemsPerPage: resources.length,
    startIndex: 1,
    Resources: resources,
  };
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
