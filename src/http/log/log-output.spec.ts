import { closeSync, openSync, writeSync } from 'node:fs';
import fc from 'fast-check';
import { LogOutput } from './log-output';

describe('The output of the log', () => {
  let disk: string;
  let output: LogOutput;
  /** What the system does with the next writes; undefined: takes all. */
  let next: (number | string | undefined)[];

  beforeEach(() => {
    disk = '';
    next = [];
    output = outputOf(1);
  });

  function outputOf(gathered: number): LogOutput {
    return new LogOutput({
      gathered,
      report: (count, reason) => `[${count} dropped: ${reason}]\n`,
      write: (bytes) => {
        const outcome = next.shift();
        if (typeof outcome === 'string') throw Object.assign(new Error(outcome), { code: outcome });
        const taken = Math.min(outcome ?? bytes.length, bytes.length);
        disk += bytes.subarray(0, taken).toString();
        return taken;
      },
    });
  }

  it('gathers lines', () => {
    output = outputOf(8);
    output.write('one\n');
    expect(disk).toBe('');
    output.write('two\n');
    output.write('three\n');
    expect(disk).toBe('one\ntwo\n');
    const flushed = jest.fn();
    output.flush(flushed);
    expect([disk, flushed.mock.calls]).toEqual(['one\ntwo\nthree\n', [[]]]);
  });

  it('drops lines while the disk is full, and reports how many as soon as writing works again', () => {
    next = ['ENOSPC', 'ENOSPC', 'ENOSPC'];
    output.write('one\n');
    output.write('two\n');
    output.write('three\n');
    output.flush();
    output.flush();
    expect(disk).toBe('');
    output.flush();
    output.write('four\n');
    output.flush();
    expect(disk).toBe('[3 dropped: ENOSPC]\nfour\n');
  });

  it('writes whole lines only, when the disk had room for a part of one', () => {
    next = [2, 'ENOSPC', 'ENOSPC'];
    output.write('one\n');
    output.write('two\n');
    output.flush();
    expect(disk).toBe('on');
    output.flush();
    output.write('three\n');
    expect(disk).toBe('one\n[1 dropped: ENOSPC]\nthree\n');
  });

  it('waits for a reader that is behind, and then drops', () => {
    next = Array.from({ length: 10 }, () => 'EAGAIN');
    const line = `${'x'.repeat(65_535)}\n`;
    for (let n = 0; n < 20; n++) output.write(line);
    next = [];
    output.flush();
    expect(disk === `${line.repeat(17)}[3 dropped: its reader is too slow]\n`).toBe(true);
  });

  it.each(['ENOSPC', 'EIO', 'EDQUOT', 'EFBIG', 'EPIPE', 'EBADF'])('never throws: %s', (code) => {
    next = [code];
    output.write('one\n');
    output.flush();
    expect(disk).toBe(`[1 dropped: ${code}]\n`);
  });

  it('survives a device that is really full', () => {
    const full = openSync('/dev/full', 'w');
    const own = new LogOutput({ gathered: 1, report: () => '', write: (bytes) => writeSync(full, bytes) });
    expect(() => own.write('one\n')).not.toThrow();
    expect(() => own.flush()).not.toThrow();
    closeSync(full);
  });

  it('writes or reports every line, in order, whatever the system takes', () => {
    const outcome = fc.oneof(
      fc.constant(undefined),
      fc.integer({ min: 0, max: 12 }),
      fc.constantFrom('ENOSPC', 'EAGAIN', 'EPIPE'),
    );
    const step = fc.record({ isLine: fc.boolean(), outcomes: fc.array(outcome, { maxLength: 3 }) });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.array(step, { maxLength: 60 }), (gathered, steps) => {
        disk = '';
        next = [];
        output = outputOf(gathered);
        let lines = 0;
        for (const { isLine, outcomes } of steps) {
          next = [...outcomes];
          if (isLine) output.write(`line ${lines++}\n`);
          else output.flush();
        }
        next = [];
        for (let n = 0; n < 3; n++) output.flush();
        let seen = 0;
        for (const text of disk.split('\n').slice(0, -1)) {
          const dropped = /^\[(\d+) dropped: \w+\]$/.exec(text);
          if (dropped) seen += Number(dropped[1]);
          else expect(text).toBe(`line ${seen++}`);
        }
        expect([seen, disk === '' || disk.endsWith('\n')]).toEqual([lines, true]);
      }),
    );
  });
});
