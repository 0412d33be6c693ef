import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Environment } from '../../../config/environment';
import type { Selection } from '../values/selection';
import type { StoredUser } from '../schema/user-document';
import { USER_TYPE } from '../schema/user-schema';
import { resourceAddress, scimBase } from '../scim-address';
import type { ScimClient } from '../scim-client';
import type { Written } from '../scim-resource';
import { type UserGroup, userResource, userVersion } from '../stored/to-scim';
import { groupsOf } from '../stored/stored-users';
import { findUserManagers, userManagerOf } from '../stored/user-managers';

/** What a response shows of one user. */
@Injectable()
export class UserAnswers {
  constructor(private readonly environment: Environment) {}

  /** @param known the groups, if they need not be read */
  async written(
    manager: EntityManager,
    { orgId }: ScimClient,
    user: StoredUser,
    selection: Selection,
    known?: UserGroup[],
  ): Promise<Written & Required<Pick<Written, 'resource'>>> {
    const base = scimBase(this.environment.publicUrl, orgId);
    const groups = selection.wants('groups')
      ? (known ?? (await groupsOf(manager, orgId, [user.id])).get(user.id))
      : undefined;
    const managers = selection.wants('manager') ? await findUserManagers(manager, orgId, [user]) : undefined;
    const managerEntry = managers && userManagerOf(user, managers);
    return {
      id: user.id,
      location: resourceAddress(base, USER_TYPE, user.id),
      version: userVersion(user, groups, managerEntry),
      resource: selection.apply(userResource(user, groups, base, managerEntry)),
    };
  }
}
