import { Module } from '@nestjs/common';
import { HealthController } from './health.controller';

@Module({ controllers: [HealthController] })
export class OperationsModule {
  static readonly declares = {
    tags: [['Operations', 'Health checks for operators and load balancers.']],
  } as const;
}
