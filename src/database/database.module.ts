import { DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Notifications } from './notifications';
import { RowRetention } from './row-retention';

/** Everything that reaches PostgreSQL. Global, as every noun needs it and there is one database. */
@Global()
@Module({})
export class DatabaseModule {
  /**
   * @param dataSource connected and migrated; closed when the application closes
   * @param url the same database, for the connection that listens
   */
  static over(dataSource: DataSource, url: string): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => dataSource.options,
          dataSourceFactory: () => Promise.resolve(dataSource),
        }),
      ],
      providers: [{ provide: Notifications, useFactory: () => new Notifications(url) }, RowRetention],
      exports: [Notifications, RowRetention],
    };
  }
}
