import { Injectable } from '@nestjs/common';
import type { ScimClient } from '../scim-client';
import type { ListResponse, ScimQuery } from '../scim-resource';
import { GROUP_TYPE } from '../schema/group-schema';
import { USER_TYPE } from '../schema/user-schema';
import { ScimLists } from './scim-lists.service';

/** The search at the root, over the whole directory of an organisation (RFC 7644, sections 3.4.2.1 and 3.4.3). */
@Injectable()
export class ScimSearch {
  constructor(private readonly lists: ScimLists) {}

  /**
   * Users, then groups, unless `sortBy` is present. An attribute that a type lacks has no value there.
   *
   * @throws ScimError invalidFilter, invalidPath, invalidValue, invalidCursor
   */
  list(client: ScimClient, query: ScimQuery): Promise<ListResponse> {
    return this.lists.read(client, [USER_TYPE, GROUP_TYPE], query);
  }
}
