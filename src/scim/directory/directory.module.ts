import { Global, Module } from '@nestjs/common';
import { Directory } from '../../organisations/directory';
import { RoleSync } from '../roles/role-sync';
import { PushedDirectory } from './pushed-directory';

/**
 * Implements the abstract class by which `organisations/` accesses the directory. Global, to avoid a dependency cycle.
 */
@Global()
@Module({
  providers: [RoleSync, { provide: Directory, useClass: PushedDirectory }],
  exports: [RoleSync, Directory],
})
export class DirectoryModule {}
