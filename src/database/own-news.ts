import type { DataSource } from 'typeorm';

/**
 * After the commit the client still has to get its answer, and work on the news would compete with that for the processors. Without
 * this delay an answer took about a third of a millisecond longer on a machine with little to do (ADR 61).
 */
const ANSWER_FIRST_MS = 1;

interface Taker {
  channel: string;
  onNews: () => void;
}

/**
 * Lets a process take the news of its own transactions itself, so that they notify nobody (ADR 61): NOTIFY holds a lock of the
 * whole database until its transaction is committed, and wakes every replica, for what one of them is enough for.
 *
 * `TransactionClient.commitInTime` writes the channel into the setting `toolyard.own_channel` of a transaction that it sends as a
 * whole. A trigger that finds its channel there puts it into `toolyard.own_news` instead of sending NOTIFY.
 */
export class OwnNews {
  private taker?: Taker;

  /** What transactions may leave to this process; undefined: nothing. */
  get channel(): string | undefined {
    return this.taker?.channel;
  }

  /**
   * @param channel a plain identifier; one at a time
   * @param onNews called a millisecond after a commit with such news
   */
  take(channel: string, onNews: () => void): void {
    this.taker = { channel, onNews };
  }

  /** From now on, transactions notify again. */
  leave(): void {
    this.taker = undefined;
  }

  /** @param channel of which a transaction of this process had news, and has committed them */
  tell(channel: string): void {
    const { taker } = this;
    if (taker?.channel === channel) setTimeout(taker.onNews, ANSWER_FIRST_MS);
  }
}

/** @returns the news of a data source; there are never any if `createDataSource` did not create it */
export function ownNewsOf({ options }: DataSource): OwnNews {
  return (options as { extra?: { ownNews?: OwnNews } }).extra?.ownNews ?? new OwnNews();
}
