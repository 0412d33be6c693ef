import { Global, Module } from '@nestjs/common';
import { Environment } from '../config/environment';
import { Secrets } from '../config/secrets';
import { AnswerShapes } from './answers/answer-shape';
import { CURSOR_FAULT, Cursors } from './requests/cursor';
import { CURSOR_FORMAT, Pages } from './requests/page';
import { ClientAddresses } from './requests/client-addresses';
import { TextChecks } from './requests/text-checks';

/** Providers that every route shares. */
@Global()
@Module({
  providers: [
    AnswerShapes,
    TextChecks,
    ClientAddresses,
    {
      provide: Pages,
      inject: [Environment, Secrets, TextChecks],
      useFactory: (environment: Environment, secrets: Secrets, checks: TextChecks) => {
        const cursors = new Cursors(secrets.derive('cursors'));
        checks.register(CURSOR_FORMAT, (text) => (text === '' || cursors.isGenuine(text) ? undefined : CURSOR_FAULT));
        return new Pages(cursors, environment.publicUrl);
      },
    },
  ],
  exports: [AnswerShapes, ClientAddresses, Pages, TextChecks],
})
export class HttpModule {}
