import { Global, Module } from '@nestjs/common';
import { Environment } from '../config/environment';
import { Secrets } from '../config/secrets';
import { Forms } from './forms';
import { PageErrors } from './page-errors';
import { WebPages } from './web-pages';

/** What every page for people needs. */
@Global()
@Module({
  providers: [
    WebPages,
    PageErrors,
    {
      provide: Forms,
      inject: [Secrets, Environment],
      useFactory: (secrets: Secrets, environment: Environment) => new Forms(secrets, environment),
    },
  ],
  exports: [Forms, PageErrors, WebPages],
})
export class PagesModule {}
