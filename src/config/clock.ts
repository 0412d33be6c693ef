import { Injectable } from '@nestjs/common';

/** What the time is; replaced in tests of rules that depend on it. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}
