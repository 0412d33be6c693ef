import { DynamicModule, Global, Module } from '@nestjs/common';
import { EventCatalogue } from './event-catalogue';
import { EventRow } from './event.entity';

/** What happened, for others to know of. Global, as the catalogue holds the events of every noun. */
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
