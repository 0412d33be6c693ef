import { AsyncResource } from 'node:async_hooks';
import { countDatabaseTime, withDatabaseTimeOfGroup } from './deadline';

interface QueuedQuestion<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Asks the database what several requests want to know with one statement: what was asked in one turn of the event loop.
 * Nothing is remembered, so each gets an answer from after it asked. Requests that come one at a time wait for nobody.
 */
export class QueryBatcher<Question, Answer> {
  private waiting: QueuedQuestion<Question, Answer>[] = [];
  private running = 0;
  /** Asks what waits for a statement that runs. */
  private next: (() => void) | undefined;
  private patience: NodeJS.Timeout | undefined;

  /**
   * @param askAll gives the answers in the order of the questions; undefined: there is none. If it throws, so does each `ask`
   * @param atMost how many questions one statement takes; more are asked by several
   * @param patienceMs how long what is asked while a statement runs waits for its end, to be asked by the next one
   */
  constructor(
    private readonly askAll: (questions: readonly Question[]) => Promise<readonly (Answer | undefined)[]>,
    private readonly atMost: number,
    private readonly patienceMs = 0,
  ) {}

  /** @throws what `askAll` throws */
  async ask(question: Question): Promise<Answer | undefined> {
    const startedAt = performance.now();
    try {
      return await new Promise<Answer | undefined>((resolve, reject) => {
        this.waiting.push({ question, resolve, reject });
        // The statement has the time of one request, even if the one that it runs for closes its connection.
        if (this.waiting.length === 1) withDatabaseTimeOfGroup(() => setImmediate(() => this.sendInTurn()));
      });
    } finally {
      countDatabaseTime(startedAt);
    }
  }

  private sendInTurn(): void {
    if (this.running === 0 || this.patienceMs === 0) {
      this.send();
      return;
    }
    // In the time of the request that asked first, and not of one whose statement ends.
    this.next = AsyncResource.bind(() => this.send());
    this.patience = setTimeout(this.next, this.patienceMs);
  }

  private send(): void {
    clearTimeout(this.patience);
    this.next = undefined;
    const all = this.waiting;
    this.waiting = [];
    for (let from = 0; from < all.length; from += this.atMost) void this.answer(all.slice(from, from + this.atMost));
  }

  private async answer(group: readonly QueuedQuestion<Question, Answer>[]): Promise<void> {
    this.running += 1;
    try {
      const answers = await this.askAll(group.map(({ question }) => question));
      group.forEach(({ resolve }, index) => resolve(answers[index]));
    } catch (error) {
      for (const { reject } of group) reject(error);
    } finally {
      this.running -= 1;
      this.next?.();
    }
  }
}
