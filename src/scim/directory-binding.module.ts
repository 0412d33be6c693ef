import { Global, Module } from '@nestjs/common';
import { Directory } from '../organisations/directory';
import { RoleSync } from './roles/sync/role-sync';
import { PushedDirectory } from './directory/pushed-directory';

/**
 * Binds `Directory`, the abstract class by which `organisations/` accesses the directory, to the one that SCIM pushes.
 * Global, because `organisations/` injects it and must not import `scim/`; a module of its own, because all of
 * `ScimModule` would otherwise be global.
 */
@Global()
@Module({
  providers: [RoleSync, { provide: Directory, useClass: PushedDirectory }],
  exports: [RoleSync, Directory],
})
export class DirectoryBindingModule {}
