import { Injectable } from '@nestjs/common';

/** Signals during shutdown that no time is left. */
@Injectable()
export class Ending {
  /** Stops all waiting for running work, which is abandoned. */
  readonly hurry: () => void;
  /** Resolves when `hurry` was called. */
  readonly isHurried: Promise<void>;

  constructor() {
    let hurry = () => {};
    this.isHurried = new Promise((resolve) => (hurry = resolve));
    this.hurry = hurry;
  }
}
