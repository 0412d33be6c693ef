import { Injectable } from '@nestjs/common';

/** The current time. Tests of time-dependent rules replace it. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}
