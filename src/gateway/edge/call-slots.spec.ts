import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { UpstreamLimits } from '../upstreams/upstream-limits';
import { CallSlots } from './call-slots';

const response = () => new ServerResponse(new IncomingMessage(new Socket()));
const limited = expect.objectContaining({ code: 'rate_limited', mayHaveRun: false }) as Error;

describe('The calls of a principal', () => {
  const slots = new CallSlots(Object.assign(new UpstreamLimits(), { callsOfPrincipal: 2 }));

  it('are as many as the limit, until they have ended and their answers have been read', () => {
    const [first, second] = [response(), response()];
    const [leaveFirst, leaveSecond] = [slots.enter('a', first), slots.enter('a', second)];
    expect(() => slots.enter('a', response())).toThrow(limited);
    leaveFirst();
    expect(() => slots.enter('a', response())).toThrow(limited);
    first.emit('close');
    const third = slots.enter('a', response());
    expect(() => slots.enter('a', response())).toThrow(limited);
    // The client has gone, but the call goes on.
    second.destroy();
    expect(() => slots.enter('a', response())).toThrow(limited);
    leaveSecond();
    expect(() => slots.enter('a', response())).not.toThrow();
    expect(third).toBeDefined();
  });

  it('do not count for others', () => {
    expect(() => slots.enter('b', response())).not.toThrow();
  });
});
