import type { DataSource } from 'typeorm';
import { DatabaseDeadline, databaseDeadline, inRequest } from '../../database/deadline';
import { CHUNK, LogGroups } from './log-groups';

/** The names in one statement, how long it may take, and its end. */
interface Sent {
  names: string[];
  mayTakeMs: number | undefined;
  end: () => void;
  fail: (error: Error) => void;
}

describe('Rows of the provisioning log in groups', () => {
  let sent: Sent[];
  let groups: LogGroups;

  beforeEach(() => {
    jest.useFakeTimers();
    sent = [];
    const query = ({ values }: { values: [string] }) =>
      new Promise((resolve, fail) => {
        const names = (JSON.parse(values[0]) as { name: string }[]).map(({ name }) => name);
        const mayTakeMs = databaseDeadline()?.remainingAt(performance.now());
        sent.push({ names, mayTakeMs, end: () => resolve({ rows: [] }), fail });
      });
    const dataSource = {
      createQueryRunner: () => ({
        manager: {
          queryRunner: {
            connect: () => Promise.resolve({ query }),
            dataSource: { options: { extra: { preparesStatements: true } }, logger: { logQuery: () => undefined } },
          },
        },
        release: () => Promise.resolve(),
      }),
    };
    groups = new LogGroups(dataSource as unknown as DataSource);
  });

  afterEach(() => jest.useRealTimers());

  /** @param remainingMs what is left of the time of the request; at least a quarter of a second for its row */
  async function write(name: string, remainingMs = 0) {
    const state = { outcome: 'waits' };
    inRequest(name, new DatabaseDeadline(remainingMs, () => false), () => groups.write({ name })).then(
      () => (state.outcome = 'written'),
      (error: Error) => (state.outcome = error.message),
    );
    await turns();
    return state;
  }
  const turns = () => jest.advanceTimersByTimeAsync(0);
  const names = () => sent.map((statement) => statement.names);
  const end = async (index: number) => {
    sent[index]?.end();
    await turns();
  };

  it('share a statement if they come while another is being written', async () => {
    const rows = [await write('first'), await write('second'), await write('third')];
    expect(names()).toEqual([['first']]);
    await end(0);
    expect(names()).toEqual([['first'], ['second', 'third']]);
    await end(1);
    expect(rows.map(({ outcome }) => outcome)).toEqual(['written', 'written', 'written']);
  });

  it('are not given up because the statement before was slow', async () => {
    await write('slow', 10_000);
    const row = await write('alone');
    await jest.advanceTimersByTimeAsync(501);
    expect(names()).toEqual([['slow'], ['alone']]);
    await end(1);
    expect(row.outcome).toBe('written');
  });

  it('have as much time for their statement after a wait', async () => {
    await write('slow', 10_000);
    const row = await write('alone');
    await jest.advanceTimersByTimeAsync(200);
    await end(0);
    expect(sent[1]).toMatchObject({ names: ['alone'], mayTakeMs: 250 });
    await end(1);
    expect(row.outcome).toBe('written');
  });

  it('are written alone when their own time has passed, whatever the group has', async () => {
    await write('slow', 10_000);
    const first = await write('patient', 10_000);
    const joined = await write('late');
    await jest.advanceTimersByTimeAsync(501);
    expect(names()).toEqual([['slow'], ['late']]);
    await end(1);
    expect([first.outcome, joined.outcome]).toEqual(['waits', 'written']);
    await end(0);
    expect(names()[2]).toEqual(['patient', 'late']);
    await end(2);
    expect(first.outcome).toBe('written');
  });

  it('are given up when their own statement failed', async () => {
    const row = await write('alone');
    sent[0]?.fail(new Error('refused'));
    await turns();
    expect(names()).toEqual([['alone']]);
    expect(row.outcome).toBe('refused');
  });

  it('are written one group after the other, however many wait', async () => {
    await write('slow', 10_000);
    for (let index = 0; index < 2 * CHUNK; index++) await write(`row ${index}`, 10_000);
    await end(0);
    expect(names().map(({ length }) => length)).toEqual([1, CHUNK]);
    await end(1);
    expect(names().map(({ length }) => length)).toEqual([1, CHUNK, CHUNK]);
  });

  it('still wait for a slow group after another has given up waiting for it', async () => {
    await write('slow', 10_000);
    await write('alone');
    await jest.advanceTimersByTimeAsync(501);
    await end(1);
    const later = await write('later', 10_000);
    expect(names()).toEqual([['slow'], ['alone']]);
    await end(0);
    expect(names()).toEqual([['slow'], ['alone'], ['later']]);
    await end(2);
    expect(later.outcome).toBe('written');
  });
});
