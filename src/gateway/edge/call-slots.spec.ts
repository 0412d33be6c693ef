import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { UpstreamLimits } from '../upstreams/upstream-limits';
import { CallSlots } from './call-slots';

const response = () => new ServerResponse(new IncomingMessage(new Socket()));
const limited = expect.objectContaining({ code: 'rate_limited', mayHaveRun: false }) as Error;

describe('The calls of a principal', () => {
  const slots = new CallSlots(Object.assign(new UpstreamLimits(), { callsOfPrincipal: 2, callsOfPerson: 3 }));
  const enter = (principal: string, to = response()) => slots.enter({ principal }, 'https://a.example', to);

  it('are as many as the limit, until they have ended and their answers have been read', () => {
    const [first, second] = [response(), response()];
    const [leaveFirst, leaveSecond] = [enter('a', first), enter('a', second)];
    expect(() => enter('a')).toThrow(limited);
    leaveFirst();
    expect(() => enter('a')).toThrow(limited);
    first.emit('close');
    const third = enter('a');
    expect(() => enter('a')).toThrow(limited);
    // The client has gone, but the call goes on.
    second.destroy();
    expect(() => enter('a')).toThrow(limited);
    leaveSecond();
    expect(() => enter('a')).not.toThrow();
    expect(third).toBeDefined();
  });

  it('do not count for others', () => {
    expect(() => enter('b')).not.toThrow();
  });

  it('are bounded at one server for the person behind all of their tokens, in whatever bundle', () => {
    const of =
      (token: number, server: string, to = response()) =>
      () =>
        slots.enter({ principal: `token ${token}`, behind: ['user a', `organisation ${token}`] }, server, to);
    const first = response();
    const leave = of(1, 'https://b.example', first)();
    of(2, 'https://b.example')();
    of(3, 'https://b.example')();
    expect(of(4, 'https://b.example')).toThrow(limited);
    expect(of(4, 'https://c.example')).not.toThrow();
    expect(() =>
      slots.enter({ principal: 'token 5', behind: ['user b'] }, 'https://b.example', response()),
    ).not.toThrow();
    leave();
    first.emit('close');
    expect(of(4, 'https://b.example')).not.toThrow();
  });
});
