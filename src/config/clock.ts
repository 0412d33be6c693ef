import { Injectable } from '@nestjs/common';

/** The current time. Tests of time-dependent rules replace it. */
@Injectable()
export class Clock {
  private anchor?: { time: number; since: number };

  /** The time of the database since `follow` was first called, before that the time of the machine. */
  now(): Date {
    return this.anchor ? new Date(this.anchor.time + performance.now() - this.anchor.since) : new Date();
  }

  /**
   * From now on this clock shows the given time, and goes on by the machine's monotonic clock, which no step of its time of
   * day moves. Processes that share a database follow its time, so that none takes what another has noted for the future.
   *
   * @param time that of the database
   * @param since when it was that time; of `performance.now()`
   */
  follow(time: Date, since: number): void {
    this.anchor = { time: time.getTime(), since };
  }
}
