import { Module } from '@nestjs/common';
import { Clock } from '../config/clock';
import { Environment } from '../config/environment';
import { Accounts } from '../users/accounts.service';
import { UsersModule } from '../users/users.module';
import { AccessGuard } from './access.guard';
import { ExternalIssuer } from './external-issuer';
import { Issuer } from './issuer';
import { OwnIssuer } from './own-issuer';
import { signingKey } from './signing-key';
import { TokenVerifier } from './token-verifier';
import { WellKnownController } from './well-known.controller';

@Module({
  imports: [UsersModule],
  controllers: [WellKnownController],
  providers: [
    {
      provide: Issuer,
      inject: [Environment, Accounts, Clock],
      useFactory: async (environment: Environment, accounts: Accounts, clock: Clock): Promise<Issuer> => {
        const { externalIssuer, publicUrl, dataDir } = environment;
        if (externalIssuer) return new ExternalIssuer(externalIssuer, clock);
        return OwnIssuer.create(publicUrl, await signingKey(dataDir), accounts);
      },
    },
    TokenVerifier,
    AccessGuard,
  ],
  exports: [AccessGuard, UsersModule],
})
export class AuthModule {}
