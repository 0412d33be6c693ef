import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, Logger as Pino, type LoggerOptions, pino } from 'pino';
import type PinoPretty from 'pino-pretty';
import type { LogFormat, LogLevel } from '../../config/environment';
import { currentRequestId, currentTrace } from '../../database/deadline';
import { LogOutput } from './log-output';

/** What every line has: `time` (ISO 8601), `level` (by name) and `msg`; nothing about the process or the machine. */
export const LINES: LoggerOptions = {
  base: undefined,
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (label) => ({ level: label }) },
};

/**
 * The log of the process on standard output: one JSON object per line, or lines for people.
 *
 * @param level the lowest level that is written
 * @param format undefined: for people on a terminal, JSON elsewhere
 */
export function createLog(level: LogLevel, format: LogFormat = process.stdout.isTTY ? 'pretty' : 'json'): Pino {
  const asShown = format === 'pretty' ? prettyFormat() : undefined;
  const report = (count: number, reason: string): string => reportOf(count, reason, asShown);
  // Flushed four times a second and when the process ends; where a person reads along, at once.
  const output = new LogOutput({ gathered: asShown ? 1 : 4_096, report });
  setInterval(() => output.flush(), 250).unref();
  const shown: DestinationStream = { write: (line) => output.write(asShown ? asShown(line) : line) };
  return pino({ level, ...LINES }, Object.assign(shown, { flush: (done?: () => void) => output.flush(done) }));
}

/** @returns how a line is shown to a person. Loaded only where one reads along. */
function prettyFormat(): (line: string) => string {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- only this form loads when it is called, and at once
  const { prettyFactory } = require('pino-pretty') as typeof PinoPretty;
  return prettyFactory({ translateTime: 'SYS:HH:MM:ss', singleLine: true });
}

/** The line about those that could not be written; `dropped` counts them. */
function reportOf(dropped: number, reason: string, asShown: (line: string) => string = (line) => line): string {
  let report = '';
  const lines = dropped === 1 ? 'line' : 'lines';
  pino(LINES, { write: (line) => (report = asShown(line)) }).warn(
    { context: 'Log', dropped },
    `${dropped} ${lines} of the log could not be written (${reason}).`,
  );
  return report;
}

/** Nest lists every module and route at startup; that is only for debugging. */
const FRAMEWORK = new Set(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication']);

/**
 * Sends the framework's own messages and those of our classes to the same log. Messages caused by a request carry its
 * id, in the same field as the request's own line.
 */
export class JsonLogger implements LoggerService {
  constructor(private readonly pino: Pino) {}

  log(message: unknown, ...args: unknown[]): void {
    this.write('info', message, args);
  }
  fatal(message: unknown, ...args: unknown[]): void {
    this.write('fatal', message, args);
  }
  error(message: unknown, ...args: unknown[]): void {
    this.write('error', message, args);
  }
  warn(message: unknown, ...args: unknown[]): void {
    this.write('warn', message, args);
  }
  debug(message: unknown, ...args: unknown[]): void {
    this.write('debug', message, args);
  }
  verbose(message: unknown, ...args: unknown[]): void {
    this.write('trace', message, args);
  }

  /** Nest passes the context (a class name) last, and with an error a text or a stack before it. */
  private write(
    level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace',
    message: unknown,
    args: unknown[],
  ): void {
    const context = typeof args.at(-1) === 'string' ? (args.at(-1) as string) : undefined;
    if (level === 'info' && context !== undefined && FRAMEWORK.has(context)) level = 'debug';
    const [text] = args.length > 1 ? args : [];
    const fields: Record<string, unknown> = {
      request_id: currentRequestId(),
      trace_id: currentTrace()?.traceId,
      context,
    };
    if (message instanceof Error) {
      fields.err = safeError(message);
      this.pino[level](fields, typeof text === 'string' ? text : message.message);
    } else {
      this.pino[level](fields, typeof message === 'string' ? message : JSON.stringify(message));
    }
  }
}

/** Name, message and stack only: a database error also carries the statement's parameters, which may be secrets. */
function safeError(error: Error): object {
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    code: typeof code === 'string' ? code : undefined,
    message: error.message,
    stack: error.stack,
  };
}
