import { Module } from '@nestjs/common';
import { MeController } from './me.controller';
import { MeService } from './me.service';
import { WaitingSources } from './waiting-sources';
import { WaitingController } from './waiting.controller';
import { WaitingService } from './waiting.service';

/** What the caller's own account is, where it belongs, and what waits for it. */
@Module({
  controllers: [MeController, WaitingController],
  providers: [MeService, WaitingService, WaitingSources],
  exports: [WaitingSources],
})
export class MeModule {}
