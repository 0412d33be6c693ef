import { Module } from '@nestjs/common';
import { SessionPagesModule } from '../session-pages/session-pages.module';
import { SignInWays } from './sign-in-ways';

/** Knows how people can sign in. */
@Module({ imports: [SessionPagesModule], providers: [SignInWays], exports: [SignInWays] })
export class WaysModule {}
