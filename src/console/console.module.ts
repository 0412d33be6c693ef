import { Global, Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { ConsoleServer } from './console-server';

/** Global: the page at `/` sends people to the console. */
@Global()
@Module({ imports: [AuthModule], providers: [ConsoleServer], exports: [ConsoleServer] })
export class ConsoleModule {}
