import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module';
import { TextChecks } from '../../http/requests/text-checks';
import { LastWay } from './last-way';
import { Passkey } from './passkey.entity';
import { ANSWER_CHECK, answerFaults } from './passkey.dto';
import { PasskeysController } from './passkeys.controller';
import { Passkeys } from './passkeys.service';
import { RecoveryCode } from './recovery-code.entity';
import { UsedChallenge } from './used-challenge.entity';

@Module({
  imports: [AuthModule],
  controllers: [PasskeysController],
  providers: [Passkeys, LastWay],
  exports: [Passkeys, LastWay],
})
export class PasskeysModule {
  static readonly declares = {
    entities: [Passkey, RecoveryCode, UsedChallenge],
  } as const;

  constructor(checks: TextChecks) {
    checks.registerObject(ANSWER_CHECK, answerFaults);
  }
}
