import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module';
import { OrganisationsModule } from '../../organisations/organisations.module';
import { PasswordsModule } from '../passwords/passwords.module';
import { ProtectionModule } from '../protection/protection.module';
import { SetUpController } from './set-up.controller';
import { SetUpDone } from './set-up.entity';
import { SetUp } from './set-up.service';
import { SetUpToken } from './set-up-token.entity';
import { SetUpTokens } from './set-up-tokens';

/** The first account. */
@Module({
  imports: [AuthModule, OrganisationsModule, PasswordsModule, ProtectionModule],
  controllers: [SetUpController],
  providers: [SetUp, SetUpTokens],
  exports: [SetUpTokens],
})
export class SetUpModule {
  static readonly declares = { entities: [SetUpDone, SetUpToken] } as const;
}
