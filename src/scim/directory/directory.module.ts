import { Global, Module } from '@nestjs/common';
import { Directory } from '../../organisations/directory';
import { RoleSync } from '../roles/role-sync';
import { PushedDirectory } from './pushed-directory';

/** Hangs the directory into `organisations/`, which asks by its own abstract class. Global, as no arrow points here. */
@Global()
@Module({
  providers: [RoleSync, { provide: Directory, useClass: PushedDirectory }],
  exports: [RoleSync, Directory],
})
export class DirectoryModule {}
