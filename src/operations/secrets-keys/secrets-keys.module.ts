import { Global, Module } from '@nestjs/common';
import { KeyHolders } from './key-holders';
import { SecretsKeyHolder } from './secrets-key-holder.entity';
import { SecretsKey } from './secrets-key.entity';

/** Global only so that Nest calls its hooks before those of modules that seal something. */
@Global()
@Module({ providers: [KeyHolders] })
export class SecretsKeysModule {
  static readonly declares = { entities: [SecretsKey, SecretsKeyHolder] } as const;
}
