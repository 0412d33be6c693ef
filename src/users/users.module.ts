import { Module } from '@nestjs/common';
import { Accounts } from './accounts.service';

@Module({ providers: [Accounts], exports: [Accounts] })
export class UsersModule {}
