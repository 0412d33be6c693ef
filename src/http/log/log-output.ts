import { writeSync } from 'node:fs';

/** Writes some bytes, perhaps not all of them. @returns how many @throws what the system says */
export type WriteBytes = (bytes: Buffer) => number;

/** Characters that wait for a reader of a pipe that is behind; beyond them, lines are dropped. */
const MAX_WAITING = 1_048_576;
const NEWLINE = 10;
/** A pipe is full, or a terminal was stopped: the next flush tries again. */
const BUSY: readonly string[] = ['EAGAIN', 'EBUSY'];

/** How to write. */
export interface LogOutputOptions {
  /** Lines are gathered until they have so many characters, because one write per line would cost more than many requests. */
  readonly gathered: number;
  /** @param count of lines that were dropped @returns the line that reports them */
  readonly report: (count: number, reason: string) => string;
  /** Absent: standard output. */
  readonly write?: WriteBytes;
}

/** Lines that were dropped, in the place where they would have been. */
interface Dropped {
  count: number;
  readonly reason: string;
}

/**
 * Standard output for the log. What cannot be written, because the disk is full or the reader has gone, is dropped and
 * counted, and one line reports it as soon as writing works again: a process that serves requests must not end because of its
 * log. Writes are synchronous, so that nothing is lost when the process ends; asynchronous ones measured slower.
 */
export class LogOutput {
  private waiting: (string | Dropped)[] = [];
  private characters = 0;
  /** The rest of a line of which the system has taken a part: no other line follows a torn one. */
  private torn: Buffer = Buffer.alloc(0);
  /** The last write took less than everything, so only flushes try again, and not each line. */
  private isBehind = false;
  private readonly writeBytes: WriteBytes;

  constructor(private readonly options: LogOutputOptions) {
    this.writeBytes = options.write ?? ((bytes) => writeSync(1, bytes));
  }

  /** Takes a line, with its end. Never throws. */
  write(line: string): void {
    if (this.characters > MAX_WAITING) this.drop();
    else {
      this.waiting.push(line);
      this.characters += line.length;
    }
    if (this.characters >= this.options.gathered && !this.isBehind) this.flush();
  }

  /** Writes what was gathered. Never throws. @param done called when that was tried */
  flush(done?: () => void): void {
    if (this.waiting.length > 0 || this.torn.length > 0) this.writeWaiting();
    done?.();
  }

  private writeWaiting(): void {
    const rest = this.torn.length;
    const lines = this.waiting.map((each) =>
      typeof each === 'string' ? each : this.options.report(each.count, each.reason),
    );
    const all = Buffer.concat([this.torn, Buffer.from(lines.join(''))]);
    const { written, failure } = this.writeAll(all);
    // The end of the line that was begun last.
    const end = written === 0 || all[written - 1] === NEWLINE ? written : all.indexOf(NEWLINE, written) + 1;
    this.torn = written === 0 ? this.torn : all.subarray(written, end);
    if (end > rest) this.waiting.splice(0, linesIn(all.subarray(rest, end)));
    this.isBehind = failure !== undefined;
    if (failure !== undefined && !BUSY.includes(failure)) this.dropAll(failure);
    this.characters = this.waiting.reduce((sum, each) => sum + (typeof each === 'string' ? each.length : 0), 0);
  }

  private writeAll(all: Buffer): { written: number; failure?: string } {
    let written = 0;
    try {
      while (written < all.length) {
        const count = this.writeBytes(all.subarray(written));
        if (count === 0) return { written, failure: 'EAGAIN' };
        written += count;
      }
      return { written };
    } catch (error) {
      return { written, failure: (error as NodeJS.ErrnoException).code ?? 'unknown' };
    }
  }

  /** Drops the line that would be the next one. */
  private drop(): void {
    const last = this.waiting.at(-1);
    if (typeof last === 'object') last.count++;
    else this.waiting.push({ count: 1, reason: 'its reader is too slow' });
  }

  private dropAll(reason: string): void {
    const count = this.waiting.reduce((sum, each) => sum + (typeof each === 'string' ? 1 : each.count), 0);
    this.waiting = count === 0 ? [] : [{ count, reason }];
  }
}

function linesIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}
