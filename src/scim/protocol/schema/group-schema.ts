import { attribute, type ResourceSchema, type ResourceType } from './attribute';
import { GROUP_URN } from '../urns';

/** RFC 7643, sections 4.2 and 8.7.1. Groups contain users; nested groups are rejected. */
const GROUP: ResourceSchema = {
  id: GROUP_URN,
  name: 'Group',
  description: 'A group in the directory of the organisation. A role mapping can give its members a role.',
  attributes: [
    attribute('displayName', 'The name of the group.', { required: true }),
    attribute('members', 'The members of the group.', {
      multiValued: true,
      subAttributes: [
        attribute('value', 'The id of the user.', { caseExact: true, mutability: 'immutable' }),
        attribute('$ref', 'The URL of the user.', {
          type: 'reference',
          referenceTypes: ['User'],
          caseExact: true,
          mutability: 'immutable',
        }),
        attribute('display', 'The name of the user.', { mutability: 'readOnly' }),
        attribute('type', 'Always User.', { canonicalValues: ['User'], mutability: 'immutable' }),
      ],
    }),
  ],
};

export const GROUP_TYPE: ResourceType = {
  name: 'Group',
  description: GROUP.description,
  endpoint: '/Groups',
  schema: GROUP,
  extensions: [],
};
