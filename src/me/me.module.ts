import { Module } from '@nestjs/common';
import { MeController } from './me.controller';
import { MeService } from './me.service';

/** What the caller's own account is, and where it belongs. */
@Module({ controllers: [MeController], providers: [MeService] })
export class MeModule {}
