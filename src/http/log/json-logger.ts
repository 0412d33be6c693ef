import type { LoggerService } from '@nestjs/common';
import { destination, Logger as Pino, pino } from 'pino';
import type { LogLevel } from '../../config/environment';
import { currentRequestId } from '../../database/deadline';

/**
 * The log of the process: one JSON object a line on standard output.
 *
 * @param level the least level that is written
 */
export function createLog(level: LogLevel): Pino {
  // Buffered, since a write per line would cost more than many a request; larger buffers and asynchronous writes were
  // measured to be slower. Written out four times a second and when the process ends.
  const output = destination({ dest: 1, sync: true, minLength: 4_096 });
  setInterval(() => output.flush(), 250).unref();
  return pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, output);
}

/** Nest lists every module and route when it starts; that is for whoever looks for a fault. */
const FRAMEWORK = new Set(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication']);

/**
 * Lets the framework's own messages and those of our classes go to the same log. What a request causes has its id, under
 * the name that it has in the line of the request itself.
 */
export class JsonLogger implements LoggerService {
  constructor(private readonly pino: Pino) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write('info', message, rest);
  }
  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }
  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }
  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }
  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }
  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  /** Nest passes the context (a class name) last, and with an error a text or a stack before it. */
  private write(
    level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace',
    message: unknown,
    rest: unknown[],
  ): void {
    const context = typeof rest.at(-1) === 'string' ? (rest.at(-1) as string) : undefined;
    if (level === 'info' && context !== undefined && FRAMEWORK.has(context)) level = 'debug';
    const [text] = rest.length > 1 ? rest : [];
    const fields: Record<string, unknown> = { request: currentRequestId(), context };
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
