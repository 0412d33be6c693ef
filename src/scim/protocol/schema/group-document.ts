import type { ScimGroup } from '../../directory/scim-group.entity';

/** A group as POST and PUT bring it. */
export interface GroupDocument {
  displayName: string;
  externalId: string | null;
  /** Ids as they were sent, each once; undefined when `members` was not sent at all. */
  members: string[] | undefined;
}

/** A stored group, without its members: they may be many. */
export type StoredGroup = Pick<ScimGroup, 'id' | 'displayName' | 'externalId' | 'version' | 'createdAt' | 'updatedAt'>;
