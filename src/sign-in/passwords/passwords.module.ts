import { Module } from '@nestjs/common';
import { PasswordHasher } from './password-hasher';
import { Password } from './password.entity';
import { Passwords } from './passwords.service';

/** What signs people in without an identity provider. */
@Module({ providers: [PasswordHasher, Passwords], exports: [Passwords] })
export class PasswordsModule {
  static readonly declares = { entities: [Password] } as const;
}
