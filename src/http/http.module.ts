import { Global, Module } from '@nestjs/common';
import { Environment } from '../config/environment';
import { Secrets } from '../config/secrets';
import { Cursors } from './cursor';
import { Pages } from './page';
import { TextChecks } from './text-checks';

/** What every route shares. */
@Global()
@Module({
  providers: [
    TextChecks,
    {
      provide: Pages,
      inject: [Environment, Secrets],
      useFactory: (environment: Environment, secrets: Secrets) =>
        new Pages(new Cursors(secrets.derive('cursors')), environment.publicUrl),
    },
  ],
  exports: [Pages, TextChecks],
})
export class HttpModule {}
