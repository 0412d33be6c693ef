import { ConnectFailure } from './connect-failure';
import { RequestBudgets, type RequestUse } from './request-budgets';

describe('RequestBudgets', () => {
  const fill = (budgets: RequestBudgets, use: (n: number) => RequestUse) => {
    const ends: (() => void)[] = [];
    for (let n = 0; n < 1_000; n++) {
      try {
        ends.push(budgets.enter(use(n)));
      } catch (error) {
        expect(error).toMatchObject({ kind: 'busy', isTransient: true });
        return ends;
      }
    }
    throw new Error('There is no bound.');
  };

  it('leaves room for renewals whoever connects accounts, and the other way round', () => {
    const budgets = new RequestBudgets();
    expect(fill(budgets, () => ({ of: 'connection' }))).toHaveLength(32);
    expect(fill(budgets, () => ({ of: 'tokens' }))).toHaveLength(64);
  });

  it('leaves room for others whoever connects many accounts', () => {
    const budgets = new RequestBudgets();
    expect(fill(budgets, () => ({ of: 'connection', personId: 'ada' }))).toHaveLength(4);
    expect(fill(budgets, (n) => ({ of: 'connection', personId: `${n}` }))).toHaveLength(28);
  });

  it('has room again for each request that has ended', () => {
    const budgets = new RequestBudgets();
    const ada: RequestUse = { of: 'connection', personId: 'ada' };
    for (const end of fill(budgets, () => ada)) end();
    expect(fill(budgets, () => ada)).toHaveLength(4);
    expect(() => budgets.enter(ada)).toThrow(ConnectFailure);
  });
});
