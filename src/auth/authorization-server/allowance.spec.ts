import { Allowance } from './allowance';

describe('Allowance', () => {
  it('admits each key as often as it may, and no more', () => {
    const allowance = new Allowance(2, 60_000);
    expect(['a', 'a', 'b', 'a', 'b', 'b'].map((key) => allowance.admits(key))).toEqual([
      true,
      true,
      true,
      false,
      true,
      false,
    ]);
  });
});
