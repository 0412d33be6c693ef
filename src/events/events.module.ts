import { DynamicModule, Global, Module } from '@nestjs/common';
import { EventCatalogue } from './event-catalogue';
import { EventRow } from './event.entity';

/** Events. Global, as the catalogue contains those of every module. */
@Global()
@Module({})
export class EventsModule {
  static readonly declares = { entities: [EventRow] };

  static with(catalogue: EventCatalogue): DynamicModule {
    return {
      module: EventsModule,
      providers: [{ provide: EventCatalogue, useValue: catalogue }],
      exports: [EventCatalogue],
    };
  }
}
