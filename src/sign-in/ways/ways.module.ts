import { Module } from '@nestjs/common';
import { SignInWays } from './sign-in-ways';

/** Knows how people can sign in. */
@Module({ providers: [SignInWays], exports: [SignInWays] })
export class WaysModule {}
