import type { ServerResponse } from 'node:http';
import { Logger } from '@nestjs/common';
import { UnreadResponses } from './unread-responses';

/** A response whose client reads when the test says so. */
class SlowResponse {
  destroyed = false;

  constructor(public writableLength: number) {}

  destroy(): void {
    this.destroyed = true;
  }
}

describe('Answers that wait for slow readers', () => {
  let answers: UnreadResponses;
  const slow = (bytes: number) => new SlowResponse(bytes) as SlowResponse & ServerResponse;

  beforeAll(() => {
    Logger.overrideLogger(false);
  });

  beforeEach(() => {
    answers = new UnreadResponses();
    answers.mostBytes = 100;
  });

  it('have a bound together: the oldest ends first', () => {
    const all = [slow(40), slow(40), slow(30), slow(90)];
    for (const each of all) answers.note(each);
    expect(all.map(({ destroyed }) => destroyed)).toEqual([true, true, true, false]);
    expect(answers.bytes).toBe(90);
  });

  it('do not wait when they were read, or have closed', () => {
    const [read, closed, last] = [slow(60), slow(40), slow(100)];
    for (const each of [read, closed]) answers.note(each);
    read.writableLength = 0;
    answers.note(read);
    answers.forget(closed);
    answers.forget(closed);
    answers.note(last);
    expect([read.destroyed, closed.destroyed, last.destroyed, answers.bytes]).toEqual([false, false, false, 100]);
  });

  it('keep their age when something is added', () => {
    const [old, young] = [slow(30), slow(30)];
    for (const each of [old, young]) answers.note(each);
    old.writableLength = 80;
    answers.note(old);
    expect([old.destroyed, young.destroyed, answers.bytes]).toEqual([true, false, 30]);
  });

  it('share the pages of lists', () => {
    const page = Buffer.alloc(50);
    const readers = Array.from({ length: 5 }, () => slow(55));
    for (const reader of readers) answers.note(reader, ['12345', page]);
    expect([answers.bytes, readers.some(({ destroyed }) => destroyed)]).toEqual([75, false]);
    for (const reader of readers) answers.forget(reader);
    expect(answers.bytes).toBe(0);
  });

  it('are not kept if one alone is too large', () => {
    const large = slow(101);
    answers.note(large);
    expect([large.destroyed, answers.bytes]).toEqual([true, 0]);
  });
});
