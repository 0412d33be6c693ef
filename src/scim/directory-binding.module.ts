import { Global, Module } from '@nestjs/common';
import { Directory } from '../organisations/directory';
import { RoleSync } from './roles/sync/role-sync';
import { AccountClaims } from '../users/account-claims';
import { UsersModule } from '../users/users.module';
import { ClaimedMemberships } from './directory/claimed-memberships';
import { PushedDirectory } from './directory/pushed-directory';

/**
 * Binds `Directory`, the abstract class by which `organisations/` accesses the directory, to the one that SCIM pushes.
 * Global, because `organisations/` injects it and must not import `scim/`; a module of its own, because all of
 * `ScimModule` would otherwise be global.
 */
@Global()
@Module({
  imports: [UsersModule],
  providers: [RoleSync, ClaimedMemberships, { provide: Directory, useClass: PushedDirectory }],
  exports: [RoleSync, Directory],
})
export class DirectoryBindingModule {
  constructor(claims: AccountClaims, memberships: ClaimedMemberships) {
    claims.register(memberships);
  }
}
