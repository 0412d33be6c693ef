import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { DatabaseDeadline, inRequest, outsideRequests, withDatabaseTimeOfStep } from '../../database/deadline';
import { JsonLogger } from './json-logger';

describe('A log line', () => {
  let lines: { msg: string; request_id?: string }[];
  let logger: JsonLogger;

  beforeEach(() => {
    lines = [];
    const write = (line: string) => void lines.push(JSON.parse(line) as { msg: string; request_id?: string });
    logger = new JsonLogger(pino({ base: undefined }, { write }));
  });

  const serve = <T>(id: string, work: () => T) => inRequest(id, new DatabaseDeadline(1_000, () => false), work);
  const logged = () => Object.fromEntries(lines.map(({ msg, request_id }) => [msg, request_id]));

  it('has the id of the request that causes it, even with others in progress', async () => {
    const work = async (name: string) => {
      await sleep(1);
      logger.log(name, 'Test');
      await withDatabaseTimeOfStep(() => sleep(1));
      logger.error(new Error(`${name} again`), 'Test');
    };
    await Promise.all([serve('a', () => work('first')), serve('b', () => work('second'))]);
    expect(logged()).toEqual({ first: 'a', 'first again': 'a', second: 'b', 'second again': 'b' });
  });

  it('has the request id in a step of a request too', () => {
    serve('a', () => withDatabaseTimeOfStep(() => logger.log('step', 'Test')));
    expect(logged()).toEqual({ step: 'a' });
  });

  it('has no request id outside requests, or in a loop woken by a request', () => {
    logger.log('at start', 'Test');
    serve('a', () => outsideRequests(() => logger.log('loop', 'Test')));
    expect(logged()).toEqual({ 'at start': undefined, loop: undefined });
  });
});
