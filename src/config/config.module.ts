import { DynamicModule, Global, Module } from '@nestjs/common';
import { Clock } from './clock';
import { Ending } from './ending';
import { Environment } from './environment';
import { Secrets } from './secrets';

/** What the process was told at start. Global, as every room may need it. */
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
