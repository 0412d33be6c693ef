import fc from 'fast-check';
import { Ring } from './ring';

describe('A ring', () => {
  it('is a queue that keeps the newest, and says what it drives out', () => {
    const commands = fc.array(fc.oneof(fc.constant('push' as const), fc.nat(5)), { maxLength: 60 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), commands, (most, all) => {
        const ring = new Ring<number>(most);
        let model: number[] = [];
        all.forEach((command, n) => {
          if (command === 'push') {
            expect(ring.push(n)).toBe(model.length === most);
            model = [...model, n].slice(-most);
          } else expect(ring.take(command)).toEqual(model.splice(0, command));
          expect(ring.size).toBe(model.length);
        });
      }),
    );
  });
});
