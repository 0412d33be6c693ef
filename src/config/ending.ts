import { Injectable } from '@nestjs/common';

/** How much time is left when the process ends. */
@Injectable()
export class Ending {
  /** Calls it off to wait for anything: what is under way is left as it is. */
  readonly hurry: () => void;
  /** Resolves when that was called. */
  readonly isHurried: Promise<void>;

  constructor() {
    let hurry = () => {};
    this.isHurried = new Promise((resolve) => (hurry = resolve));
    this.hurry = hurry;
  }
}
