import { DataSource } from 'typeorm';
import { Clock } from '../../src/config/clock';
import { Secrets } from '../../src/config/secrets';
import type { EdgeNews } from '../../src/gateway/edge/edge-news';
import { InputResponses } from '../../src/gateway/edge/input-responses';
import { createStage, type Stage } from './support/endpoint-stage';

describe('An answer of a client that reaches a process of which the others hear nothing', () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await createStage(1, { env: { RUN: 'api' } });
  });

  afterAll(() => stage.close());

  it('is found when the process that waits for it hears again', async () => {
    const { app, dataSource } = stage.test;
    const mute: Pick<EdgeNews, 'on' | 'onGap' | 'tell'> = {
      on: () => undefined,
      onGap: () => undefined,
      tell: () => Promise.resolve(true),
    };
    const other = new InputResponses(app.get(Secrets), app.get(Clock), app.get(DataSource), mute as EdgeNews);
    const asked = { principal: 'user a', path: '/mcp/bundles/b' };
    const { id, answer } = app.get(InputResponses).expect(asked, new AbortController().signal);
    expect(await other.take(id, asked, { result: { action: 'accept' } })).toBe(true);
    expect(await dataSource.query<object[]>(`SELECT FROM client_answers`)).toHaveLength(1);
    await dataSource.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'toolyard listener' AND datname = current_database()`,
    );
    expect(JSON.parse(JSON.stringify(await answer))).toEqual({ result: { action: 'accept' } });
    expect(await dataSource.query<object[]>(`SELECT FROM client_answers`)).toHaveLength(0);
  });
});
