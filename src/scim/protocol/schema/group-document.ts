import type { ScimGroup } from '../../directory/scim-group.entity';

/** A group in a POST or PUT. */
export interface GroupDocument {
  displayName: string;
  externalId: string | null;
  /** Ids as sent, each once; undefined if `members` was absent. */
  members: string[] | undefined;
}

/** A stored group, without its members, of which there may be many. */
export type StoredGroup = Pick<ScimGroup, 'id' | 'displayName' | 'externalId' | 'version' | 'createdAt' | 'updatedAt'>;
