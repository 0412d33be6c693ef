import { Injectable } from '@nestjs/common';

/** How far the end of the process is. */
@Injectable()
export class Ending {
  /** Stops all waiting for running work, which is abandoned. */
  readonly hurry: () => void;
  /** Resolves when `hurry` was called. */
  readonly isHurried: Promise<void>;
  /** Whether the process is to end: a load balancer should send nothing more. */
  hasBegun = false;

  constructor() {
    let hurry = () => {};
    this.isHurried = new Promise((resolve) => (hurry = resolve));
    this.hurry = hurry;
  }
}
