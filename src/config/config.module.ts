import { DynamicModule, Global, Module } from '@nestjs/common';
import { Clock } from './clock';
import { Ending } from './ending';
import { Environment } from './environment';
import { Secrets } from './secrets';

/** The configuration of the process. Global, because every module may need it. */
@Global()
@Module({})
export class ConfigModule {
  static with(environment: Environment, clock: Clock): DynamicModule {
    return {
      module: ConfigModule,
      providers: [
        Ending,
        { provide: Environment, useValue: environment },
        { provide: Clock, useValue: clock },
        { provide: Secrets, useFactory: () => Secrets.of(environment) },
      ],
      exports: [Environment, Clock, Secrets, Ending],
    };
  }
}
