import type { DataSource } from 'typeorm';
import { Clock } from '../../config/clock';
import { Secrets } from '../../config/secrets';
import type { EdgeNews } from './edge-news';
import { InputResponses, QUESTION_LIMITS } from './input-responses';

const quiet: Pick<EdgeNews, 'on' | 'onGap'> = { on: () => undefined, onGap: () => undefined };
const limited = expect.objectContaining({ code: 'rate_limited', mayHaveRun: true }) as Error;

describe('Questions to clients', () => {
  let answers: InputResponses;
  let open: { controller: AbortController; answer: Promise<unknown> }[];

  beforeEach(() => {
    open = [];
    // Nothing reaches another process here, so the database is not asked.
    answers = new InputResponses(
      new Secrets(Buffer.alloc(32, 1)),
      new Clock(),
      undefined as unknown as DataSource,
      quiet as EdgeNews,
    );
  });

  afterEach(endAll);

  async function endAll(): Promise<void> {
    for (const { controller } of open) controller.abort();
    await Promise.all(open.splice(0).map(({ answer }) => answer));
  }

  function ask(principal: string, behind?: string[]): string {
    const controller = new AbortController();
    const { id, answer } = answers.expect({ principal, behind, path: '/mcp/bundles/b' }, controller.signal);
    open.push({ controller, answer: answer.catch(() => undefined) });
    return id;
  }

  it('wait for so many answers of one principal', async () => {
    const ids = Array.from({ length: QUESTION_LIMITS.principal }, () => ask('user a'));
    expect(() => ask('user a')).toThrow(limited);
    expect(() => ask('user b')).not.toThrow();
    expect(await answers.take(ids[0] ?? '', { principal: 'user a', path: '/mcp/bundles/b' }, { result: {} })).toBe(
      true,
    );
    expect(() => ask('user a')).not.toThrow();
    expect(() => ask('user a')).toThrow(limited);
    await endAll();
    expect(() => ask('user a')).not.toThrow();
  });

  it('wait for so many answers of one person, with whatever tokens', () => {
    for (let n = 0; n < QUESTION_LIMITS.owner; n++) ask(`token ${n}`, ['user a']);
    expect(() => ask('token', ['user a'])).toThrow(limited);
    expect(() => ask('token', ['user b'])).not.toThrow();
  });

  it('wait for so many answers in one process, the last ones for those who wait for none', () => {
    const { process, principal, reserve } = QUESTION_LIMITS;
    for (let n = 0; n < process - reserve; n++) ask(`user ${Math.floor(n / principal)}`);
    expect(() => ask('user 0')).toThrow(limited);
    for (let n = 0; n < reserve; n++) ask(`new user ${n}`);
    expect(() => ask('another user')).toThrow(limited);
  });

  it('hold nothing when their call has ended already', async () => {
    for (let n = 0; n <= QUESTION_LIMITS.principal; n++)
      await expect(
        answers.expect({ principal: 'user a', path: '/mcp/bundles/b' }, AbortSignal.abort(new Error('over'))).answer,
      ).rejects.toThrow('over');
  });

  it('are answered by nobody else', async () => {
    const id = ask('user a');
    for (const other of [
      { principal: 'user b', path: '/mcp/bundles/b' },
      { principal: 'user a', path: '/mcp/bundles/c' },
    ])
      expect(await answers.take(id, other, { result: {} })).toBe(false);
  });
});
