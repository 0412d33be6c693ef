import { DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { DatabaseErrors } from './database-errors';
import { Notifications } from './notifications';
import { RowRetention } from './row-retention';

/** Access to PostgreSQL. Global, as every module needs it and there is one database. */
@Global()
@Module({})
export class DatabaseModule {
  /**
   * @param dataSource connected and migrated; closed when the application closes
   * @param url the same database, for the LISTEN connection
   * @param errors what the constraints of all modules mean
   */
  static over(dataSource: DataSource, url: string, errors: DatabaseErrors): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => dataSource.options,
          dataSourceFactory: () => Promise.resolve(dataSource),
        }),
      ],
      providers: [
        { provide: Notifications, useFactory: () => new Notifications(url) },
        { provide: DatabaseErrors, useValue: errors },
        RowRetention,
      ],
      exports: [Notifications, DatabaseErrors, RowRetention],
    };
  }
}
